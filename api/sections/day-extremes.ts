import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { fold } from './day-fold.ts'
import { highOf, lowOf } from './day-periods.ts'

/** High and low of daily rows that have not begun, as `daily` gives them, K; NaN where hours of the half are missing. */
export function extremesOf(forecast: Forecast, windows: readonly DayWindow[]): { high: number; low: number }[] {
  return windows.map((window) => {
    const day = fold(forecast, window.start, window.nightfall, undefined)
    const night = fold(forecast, window.nightfall, window.end, undefined)
    const whole = (hours: number, from: number, to: number) => hours >= Math.round((to - from) / HOUR)
    return {
      high: whole(day.hours, window.start, window.nightfall) ? highOf(forecast, window, day) : Number.NaN,
      low: whole(night.hours, window.nightfall, window.end) ? lowOf(forecast, window, night) : Number.NaN,
    }
  })
}
