import type { Instant } from '../../ingest/domain/time.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { TimeZone } from '../../ingest/domain/timezone.ts'
import type { Forecast } from '../blend/columns.ts'
import { hourRangeOf } from './hour-range.ts'
import type { Timing } from './narrative.ts'

/** An onset or end is named if the probability changes by at least this much within the half. */
const MIN_CHANGE_PERCENT = 40

/**
 * When precipitation is likely within a half: one unbroken period of hours whose probability is above the middle of
 * the least and the greatest.
 * @returns undefined if the hours differ by less than `MIN_CHANGE_PERCENT` or form several such periods
 */
export function timingOf(forecast: Forecast, from: Instant, to: Instant, zone: TimeZone): Timing | undefined {
  const { firstEnd, lastEnd } = hourRangeOf(forecast, from, to)
  const chances = forecast.columns.precip_probability
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let h = firstEnd; h <= lastEnd; h++) {
    if (Number.isNaN(chances[h]!)) return undefined
    least = Math.min(least, chances[h]!)
    most = Math.max(most, chances[h]!)
  }
  if (!(most - least >= MIN_CHANGE_PERCENT)) return undefined
  const middle = (most + least) / 2
  let first = firstEnd
  while (chances[first]! < middle) first++
  let last = lastEnd
  while (chances[last]! < middle) last--
  for (let h = first; h <= last; h++) if (chances[h]! < middle) return undefined
  const hourOf = (h: number) => Math.floor(zone.minuteOf(forecast.start + h * HOUR) / 60)
  // Each interval ends at its hour.
  return {
    ...(first > firstEnd && { after: hourOf(first - 1) }),
    ...(last < lastEnd && { before: hourOf(last) }),
  }
}
