import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { QueryBox } from '../query/box.ts'
import { colourOf, type Palette } from './colours.ts'
import { drawAreas, drawBorders, drawHatching, drawLines, drawMark, drawTrack, newMap } from './map-draw.ts'
import { drawHeading } from './map-heading.ts'
import { legendOf } from './map-legend.ts'
import type { FieldLayer, LayerFigures, MapLayer, MapPicture, MapTask } from './map-task.ts'
import { drawFrames, unseenPixels } from './radar.ts'
import { smallPng } from './small-png.ts'
import { type View, viewOf } from './view.ts'

/** Draws a map and encodes it as PNG. This takes up to 2 s for 4 million pixels, so it must run in a thread. */
export async function paintMap(task: MapTask): Promise<MapPicture> {
  const view = viewOf(task.lat, task.lon, task.zoom, task.width, task.height)
  const { canvas, context } = newMap(view)
  const figures = task.layers.map((layer) => drawLayer(context, view, layer))
  const legend = legendOf(context, view, task.palette, task.names, task.caption)
  if (task.mark) drawMark(context, view, task.mark.lat, task.mark.lon)
  drawBorders(context, view, task.towns, legend.boxes)
  legend.draw()
  if (task.heading) drawHeading(context, view, task.heading.title, task.heading.line)
  const png = await canvas.encode('png')
  if (task.maxBytes === undefined || png.length <= task.maxBytes) return { png, figures }
  return { png: smallPng(context.getImageData(0, 0, view.width, view.height).data, view, task.maxBytes), figures }
}

function drawLayer(context: SKRSContext2D, view: View, layer: MapLayer): LayerFigures | null {
  switch (layer.kind) {
    case 'areas':
      drawAreas(context, view, layer.areas)
      drawLines(context, view, layer.lines ?? [])
      return null
    case 'tracks':
      for (const [lon, lat, toLon, toLat] of layer.tracks) drawTrack(context, view, [lon, lat], [toLon, toLat])
      return null
    case 'frames': {
      const box = view.bbox as unknown as QueryBox
      const size = { width: view.width, height: view.height }
      const pixels = drawFrames(layer.parts, layer.palette, box, size)
      if (!layer.marksUnseen) return drawIndexed(context, view, pixels, layer)
      const unseen = unseenPixels(layer.parts, box, size)
      drawHatching(context, view, unseen)
      const figures = drawIndexed(context, view, pixels, layer)
      return { ...figures, unseen: unseen.reduce((sum, pixel) => sum + pixel, 0) / unseen.length }
    }
    case 'field':
      return drawIndexed(context, view, fieldPixels(view, layer), layer)
  }
}

/** Draws pixels that are indices of palette steps, from 1; 0 is transparent. */
function drawIndexed(
  context: SKRSContext2D,
  view: View,
  pixels: Uint8Array,
  { palette, opacity }: { palette: Palette; opacity: number },
): LayerFigures {
  const layer = createCanvas(view.width, view.height)
  const paint = layer.getContext('2d')
  const image = paint.createImageData(view.width, view.height)
  const rgba = new Uint32Array(image.data.buffer, image.data.byteOffset, pixels.length)
  const alpha = Math.round(255 * opacity)
  // Little-endian words of red, green, blue, alpha.
  const words = palette.steps.map(({ colour: [r, g, b] }) => ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0)
  const colours = Uint32Array.from([0, ...words])
  let covered = 0
  let highest = { step: 0, x: 0, y: 0, distance: Number.POSITIVE_INFINITY }
  for (let i = 0; i < pixels.length; i++) {
    const step = pixels[i]!
    if (step === 0) continue
    rgba[i] = colours[step]!
    covered++
    if (step < highest.step) continue
    const [x, y] = [i % view.width, Math.floor(i / view.width)]
    const distance = (x - view.width / 2) ** 2 + (y - view.height / 2) ** 2
    if (step > highest.step || distance < highest.distance) highest = { step, x, y, distance }
  }
  paint.putImageData(image, 0, 0)
  context.drawImage(layer, 0, 0)
  const { step, x, y } = highest
  return { covered: covered / pixels.length, ...(step > 0 && { highest: { step, x, y } }) }
}

/** Pixels of a field, interpolated bilinearly between its samples. A pixel is drawn if samples with at least 45 % of the weight have values. */
function fieldPixels(view: View, { values, columns, step, palette }: FieldLayer): Uint8Array {
  const pixels = new Uint8Array(view.width * view.height)
  for (let y = 0; y < view.height; y++) {
    const fy = y / step
    const j = Math.floor(fy)
    for (let x = 0; x < view.width; x++) {
      const fx = x / step
      const i = Math.floor(fx)
      let sum = 0
      let weight = 0
      for (let corner = 0; corner < 4; corner++) {
        const di = corner & 1
        const dj = corner >> 1
        const value = values[(j + dj) * columns + i + di]
        if (value === undefined || Number.isNaN(value)) continue
        const w = (di ? fx - i : 1 - fx + i) * (dj ? fy - j : 1 - fy + j)
        sum += w * value
        weight += w
      }
      if (weight >= 0.45) pixels[y * view.width + x] = colourOf(palette, sum / weight + 1e-6)
    }
  }
  return pixels
}
