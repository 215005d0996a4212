import type { Domain } from '../../domain/dataset/dataset.ts'
import type { Instant } from '../../domain/time.ts'
import type { MessageSource } from '../../tile/slab.ts'

/** One GRIB2 message as fetched. The bytes are transferred, and cannot be used after the call, unless their memory is shared. */
export interface FieldMessage {
  readonly bytes: Uint8Array
  /** Number of the field in a multi-field message; 0 if absent. */
  readonly field?: number
  /** Upstream's address of the message, for provenance. */
  readonly source?: MessageSource
}

export interface Item {
  /** Valid time: the end of the interval for variables that have a window. */
  readonly time: Instant
}

/** A message that fills one variable; value = native * scale + offset. */
export interface ScalarItem extends Item {
  readonly kind: 'scalar'
  readonly variable: string
  readonly message: FieldMessage
  /** A field on the same grid that is subtracted; a difference below 0 becomes 0. */
  readonly minus?: FieldMessage | undefined
  readonly scale?: number
  readonly offset?: number
  /** Native values that mean "missing" or "unlimited". */
  readonly missing?: readonly number[]
  /** Whether the value is the number of members that the probability of the message counts. */
  readonly members?: true
}

/**
 * Components that become speed and direction. Grid-relative components are rotated to true north at the grid points.
 */
export interface WindItem extends Item {
  readonly kind: 'wind'
  readonly u: FieldMessage
  readonly v: FieldMessage
  readonly speed: string
  readonly direction: string
}

/**
 * A direction in degrees from true north, averaged as a vector of the given speed; without a speed the vector has
 * length 1.
 */
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
  if (item.kind === 'scalar' && item.minus) return [item.message, item.minus]
  return [item.message]
}

export interface SampleRequest {
  readonly dataset: string
  readonly domain: Domain
  readonly run: Instant
  readonly items: readonly SampleItem[]
  /** H3 resolution of the cells. */
  readonly resolution: number
  /** Folder of the cached mappings grid → cells, one file for each grid. */
  readonly cacheDir: string
}

/** Statistics of a slab for the validation before publishing. */
export interface SlabReport {
  readonly variable: string
  readonly time: Instant
  readonly quantum: number
  /** Minimum, maximum and mean of the values at our cells; NaN if all are missing. */
  readonly min: number
  readonly max: number
  readonly mean: number
  /** Share of our cells without a value, 0 to 1. */
  readonly missing: number
  /**
   * Share of our cells with a neighbouring point outside the range of the variable. Such a point is left out, and a
   * cell without other points is missing.
   */
  readonly rejected: number
  /**
   * Mean difference between neighbouring rows divided by the larger of those between neighbouring columns and between
   * rows two apart. It is at most about 1; above 3 the rows are mirrored. NaN if too little varies.
   */
  readonly roughness: number
  /**
   * Mean difference between neighbouring rows divided by the same difference after every second row is reversed: below
   * 1 if the rows are right, 2 or more if they are mirrored. NaN under the same condition.
   */
  readonly mirrored: number
}

export interface SampledFile {
  /** The slabs of all items, packed, to be stored under a key for `buildTiles`. */
  readonly bytes: Uint8Array
  readonly slabs: readonly SlabReport[]
  readonly cells: number
  /** Share of the domain's cells that the grid contains: 0 to 1. */
  readonly share: number
}
