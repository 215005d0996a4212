import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import type { HalfSummary } from './half-summary.ts'
import { highest, lowest } from './hour-range.ts'

/** Number of hours that an interval of `hours` ending at `end` shares with `[from, to]`. */
function sharedHours(end: Instant, hours: number, from: Instant, to: Instant): number {
  return (Math.min(end, to) - Math.max(end - hours * HOUR, from)) / HOUR
}

/** End of the interval whose value `periodValue` last returned. */
const lastPeriodEnd = new Float64Array(1)

/**
 * Returns the value of the NBM interval that shares the most hours with a period, at least `least` hours; NaN if there
 * is none.
 */
export function periodValue(
  forecast: Forecast,
  variable: string,
  hours: number,
  from: Instant,
  to: Instant,
  least: number,
): number {
  let best = least - 1e-9
  let value = Number.NaN
  let end = Number.NaN
  for (const { times, values } of forecast.periods.seriesOf(variable)) {
    for (let j = firstIndexAfter(times, from); j < times.length; j++) {
      if (times[j]! - hours * HOUR >= to) break
      const commonHours = sharedHours(times[j]!, hours, from, to)
      if (commonHours > best && !Number.isNaN(values[j]!)) {
        best = commonHours
        value = values[j]!
        end = times[j]!
      }
    }
  }
  lastPeriodEnd[0] = end
  return value
}

/** End of the interval whose value `periodValue` returns for the same parameters; NaN if there is none. */
export function periodEnd(...parameters: Parameters<typeof periodValue>): Instant {
  periodValue(...parameters)
  return lastPeriodEnd[0] ?? Number.NaN
}

/** Index of the first time after `at`. */
function firstIndexAfter(times: ArrayLike<number>, at: Instant): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** The passed hours of the current row that its extremes depend on. */
interface PassedHalves {
  readonly day: Pick<HalfSummary, 'temperatureHigh'>
  readonly night: Pick<HalfSummary, 'temperatureLow'>
  readonly complete: { readonly day: boolean; readonly night: boolean }
}

/**
 * Returns the high of a row, K.
 * @param day the remaining hours
 * @param past the passed hours. If they are not stored, NBM's own extreme of the half is needed. If the maximum was in
 * them, no forecast of the high is used.
 */
export function highOf(forecast: Forecast, window: DayWindow, day: HalfSummary, past?: PassedHalves): number {
  const { start, nightfall } = window
  if (past && !past.complete.day) {
    const ownExtreme = periodValue(forecast, 'temperature_max_12h', 12, start, nightfall, 8)
    return Number.isNaN(day.temperatureHigh) ? ownExtreme : Math.max(ownExtreme, day.temperatureHigh)
  }
  const passed = past?.day.temperatureHigh ?? Number.NaN
  if (passed >= day.temperatureHigh || (Number.isNaN(day.temperatureHigh) && !Number.isNaN(passed))) return passed
  return extreme(forecast, 'temperature_max_12h', start, nightfall, day.temperatureHigh, 1)
}

/** The low of a row, K; the parameters are those of `highOf`. */
export function lowOf(forecast: Forecast, window: DayWindow, night: HalfSummary, past?: PassedHalves): number {
  const { nightfall, end } = window
  if (past && !past.complete.night) {
    const ownExtreme = periodValue(forecast, 'temperature_min_12h', 12, nightfall, end, 8)
    return Number.isNaN(night.temperatureLow) ? ownExtreme : Math.min(ownExtreme, night.temperatureLow)
  }
  const passed = past?.night.temperatureLow ?? Number.NaN
  if (passed <= night.temperatureLow || (Number.isNaN(night.temperatureLow) && !Number.isNaN(passed))) return passed
  return extreme(forecast, 'temperature_min_12h', nightfall, end, night.temperatureLow, -1)
}

/**
 * Returns NBM's extreme for a half, extended by an hourly value beyond it. NBM's windows end at 00Z and 12Z whatever
 * the local time: 11 hours of a window are in the half in Eastern time, and 8 in Hawaii. If the hours show that the
 * extreme of the window is outside the half (a front in the early morning), only the difference between NBM's extreme
 * and those hours is added to the extreme of the half's hours.
 * @param ownExtreme extreme of the hours of the half
 * @param sign 1 for the highest, -1 for the lowest
 */
function extreme(
  forecast: Forecast,
  variable: string,
  from: Instant,
  to: Instant,
  ownExtreme: number,
  sign: 1 | -1,
): number {
  const value = periodValue(forecast, variable, 12, from, to, 8)
  const end = lastPeriodEnd[0] ?? Number.NaN
  if (Number.isNaN(value)) return ownExtreme
  if (Number.isNaN(ownExtreme)) return value
  const { temperature } = forecast.columns
  const first = Math.max(0, Math.round((end - 12 * HOUR - forecast.start) / HOUR))
  const last = Math.min(forecast.count - 1, Math.round((end - forecast.start) / HOUR))
  const window = sign > 0 ? highest(temperature, first, last) : lowest(temperature, first, last)
  if (Number.isNaN(window) || sign * window <= sign * ownExtreme)
    return sign > 0 ? Math.max(value, ownExtreme) : Math.min(value, ownExtreme)
  return ownExtreme + sign * Math.max(0, sign * (value - window))
}
