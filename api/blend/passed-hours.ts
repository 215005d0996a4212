import { PAST_AMOUNT, PAST_HOURS } from '../../ingest/domain/dataset/past-hours.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { PointSeries, Series } from '../../ingest/tile/read.ts'

/**
 * Number of hours of a period that may lack an analysis, because analyses of the last hours arrive up to two hours
 * late.
 */
const MAX_MISSING_HOURS = 2

/** The analyzed hours of the last day at a cell: RTMA, URMA and MRMS accumulations. */
export class PassedHours {
  readonly series: PointSeries
  readonly #amounts: Series | undefined

  constructor(series: PointSeries) {
    this.series = series
    this.#amounts = series.variables.get(PAST_AMOUNT)
  }

  /** Whether a variable is known at all full hours in `[from, to)` except at most two. */
  isKnown(variable: string, from: Instant, to: Instant): boolean {
    return hasEnoughHours(this.series.variables.get(variable), from, to)
  }

  /** Liquid of the hour that ends at a time, mm; NaN if it was not measured. */
  amount(end: Instant): number {
    return this.#amounts ? valueAt(this.#amounts, end) : Number.NaN
  }

  /** Whether the amounts of all hours in `(from, to]` are known except at most two. */
  amountsKnown(from: Instant, to: Instant): boolean {
    return hasEnoughHours(this.#amounts, from + HOUR, to + HOUR)
  }
}

function hasEnoughHours(series: Series | undefined, from: Instant, to: Instant): boolean {
  const hours = Math.ceil((to - from) / HOUR)
  if (hours <= 0) return true
  if (!series) return false
  const { times, values } = series
  let knownHours = 0
  for (let i = times.length - 1; i >= 0 && times[i]! >= from; i--) {
    if (times[i]! < to && !Number.isNaN(values[i]!)) knownHours++
  }
  return knownHours > 0 && hours - knownHours <= MAX_MISSING_HOURS
}

function valueAt({ times, values }: Series, time: Instant): number {
  let low = 0
  let high = times.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (times[middle]! === time) return values[middle]!
    if (times[middle]! < time) low = middle + 1
    else high = middle - 1
  }
  return Number.NaN
}

export function passedHoursOf(sources: ReadonlyMap<string, readonly PointSeries[]>): PassedHours | undefined {
  const series = sources.get(PAST_HOURS)?.[0]
  return series && new PassedHours(series)
}
