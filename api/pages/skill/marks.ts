import { Fault } from '../../../ingest/domain/fault.ts'
import type { VerifiedSource } from '../../../ingest/domain/verification/forecast.ts'
import { scoreWords, sourceNames } from '../../present/skill-words.ts'
import { html, type Markup } from '../page.ts'

/** A shape for each source, about 6 units wide, so that no information depends on colour alone. */
const shapes: Readonly<Record<VerifiedSource, string>> = {
  blend: 'M-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0z',
  nbm: 'M-3-3h6v6h-6z',
  hrrr: 'M0-3.8L3.6 3h-7.2z',
  rrfs: 'M0 3.8L-3.6-3h7.2z',
  gfs: 'M0-4L4 0 0 4-4 0z',
  persistence: 'M-3-3L3 3M-3 3L3-3',
  rtma: 'M-4 0h8M0-4v8',
}

/** Title, meaning and best value of a score. @throws Fault Missing for an unknown score */
export function wordsOf(name: string): (typeof scoreWords)[string] {
  const words = scoreWords[name]
  if (!words) throw new Fault('Missing', `skill: there are no words for the score ${name}`)
  return words
}

/** The mark of a source at a position. @param title shown under the pointer */
export function mark(source: VerifiedSource, x: number, y: number, title?: string): Markup {
  const inside = title === undefined ? '' : html`<title>${title}</title>`
  return html`<path class="mark ${source}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" d="${shapes[source]}">${inside}</path>`
}

/** A list of sources with their marks. */
export function legend(sources: readonly VerifiedSource[], names = sourceNames): Markup {
  return html`<ul class="key">${sources.map(
    (source) =>
      html`<li><svg viewBox="-6 -6 12 12" width="14" height="14" aria-hidden="true">${mark(source, 0, 0)}</svg> ${names[source]}</li>`,
  )}</ul>`
}

/** Values of an axis that are easy to read: multiples of 1, 2 or 5 times a power of ten, about `most` steps. */
export function ticks(low: number, high: number, most = 5): number[] {
  const span = high - low || 1
  const power = 10 ** Math.floor(Math.log10(span / most))
  const step = [1, 2, 5].map((factor) => factor * power).find((size) => span / size <= most) ?? 10 * power
  const first = Math.floor(low / step + 1e-9)
  const last = Math.ceil(high / step - 1e-9)
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(6)))
}

/** A table below its plot, which is closed at first. */
export function tableBelow(name: string, head: readonly (string | Markup)[], rows: readonly Markup[]): Markup {
  return html`<details><summary>As a table</summary>
<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table>
<caption>${name}</caption>
<thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div></details>`
}
