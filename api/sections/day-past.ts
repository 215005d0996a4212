import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { SUN_HORIZON } from '../../ingest/domain/sky/sky.ts'
import { floorTo, HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { atLeast, atMost, emptyFold, fold, highestSun, type Whole } from './day-fold.ts'
import { highOf, lowOf } from './day-periods.ts'
import { known, stretch } from './day-walk.ts'
import type { Fold } from './fold.ts'

/** The hours of the current row's day that have passed, from analyses and measured amounts. */
export interface DayPast {
  readonly window: DayWindow
  /** Rows from here on are still to come. */
  readonly from: Instant
  readonly day: Fold
  readonly night: Fold
  /** Whether every passed hour is known, but for the last two: those come late. */
  readonly complete: {
    readonly amounts: boolean
    readonly gust: boolean
    readonly dewPoint: boolean
    readonly uv: boolean
    readonly solar: boolean
    readonly day: boolean
    readonly night: boolean
  }
  /** No precipitation was measured in the last 24 hours. */
  readonly dry: boolean
  /** mm that fell in the passed hours. Snow and ice: NaN where something fell in an hour in which they are not known. */
  readonly fallen: { readonly precip: number; readonly snow: number; readonly ice: number }
}

/** Of a half that has not begun. Passed hours are only read. */
const nothing = emptyFold()

/** @param trailing mm, quantitative precipitation estimate of the trailing 24 hours; NaN where there is none */
export function pastOf(
  forecast: Forecast,
  windows: readonly DayWindow[],
  now: Instant,
  trailing: number,
): DayPast | undefined {
  const window = windows.find(({ start, end }) => now >= start && now < end)
  if (!window) return undefined
  const from = Math.max(window.start, floorTo(now, HOUR))
  const { passed } = forecast
  const complete = { amounts: true, gust: true, dewPoint: true, uv: true, solar: true, day: true, night: true }
  const pass = (half: 'day' | 'night', start: Instant, end: Instant): Fold => {
    const to = Math.min(end, from)
    if (to <= start) return nothing
    const folded = fold(forecast, start, to, undefined)
    const hours = Math.round((to - start) / HOUR)
    const { first, last } = stretch(forecast, start, to)
    complete[half] = folded.hours >= hours && passed?.known('temperature', start, to) === true
    const stored = (variable: 'wind_gust' | 'dew_point') =>
      known(forecast.columns[variable], first, last) >= hours && passed?.known(variable, start, to) === true
    complete.gust &&= stored('wind_gust')
    complete.dewPoint &&= stored('dew_point')
    complete.uv &&= uvKnown(forecast, start, to) && passed?.known('cloud_cover', start, to) === true
    return folded
  }
  const noon = stretch(forecast, window.start, window.nightfall)
  complete.solar = !Number.isNaN(forecast.columns.solar_radiation[highestSun(forecast, noon.first, noon.last)])
  const measuredTo = (to: Instant) => to <= window.start || passed?.amountsKnown(window.start, to) === true
  complete.amounts = measuredTo(from) || (forecast.scanned && measuredTo(from - HOUR))
  const day = pass('day', window.start, window.nightfall)
  const night = pass('night', window.nightfall, window.end)
  // An accumulation of 24 hours without any does not reach to the hour that ended last.
  const fallen = complete.amounts ? [day, night] : from > window.start ? [lastHour(forecast)] : []
  return { window, from, day, night, complete, dry: trailing === 0, fallen: sumOf(fallen) }
}

type Amounts = Pick<Fold, 'precipTotal' | 'snowTotal' | 'iceTotal'>

function lastHour({ now, columns }: Forecast): Amounts {
  const { precip_amount, snow_amount, ice_amount } = columns
  return { precipTotal: precip_amount[now]!, snowTotal: snow_amount[now]!, iceTotal: ice_amount[now]! }
}

/** Snow and ice of a dry part do not count, and may be unknown. */
function sumOf(parts: readonly Amounts[]): DayPast['fallen'] {
  const wet = parts.filter(({ precipTotal }) => precipTotal > 0)
  const of = (name: keyof Amounts) => wet.reduce((sum, part) => sum + part[name], 0)
  return { precip: of('precipTotal'), snow: of('snowTotal'), ice: of('iceTotal') }
}

function uvKnown(forecast: Forecast, from: Instant, to: Instant): boolean {
  for (let time = from; time < to; time += HOUR) {
    const h = Math.round((time - forecast.start) / HOUR)
    if (h < 0 || (forecast.sun[h]! > SUN_HORIZON && Number.isNaN(forecast.columns.uv_index[h]!))) return false
  }
  return true
}

/** Members of the current row for the whole day that are null because of passed hours, for `partial_day`. */
export function missingOf(forecast: Forecast, past: DayPast): string[] {
  const { window, day, night, complete, dry, fallen } = past
  const amounts = complete.amounts || dry
  const missing = (half: 'day' | 'night', value: number) => !complete[half] && Number.isNaN(value)
  return [
    ...(missing('day', highOf(forecast, window, day, past)) ? ['high'] : []),
    ...(missing('night', lowOf(forecast, window, night, past)) ? ['low'] : []),
    ...(complete.day ? [] : ['feels_like_high']),
    ...(complete.night ? [] : ['feels_like_low']),
    ...(amounts ? [] : ['precip_total']),
    ...(amounts && !Number.isNaN(fallen.snow) ? [] : ['snow_total']),
    ...(amounts && !Number.isNaN(fallen.ice) ? [] : ['ice_total']),
    ...(complete.gust ? [] : ['wind_gust_max']),
    ...(complete.dewPoint ? [] : ['dew_point_max', 'dew_point_min']),
    ...(complete.uv ? [] : ['uv_index_max']),
  ]
}

/** Adds the passed hours to the members for the whole day; null where some of those hours are not stored. */
export function addPast(whole: Whole, { day, night, complete, dry, fallen }: DayPast): void {
  if (complete.amounts || dry) {
    whole.precipTotal += fallen.precip
    whole.snowTotal += fallen.snow
    whole.iceTotal += fallen.ice
  } else {
    whole.precipTotal = Number.NaN
    whole.snowTotal = Number.NaN
    whole.iceTotal = Number.NaN
  }
  const extreme = (rest: number, passed: number, known: boolean) => (known ? atLeast(rest, passed) : Number.NaN)
  whole.windGust = extreme(whole.windGust, atLeast(day.windGust, night.windGust), complete.gust)
  whole.dewPointMax = extreme(whole.dewPointMax, atLeast(day.dewPointMax, night.dewPointMax), complete.dewPoint)
  whole.dewPointMin = complete.dewPoint
    ? atMost(whole.dewPointMin, atMost(day.dewPointMin, night.dewPointMin))
    : Number.NaN
  whole.solarMax = extreme(whole.solarMax, day.solarMax, complete.solar)
  whole.uvMax = extreme(whole.uvMax, atLeast(day.uvMax, night.uvMax), complete.uv)
}

/** Feels-like extremes of the whole day. */
export function feelsLikeHigh(rest: number, { day, complete }: DayPast): number {
  return complete.day ? atLeast(rest, day.feelsLikeHigh) : Number.NaN
}

export function feelsLikeLow(rest: number, { night, complete }: DayPast): number {
  return complete.night ? atMost(rest, night.feelsLikeLow) : Number.NaN
}
