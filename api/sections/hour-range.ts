import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'

/**
 * Index ranges of a period: instants in `[from, to)`, and intervals that end in `(from, to]`. Extremes of temperature also count the
 * instant `to`, because the precipitation of the hour that ends then is described beside them.
 */
export interface HourRange {
  readonly first: number
  readonly last: number
  /** Index of `to`; `last` if the period has no hour. */
  readonly lastInstant: number
  readonly firstEnd: number
  readonly lastEnd: number
}

export function hourRangeOf(forecast: Forecast, from: Instant, to: Instant): HourRange {
  const begin = Math.ceil((from - forecast.start) / HOUR)
  const end = Math.ceil((to - forecast.start) / HOUR)
  const first = Math.max(0, begin)
  const last = Math.min(forecast.count, end) - 1
  return {
    first,
    last,
    lastInstant: last < first ? last : Math.min(forecast.count - 1, Math.floor((to - forecast.start) / HOUR)),
    firstEnd: Math.max(0, begin + 1),
    lastEnd: Math.min(forecast.count - 1, end),
  }
}

/**
 * Greatest value. All statistics in this file skip hours without a value, and are NaN if no hour has a value. Each is a
 * separate function, which avoids wrong branch predictions.
 */
export function highest(values: Float64Array, from: number, to: number): number {
  let most = Number.NaN
  for (let i = from; i <= to; i++) if (!(values[i]! <= most) && !Number.isNaN(values[i]!)) most = values[i]!
  return most
}

export function lowest(values: Float64Array, from: number, to: number): number {
  let least = Number.NaN
  for (let i = from; i <= to; i++) if (!(values[i]! >= least) && !Number.isNaN(values[i]!)) least = values[i]!
  return least
}

/** Sum in the order of the hours, because another order would round differently. */
export function total(values: Float64Array, from: number, to: number): number {
  let sum = 0
  let count = 0
  for (let i = from; i <= to; i++) {
    if (Number.isNaN(values[i]!)) continue
    sum += values[i]!
    count++
  }
  return count ? sum : Number.NaN
}

export function mean(values: Float64Array, from: number, to: number): number {
  let sum = 0
  let count = 0
  for (let i = from; i <= to; i++) {
    if (Number.isNaN(values[i]!)) continue
    sum += values[i]!
    count++
  }
  return count ? sum / count : Number.NaN
}

/** Number of hours with a value. */
export function countKnown(values: Float64Array, from: number, to: number): number {
  let count = 0
  for (let i = from; i <= to; i++) if (!Number.isNaN(values[i]!)) count++
  return count
}
