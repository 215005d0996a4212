import { HOUR } from '../../ingest/domain/time.ts'

/**
 * Offsets from UTC by time zone and half hour. They are stored because formatting a date takes 20 µs, and an answer
 * has hundreds.
 */
const offsets = new Map<string, Map<number, number>>()
const formats = new Map<string, Intl.DateTimeFormat>()
const MAX_OFFSETS = 50_000

function localTime(timezone: string, instant: number): number {
  let zoneOffsets = offsets.get(timezone)
  if (!zoneOffsets) offsets.set(timezone, (zoneOffsets = new Map()))
  const slot = Math.floor(instant / (HOUR / 2))
  let offset = zoneOffsets.get(slot)
  if (offset === undefined) {
    let format = formats.get(timezone)
    if (!format) {
      format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' })
      formats.set(timezone, format)
    }
    const name = format.formatToParts(slot * (HOUR / 2)).find(({ type }) => type === 'timeZoneName')?.value
    const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? ['', '+', '0', '0']
    offset = (sign === '-' ? -1 : 1) * (Number(hours) + Number(minutes) / 60) * HOUR
    if (zoneOffsets.size > MAX_OFFSETS) zoneOffsets.clear()
    zoneOffsets.set(slot, offset)
  }
  return instant + offset
}

/**
 * Returns a function that returns the local date of the row that an instant belongs to. A day runs from 06:00 to 05:59.
 */
export function dateReader(timezone: string): (instant: number) => string {
  const dates = new Map<number, string>()
  return (instant) => {
    const day = Math.floor((localTime(timezone, instant) - 6 * HOUR) / (24 * HOUR))
    let date = dates.get(day)
    if (!date) dates.set(day, (date = new Date(day * 24 * HOUR).toISOString().slice(0, 10)))
    return date
  }
}

/** Whether an instant is in the day half of its row. */
export function isDayHour(instant: number, timezone: string): boolean {
  const hour = Math.floor(localTime(timezone, instant) / HOUR) % 24
  return hour >= 6 && hour < 18
}
