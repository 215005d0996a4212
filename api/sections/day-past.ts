import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { SUN_HORIZON } from '../../ingest/domain/sky.ts'
import { floorTo, HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { atLeast, emptyFold, fold, highestSun, sum, type Whole } from './day-fold.ts'
import { highOf, lowOf } from './day-periods.ts'
import { offsets as at, KNOWN, stretch, type Walks } from './day-walk.ts'
import type { Fold } from './fold.ts'

/** The hours of the current row's day that have passed. */
export interface Past {
  readonly window: DayWindow
  /** Rows from here on are still to come. */
  readonly from: Instant
  readonly day: Fold
  readonly night: Fold
  /** Whether values of every passed hour are stored. */
  readonly complete: {
    readonly amounts: boolean
    readonly gust: boolean
    readonly uv: boolean
    readonly solar: boolean
    readonly day: boolean
    readonly night: boolean
  }
  /** mm of liquid that radar and gauges measured in the last 24 hours; NaN where not known. */
  readonly measured: number
}

/** @param measured mm, quantitative precipitation estimate of the trailing 24 hours; NaN where there is none */
export function pastOf(walks: Walks, windows: readonly DayWindow[], now: Instant, measured: number): Past | undefined {
  const window = windows.find(({ start, end }) => now >= start && now < end)
  if (!window) return undefined
  const from = Math.max(window.start, floorTo(now, HOUR))
  const { forecast } = walks
  const none = new Uint8Array(forecast.count)
  const complete = { amounts: true, gust: true, uv: true, solar: true, day: true, night: true }
  const pass = (half: 'day' | 'night', start: Instant, end: Instant): Fold => {
    const to = Math.min(end, from)
    if (to <= start) return emptyFold()
    const passed = fold(walks, start, to, none)
    const hours = Math.round((to - start) / HOUR)
    const known = (column: keyof typeof at) => walks.seen[at[column] + KNOWN]! >= hours
    complete.amounts &&= known('precip_amount')
    complete.gust &&= known('wind_gust')
    complete.uv &&= uvKnown(forecast, start, to)
    complete[half] = known('temperature')
    return passed
  }
  const noon = stretch(forecast, window.start, window.nightfall)
  complete.solar = !Number.isNaN(forecast.columns.solar_radiation[highestSun(forecast, noon.first, noon.last)])
  return {
    window,
    from,
    day: pass('day', window.start, window.nightfall),
    night: pass('night', window.nightfall, window.end),
    complete,
    measured,
  }
}

function uvKnown(forecast: Forecast, from: Instant, to: Instant): boolean {
  for (let time = from; time < to; time += HOUR) {
    const h = Math.round((time - forecast.start) / HOUR)
    if (h < 0 || (forecast.sun[h]! > SUN_HORIZON && Number.isNaN(forecast.columns.uv_index[h]!))) return false
  }
  return true
}

/** Members of the current row for the whole day that are null because of passed hours, for `partial_day`. */
export function missingOf(forecast: Forecast, { window, day, night, complete, measured }: Past): string[] {
  const amounts = complete.amounts || measured === 0
  const missing = (half: 'day' | 'night', value: number) => !complete[half] && Number.isNaN(value)
  return [
    ...(missing('day', highOf(forecast, window, day, complete.day)) ? ['high'] : []),
    ...(missing('night', lowOf(forecast, window, night, complete.night)) ? ['low'] : []),
    ...(amounts ? [] : ['precip_total', 'snow_total', 'ice_total']),
    ...(complete.gust ? [] : ['wind_gust_max']),
    ...(complete.uv ? [] : ['uv_index_max']),
  ]
}

/** Adds the passed hours to the members for the whole day; null where some of those hours are not stored. */
export function addPast(whole: Whole, { day, night, complete, measured }: Past): void {
  if (measured !== 0) {
    const liquid = sum(day.precipTotal, night.precipTotal)
    const add = (rest: number, passed: number) =>
      !complete.amounts || Number.isNaN(rest) ? Number.NaN : rest + (passed || 0)
    whole.precipTotal = add(whole.precipTotal, Number.isNaN(measured) ? liquid : Math.min(measured, liquid))
    whole.snowTotal = add(whole.snowTotal, sum(day.snowTotal, night.snowTotal))
    whole.iceTotal = add(whole.iceTotal, sum(day.iceTotal, night.iceTotal))
  }
  const extreme = (rest: number, passed: number, known: boolean) => (known ? atLeast(rest, passed) : Number.NaN)
  whole.windGust = extreme(whole.windGust, atLeast(day.windGust, night.windGust), complete.gust)
  whole.solarMax = extreme(whole.solarMax, day.solarMax, complete.solar)
  whole.uvMax = extreme(whole.uvMax, atLeast(day.uvMax, night.uvMax), complete.uv)
}
