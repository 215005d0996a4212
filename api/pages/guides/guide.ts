import { html, type Markup } from '../page.ts'

export { html } from '../page.ts'

/** A page of the documentation. @param base the base URL of the reader's request */
export type Guide = (base: string) => { readonly title: string; readonly about: string; readonly body: Markup }

/** Lines of a shell or a program. The element scrolls, so it can be focused. */
export const code = (lines: string): Markup => html`<pre tabindex="0"><code>${lines}</code></pre>`

export function table(head: readonly string[], rows: readonly (readonly (Markup | string)[])[]): Markup {
  return html`<div class="scroll" role="region" aria-label="Table of ${head.join(', ')}" tabindex="0"><table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(([first, ...cells]) => html`<tr><th scope="row">${first}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}
