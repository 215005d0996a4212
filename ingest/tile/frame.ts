import type { DomainId } from '../domain/domain.ts'
import type { Instant } from '../domain/time.ts'

/**
 * A latitude-longitude grid, north row first, west column first, in degrees. The origin is the first pixel's centre.
 */
export interface FrameGrid {
  readonly nx: number
  readonly ny: number
  readonly north: number
  readonly west: number
  readonly dLat: number
  readonly dLon: number
}

/** The head of a frame; FRAME.md defines the format. */
export interface FrameHead {
  /** The dataset, such as `mrms-precip-rate`. */
  readonly product: string
  readonly domain: DomainId
  readonly validTime: Instant
  readonly grid: FrameGrid
  readonly unit: string
  /** The value of code 2, and the step between codes; both exact multiples of the source's quantum. */
  readonly base: number
  readonly step: number
  /** Share of pixels, 0 to 1. */
  readonly noCoverage: number
  readonly dry: number
  readonly source: string
  /** Bytes of the file at `source`; older frames lack it. */
  readonly sourceBytes?: number
  /** SHA-256 of these bytes in hexadecimal digits. */
  readonly sourceSha256?: string
}

export const MAGIC = 0x31524648
/** Bytes before the head. */
export const PROLOGUE = 16
/** Pixels along one side of a unit. A unit has at most 64 KB of codes twice, and is read and unpacked whole. */
export const UNIT = 256
/** Bytes of one row of the table of units: offset, length with kind, checksum, highest code. */
export const ROW = 16

/** Every pixel has no coverage, is dry, or has a value. */
export const NO_COVERAGE = 0
export const DRY = 1
export const FIRST_VALUE = 2

/** Storage form of a unit. */
export const CONSTANT = 0
export const LOW_PLANE = 1
export const TWO_PLANES = 2

export const unitsAcross = (grid: FrameGrid): number => Math.ceil(grid.nx / UNIT)
export const unitsDown = (grid: FrameGrid): number => Math.ceil(grid.ny / UNIT)

/** The fractional pixel of a position; 0,0 is the centre of the north-western pixel. Grids may cross 180°. */
export function pixelOf(grid: FrameGrid, lat: number, lon: number): { x: number; y: number } {
  let east = lon - grid.west
  const width = grid.nx * grid.dLon
  const centre = width / 2
  while (east - centre > 180) east -= 360
  while (east - centre < -180) east += 360
  return { x: east / grid.dLon, y: (grid.north - lat) / grid.dLat }
}

export function placeOf(grid: FrameGrid, x: number, y: number): { lat: number; lon: number } {
  const lon = grid.west + x * grid.dLon
  return { lat: grid.north - y * grid.dLat, lon: ((((lon + 180) % 360) + 360) % 360) - 180 }
}
