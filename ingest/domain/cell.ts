import { readFileSync } from 'node:fs'
import { crc32, inflateRawSync } from 'node:zlib'
import { cellToBoundary, cellToChildren, cellToLatLng, gridDisk, isPentagon, latLngToCell, polygonToCells } from 'h3-js'
import { Fault } from './fault.ts'
import { nth } from './nth.ts'

/** The model cells: all cells of one resolution that cover the 50 states and DC, in the order of their H3 index. */
export interface Cells {
  readonly resolution: number
  readonly count: number
  /** Compact ids (`idOfCell`), ascending. The children of a parent are contiguous. */
  readonly ids: Uint32Array
  /** Returns the index of a cell in that order; -1 outside the cover and for anything that is not a cell of this resolution. */
  indexOf(cell: string): number
  /** Returns the H3 index at an index of that order. */
  cellAt(index: number): string
  /**
   * Returns the centres in degrees, lon within [-180, 180). They are computed at the first call (2 s for 2 million cells) and may be
   * discarded when memory is short.
   */
  centres(): Centres
}

export interface Centres {
  readonly lat: Float64Array
  readonly lon: Float64Array
}

export const defaultResolution = 7
/** Finest resolution whose ids fit 32 bits: 7 bits for the base cell and 3 bits for each level. */
const finest = 8
/** Resolution of the cells in the file of the cover. */
const cachedResolution = 7

/** Returns the H3 index of the cell that contains a point. */
export function cellOf(lat: number, lon: number, resolution: number = defaultResolution): string {
  return latLngToCell(lat, lon, resolution)
}

/** Returns the centre of a cell, in degrees. */
export function centreOf(cell: string): [lat: number, lon: number] {
  return cellToLatLng(cell) as [number, number]
}

/** Returns the corners of a cell, in degrees. */
export function cornersOf(cell: string): [lat: number, lon: number][] {
  return cellToBoundary(cell) as [number, number][]
}

/** Returns the parent of a cell at a coarser resolution. It has the same digits, and 7 for each finer level. */
export function parentOf(cell: string, resolution: number): string {
  // After two hexadecimal digits follow 7 bits of base cell and 3 bits per level. The bits of unused finer levels are all ones.
  const bits = 7 + 3 * resolution
  const cut = 2 + (bits >> 2)
  if (cut >= cell.length) return cell
  const digit = Number.parseInt(nth(cell, cut), 16) | ((1 << (4 - (bits & 3))) - 1)
  return `8${resolution.toString(16)}${cell.slice(2, cut)}${digit.toString(16)}${ones.slice(cut)}`
}

const ones = 'f'.repeat(14)

/** Returns the cell and all cells within `rings` steps of it. */
export function cellsAround(cell: string, rings: number): string[] {
  return gridDisk(cell, rings)
}

/** Returns the cells of a finer resolution into which a cell is divided. */
export function cellsIn(cell: string, resolution: number): string[] {
  return cellToChildren(cell, resolution)
}

/** Returns the cells whose centres lie in a polygon: an outer ring and holes of `[lon, lat]`, as in GeoJSON. */
export function cellsWithin(rings: number[][][], resolution: number): string[] {
  return polygonToCells(rings, resolution, true)
}

/** Returns a cell as a number: 7 bits of base cell, then 3 bits per level. Numbers have the order of the H3 indexes of their resolution. */
export function idOfCell(cell: string): number {
  const resolution = Number.parseInt(cell.slice(1, 2), 16)
  // The value has 52 bits, which a JavaScript number represents exactly.
  return Math.floor(Number.parseInt(cell.slice(2), 16) / 8 ** (15 - resolution))
}

export function cellOfId(id: number, resolution: number): string {
  const unused = 3 * (15 - resolution)
  const bits =
    (0x8n << 56n) | (BigInt(resolution) << 52n) | (BigInt(id) << BigInt(unused)) | ((1n << BigInt(unused)) - 1n)
  return bits.toString(16).padStart(15, '0')
}

/** The H3 indexes, which take 8 MB and are only needed for new mappings. */
const loaded = new Map<number, WeakRef<Cells>>()

/**
 * Loads the cover, which may be discarded later when memory is short.
 * @throws Fault Invalid for a resolution other than 3 to 8
 */
export function loadCells(resolution: number = defaultResolution): Cells {
  let cells = loaded.get(resolution)?.deref()
  if (!cells) {
    cells = cellsOf(coverIds(resolution), resolution)
    loaded.set(resolution, new WeakRef(cells))
  }
  return cells
}

export function cellsOf(ids: Uint32Array, resolution: number): Cells {
  // Only new mappings need these 32 MB, so they may be collected.
  let weak: WeakRef<Centres> | undefined
  return {
    resolution,
    count: ids.length,
    ids,
    indexOf(cell) {
      if (cell.length !== 15 || Number.parseInt(cell.slice(1, 2), 16) !== resolution) return -1
      return search(ids, idOfCell(cell))
    },
    cellAt: (index) => cellOfId(ids[index]!, resolution),
    centres() {
      const known = weak?.deref()
      if (known) return known
      const computed = centresOf(ids, resolution)
      weak = new WeakRef(computed)
      return computed
    },
  }
}

/** Returns the index of an id among ascending ids; -1 if it is absent. */
export function search(ids: Uint32Array, id: number): number {
  let low = 0
  let high = ids.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const candidate = ids[middle]!
    if (candidate === id) return middle
    if (candidate < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Computes the centres. H3 also accepts an index as two 32-bit halves, which avoids two million strings. */
function centresOf(ids: Uint32Array, resolution: number): Centres {
  const lat = new Float64Array(ids.length)
  const lon = new Float64Array(ids.length)
  const unused = 3 * (15 - resolution)
  const halves: [number, number] = [0, 0]
  for (let i = 0; i < ids.length; i++) {
    const high = 2 ** (unused - 32)
    const shifted = ids[i]! * high
    const upper = Math.floor(shifted)
    const low = (shifted - upper) * 2 ** 32
    halves[0] = unused >= 32 ? 0xffffffff : low + (2 ** unused - 1)
    halves[1] = 0x08000000 + (resolution << 20) + upper + (unused > 32 ? high - 1 : 0)
    const [y, x] = cellToLatLng(halves as unknown as string)
    lat[i] = y
    lon[i] = x >= 180 ? x - 360 : x
  }
  return { lat, lon }
}

const coverFile = new URL('./cover.bin', import.meta.url)

/** Returns a checksum of the cells, which is part of the names of stored data that is derived from them. */
export function cellsCheck(): number {
  return crc32(readFileSync(coverFile))
}

function coverIds(resolution: number): Uint32Array {
  if (!Number.isInteger(resolution) || resolution < 3 || resolution > finest) {
    throw new Fault(
      'Invalid',
      `cell resolution: must be a whole number from 3 to ${finest}, but is ${resolution}. Set H3_RESOLUTION=7.`,
    )
  }
  const ids = unpackCover(inflateRawSync(readFileSync(coverFile)))
  if (resolution === cachedResolution) return ids
  return resolution < cachedResolution ? parentsOf(ids, 3 * (cachedResolution - resolution)) : childrenOf(ids)
}

function parentsOf(ids: Uint32Array, bits: number): Uint32Array {
  const parents = new Uint32Array(ids.length)
  let count = 0
  for (const id of ids) {
    const parent = id >>> bits
    if (count === 0 || parents[count - 1] !== parent) parents[count++] = parent
  }
  return parents.slice(0, count)
}

function childrenOf(ids: Uint32Array): Uint32Array {
  const children = new Uint32Array(ids.length * 7)
  let count = 0
  for (const id of ids) for (let digit = 0; digit < 7; digit++) children[count++] = id * 8 + digit
  return children
}

/**
 * Encodes the cover for `cover.bin`: cells of mixed resolution, each of which stands for all its descendants. A cell has 3 bits for the
 * level above the file's resolution, and the difference of its first id from the previous one; both form one LEB128 number.
 */
export function packCover(ids: Uint32Array): Uint8Array {
  const out: number[] = []
  let last = 0
  for (let i = 0; i < ids.length; ) {
    let level = 0
    while (level < 7 && wholeAt(ids, i, level + 1)) level++
    let number = (ids[i]! - last) * 8 + level
    last = ids[i]!
    i += 7 ** level
    while (number >= 128) {
      out.push((number % 128) + 128)
      number = Math.floor(number / 128)
    }
    out.push(number)
  }
  return Uint8Array.from(out)
}

/** Returns whether the ids from index `i` on are all descendants of one cell, `level` levels coarser. The cover has no pentagon. */
function wholeAt(ids: Uint32Array, i: number, level: number): boolean {
  const parent = Math.floor(ids[i]! / 8 ** level)
  const last = i + 7 ** level - 1
  return (
    ids[i] === parent * 8 ** level &&
    last < ids.length &&
    Math.floor(ids[last]! / 8 ** level) === parent &&
    level <= cachedResolution
  )
}

export function unpackCover(bytes: Uint8Array): Uint32Array {
  let ids = new Uint32Array(1 << 20)
  let count = 0
  let first = 0
  for (let at = 0; at < bytes.length; ) {
    let number = 0
    let scale = 1
    let byte: number
    do {
      byte = bytes[at++]!
      number += (byte & 127) * scale
      scale *= 128
    } while (byte >= 128)
    const level = number % 8
    first += Math.floor(number / 8)
    const size = 7 ** level
    if (count + size > ids.length) {
      const more = new Uint32Array(Math.max(ids.length * 2, count + size))
      more.set(ids)
      ids = more
    }
    for (let k = 0; k < size; k++) {
      let id = first
      for (let remainder = k, place = 1; remainder > 0; remainder = Math.floor(remainder / 7), place *= 8)
        id += (remainder % 7) * place
      ids[count++] = id
    }
  }
  return ids.slice(0, count)
}

/** Returns whether a cell is one of H3's twelve pentagons, whose children have a gap in their numbers. */
export function fiveSided(cell: string): boolean {
  return isPentagon(cell)
}
