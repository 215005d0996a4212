type Child = Node | string | undefined | false | null
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

const SVG = 'http://www.w3.org/2000/svg'

function fill(node: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : String(value))
  node.append(...children.filter((child) => child !== undefined && child !== false && child !== null))
}

/** An HTML element with attributes and children. Strings become text, never markup. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name)
  fill(node, attributes, children)
  return node
}

/** An SVG element with attributes and children. */
export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Name] {
  const node = document.createElementNS(SVG, name)
  fill(node, attributes, children)
  return node
}

/** The element that matches a selector. @throws Error if the page has none */
export function find<Kind extends Element = HTMLElement>(selector: string, within: ParentNode = document): Kind {
  const node = within.querySelector<Kind>(selector)
  if (!node) throw new Error(`the page has no ${selector}`)
  return node
}

/** A card of the page with a heading. */
export function section(title: string, name: string, ...children: Child[]): HTMLElement {
  return el(
    'section',
    { class: `card ${name}`, 'aria-labelledby': `h-${name}` },
    el('h2', { id: `h-${name}` }, title),
    ...children,
  )
}

/** Details whose content is created when they are first opened: a table of 48 hours has more elements than all other cards together. */
export function lateDetails(summary: string, make: () => Node): HTMLDetailsElement {
  const details = el('details', {}, el('summary', {}, summary))
  details.addEventListener('toggle', () => details.append(make()), { once: true })
  return details
}
