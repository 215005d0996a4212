import { DAY } from '../../../ingest/domain/time.ts'
import type { AnswerUnits } from './api.ts'

export type Maybe = number | null | undefined
export const isNumber = (value: Maybe): value is number => typeof value === 'number'
/** `–` where a value is not known. */
export const shown = (value: Maybe, label = '', digits = 0, leastDigits = 0) =>
  isNumber(value)
    ? `${value.toLocaleString('en-US', { minimumFractionDigits: leastDigits, maximumFractionDigits: digits, useGrouping: false })}${label}`
    : '–'
export const degrees = (value: Maybe) => (isNumber(value) ? `${Math.round(value)}°` : '–')

/** An amount of precipitation; one that rounds to nothing is named as such. */
export function amount(value: Maybe, labels: Pick<Labels, 'amount' | 'amountDigits'>, per = ''): string {
  const least = 10 ** -labels.amountDigits
  if (isNumber(value) && value > 0 && value < least / 2) return `< ${least} ${labels.amount}${per}`
  return shown(value, ` ${labels.amount}${per}`, labels.amountDigits)
}

const points = ['N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW']
export const compass = (direction: Maybe) => (isNumber(direction) ? points[Math.round(direction / 22.5) % 16]! : '')

/** Clock of a place: every time on the page is local to it. */
export interface Clock {
  /** `5 PM` */
  hour(at: string | number): string
  /** `5:32 PM` */
  time(at: string | number): string
  /** `Tue 5:32 PM` */
  day(at: string | number): string
  /** As `time`, with the weekday where that is another day than now, and with the date beyond a week. */
  near(at: string | number, now: number): string
  /** `5 PM`, `5 PM tomorrow`, `5 PM Thursday` */
  hourNear(at: string | number, now: number): string
  /** `Tue 24`, as the rows of the ten days are called. */
  date(at: string | number): string
  /** `Tuesday` */
  weekday(at: string | number): string
  /** Hour of the day, 0 to 23. */
  hourOfDay(at: string | number): number
  /** `MDT` */
  zone(at: string | number): string
}

export function clockOf(timeZone: string): Clock {
  const with_ = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, ...options })
    return (at: string | number) => format.format(new Date(at)).replace(/\u202f/g, ' ')
  }
  const hour24 = with_({ hour: 'numeric', hourCycle: 'h23' })
  const dayOfMonth = with_({ day: 'numeric' })
  const weekdayShort = with_({ weekday: 'short' })
  const [date, weekday] = [with_({ dateStyle: 'short' }), with_({ weekday: 'long' })]
  const [hour, time, day] = [
    with_({ hour: 'numeric' }),
    with_({ hour: 'numeric', minute: '2-digit' }),
    with_({ weekday: 'short', hour: 'numeric', minute: '2-digit' }),
  ]
  const farDay = with_({ weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
  const zone = with_({ timeZoneName: 'short', hour: 'numeric' })
  return {
    hour,
    time,
    day,
    near: (at, now) =>
      date(at) === date(now) ? time(at) : Math.abs(Number(new Date(at)) - now) < 6 * DAY ? day(at) : farDay(at),
    hourNear: (at, now) =>
      `${hour(at)}${date(at) === date(now) ? '' : date(at) === date(now + DAY) ? ' tomorrow' : ` ${weekday(at)}`}`,
    date: (at) => `${weekdayShort(at)} ${dayOfMonth(at)}`,
    weekday,
    hourOfDay: (at) => Number(hour24(at)) % 24,
    zone: (at) => zone(at).split(' ').at(-1)!,
  }
}

/** `in 12 min`, `2 h 5 min`. */
export function duration(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 36) return `${Math.round(hours / 24)} days`
  return minutes % 60 === 0 || hours >= 6 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

export const age = (seconds: number) =>
  seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`

/** Labels of a system of units as people write them. */
export const labelsOf = (units: AnswerUnits) => ({
  degree: `°${units.temperature}`,
  speed: units.wind_speed === 'kph' ? 'km/h' : units.wind_speed,
  pressure: units.pressure,
  visibility: units.visibility,
  amount: units.precip_amount,
  pressureDigits: units.pressure === 'inHg' ? 2 : 0,
  amountDigits: units.precip_amount === 'in' ? 2 : 1,
})
export type Labels = ReturnType<typeof labelsOf>
