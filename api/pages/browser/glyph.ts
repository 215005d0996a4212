import { svg } from './dom.ts'
import { glyphShapes } from './glyph-shapes.ts'

/** A small picture of an icon slug. It only decorates the words beside it. */
export function glyph(icon = ''): SVGSVGElement {
  const shapes = glyphShapes(icon).map(([name, attributes]) => svg(name, attributes))
  return svg('svg', { class: 'glyph', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, ...shapes)
}
