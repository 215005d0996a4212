import type { SKRSContext2D } from '@napi-rs/canvas'
import { FONT } from './map-draw.ts'
import type { View } from './view.ts'

/** Draws two lines on a band at the top, for the preview picture of a link. */
export function drawHeading(context: SKRSContext2D, view: View, title: string, line: string): void {
  const height = Math.round(view.height * 0.27)
  context.fillStyle = '#0b2a4a'
  context.fillRect(0, 0, view.width, height)
  context.fillStyle = '#fff'
  context.textBaseline = 'middle'
  const drawLine = (text: string, size: number, y: number) => {
    let pixels = size
    do context.font = `${pixels}px "${FONT}"`
    while (context.measureText(text).width > view.width - 80 && (pixels -= 2) > 14)
    context.fillText(text, 40, y)
  }
  drawLine(title, 54, height * 0.36)
  drawLine(line, 38, height * 0.74)
}
