import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { highOf, lowOf } from './day-periods.ts'
import { summarizeHours } from './summarize.ts'

/** High and low of daily rows that have not begun, as `daily` shows them, K; NaN if hours of the half are missing. */
export function extremesOf(forecast: Forecast, windows: readonly DayWindow[]): { high: number; low: number }[] {
  return windows.map((window) => {
    const day = summarizeHours(forecast, window.start, window.nightfall, undefined)
    const night = summarizeHours(forecast, window.nightfall, window.end, undefined)
    const isWhole = (hours: number, from: number, to: number) => hours >= Math.round((to - from) / HOUR)
    return {
      high: isWhole(day.hours, window.start, window.nightfall) ? highOf(forecast, window, day) : Number.NaN,
      low: isWhole(night.hours, window.nightfall, window.end) ? lowOf(forecast, window, night) : Number.NaN,
    }
  })
}
