import { cellsOf } from '../../domain/cell.ts'
import { PAST_AMOUNT } from '../../domain/dataset/past-hours.ts'
import { nth } from '../../domain/nth.ts'
import type { Instant } from '../../domain/time.ts'
import type { Cover } from '../../tile/cover.ts'
import { type FrameGrid, type FrameHead, NO_COVERAGE, pixelOf, UNIT, unitsAcross } from '../../tile/frame.ts'
import { eachUnit, stateOfCode, valueIn } from '../../tile/frame-read.ts'
import { joinSlabs, readSlabHead } from '../../tile/slab.ts'
import { MISSING_CODE, SlabCodes } from '../../tile/slab-codes.ts'

/** The pixel of each cell of a cover: row × 65536 + column; `OUTSIDE` if the grid does not contain the cell's centre. */
export interface CellPixels {
  readonly grid: FrameGrid
  /** Shared memory, which tasks of other threads read without a copy. */
  readonly pixelIndexes: Uint32Array<SharedArrayBuffer>
}

const OUTSIDE = 0xffffffff
/** Step of the codes, mm. */
const AMOUNT_STEP = 0.1

/** Samples the accumulation of an hour at the cells of a slab. */
export interface AmountsTask {
  readonly kind: 'season-amounts'
  /** Slabs of the same cells. */
  readonly like: { readonly name: string; readonly bytes: Uint8Array }
  readonly frame: { readonly key: string; readonly bytes: Uint8Array; readonly time: Instant }
  /** Pixels from an earlier call with the same cells. */
  readonly pixels?: CellPixels
}

export interface AmountsResult {
  readonly bytes: Uint8Array
  readonly cover: string
  readonly pixels: CellPixels
}

export function makeAmounts({ like, frame, pixels }: AmountsTask): AmountsResult {
  const slabs = readSlabHead(like.name, like.bytes)
  const cover = slabs.cover()
  const units: (ArrayLike<number> | number)[] = []
  const widths: number[] = []
  let across = 0
  const head = eachUnit(frame.bytes, frame.key, (codes, left, top, width, _height, { grid }) => {
    across = unitsAcross(grid)
    const unit = (top / UNIT) * across + left / UNIT
    units[unit] = codes
    widths[unit] = width
  })
  const known =
    pixels && sameGrid(pixels.grid, head.grid) ? pixels : { grid: head.grid, pixelIndexes: pixelsOf(cover, head.grid) }
  const amounts = amountsOf(head)
  const values = Int16Array.from(known.pixelIndexes, (pixel) => {
    if (pixel === OUTSIDE) return MISSING_CODE
    const [x, y] = [pixel & 0xffff, pixel >>> 16]
    const unit = (y >> 8) * across + (x >> 8)
    const codes = nth(units, unit)
    return amounts(typeof codes === 'number' ? codes : codes[(y & 255) * nth(widths, unit) + (x & 255)]!)
  })
  const { time } = frame
  const source = { url: head.source, from: 0, length: head.sourceBytes ?? 0 }
  const item = { variable: PAST_AMOUNT, time, quantum: AMOUNT_STEP, offset: 0, source }
  const { domain, resolution, coverId } = slabs
  const identity = { dataset: head.product, domain, run: time, resolution }
  return { bytes: joinSlabs(identity, cover, [new SlabCodes(cover).pack(item, values)]), cover: coverId, pixels: known }
}

/** Converts codes of a frame to codes of the slab. */
function amountsOf(head: FrameHead): (code: number) => number {
  const value = valueIn(head)
  return (code) => {
    if (code === NO_COVERAGE) return MISSING_CODE
    return stateOfCode(code) === 'dry' ? 0 : Math.min(32767, Math.round(value(code) / AMOUNT_STEP))
  }
}

/** Looks up the pixels of all cells, which takes half a second for the contiguous states. */
function pixelsOf(cover: Cover, grid: FrameGrid): Uint32Array<SharedArrayBuffer> {
  const { lat, lon } = cellsOf(cover.ids, cover.resolution).centres()
  const pixelIndexes = new Uint32Array(new SharedArrayBuffer(cover.ids.length * 4))
  for (let i = 0; i < pixelIndexes.length; i++) {
    const pixel = pixelOf(grid, lat[i]!, lon[i]!)
    const [x, y] = [Math.round(pixel.x), Math.round(pixel.y)]
    pixelIndexes[i] = x >= 0 && y >= 0 && x < grid.nx && y < grid.ny ? y * 0x10000 + x : OUTSIDE
  }
  return pixelIndexes
}

function sameGrid(a: FrameGrid, b: FrameGrid): boolean {
  return (['nx', 'ny', 'north', 'west', 'dLat', 'dLon'] as const).every((name) => a[name] === b[name])
}
