import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { SUN_HORIZON } from '../../ingest/domain/sky/sky.ts'
import { floorTo, HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { highOf, lowOf } from './day-periods.ts'
import { emptySummary, type HalfSummary } from './half-summary.ts'
import { countKnown, hourRangeOf } from './hour-range.ts'
import { atLeast, atMost, highestSun, summarizeHours, type WholeDay } from './summarize.ts'

/** The passed hours of the current row, from analyses and measured amounts. */
export interface DayPast {
  readonly window: DayWindow
  /** Start of the hours that remain. */
  readonly from: Instant
  readonly day: HalfSummary
  readonly night: HalfSummary
  /** Whether passed hours are known, except at most two: the analyses of the last hours arrive late. */
  readonly complete: {
    readonly amounts: boolean
    readonly gust: boolean
    readonly dewPoint: boolean
    readonly uv: boolean
    readonly solar: boolean
    readonly day: boolean
    readonly night: boolean
  }
  /** Whether no precipitation was measured in the last 24 hours. */
  readonly dry: boolean
  /**
   * Amounts of the passed hours, mm. Snow and ice are NaN if precipitation fell in an hour for which they are unknown.
   */
  readonly fallen: { readonly precip: number; readonly snow: number; readonly ice: number }
}

/** Summary of a half that has not begun. It is read-only. */
const emptyHalf = emptySummary()

/**
 * Summarizes the passed hours of the current row.
 * @param trailing quantitative precipitation estimate of the trailing 24 hours, mm; NaN if there is none
 * @returns undefined if no window contains now
 */
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
  const summarizePassed = (half: 'day' | 'night', start: Instant, end: Instant): HalfSummary => {
    const to = Math.min(end, from)
    if (to <= start) return emptyHalf
    const summary = summarizeHours(forecast, start, to, undefined)
    const hours = Math.round((to - start) / HOUR)
    const { first, last } = hourRangeOf(forecast, start, to)
    complete[half] = summary.hours >= hours && passed?.isKnown('temperature', start, to) === true
    const isStored = (variable: 'wind_gust' | 'dew_point') =>
      countKnown(forecast.columns[variable], first, last) >= hours && passed?.isKnown(variable, start, to) === true
    complete.gust &&= isStored('wind_gust')
    complete.dewPoint &&= isStored('dew_point')
    complete.uv &&= isUvKnown(forecast, start, to) && passed?.isKnown('cloud_cover', start, to) === true
    return summary
  }
  const dayRange = hourRangeOf(forecast, window.start, window.nightfall)
  complete.solar = !Number.isNaN(
    nth(forecast.columns.solar_radiation, highestSun(forecast, dayRange.first, dayRange.last)),
  )
  const isMeasuredTo = (to: Instant) => to <= window.start || passed?.amountsKnown(window.start, to) === true
  complete.amounts = isMeasuredTo(from) || (forecast.scanned && isMeasuredTo(from - HOUR))
  const day = summarizePassed('day', window.start, window.nightfall)
  const night = summarizePassed('night', window.nightfall, window.end)
  // A dry accumulation of 24 hours ends before the last completed hour, so the amounts of that hour are added separately.
  const fallen = complete.amounts ? [day, night] : from > window.start ? [lastHourAmounts(forecast)] : []
  return { window, from, day, night, complete, dry: trailing === 0, fallen: sumOf(fallen) }
}

type Amounts = Pick<HalfSummary, 'precipTotal' | 'snowTotal' | 'iceTotal'>

function lastHourAmounts({ now, columns }: Forecast): Amounts {
  const { precip_amount, snow_amount, ice_amount } = columns
  return { precipTotal: nth(precip_amount, now), snowTotal: nth(snow_amount, now), iceTotal: nth(ice_amount, now) }
}

/** Sums amounts. Snow and ice of a dry part are not added, because they may be unknown. */
function sumOf(parts: readonly Amounts[]): DayPast['fallen'] {
  const wet = parts.filter(({ precipTotal }) => precipTotal > 0)
  const totalOf = (name: keyof Amounts) => wet.reduce((sum, part) => sum + part[name], 0)
  return { precip: totalOf('precipTotal'), snow: totalOf('snowTotal'), ice: totalOf('iceTotal') }
}

function isUvKnown(forecast: Forecast, from: Instant, to: Instant): boolean {
  for (let time = from; time < to; time += HOUR) {
    const h = Math.round((time - forecast.start) / HOUR)
    if (h < 0 || (nth(forecast.sun, h) > SUN_HORIZON && Number.isNaN(nth(forecast.columns.uv_index, h)))) return false
  }
  return true
}

/**
 * Returns the members of the current row that are null because passed hours are unknown, for the warning `partial_day`.
 */
export function missingOf(forecast: Forecast, past: DayPast): string[] {
  const { window, day, night, complete, dry, fallen } = past
  const amounts = complete.amounts || dry
  const isMissing = (half: 'day' | 'night', value: number) => !complete[half] && Number.isNaN(value)
  return [
    ...(isMissing('day', highOf(forecast, window, day, past)) ? ['high'] : []),
    ...(isMissing('night', lowOf(forecast, window, night, past)) ? ['low'] : []),
    ...(complete.day ? [] : ['feels_like_high']),
    ...(complete.night ? [] : ['feels_like_low']),
    ...(amounts ? [] : ['precip_total', 'precip_fallen']),
    ...(amounts && !Number.isNaN(fallen.snow) ? [] : ['snow_total']),
    ...(amounts && !Number.isNaN(fallen.ice) ? [] : ['ice_total']),
    ...(complete.gust ? [] : ['wind_gust_max']),
    ...(complete.dewPoint ? [] : ['dew_point_max', 'dew_point_min']),
    ...(complete.uv ? [] : ['uv_index_max']),
  ]
}

/**
 * Adds the passed hours to the members for the whole day; a member becomes null if passed hours that it needs are not
 * stored.
 */
export function addPast(wholeDay: WholeDay, { day, night, complete, dry, fallen }: DayPast): void {
  if (complete.amounts || dry) {
    wholeDay.precipTotal += fallen.precip
    wholeDay.precipFallen = fallen.precip
    wholeDay.snowTotal += fallen.snow
    wholeDay.iceTotal += fallen.ice
  } else {
    wholeDay.precipTotal = Number.NaN
    wholeDay.precipFallen = Number.NaN
    wholeDay.snowTotal = Number.NaN
    wholeDay.iceTotal = Number.NaN
  }
  const extreme = (remaining: number, passed: number, countKnown: boolean) =>
    countKnown ? atLeast(remaining, passed) : Number.NaN
  wholeDay.windGust = extreme(wholeDay.windGust, atLeast(day.windGust, night.windGust), complete.gust)
  wholeDay.dewPointMax = extreme(wholeDay.dewPointMax, atLeast(day.dewPointMax, night.dewPointMax), complete.dewPoint)
  wholeDay.dewPointMin = complete.dewPoint
    ? atMost(wholeDay.dewPointMin, atMost(day.dewPointMin, night.dewPointMin))
    : Number.NaN
  wholeDay.solarMax = extreme(wholeDay.solarMax, day.solarMax, complete.solar)
  wholeDay.uvMax = extreme(wholeDay.uvMax, atLeast(day.uvMax, night.uvMax), complete.uv)
}

/** Highest feels-like temperature of the whole day; NaN if passed hours of the day half are unknown. */
export function feelsLikeHigh(remaining: number, { day, complete }: DayPast): number {
  return complete.day ? atLeast(remaining, day.feelsLikeHigh) : Number.NaN
}

/** Lowest feels-like temperature of the whole day; NaN if passed hours of the night half are unknown. */
export function feelsLikeLow(remaining: number, { night, complete }: DayPast): number {
  return complete.night ? atMost(remaining, night.feelsLikeLow) : Number.NaN
}
