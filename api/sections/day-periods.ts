import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { highest, lowest } from './day-walk.ts'
import type { Fold } from './fold.ts'

/** Hours of an interval of `hours` that ends at `end` inside `[from, to]`. */
function shared(end: Instant, hours: number, from: Instant, to: Instant): number {
  return (Math.min(end, to) - Math.max(end - hours * HOUR, from)) / HOUR
}

/** End of the interval that `period` found last. */
const foundEnd = new Float64Array(1)

/** Value of NBM's interval that fits a stretch best and shares at least `least` hours with it; NaN where there is none. */
export function period(
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
  for (const { times, values } of forecast.periods.of(variable)) {
    for (let j = firstIndexAfter(times, from); j < times.length; j++) {
      if (times[j]! - hours * HOUR >= to) break
      const common = shared(times[j]!, hours, from, to)
      if (common > best && !Number.isNaN(values[j]!)) {
        best = common
        value = values[j]!
        end = times[j]!
      }
    }
  }
  foundEnd[0] = end
  return value
}

/** When the interval ends whose value `period` gives; NaN where there is none. */
export function periodEnd(...asked: Parameters<typeof period>): Instant {
  period(...asked)
  return foundEnd[0]!
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

/** Passed hours of the current row, as far as its extremes need them. */
interface PassedHalves {
  readonly day: Pick<Fold, 'temperatureHigh'>
  readonly night: Pick<Fold, 'temperatureLow'>
  readonly complete: { readonly day: boolean; readonly night: boolean }
}

/**
 * @param day the hours still to come
 * @param past those that have passed. Where they are not stored NBM's own extreme of the half is needed; where the day was at its warmest in
 *   them, no forecast of it counts any more.
 */
export function highOf(forecast: Forecast, window: DayWindow, day: Fold, past?: PassedHalves): number {
  const { start, nightfall } = window
  if (past && !past.complete.day) {
    const own = period(forecast, 'temperature_max_12h', 12, start, nightfall, 8)
    return Number.isNaN(day.temperatureHigh) ? own : Math.max(own, day.temperatureHigh)
  }
  const passed = past?.day.temperatureHigh ?? Number.NaN
  if (passed >= day.temperatureHigh || (Number.isNaN(day.temperatureHigh) && !Number.isNaN(passed))) return passed
  return extreme(forecast, 'temperature_max_12h', start, nightfall, day.temperatureHigh, 1)
}

/** As `highOf`. */
export function lowOf(forecast: Forecast, window: DayWindow, night: Fold, past?: PassedHalves): number {
  const { nightfall, end } = window
  if (past && !past.complete.night) {
    const own = period(forecast, 'temperature_min_12h', 12, nightfall, end, 8)
    return Number.isNaN(night.temperatureLow) ? own : Math.min(own, night.temperatureLow)
  }
  const passed = past?.night.temperatureLow ?? Number.NaN
  if (passed <= night.temperatureLow || (Number.isNaN(night.temperatureLow) && !Number.isNaN(passed))) return passed
  return extreme(forecast, 'temperature_min_12h', nightfall, end, night.temperatureLow, -1)
}

/**
 * NBM's extreme for a half, widened by an hourly value beyond it. NBM's windows end at 00Z and 12Z whatever the local time: 11 hours of
 * a window are in the half in Eastern time, 8 in Hawaii. Where the hours show that the extreme of the window is outside of the half (a
 * front in the early morning), only the difference between NBM's extreme and those hours is added to the extreme of the half's hours.
 * @param sign 1 for the highest, -1 for the lowest
 */
function extreme(forecast: Forecast, variable: string, from: Instant, to: Instant, own: number, sign: 1 | -1): number {
  const value = period(forecast, variable, 12, from, to, 8)
  const end = foundEnd[0]!
  if (Number.isNaN(value)) return own
  if (Number.isNaN(own)) return value
  const { temperature } = forecast.columns
  const first = Math.max(0, Math.round((end - 12 * HOUR - forecast.start) / HOUR))
  const last = Math.min(forecast.count - 1, Math.round((end - forecast.start) / HOUR))
  const window = sign > 0 ? highest(temperature, first, last) : lowest(temperature, first, last)
  if (Number.isNaN(window) || sign * window <= sign * own) return sign > 0 ? Math.max(value, own) : Math.min(value, own)
  return own + sign * Math.max(0, sign * (value - window))
}
