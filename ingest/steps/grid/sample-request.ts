import type { Domain } from '../../domain/dataset/dataset.ts'
import type { Instant } from '../../domain/time.ts'
import type { MessageSource } from '../../tile/slab.ts'

/** One GRIB2 message as fetched. The bytes are transferred, and cannot be used after the call, unless their memory is shared. */
export interface FieldMessage {
  readonly bytes: Uint8Array
  /** Which field of a multi-field message; 0 when absent. */
  readonly field?: number
  /** Upstream's address of the message, kept for provenance. */
  readonly source?: MessageSource
}

export interface Item {
  /** Valid time: the end of the interval for variables that have a window. */
  readonly time: Instant
}

/** One message that fills one variable; value = native * scale + offset. */
export interface ScalarItem extends Item {
  readonly kind: 'scalar'
  readonly variable: string
  readonly message: FieldMessage
  readonly scale?: number
  readonly offset?: number
  /** Native values that mean "missing" or "unlimited". */
  readonly missing?: readonly number[]
}

/** Components that become speed and direction; grid-relative ones are turned to true north at the grid points. */
export interface WindItem extends Item {
  readonly kind: 'wind'
  readonly u: FieldMessage
  readonly v: FieldMessage
  readonly speed: string
  readonly direction: string
}

/** A direction in degrees from true north, averaged as a vector of the given speed (length 1 without one). */
export interface DirectionItem extends Item {
  readonly kind: 'direction'
  readonly variable: string
  readonly message: FieldMessage
  readonly speed?: FieldMessage
}

export type SampleItem = ScalarItem | WindItem | DirectionItem

export function messagesOf(item: SampleItem): readonly FieldMessage[] {
  if (item.kind === 'wind') return [item.u, item.v]
  if (item.kind === 'direction' && item.speed) return [item.message, item.speed]
  return [item.message]
}

export interface SampleRequest {
  readonly dataset: string
  readonly domain: Domain
  readonly run: Instant
  readonly items: readonly SampleItem[]
  /** H3 resolution of the cells. */
  readonly resolution: number
  /** Folder of the cached mappings grid → cells, one file a grid. */
  readonly cacheDir: string
}

/** Statistics of one slab for the validation before publishing. */
export interface SlabReport {
  readonly variable: string
  readonly time: Instant
  readonly quantum: number
  /** Of the values at our cells; NaN if all are missing. */
  readonly min: number
  readonly max: number
  readonly mean: number
  /** Share of our cells (0 to 1) without a value. */
  readonly missing: number
  /** Share of our cells with a point outside the range of the variable; it is left out, and a cell without another is missing. */
  readonly rejected: number
  /** Mean difference between neighbouring rows over the greater of those between neighbouring columns and rows two apart: at most about 1; above 3 rows are mirrored. NaN where too little varies. */
  readonly roughness: number
  /** Mean difference between neighbouring rows over that with every second row turned: below 1 where rows are right, 2 and more where they are mirrored. NaN as above. */
  readonly mirrored: number
}

export interface SampledFile {
  /** The slabs of all items, packed; to be stored under a key for `buildTiles`. */
  readonly bytes: Uint8Array
  readonly slabs: readonly SlabReport[]
  readonly cells: number
  /** Share of the domain's cells that the grid contains: 0 to 1. */
  readonly share: number
}
