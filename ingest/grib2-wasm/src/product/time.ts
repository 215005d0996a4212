import type { MessageSection } from '../octets.ts'

/** Code table 4.4: seconds of a unit, or calendar months. */
const SECONDS: Readonly<Record<number, number>> = { 0: 60, 1: 3600, 2: 86400, 10: 10800, 11: 21600, 12: 43200, 13: 1 }
const MONTHS: Readonly<Record<number, number>> = { 3: 1, 4: 12, 5: 120, 6: 360, 7: 1200 }

/**
 * Reads seven octets: year, month, day, hour, minute, second. The hour 24 and the second 60 (a leap second) belong to the next day and
 * minute.
 */
export function readTime(section: MessageSection, octet: number): Date {
  const year = section.u2(octet)
  const [month, day, hour] = [section.u1(octet + 2), section.u1(octet + 3), section.u1(octet + 4)]
  const [minute, second] = [section.u1(octet + 5), section.u1(octet + 6)]
  const time = new Date(0)
  time.setUTCFullYear(year, month - 1, day)
  const isDate = month >= 1 && month <= 12 && day >= 1 && time.getUTCDate() === day
  const isClock = (hour < 24 || (hour === 24 && minute === 0 && second === 0)) && minute <= 59 && second <= 60
  if (!isDate || !isClock) section.fail(octet, 'a date and time', `${year}-${month}-${day} ${hour}:${minute}:${second}`)
  time.setUTCHours(hour, minute, second)
  return time
}

/**
 * Returns a time `count` units after another; months and longer units follow the calendar. `undefined` if the unit has no length, or if the
 * result is beyond the range of dates.
 */
export function later(from: Date, count: number, unit: number): Date | undefined {
  const seconds = SECONDS[unit]
  const months = MONTHS[unit]
  const time = new Date(from)
  if (seconds !== undefined) time.setTime(from.getTime() + count * seconds * 1000)
  else if (months !== undefined) time.setUTCMonth(time.getUTCMonth() + count * months)
  else return undefined
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** Returns the seconds of a unit of code table 4.4 that has a constant length. */
export function unitSeconds(unit: number): number | undefined {
  return SECONDS[unit]
}
