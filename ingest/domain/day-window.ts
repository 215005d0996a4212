import type { Instant } from './time.ts'
import type { TimeZone } from './timezone.ts'

/** Local hours at which NWS's day and night begin. */
export const DAY_BEGINS = 6
export const NIGHT_BEGINS = 18

/** The period of a row of `daily`: the 24 hours (23 or 25 on two days of the year) from 06:00 on its date to 06:00 on the next date. */
export interface DayWindow {
  /** Days since 1970-01-01 of the local calendar. */
  readonly day: number
  /** Days from today's local date; -1 for the current night before 06:00. */
  readonly relative: number
  readonly start: Instant
  readonly nightfall: Instant
  readonly end: Instant
}

/** Returns the row of a local date. @param day days since 1970-01-01 of the local calendar */
export function dayWindowAt(zone: TimeZone, day: number): Pick<DayWindow, 'day' | 'start' | 'nightfall' | 'end'> {
  return {
    day,
    start: zone.at(day, DAY_BEGINS),
    nightfall: zone.at(day, NIGHT_BEGINS),
    end: zone.at(day + 1, DAY_BEGINS),
  }
}

/** Returns the rows for `days` days from today. Before 06:00, yesterday's row with the current night comes first and is not counted. */
export function dayWindows(zone: TimeZone, now: Instant, days: number): readonly DayWindow[] {
  const today = zone.dayOf(now)
  const first = now < zone.at(today, DAY_BEGINS) ? -1 : 0
  const latest = latestWindows.get(zone)
  if (latest?.today === today && latest.first === first && latest.windows.length === days - first) return latest.windows
  const windows: DayWindow[] = []
  for (let relative = first; relative < days; relative++) {
    windows.push({ relative, ...dayWindowAt(zone, today + relative) })
  }
  latestWindows.set(zone, { today, first, windows })
  return windows
}

/** Cache of rows, because most answers in a time zone have the same rows. */
const latestWindows = new WeakMap<
  TimeZone,
  { readonly today: number; readonly first: number; readonly windows: readonly DayWindow[] }
>()
