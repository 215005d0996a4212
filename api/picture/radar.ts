import { crc32, deflateSync } from 'node:zlib'
import { displacements, STRETCH } from '../../ingest/nowcast/advection.ts'
import { forecastRate } from '../../ingest/nowcast/change.ts'
import { changeAt } from '../../ingest/nowcast/trend.ts'
import { type FrameGrid, pixelOf } from '../../ingest/tile/frame.ts'
import {
  type FramePart,
  type FrameView,
  type UnitBox as PixelBox,
  valueIn,
  viewPart,
} from '../../ingest/tile/frame-read.ts'
import type { MotionNodes } from '../../ingest/tile/motion-file.ts'
import { type QueryBox, spanOf } from '../query/box.ts'
import { colourOf, type Palette } from './colours.ts'

export interface PictureSize {
  readonly width: number
  readonly height: number
}

export const MAX_SIDE_PX = 2048

const mercator = (lat: number): number => Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360))
const latitude = (y: number): number => (360 / Math.PI) * (Math.atan(Math.exp(y)) - Math.PI / 4)

/** Size in pixels of a picture of a box in Web Mercator with a given width. */
export function sizeOf(box: QueryBox, width: number): PictureSize {
  const degrees = spanOf(box)
  const span = mercator(box[3]) - mercator(box[1])
  const height = Math.round((width * span) / ((degrees * Math.PI) / 180))
  return { width, height: Math.min(MAX_SIDE_PX, Math.max(1, height)) }
}

/** A layer of a picture: a part of a frame that may be extrapolated along its motion, in steps of five minutes. */
export interface LayerPart {
  readonly part: FramePart
  readonly motion?: { readonly key: string; readonly product: string; readonly nodes: MotionNodes }
  readonly steps: number
}

/** Positions of the pixels of a picture on a grid: fractional columns and rows. */
function gridPositions(grid: FrameGrid, box: QueryBox, { width, height }: PictureSize) {
  const [top, bottom] = [mercator(box[3]), mercator(box[1])]
  const degrees = spanOf(box)
  return {
    columns: Float64Array.from(
      { length: width },
      (_, i) => pixelOf(grid, grid.north, box[0] + ((i + 0.5) / width) * degrees).x,
    ),
    rows: Float64Array.from(
      { length: height },
      (_, j) => (grid.north - latitude(top - ((j + 0.5) / height) * (top - bottom))) / grid.dLat,
    ),
  }
}

/** Largest motion of an echo in five minutes, frame pixels. */
const MAX_SHIFT_PX = 60

/** The part of a grid that is needed for a picture. */
export function boxOf(grid: FrameGrid, box: QueryBox, size: PictureSize, steps: number): PixelBox {
  const { columns, rows } = gridPositions(grid, box, size)
  const reach = MAX_SHIFT_PX * steps
  return {
    left: Math.floor(columns.at(0) ?? 0) - reach,
    right: Math.ceil(columns.at(-1) ?? 0) + reach,
    top: Math.floor(rows.at(0) ?? 0) - reach,
    bottom: Math.ceil(rows.at(-1) ?? 0) + reach,
  }
}

/** Indices of colours in Web Mercator, row by row from the north-west. Later layers are drawn over earlier ones. */
export function drawFrames(
  layers: readonly LayerPart[],
  palette: Palette,
  box: QueryBox,
  size: PictureSize,
): Uint8Array {
  const pixels = new Uint8Array(size.width * size.height)
  for (const { part, motion, steps } of layers) {
    const { columns, rows } = gridPositions(part.head.grid, box, size)
    const displacementAt = motion && steps > 0 ? displacements(motion.nodes, steps) : undefined
    const value = valueIn(part.head)
    const colours = Uint8Array.from({ length: 65_536 }, (_, code) => (code < 2 ? 0 : colourOf(palette, value(code))))
    const changedValue = displacementAt && motion && valueChange(part.head, motion)
    // Rates may grow from dry pixels, but reflectivity changes only at an echo.
    const isRate = part.head.unit === 'mm/h'
    const colour = changedValue
      ? (code: number, x: number, y: number) => {
          if (code < (isRate ? 1 : 2)) return 0
          const before = code === 1 ? 0 : value(code)
          const now = changedValue(before, x, y, steps * STRETCH)
          return now === before ? colours[code]! : colourOf(palette, now)
        }
      : (code: number) => colours[code]!
    paint(pixels, viewPart(part), columns, rows, colour, displacementAt)
  }
  return pixels
}

/** 1 for each pixel that none of the frames covers, row by row from the north-west. */
export function unseenPixels(layers: readonly LayerPart[], box: QueryBox, size: PictureSize): Uint8Array {
  const unseen = new Uint8Array(size.width * size.height).fill(1)
  for (const { part } of layers) {
    const { columns, rows } = gridPositions(part.head.grid, box, size)
    const view = viewPart(part)
    for (const [j, row] of rows.entries())
      for (const [i, column] of columns.entries())
        if (codeAt(view, Math.round(column), Math.round(row)) > 0) unseen[j * size.width + i] = 0
  }
  return unseen
}

/**
 * Returns a function for the change of values while they move; undefined if they do not change or are types rather than
 * amounts. The change by scale applies only to the product on which the motion was measured; other products use only
 * the trend.
 */
function valueChange(
  { unit, product }: FramePart['head'],
  { nodes, product: measuredProduct }: NonNullable<LayerPart['motion']>,
): ((value: number, x: number, y: number, minutes: number) => number) | undefined {
  const { trend } = nodes
  const changes = product === measuredProduct ? nodes : { trend }
  if (!changes.trend && !('scales' in changes)) return undefined
  if (unit === 'mm/h') return (value, x, y, minutes) => forecastRate(changes, x, y, minutes, value)
  return unit === 'dBZ' ? (value, x, y, minutes) => value + changeAt(trend, x, y, minutes) : undefined
}

function paint(
  pixels: Uint8Array,
  view: FrameView,
  columns: Float64Array,
  rows: Float64Array,
  colourAt: (code: number, x: number, y: number) => number,
  displacementAt: ((x: number, y: number) => { dx: number; dy: number }) | undefined,
): void {
  const width = columns.length
  for (let j = 0; j < rows.length; j++) {
    for (let i = 0; i < width; i++) {
      let x = columns[i]!
      let y = rows[j]!
      if (displacementAt) {
        const { dx, dy } = displacementAt(x, y)
        x += dx
        y += dy
      }
      const colour = colourAt(codeAt(view, Math.round(x), Math.round(y)), x, y)
      if (colour > 0) pixels[j * width + i] = colour
    }
  }
}

/** Returns the code of a pixel; 0 outside the loaded part, which only trajectories faster than any echo reach. */
function codeAt(view: FrameView, x: number, y: number): number {
  return view.has(x, y) ? view.code(x, y) : 0
}

/** Encodes an indexed PNG. Colour 0 is transparent; the others are the palette's, all with the same opacity. */
export function encodePicture(
  pixels: Uint8Array,
  { width, height }: PictureSize,
  palette: Palette,
  opacity: number,
): Buffer {
  const colours = [[0, 0, 0] as const, ...palette.steps.map(({ colour }) => colour)]
  const alpha = [0, ...palette.steps.map(() => Math.round(255 * opacity))]
  return indexedPng(pixels, { width, height }, colours, alpha, 4)
}

/** Encodes pixels that are indices of colours as PNG. @param alpha opacity of each colour, 0 to 255; undefined for opaque colours */
export function indexedPng(
  pixels: Uint8Array,
  { width, height }: PictureSize,
  colours: readonly (readonly [number, number, number])[],
  alpha: readonly number[] | undefined,
  level: number,
): Buffer {
  const raw = Buffer.alloc((width + 1) * height)
  for (let j = 0; j < height; j++) raw.set(pixels.subarray(j * width, (j + 1) * width), j * (width + 1) + 1)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flat())),
    ...(alpha ? [chunk('tRNS', Buffer.from(alpha))] : []),
    chunk('IDAT', deflateSync(raw, { level })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind: string, body: Buffer): Buffer {
  const typeAndBody = Buffer.concat([Buffer.from(kind, 'latin1'), body])
  const out = Buffer.alloc(typeAndBody.length + 8)
  out.writeUInt32BE(body.length, 0)
  typeAndBody.copy(out, 4)
  out.writeUInt32BE(crc32(typeAndBody), typeAndBody.length + 4)
  return out
}
