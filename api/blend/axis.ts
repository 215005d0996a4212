import type { Instant } from '../../ingest/domain/time.ts'

/** The hourly axis: an hour each from `start` on. */
export interface Axis {
  readonly start: Instant
  readonly count: number
}

/** A part of a field on that axis, one value an hour, NaN where nothing is known yet. */
export interface Gap extends Axis {
  /** The first and the last hour that may lack a value, both less than `count`. */
  readonly first: number
  readonly last: number
}

export function whole({ start, count }: Axis): Gap {
  return { start, count, first: 0, last: count - 1 }
}

/** The hours of a field that lack a value, within those of a gap in it that was found before; undefined where none does. */
export function gapIn(out: Float64Array, gap: Gap): Gap | undefined {
  let { first, last } = gap
  while (first <= last && !Number.isNaN(out[first])) first++
  while (first <= last && !Number.isNaN(out[last])) last--
  if (first === gap.first && last === gap.last) return gap
  return first <= last ? { start: gap.start, count: gap.count, first, last } : undefined
}

/** Of a gap what lies before hour `count`. */
export function gapBefore({ start, count, first, last }: Gap, before: number): Gap {
  return { start, count: Math.min(count, before), first, last: Math.min(last, before - 1) }
}
