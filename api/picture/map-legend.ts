import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Palette } from './colours.ts'
import { labelOf } from './display-units.ts'
import { FONT } from './map-draw.ts'
import type { PixelBox, View } from './view.ts'

export interface Legend {
  /** Boxes that the legend occupies. */
  readonly boxes: readonly PixelBox[]
  draw(): void
}

const INSET_PX = 6
const MAX_NAMES = 8
/** Largest width of a row of colours. */
const MAX_WIDTH_PX = 520

/**
 * The legend at the lower left: colours with the values at which they begin, names of colours, and a last line. Its
 * layout is computed before the names of towns are drawn, because they avoid it.
 */
export function legendOf(
  context: SKRSContext2D,
  view: View,
  palette: Palette | undefined,
  names: readonly { name: string; colour: string }[],
  line: string,
): Legend {
  const boxes: PixelBox[] = []
  const drawPanels: (() => void)[] = []
  const maxWidth = view.width - 2 * INSET_PX
  let bottom = view.height - INSET_PX
  const font = (size: number) => {
    context.font = `${size}px "${FONT}"`
  }
  const panel = (width: number, height: number, draw: (left: number, top: number) => void) => {
    const [left, top] = [INSET_PX, bottom - height]
    const wide = Math.min(width, maxWidth)
    boxes.push([left, top, left + wide, bottom])
    drawPanels.push(() => {
      context.fillStyle = 'rgba(255,255,255,0.88)'
      context.fillRect(left, top, wide, height)
      context.fillStyle = '#111'
      context.textBaseline = 'alphabetic'
      draw(left + 6, top)
    })
    bottom = top - 2
  }
  const fitted = (text: string, width: number) => {
    let cut = text
    while (cut.length > 1 && context.measureText(cut).width > width) cut = `${cut.slice(0, -2).trimEnd()}…`
    return cut
  }

  font(11)
  const last = fitted(line, maxWidth - 12)
  panel(context.measureText(last).width + 12, 18, (left, top) => {
    font(11)
    context.fillText(last, left, top + 13)
  })
  if (palette) {
    const { steps } = palette
    const cell = Math.min(34, Math.floor(Math.min(maxWidth - 30, MAX_WIDTH_PX) / steps.length))
    font(9)
    const widest = Math.max(...steps.map((_, i) => context.measureText(labelOf(palette, i)).width)) + 5
    const every = Math.max(1, Math.ceil(widest / cell))
    font(11)
    const wide = Math.max(cell * steps.length + 24, 120)
    const title = fitted(`${palette.title} (${palette.unit})`, Math.max(wide, Math.min(maxWidth, 260)) - 12)
    panel(Math.max(wide, context.measureText(title).width + 12), 43, (left, top) => {
      font(11)
      context.fillText(title, left, top + 13)
      font(9)
      steps.forEach(({ colour }, i) => {
        context.fillStyle = `rgb(${colour.join(',')})`
        context.fillRect(left + i * cell, top + 18, cell, 11)
        context.fillStyle = '#111'
        if (i % every === 0) context.fillText(labelOf(palette, i), left + i * cell, top + 39)
      })
      context.strokeStyle = '#8a9299'
      context.lineWidth = 0.6
      context.strokeRect(left, top + 18, cell * steps.length, 11)
    })
  }
  const listedNames = names.length > MAX_NAMES ? names.slice(0, MAX_NAMES - 1) : names
  const more = names.length - listedNames.length
  for (const { name, colour } of [
    ...(more > 0 ? [{ name: `and ${more} more`, colour: '' }] : []),
    ...[...listedNames].reverse(),
  ]) {
    if (bottom < 40) break
    font(11)
    const text = fitted(name, maxWidth - 36)
    panel(context.measureText(text).width + 32, 18, (left, top) => {
      if (colour) {
        context.fillStyle = colour
        context.fillRect(left, top + 4, 10, 10)
      }
      context.fillStyle = '#111'
      font(11)
      context.fillText(text, left + 15, top + 13)
    })
  }
  return {
    boxes,
    draw: () => {
      for (const drawPanel of drawPanels) drawPanel()
    },
  }
}
