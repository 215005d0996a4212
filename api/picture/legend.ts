import { createCanvas } from '@napi-rs/canvas'
import type { Palette } from './colours.ts'

const CELL_PX = 34
const HEIGHT_PX = 46

/** Draws a bar of the palette's colours with the value at which each begins, as PNG. */
export function drawLegend({ title, unit, steps }: Palette): Buffer {
  const canvas = createCanvas(CELL_PX * steps.length + 16, HEIGHT_PX)
  const context = canvas.getContext('2d')
  context.fillStyle = 'rgba(255,255,255,0.85)'
  context.fillRect(0, 0, canvas.width, HEIGHT_PX)
  context.fillStyle = '#111'
  context.font = '12px sans-serif'
  context.fillText(`${title} (${unit})`, 8, 13)
  context.font = '10px sans-serif'
  steps.forEach(({ from, colour }, i) => {
    context.fillStyle = `rgb(${colour.join(',')})`
    context.fillRect(8 + i * CELL_PX, 18, CELL_PX, 13)
    context.fillStyle = '#111'
    context.fillText(String(from), 8 + i * CELL_PX, 42)
  })
  return canvas.toBuffer('image/png')
}
