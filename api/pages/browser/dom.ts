type Child = Node | string | undefined | false | null
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

const SVG = 'http://www.w3.org/2000/svg'

function fill(node: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : String(value))
  node.append(...children.filter((child) => child !== undefined && child !== false && child !== null))
}

/** An element with text or children; nothing is ever read as markup. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name)
  fill(node, attributes, children)
  return node
}

export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Name] {
  const node = document.createElementNS(SVG, name)
  fill(node, attributes, children)
  return node
}

/** The element of a selector that the page is made with. */
export function find<Kind extends Element = HTMLElement>(selector: string, within: ParentNode = document): Kind {
  const node = within.querySelector<Kind>(selector)
  if (!node) throw new Error(`the page has no ${selector}`)
  return node
}

/** A part of the page with a heading. */
export function section(title: string, name: string, ...children: Child[]): HTMLElement {
  return el(
    'section',
    { class: `card ${name}`, 'aria-labelledby': `h-${name}` },
    el('h2', { id: `h-${name}` }, title),
    ...children,
  )
}

/** Details whose content is made when they are first opened: a table of 48 hours has more elements than the rest of the page. */
export function lateDetails(summary: string, make: () => Node): HTMLDetailsElement {
  const details = el('details', {}, el('summary', {}, summary))
  details.addEventListener('toggle', () => details.append(make()), { once: true })
  return details
}
