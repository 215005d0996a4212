import { glyphShapes } from './browser/glyph-shapes.ts'
import type { Markup } from './page.ts'

/** The picture of an icon slug as markup. All its parts are constants, so nothing needs to be escaped. */
export function glyphMarkup(icon: string): Markup {
  const shapes = glyphShapes(icon).map(([name, attributes]) => {
    const text = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`)
    return `<${name}${text.join('')}/>`
  })
  return { html: `<svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">${shapes.join('')}</svg>` }
}
