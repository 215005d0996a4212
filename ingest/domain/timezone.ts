import { nth } from './nth.ts'
import { DAY, HOUR, type Instant, MINUTE } from './time.ts'

/** A time zone of tzdb with precomputed offsets, so that a local time takes a few comparisons instead of a formatter. */
export interface TimeZone {
  readonly name: string
  /** Local clock minus UTC, in ms. */
  offset(at: Instant): number
  /**
   * Returns the first instant of a local date.
   * @param day days since 1970-01-01 of the local calendar
   */
  startOfDay(day: number): Instant
  /** Returns the instant at which the local clock shows `hour` on a date; an hour later for a skipped hour, the first of two for a repeated hour. */
  at(day: number, hour: number): Instant
  /** Returns the days since 1970-01-01 of the local calendar. */
  dayOf(at: Instant): number
  /** Returns the minutes since local midnight by the local clock. */
  minuteOf(at: Instant): number
}

/** Number of cached local hours, three weeks. The cache is direct-mapped by their low bits. */
const MAX_CACHED_HOURS = 512

const zones = new Map<string, TimeZone>()

/**
 * Returns a time zone.
 * @throws RangeError if tzdb does not have the name
 */
export function zone(name: string): TimeZone {
  let rules = zones.get(name)
  if (!rules) {
    rules = createZone(name)
    zones.set(name, rules)
  }
  return rules
}

function createZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  const years = new Map<number, { from: number[]; offsets: number[] }>()

  const ask = (at: Instant): number => {
    const text = format.formatToParts(at).find((part) => part.type === 'timeZoneName')!.value
    const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(text)!
    const size = (Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0)) * MINUTE
    return match[1] === '-' ? -size : size
  }
  /** Returns the offsets of a UTC year, sampled every 10 days; each change is located to the minute. */
  const readYear = (year: number) => {
    const first = Date.UTC(year, 0, 1)
    const end = Date.UTC(year + 1, 0, 1)
    const from = [first]
    const offsets = [ask(first)]
    for (let at = first; at < end; at += 10 * DAY) {
      const next = Math.min(at + 10 * DAY, end - MINUTE)
      const offset = ask(next)
      if (offset === offsets.at(-1)) continue
      let low = at
      let high = next
      while (high - low > MINUTE) {
        const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE
        if (ask(middle) === offset) high = middle
        else low = middle
      }
      from.push(high)
      offsets.push(offset)
    }
    return { from, offsets }
  }
  let lastYear = Number.NaN
  let last = { from: [0], offsets: [0] }
  let yearStart = 0
  let yearEnd = 0

  const offset = (at: Instant): number => {
    if (!(at >= yearStart && at < yearEnd)) {
      const year = new Date(at).getUTCFullYear()
      if (year !== lastYear) {
        last = years.get(year) ?? readYear(year)
        years.set(year, last)
        lastYear = year
        yearStart = Date.UTC(year, 0, 1)
        yearEnd = Date.UTC(year + 1, 0, 1)
      }
    }
    let i = last.from.length - 1
    while (i > 0 && at < nth(last.from, i)) i--
    return nth(last.offsets, i)
  }
  const find = (wall: number): Instant => {
    const before = wall - offset(wall - DAY)
    if (before + offset(before) === wall) return before
    const after = wall - offset(wall + DAY)
    return after + offset(after) === wall ? after : before
  }
  const walls = new Float64Array(MAX_CACHED_HOURS).fill(Number.NaN)
  const instants = new Float64Array(MAX_CACHED_HOURS)
  const at = (day: number, hour: number): Instant => {
    const wall = day * DAY + hour * HOUR
    const place = (day * 24 + hour) & (MAX_CACHED_HOURS - 1)
    if (walls[place] !== wall) {
      walls[place] = wall
      instants[place] = find(wall)
    }
    return instants[place]!
  }
  return {
    name,
    offset,
    at,
    startOfDay: (day) => at(day, 0),
    dayOf: (instant) => Math.floor((instant + offset(instant)) / DAY),
    minuteOf: (instant) => Math.floor(((instant + offset(instant)) % DAY) / MINUTE),
  }
}
