import { DAY, HOUR, type Instant, parseDate } from '../../../ingest/domain/time.ts'
import { Problem } from '../../problem.ts'
import { decimal, displayed, fourth, nearestWord } from '../../query/query.ts'
import { daily, earlierNames, type ForecastUnits, hourly } from './open-meteo-variables.ts'

/** The parameters of Open-Meteo's forecast, with its names, defaults and ranges (https://open-meteo.com/en/docs). */

const MAX_PLACES = 50
const MAX_FORECAST_DAYS = 16
const MAX_PAST_DAYS = 92
const DEFAULT_DAYS = 7
/** Largest number of variables in one list: more than exist, with the earlier names. */
const MAX_VARIABLES = 120

export interface ForecastQuery {
  readonly places: readonly { readonly lat: number; readonly lon: number; readonly timezone: string }[]
  readonly current: readonly string[]
  readonly hourly: readonly string[]
  readonly daily: readonly string[]
  readonly currentWeather: boolean
  readonly units: ForecastUnits
  readonly timeformat: 'iso8601' | 'unixtime'
  readonly format: 'json' | 'csv' | 'flatbuffers'
  readonly span: RequestedSpan
}

/** The requested period. */
interface RequestedSpan {
  readonly forecastDays: number | undefined
  readonly pastDays: number | undefined
  readonly forecastHours: number | undefined
  readonly pastHours: number | undefined
  /** First and last day or hour by the local clock, ms as if it were UTC. */
  readonly dates: readonly [number, number] | undefined
  readonly hours: readonly [number, number] | undefined
}

/** Equidistant times by the local clock, ms as if it were UTC. */
export interface LocalTimes {
  readonly first: number
  readonly count: number
  readonly step: number
}

type RawForecast = Readonly<Record<string, string>>

const invalid = (reason: string) => new Problem('bad-request', reason)
const listOf = (text: string | undefined) => (text ? text.split(',').map((part) => part.trim()) : [])

function oneOf<T extends string>(raw: RawForecast, name: string, words: readonly [T, ...T[]]): T {
  const text = raw[name]
  if (text === undefined || text === '') return words[0]
  const word = words.find((known) => known === text)
  if (word === undefined) {
    throw invalid(`Parameter '${name}' must be ${words.join(' or ')}, but was ${displayed(text)}.`)
  }
  return word
}

function integerOf(raw: RawForecast, name: string, most: number): number | undefined {
  const text = raw[name]
  if (text === undefined || text === '') return undefined
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= most)) {
    throw invalid(`Parameter '${name}' must be a whole number from 0 to ${most}, but was ${displayed(text)}.`)
  }
  return value
}

/** Parameters that change the answers of Open-Meteo and that this server does not support. Unknown names are ignored, as at Open-Meteo. */
const notOffered = ['minutely_15', 'weekly', 'monthly', 'bounding_box', 'tilt', 'azimuth', 'run', 'temporal_resolution']

function refuseOthers(raw: RawForecast): void {
  for (const name of notOffered) {
    if (raw[name]) throw invalid(`Parameter '${name}' is not offered by this server. Leave it out.`)
  }
  const models = raw['models']
  if (models && models !== 'best_match') {
    throw invalid(
      `Parameter 'models' must be best_match, which is the blend of this server, but was ${displayed(models)}.`,
    )
  }
  const elevation = raw['elevation']
  if (elevation && listOf(elevation).some((text) => text.toLowerCase() !== 'nan')) {
    throw invalid("Parameter 'elevation' is not offered: values are for the ground of the model. Leave it out.")
  }
}

function variablesOf(raw: RawForecast, list: 'current' | 'hourly' | 'daily'): string[] {
  const known = list === 'daily' ? daily : hourly
  const names = listOf(raw[list])
  if (names.length > MAX_VARIABLES) throw invalid(`Parameter '${list}' must have at most ${MAX_VARIABLES} variables.`)
  for (const name of names) {
    if (Object.hasOwn(known, currentName(name))) continue
    const nearest = nearestWord(name, Object.keys(known))
    throw invalid(
      `Parameter '${list}' has the variable ${displayed(name)}, which this server does not have (nearest: ${nearest}).`,
    )
  }
  return [...new Set(names)]
}

/** Returns the present name of a variable. */
export const currentName = (name: string): string =>
  (Object.hasOwn(earlierNames, name) ? earlierNames[name] : undefined) ?? name

function coordinates(raw: RawForecast, name: 'latitude' | 'longitude', most: number): number[] {
  const list = listOf(raw[name])
  if (list.length === 0) throw invalid("Parameter 'latitude' and 'longitude' must not be empty")
  if (list.length > MAX_PLACES) {
    throw invalid(`Parameter 'latitude' and 'longitude' must not exceed ${MAX_PLACES} coordinates.`)
  }
  return list.map((text) => {
    const value = decimal.test(text) ? Number(text) : Number.NaN
    if (!(Math.abs(value) <= most)) {
      throw invalid(`Parameter '${name}' must be in range of -${most} to ${most}°. Given: ${displayed(text)}.`)
    }
    return fourth(value)
  })
}

function placesOf(raw: RawForecast): ForecastQuery['places'] {
  const latitudes = coordinates(raw, 'latitude', 90)
  const longitudes = coordinates(raw, 'longitude', 180)
  if (latitudes.length !== longitudes.length)
    throw invalid("Parameter 'latitude' and 'longitude' must have the same number of elements")
  const zones = listOf(raw['timezone'])
  if (zones.length > 1 && zones.length !== latitudes.length)
    throw invalid("Parameter 'timezone' and coordinates must have the same number of elements")
  return latitudes.map((lat, i) => ({
    lat,
    lon: longitudes[i] ?? Number.NaN,
    timezone: (zones.length > 1 ? zones[i] : zones[0]) || 'GMT',
  }))
}

/** Returns both ends of a period; undefined if neither is set. */
function rangeOf(raw: RawForecast, name: 'date' | 'hour'): RequestedSpan['dates'] {
  const [from, to] = [`start_${name}`, `end_${name}`].map((key) => {
    const text = raw[key]
    if (text === undefined || text === '') return undefined
    const [date = '', clock = '00:00'] = text.split('T')
    const hour = /^([01]\d|2[0-3]):00$/.exec(clock)
    const at = hour ? parseDate(date) + Number(hour[1]) * HOUR : Number.NaN
    if (Number.isNaN(at) || (name === 'date' && text.includes('T')))
      throw invalid(
        `Parameter '${key}' must be ${name === 'date' ? '2026-08-20' : '2026-08-20T06:00'}, but was ${displayed(text)}.`,
      )
    return at
  })
  if (from === undefined && to === undefined) return undefined
  if (from === undefined || to === undefined)
    throw invalid(`Both 'start_${name}' and 'end_${name}' must be set in the url`)
  if (to < from) throw invalid('End-date must be larger or equals than start-date')
  return [from, to]
}

function spanOf(raw: RawForecast): RequestedSpan {
  const span: RequestedSpan = {
    forecastDays: integerOf(raw, 'forecast_days', MAX_FORECAST_DAYS),
    pastDays: integerOf(raw, 'past_days', MAX_PAST_DAYS),
    forecastHours: integerOf(raw, 'forecast_hours', MAX_FORECAST_DAYS * 24),
    pastHours: integerOf(raw, 'past_hours', MAX_PAST_DAYS * 24),
    dates: rangeOf(raw, 'date'),
    hours: rangeOf(raw, 'hour'),
  }
  if (span.dates || span.hours) {
    for (const name of ['past_days', 'forecast_days', 'past_hours', 'forecast_hours']) {
      if (raw[name] && raw[name] !== '0')
        throw invalid(`Parameter '${name}' is mutually exclusive with 'start_date' and 'end_date'`)
    }
  }
  return span
}

/** @throws Problem bad-request with the message of Open-Meteo if it has one */
export function parseForecast(raw: RawForecast): ForecastQuery {
  refuseOthers(raw)
  const wind = ['kmh', 'mph', 'ms', 'kn'] as const
  return {
    places: placesOf(raw),
    current: variablesOf(raw, 'current'),
    hourly: variablesOf(raw, 'hourly'),
    daily: variablesOf(raw, 'daily'),
    currentWeather: oneOf(raw, 'current_weather', ['false', 'true', '0', '1']).replace('1', 'true') === 'true',
    units: {
      temperature: oneOf(raw, 'temperature_unit', ['celsius', 'fahrenheit']),
      wind: raw['wind_speed_unit'] ? oneOf(raw, 'wind_speed_unit', wind) : oneOf(raw, 'windspeed_unit', wind),
      precipitation: oneOf(raw, 'precipitation_unit', ['mm', 'inch']),
    },
    timeformat: oneOf(raw, 'timeformat', ['iso8601', 'unixtime']),
    format: oneOf(raw, 'format', ['json', 'csv', 'flatbuffers']),
    span: spanOf(raw),
  }
}

const axisOf = (first: number, last: number, step: number): LocalTimes => ({
  first,
  count: Math.max(0, Math.round((last - first) / step) + 1),
  step,
})

/**
 * Returns the times of `daily` and `hourly`. A day begins at midnight of the offset that holds now, also beyond a change of
 * the clock, as at Open-Meteo.
 * @param local now by the local clock, ms as if it were UTC
 * @throws Problem bad-request for a period beyond the ranges of `past_days` and `forecast_days`
 */
export function axesOf(
  span: RequestedSpan,
  local: Instant,
): { readonly daily: LocalTimes; readonly hourly: LocalTimes } {
  const today = Math.floor(local / DAY) * DAY
  const { dates, hours } = span
  for (const [first, last] of [dates, hours].filter((range) => range !== undefined)) {
    if (first < today - (MAX_PAST_DAYS + 1) * DAY || last >= today + MAX_FORECAST_DAYS * DAY) {
      throw invalid(
        `The period must be within ${MAX_PAST_DAYS} days before and ${MAX_FORECAST_DAYS} days after today. Change its start and end.`,
      )
    }
  }
  if (dates || hours) {
    const days = dates ? axisOf(dates[0], dates[1], DAY) : { first: today, count: 0, step: DAY }
    return { daily: days, hourly: hours ? axisOf(hours[0], hours[1], HOUR) : hoursOf(days) }
  }
  const pastDays = span.pastDays ?? 0
  const days = { first: today - pastDays * DAY, count: pastDays + (span.forecastDays ?? DEFAULT_DAYS), step: DAY }
  if (span.forecastHours === undefined && span.pastHours === undefined) return { daily: days, hourly: hoursOf(days) }
  const pastHours = span.pastHours ?? 0
  const ahead = span.forecastHours ?? MAX_FORECAST_DAYS * 24
  const first = Math.floor(local / HOUR) * HOUR - pastHours * HOUR
  return { daily: days, hourly: { first, count: pastHours + ahead, step: HOUR } }
}

const hoursOf = ({ first, count }: LocalTimes): LocalTimes => ({ first, count: count * 24, step: HOUR })
