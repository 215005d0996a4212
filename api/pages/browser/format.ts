import { DAY } from '../../../ingest/domain/time.ts'
import type { AnswerUnits } from './api.ts'

export type Maybe = number | null | undefined
export const isNumber = (value: Maybe): value is number => typeof value === 'number'
/** A value with its label; `–` if it is unknown. */
export const numberText = (value: Maybe, label = '', digits = 0, leastDigits = 0) =>
  isNumber(value)
    ? `${value.toLocaleString('en-US', { minimumFractionDigits: leastDigits, maximumFractionDigits: digits, useGrouping: false })}${label}`
    : '–'
export const degrees = (value: Maybe) => (isNumber(value) ? `${Math.round(value)}°` : '–')

/** An amount of precipitation. An amount that would round to zero is shown as less than the smallest digit. */
export function amount(value: Maybe, labels: Pick<Labels, 'amount' | 'amountDigits'>, per = ''): string {
  const least = 10 ** -labels.amountDigits
  if (isNumber(value) && value > 0 && value < least / 2) return `< ${least} ${labels.amount}${per}`
  return numberText(value, ` ${labels.amount}${per}`, labels.amountDigits)
}

const points = ['N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW']
export const compass = (direction: Maybe) =>
  isNumber(direction) ? (points[Math.round(direction / 22.5) % 16] ?? '') : ''

/** Formats times in the time zone of a place. */
export interface Clock {
  /** `5 PM` */
  hour(at: string | number): string
  /** `5:32 PM` */
  time(at: string | number): string
  /** `Tue 5:32 PM` */
  day(at: string | number): string
  /** Like `time`, with the weekday if that is another day than today, and with the date beyond a week. */
  near(at: string | number, now: number): string
  /** `5 PM`, `5 PM tomorrow`, `5 PM Thursday` */
  hourNear(at: string | number, now: number): string
  /** `Tue 24`, as in the rows of the ten days. */
  date(at: string | number): string
  /** `Tuesday` */
  weekday(at: string | number): string
  /** Hour of the day, 0 to 23. */
  hourOfDay(at: string | number): number
  /** `MDT` */
  zone(at: string | number): string
}

export function clockOf(timeZone: string): Clock {
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, ...options })
    return (at: string | number) => format.format(new Date(at)).replace(/\u202f/g, ' ')
  }
  const hour24 = formatter({ hour: 'numeric', hourCycle: 'h23' })
  const dayOfMonth = formatter({ day: 'numeric' })
  const weekdayShort = formatter({ weekday: 'short' })
  const [date, weekday] = [formatter({ dateStyle: 'short' }), formatter({ weekday: 'long' })]
  const [hour, time, day] = [
    formatter({ hour: 'numeric' }),
    formatter({ hour: 'numeric', minute: '2-digit' }),
    formatter({ weekday: 'short', hour: 'numeric', minute: '2-digit' }),
  ]
  const farDay = formatter({ weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
  const zone = formatter({ timeZoneName: 'short', hour: 'numeric' })
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
    zone: (at) => zone(at).split(' ').at(-1) ?? '',
  }
}

/** A duration: `12 min`, `2 h 5 min`, `3 days`. */
export function duration(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 36) return `${Math.round(hours / 24)} days`
  return minutes % 60 === 0 || hours >= 6 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** An age: `12 min`, `2.5 h`. */
export const age = (seconds: number) =>
  seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`

/** Labels of units as people write them, and numbers of digits. */
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
