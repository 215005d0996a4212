import { HOUR, type Instant, isoSeconds, MINUTE } from '../../../ingest/domain/time.ts'
import { type TimeZone, zone } from '../../../ingest/domain/timezone.ts'
import type { CurrentValue, DayValue, HourValue, PeriodValue, WeatherValue } from '../../answer/value.ts'
import { round } from '../../present/units.ts'

/** The periods of a forecast as api.weather.gov writes them, from rows of the typed answer. */

/** Conditions in the addresses of api.weather.gov's icons, by the slug of ours without `-day` and `-night`. */
const iconNames: Readonly<Record<string, string>> = {
  clear: 'skc',
  'partly-cloudy': 'sct',
  'mostly-cloudy': 'bkn',
  cloudy: 'ovc',
  fog: 'fog',
  haze: 'haze',
  rain: 'rain',
  showers: 'rain_showers',
  thunderstorms: 'tsra',
  'thunder-showers': 'tsra_sct',
  'thunder-rain': 'tsra',
  snow: 'snow',
  'snow-showers': 'snow',
  'rain-snow': 'rain_snow',
  'rain-snow-showers': 'rain_snow',
  sleet: 'sleet',
}

const points = [
  'N',
  'NNE',
  'NE',
  'ENE',
  'E',
  'ESE',
  'SE',
  'SSE',
  'S',
  'SSW',
  'SW',
  'WSW',
  'W',
  'WNW',
  'NW',
  'NNW',
] as const

/** Least probability that an icon shows, percent. */
const SHOWN_PROBABILITY = 15

type WordMembers = Pick<Partial<HourValue>, 'icon' | 'conditions' | 'precip_type' | 'precip_probability'>

export function iconOf(members: WordMembers, isDaytime: boolean, size: 'small' | 'medium'): string | null {
  const { icon, conditions = '', precip_type: type, precip_probability: probability } = members
  if (icon === undefined) return null
  const slug = icon.replace(/-(?:day|night)$/, '')
  let name = Object.hasOwn(iconNames, slug) ? iconNames[slug] : 'ovc'
  if (conditions.startsWith('Mostly') && slug === 'clear') name = 'few'
  else if (conditions.startsWith('Smoke')) name = 'smoke'
  else if (slug === 'sleet' && type === 'freezing_rain') name = 'fzra'
  const shown = Math.round((probability ?? 0) / 10) * 10
  const isWet = type !== undefined && type !== null && type !== 'none'
  const chance = isWet && (probability ?? 0) >= SHOWN_PROBABILITY ? `,${shown}` : ''
  return `https://api.weather.gov/icons/land/${isDaytime ? 'day' : 'night'}/${name}${chance}?size=${size}`
}

/** Returns an instant by the local clock with its offset: `2026-08-20T06:00:00-06:00`. */
export function localText(at: Instant, { offset }: TimeZone): string {
  const minutes = Math.round(offset(at) / MINUTE)
  const [hours, minutesOfHour] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return `${isoSeconds(at + minutes * MINUTE).slice(0, -1)}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(minutesOfHour)}`
}

export const quantity = (unitCode: string, value: number | null | undefined) => ({ unitCode, value: value ?? null })

/** Returns the members that periods of a half day and of an hour share. */
function periodOf(
  weather: WeatherValue,
  span: { readonly number: number; readonly name: string; readonly from: Instant; readonly to: Instant },
  isDaytime: boolean,
  instant: Partial<HourValue> | PeriodValue,
  words: WordMembers,
  size: 'small' | 'medium',
): object {
  const { units } = weather
  const { temperature, wind_speed: wind, wind_direction: direction, dew_point: dewPoint } = instant
  const local = zone(weather.location.timezone)
  const celsius = units.temperature === 'F' && typeof dewPoint === 'number' ? ((dewPoint - 32) * 5) / 9 : dewPoint
  return {
    number: span.number,
    name: span.name,
    startTime: localText(span.from, local),
    endTime: localText(span.to, local),
    isDaytime,
    temperature: typeof temperature === 'number' ? round(temperature, 0) : null,
    temperatureUnit: units.temperature,
    temperatureTrend: null,
    probabilityOfPrecipitation: quantity('wmoUnit:percent', words.precip_probability),
    dewpoint: quantity('wmoUnit:degC', celsius),
    relativeHumidity: quantity('wmoUnit:percent', instant.humidity),
    windSpeed: typeof wind === 'number' ? `${round(wind, 0)} ${units.wind_speed === 'mph' ? 'mph' : 'km/h'}` : null,
    windDirection: typeof direction === 'number' ? points[Math.round(direction / 22.5) % 16] : '',
    icon: iconOf(words, isDaytime, size),
    shortForecast: words.conditions ?? '',
  }
}

interface Half {
  readonly from: Instant
  readonly to: Instant
  readonly name: string
  readonly isDaytime: boolean
  readonly values: PeriodValue
}

const NOON = 12 * 60

/** Returns the halves of a row that have not ended: 06:00 to 18:00, and 18:00 to 06:00 of the next date. */
function halvesOf({ date, relative_day: relative, day, night }: DayValue, local: TimeZone, now: Instant): Half[] {
  const number = Date.parse(`${date}T00:00:00Z`) / (24 * HOUR)
  const [morning, evening, next] = [local.at(number, 6), local.at(number, 18), local.at(number + 1, 6)]
  const weekday = new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
  const hour = Math.floor(now / HOUR) * HOUR
  const isLate = now >= morning && local.minuteOf(now) >= NOON
  const dayName = relative === 0 ? (isLate ? 'This Afternoon' : 'Today') : weekday
  const nightName = relative < 0 ? 'Overnight' : relative === 0 ? 'Tonight' : `${weekday} Night`
  return [
    ...(day && now < evening ? [{ from: morning, to: evening, name: dayName, isDaytime: true, values: day }] : []),
    ...(night && now < next ? [{ from: evening, to: next, name: nightName, isDaytime: false, values: night }] : []),
  ].map((half) => ({ ...half, from: Math.max(half.from, hour) }))
}

/** Returns half days from the running half on. */
export function halfDayPeriods(weather: WeatherValue, now: Instant, most: number): object[] {
  const local = zone(weather.location.timezone)
  const halves = (weather.daily ?? []).flatMap((row) => halvesOf(row, local, now))
  return halves.slice(0, most).map((half, i) => ({
    ...periodOf(weather, { ...half, number: i + 1 }, half.isDaytime, half.values, half.values, 'medium'),
    detailedForecast: half.values.narrative ?? '',
  }))
}

/** Returns the members of `current` that an hour has too. */
const present = (current: CurrentValue | undefined): Partial<HourValue> =>
  current
    ? {
        temperature: current.temperature,
        dew_point: current.dew_point,
        humidity: current.humidity,
        wind_speed: current.wind_speed,
        wind_direction: current.wind_direction,
      }
    : {}

/**
 * Returns periods of an hour from the running hour on. A period is named by its start and our rows by their end: temperature, dew point, humidity
 * and wind are those of the row at the start, or of now in the running hour; the chance and the words those of the row at the end.
 */
export function hourPeriods(weather: WeatherValue): object[] {
  const local = zone(weather.location.timezone)
  const rows = weather.hourly ?? []
  return rows.map((row, i) => {
    const to = Date.parse(row.time)
    const from = to - HOUR
    const minute = local.minuteOf(from)
    const isDaytime = minute >= 6 * 60 && minute < 18 * 60
    const start = i === 0 ? present(weather.current) : (rows[i - 1] ?? {})
    return {
      ...periodOf(weather, { number: i + 1, name: '', from, to }, isDaytime, start, row, 'small'),
      detailedForecast: '',
    }
  })
}
