import { DAY, HOUR, type Instant, MINUTE } from '../../domain/time.ts'
import type { TextProduct } from './product.ts'

/**
 * Minutes east of UTC by abbreviation. `EDT` is −240 in January too, because forecasters write it then. `AST` is Atlantic (San Juan), `SST`
 * Samoa (Pago Pago), `ChST` Chamorro (Guam).
 */
const zoneMinutes: Readonly<Record<string, number>> = {
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  AKST: -540,
  AKDT: -480,
  HST: -600,
  HDT: -540,
  AST: -240,
  CHST: 600,
  SST: -660,
  UTC: 0,
  GMT: 0,
  Z: 0,
}

/** Returns the minutes east of UTC of an abbreviation in any case; undefined if the NWS does not use the abbreviation. */
export function zoneOffset(name: string): number | undefined {
  return zoneMinutes[name.toUpperCase()]
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

const timeLine =
  /^\s*\/?(\d{1,4})\s?(AM|PM)?\s?(EST|EDT|CST|CDT|MST|MDT|PST|PDT|AKST|AKDT|HST|HDT|AST|CHST|SST|UTC|GMT|Z)\s+[A-Z]{3,9}\.?,?\s+([A-Z]{3})[A-Z]{0,6}\.?\s+(\d{1,2}),?\s+(\d{4})\b/i

/**
 * Returns the instant of a local time line, such as `1042 PM EST Fri Sep 4 2026`, `952 AM …`, `0032 AM …` or `1430 UTC …`; undefined if the
 * line is not a time line. A weekday that does not fit the date is ignored, because real texts have such errors.
 */
export function timeOfLine(line: string): Instant | undefined {
  // Only the beginning is read: a heading line is never longer, and a paragraph does not begin like this.
  const parts = timeLine.exec(line.length > 200 ? line.slice(0, 200) : line)
  if (!parts) return undefined
  const [, digits, half, zone, monthName, dayText, yearText] = parts
  const offset = zoneOffset(zone!)
  const month = months.indexOf(monthName!.toUpperCase())
  const clock = minutesOfDay(digits!, half?.toUpperCase(), offset === 0)
  if (month < 0 || offset === undefined || clock === undefined) return undefined
  const midnight = dateOf(Number(yearText), month, Number(dayText))
  return midnight === undefined ? undefined : midnight + (clock - offset) * MINUTE
}

/**
 * Returns the minutes of a time such as `952`, `1148`, `0032` or the hour `9`; 12 AM is 00. Without AM or PM it is a 24-hour clock, which
 * only UTC lines use.
 */
function minutesOfDay(digits: string, half: string | undefined, utc: boolean): number | undefined {
  const hour = Number(digits.length <= 2 ? digits : digits.slice(0, -2))
  const minute = digits.length <= 2 ? 0 : Number(digits.slice(-2))
  if (minute > 59) return undefined
  if (half === undefined) return utc && hour <= 23 ? hour * 60 + minute : undefined
  if (hour > 12) return undefined
  return ((hour % 12) + (half === 'PM' ? 12 : 0)) * 60 + minute
}

/** Returns midnight UTC of a date; undefined for a date such as 30 February. */
function dateOf(year: number, month: number, day: number): Instant | undefined {
  const instant = Date.UTC(year, month, day)
  const date = new Date(instant)
  return date.getUTCMonth() === month && date.getUTCDate() === day ? instant : undefined
}

/** Returns the first local time line of a text. `/511 AM EST …/` on the same line is the same instant in another zone. */
export function firstTimeLine(body: string): Instant | undefined {
  for (const line of body.split('\n')) {
    const at = timeOfLine(line)
    if (at !== undefined) return at
  }
  return undefined
}

/**
 * Returns the instant nearest to `near` that has `ddhhmm` (UTC), within limits. Month and year come from `near`.
 * @param from earliest time relative to `near`, ms, negative
 * @param to latest time relative to `near`, ms
 * @returns undefined if the text is not a time, or if no such time is within the limits
 */
export function instantNear(ddhhmm: string, near: Instant, from = -16 * DAY, to = 16 * DAY): Instant | undefined {
  if (!/^\d{6}$/.test(ddhhmm)) return undefined
  const [day, hour, minute] = [ddhhmm.slice(0, 2), ddhhmm.slice(2, 4), ddhhmm.slice(4)].map(Number) as [
    number,
    number,
    number,
  ]
  if (hour > 23 || minute > 59) return undefined
  const about = new Date(near)
  let best: Instant | undefined
  for (const shift of [-1, 0, 1]) {
    const first = new Date(Date.UTC(about.getUTCFullYear(), about.getUTCMonth() + shift, 1))
    const midnight = dateOf(first.getUTCFullYear(), first.getUTCMonth(), day)
    if (midnight === undefined) continue
    const instant = midnight + hour * HOUR + minute * MINUTE
    if (instant - near < from || instant - near > to) continue
    if (best === undefined || Math.abs(instant - near) < Math.abs(best - near)) best = instant
  }
  return best
}

/** Returns the expiration time of a UGC line or of VALID. It is within −2 to +15 days of the issuance. */
export function endNear(ddhhmm: string, issued: Instant): Instant | undefined {
  return instantNear(ddhhmm, issued, -2 * DAY, 15 * DAY)
}

/** Maximum difference between the WMO line and the local time line. Beyond it, the local time line has a typing error. */
const MAX_CLOCK_DIFFERENCE = 3 * HOUR

export interface IssueTimes {
  /** Time of the WMO line, with month and year from the list or file. */
  readonly wmoAt: Instant
  /** Time of the local time line if it agrees with the WMO line within 3 hours; otherwise time of the WMO line. */
  readonly issuedAt: Instant
}

/**
 * Returns when a product was issued.
 * @param near `issuanceTime` of the item, or the time of the file
 * @returns undefined if the WMO line has no time within 16 days of `near`
 */
export function issueTimes(product: Pick<TextProduct, 'ddhhmm' | 'body'>, near: Instant): IssueTimes | undefined {
  const wmoAt = instantNear(product.ddhhmm, near)
  if (wmoAt === undefined) return undefined
  const local = firstTimeLine(product.body)
  const agrees = local !== undefined && Math.abs(local - wmoAt) <= MAX_CLOCK_DIFFERENCE
  return { wmoAt, issuedAt: agrees ? local : wmoAt }
}
