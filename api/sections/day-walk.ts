import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'

/** Index ranges of a stretch of time: instants in `[from, to)`, intervals that end in `(from, to]`. */
export interface Stretch {
  readonly first: number
  readonly last: number
  readonly firstEnd: number
  readonly lastEnd: number
}

export function stretch(forecast: Forecast, from: Instant, to: Instant): Stretch {
  const a = Math.ceil((from - forecast.start) / HOUR)
  const b = Math.ceil((to - forecast.start) / HOUR)
  return {
    first: Math.max(0, a),
    last: Math.min(forecast.count, b) - 1,
    firstEnd: Math.max(0, a + 1),
    lastEnd: Math.min(forecast.count - 1, b),
  }
}

/** Statistics skip hours without a value, and are NaN where none has one. One function each: fewer jumps that a processor guesses wrong. */
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

/** Sums in the order of the hours: another order would round otherwise. */
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

/** Hours with a value. */
export function known(values: Float64Array, from: number, to: number): number {
  let count = 0
  for (let i = from; i <= to; i++) if (!Number.isNaN(values[i]!)) count++
  return count
}
