import { crc32, deflateSync } from 'node:zlib'
import { displacements, STRETCH } from '../../ingest/nowcast/advection.ts'
import { forecastRate } from '../../ingest/nowcast/change.ts'
import { changeAt } from '../../ingest/nowcast/trend.ts'
import { FIRST_VALUE, type FrameGrid, NO_COVERAGE, pixelOf } from '../../ingest/tile/frame.ts'
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
  /** A part of the frame of precipitation types of the same time. */
  readonly types?: FramePart | undefined
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
  const reach = MAX_SHIFT_PX * steps + spacingOf(grid, box, size)
  return {
    left: Math.floor(columns.at(0) ?? 0) - reach,
    right: Math.ceil(columns.at(-1) ?? 0) + reach,
    top: Math.floor(rows.at(0) ?? 0) - reach,
    bottom: Math.ceil(rows.at(-1) ?? 0) + reach,
  }
}

/** Whole frame pixels between two pixels of a picture, at least 1. It is the same for all tiles of a zoom, so that smooth tiles meet. */
const spacingOf = (grid: FrameGrid, box: QueryBox, { width }: PictureSize): number =>
  Math.max(1, Math.round(spanOf(box) / width / grid.dLon))

/**
 * Indices of colours in Web Mercator, row by row from the north-west. Later layers are drawn over earlier ones. Steps of snow follow those of
 * rain.
 * @param smooth whether values are interpolated between pixels of the frame
 */
export function drawFrames(
  layers: readonly LayerPart[],
  palette: Palette,
  box: QueryBox,
  size: PictureSize,
  smooth = false,
): Uint8Array {
  const pixels = new Uint8Array(size.width * size.height)
  for (const layer of layers) {
    const { part, motion, steps } = layer
    const { grid } = part.head
    const { columns, rows } = gridPositions(grid, box, size)
    const displacementAt = motion && steps > 0 ? displacements(motion.nodes, steps) : undefined
    const colourAt = smooth
      ? smoothColours(layer, palette, spacingOf(grid, box, size))
      : plainColours(layer, palette, displacementAt !== undefined)
    paint(pixels, columns, rows, colourAt, displacementAt)
  }
  return pixels
}

/** Index of the colour at fractional pixels of a frame; 0 if nothing is drawn. */
type ColourAt = (x: number, y: number) => number

function plainColours(layer: LayerPart, palette: Palette, isMoved: boolean): ColourAt {
  const { part, motion, steps } = layer
  const view = viewPart(part)
  const value = valueIn(part.head)
  const isSnow = snowAt(layer, palette)
  const changedValue = isMoved && motion ? valueChange(part.head, motion) : undefined
  const coded = (index: (value: number) => number) =>
    Uint8Array.from({ length: 65_536 }, (_, code) => (code < FIRST_VALUE ? 0 : index(value(code))))
  const colours = coded((at) => colourOf(palette, at))
  const snowColours = isSnow ? coded((at) => snowColourOf(palette, at)) : colours
  // Rates may grow from dry pixels, but reflectivity changes only at an echo.
  const isRate = part.head.unit === 'mm/h'
  return (x, y) => {
    const code = codeAt(view, Math.round(x), Math.round(y))
    if (code < (changedValue && isRate ? 1 : FIRST_VALUE)) return 0
    const snow = isSnow?.(x, y) === true
    if (changedValue) {
      const before = code < FIRST_VALUE ? 0 : value(code)
      const now = changedValue(before, x, y, steps * STRETCH)
      if (now !== before) return snow ? snowColourOf(palette, now) : colourOf(palette, now)
    }
    return (snow ? snowColours : colours)[code] ?? 0
  }
}

/** Colours of interpolated reflectivity. @param spacing frame pixels between the values that are interpolated */
function smoothColours(layer: LayerPart, palette: Palette, spacing: number): ColourAt {
  const { part, motion, steps } = layer
  const valueAt = interpolation(viewPart(part), valueIn(part.head), spacing)
  const isSnow = snowAt(layer, palette)
  const changedValue = motion && steps > 0 ? valueChange(part.head, motion) : undefined
  return (x, y) => {
    const before = valueAt(x, y)
    if (before === undefined) return 0
    const now = changedValue ? changedValue(before, x, y, steps * STRETCH) : before
    return isSnow?.(x, y) ? snowColourOf(palette, now) : colourOf(palette, now)
  }
}

/** Value of a dry pixel beside an echo, dBZ: an edge of 30 dBZ keeps its place in schemes that begin at 10 dBZ. */
const DRY_BESIDE_ECHO_DBZ = -10

/** Returns a function for the value between the four nearest of the pixels at each `spacing`; undefined where they are dry or not covered. */
function interpolation(view: FrameView, value: (code: number) => number, spacing: number) {
  return (x: number, y: number): number | undefined => {
    if (codeAt(view, Math.round(x), Math.round(y)) === NO_COVERAGE) return undefined
    const [left, top] = [Math.floor(x / spacing), Math.floor(y / spacing)]
    let sum = 0
    let weights = 0
    let isWet = false
    for (let corner = 0; corner < 4; corner++) {
      const [column, row] = [left + (corner & 1), top + (corner >> 1)]
      const code = codeAt(view, column * spacing, row * spacing)
      if (code === NO_COVERAGE) continue
      const weight = (1 - Math.abs(x / spacing - column)) * (1 - Math.abs(y / spacing - row))
      weights += weight
      if (code >= FIRST_VALUE) isWet ||= weight > 0
      sum += weight * (code >= FIRST_VALUE ? value(code) : DRY_BESIDE_ECHO_DBZ)
    }
    return isWet ? sum / weights : undefined
  }
}

/** The code of snow in MRMS's precipitation types. */
const SNOW_TYPE = 3

/** Returns whether it snows at a pixel of the frame; undefined if the palette has no snow or the types are not known. */
function snowAt({ part, types }: LayerPart, palette: Palette): ((x: number, y: number) => boolean) | undefined {
  if (!types || !palette.snow) return undefined
  const [from, to] = [part.head.grid, types.head.grid]
  const view = viewPart(types)
  const value = valueIn(types.head)
  return (x, y) => {
    const column = (from.west + x * from.dLon - to.west) / to.dLon
    const row = (to.north - from.north + y * from.dLat) / to.dLat
    const code = codeAt(view, Math.round(column), Math.round(row))
    return code >= FIRST_VALUE && value(code) === SNOW_TYPE
  }
}

/** Index of the colour of snow, after those of rain; 0 if nothing is drawn. */
function snowColourOf({ steps, snow = [] }: Palette, value: number): number {
  const index = colourOf({ steps: snow }, value)
  return index === 0 ? 0 : steps.length + index
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
  columns: Float64Array,
  rows: Float64Array,
  colourAt: ColourAt,
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
      const colour = colourAt(x, y)
      if (colour > 0) pixels[j * width + i] = colour
    }
  }
}

/** Returns the code of a pixel; 0 outside the loaded part, which only trajectories faster than any echo reach. */
function codeAt(view: FrameView, x: number, y: number): number {
  return view.has(x, y) ? view.code(x, y) : 0
}

/** Encodes an indexed PNG. Colour 0 is transparent; the others are the palette's, those of snow last. */
export function encodePicture(
  pixels: Uint8Array,
  { width, height }: PictureSize,
  palette: Palette,
  opacity: number,
): Buffer {
  const steps = [...palette.steps, ...(palette.snow ?? [])]
  const colours = [[0, 0, 0] as const, ...steps.map(({ colour }) => colour)]
  const alpha = [0, ...steps.map((step) => Math.round((step.alpha ?? 255) * opacity))]
  return indexedPng(pixels, { width, height }, colours, alpha, 4)
}

/** Encodes the pixels that no frame covers as a PNG: black there, and transparent elsewhere. */
export const encodeUnseen = (layers: readonly LayerPart[], box: QueryBox, size: PictureSize): Buffer =>
  indexedPng(unseenPixels(layers, box, size), size, Array(2).fill([0, 0, 0]), [0, 255], 4)

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
