import { createCanvas } from '@napi-rs/canvas'
import type { Palette } from './colours.ts'

const CELL = 34
const HEIGHT = 46

/** A bar of the palette's colours with the value at which each begins, as PNG. */
export function drawLegend({ title, unit, steps }: Palette): Buffer {
  const canvas = createCanvas(CELL * steps.length + 16, HEIGHT)
  const context = canvas.getContext('2d')
  context.fillStyle = 'rgba(255,255,255,0.85)'
  context.fillRect(0, 0, canvas.width, HEIGHT)
  context.fillStyle = '#111'
  context.font = '12px sans-serif'
  context.fillText(`${title} (${unit})`, 8, 13)
  context.font = '10px sans-serif'
  steps.forEach(({ from, colour }, i) => {
    context.fillStyle = `rgb(${colour.join(',')})`
    context.fillRect(8 + i * CELL, 18, CELL, 13)
    context.fillStyle = '#111'
    context.fillText(String(from), 8 + i * CELL, 42)
  })
  return canvas.toBuffer('image/png')
}
