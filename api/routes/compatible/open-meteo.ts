import { mapPaced } from '../../../ingest/domain/pacer.ts'
import { DAY, dateText, HOUR, type Instant, isoSeconds, SECOND } from '../../../ingest/domain/time.ts'
import type { Weather } from '../../answer/weather.ts'
import { Problem } from '../../problem.ts'
import { mediaTypes } from '../../query/format.ts'
import type { Answer, CompatibleFailure, Route, RouteRequest } from '../../route.ts'
import { tooMany } from '../batch.ts'
import { apikeyOf } from './apikey.ts'
import { mergedOf } from './merged.ts'
import { flatbuffersOf } from './open-meteo-flatbuffers.ts'
import {
  type AnswerClock,
  CURRENT_SECONDS,
  type ForecastColumn,
  type ForecastSection,
  forecastAt,
  type PlaceForecast,
  type PresentColumns,
  timesOf,
} from './open-meteo-place.ts'
import { axesOf, type ForecastQuery, parseForecast } from './open-meteo-query.ts'

/** Largest number of values in one answer: every place, variable and time counts, also the hours of a day. */
const MAX_VALUES = 50_000
const HOURS_OF_DAY = 24

/**
 * `GET /v1/forecast` of Open-Meteo, with the values of `GET /v1/weather`. What differs is in docs/COMPATIBLE.md. The members
 * and their order are those of Open-Meteo; the member `hexcast` has the warnings and the attribution.
 */
export function openMeteoRoute(weather: Weather): Route {
  const handle = async (request: RouteRequest): Promise<Answer> => {
    const { now } = request
    const query = parseForecast(request.query)
    const { places } = query
    requireSize(query, now)
    if (!request.count(Math.ceil(places.length / 10) - 1)) throw tooMany(places.length)
    const forecasts = await mapPaced(places, async (place) => {
      const started = performance.now()
      const forecast = await forecastAt(weather, place, query, now)
      return { forecast, milliseconds: performance.now() - started }
    })
    const merged = mergedOf(
      forecasts.flatMap(({ forecast }) => forecast.answers),
      now,
    )
    if (query.format === 'flatbuffers') {
      return { type: 'application/octet-stream', body: flatbuffersOf(forecasts), ...merged }
    }
    if (query.format === 'csv') {
      const text = csvOf(
        forecasts.map(({ forecast }) => forecast),
        query,
      )
      return { type: mediaTypes.csv, body: text, ...merged }
    }
    const objects = forecasts.map(({ forecast, milliseconds }, i) => objectOf(forecast, query, milliseconds, i))
    return { body: objects.length === 1 ? objects[0] : objects, ...merged }
  }
  return {
    method: 'get',
    path: '/open-meteo/v1/forecast',
    timeLimit: 20_000,
    handle,
    compatibility: { joinsParameters: true, keyOf: apikeyOf, failure },
  }
}

/** Open-Meteo answers every unusable request with 400, also for a place without data. */
function failure({ status, slug, detail }: CompatibleFailure) {
  return {
    status: slug === 'outside-coverage' ? 400 : status,
    type: 'application/json; charset=utf-8',
    body: {
      error: true,
      reason: slug === 'outside-coverage' ? `No data is available for this location: ${detail}` : detail,
    },
  }
}

/** @throws Problem before anything is computed, if the answer would be too large */
function requireSize(query: ForecastQuery, now: Instant): void {
  const { hourly, daily } = axesOf(query.span, now)
  const values =
    query.places.length * (hourly.count * query.hourly.length + daily.count * query.daily.length * HOURS_OF_DAY)
  if (values <= MAX_VALUES) return
  throw new Problem(
    'bad-request',
    `The answer must have at most ${MAX_VALUES} values, but has ${values}. Request fewer places, variables or days.`,
  )
}

type ShownCell = number | string | null

/** Returns a time of the axis: by the local clock, or as seconds since 1970. */
function shownTime(local: number, step: number, clock: AnswerClock, { timeformat }: ForecastQuery): string | number {
  if (timeformat === 'unixtime') return (local - clock.offset) / SECOND
  return step === DAY ? dateText(local / DAY) : isoSeconds(local).slice(0, 16)
}

const shownInstant = (at: Instant, clock: AnswerClock, query: ForecastQuery) =>
  shownTime(at + clock.offset, HOUR, clock, query)

const shownValues = ({ values, isTime }: ForecastColumn, clock: AnswerClock, query: ForecastQuery): ShownCell[] =>
  isTime ? values.map((at) => (at === null ? null : shownInstant(at, clock, query))) : [...values]

function objectOf(forecast: PlaceForecast, query: ForecastQuery, milliseconds: number, index: number): object {
  const { weather, clock, current, currentWeather } = forecast
  const { location, attribution, meta } = weather
  return {
    latitude: location.lat,
    longitude: location.lon,
    generationtime_ms: Math.round(milliseconds * 1000) / 1000,
    utc_offset_seconds: clock.offset / SECOND,
    timezone: clock.timezone,
    timezone_abbreviation: clock.abbreviation,
    ...(typeof location.elevation === 'number' && { elevation: location.elevation }),
    ...(index > 0 && { location_id: index }),
    ...presentMembers('current_weather', currentWeather, clock, query),
    ...presentMembers('current', current, clock, query),
    ...sectionMembers('hourly', forecast.hourly, clock, query),
    ...sectionMembers('daily', forecast.daily, clock, query),
    hexcast: { attribution, warnings: meta.warnings ?? [] },
  }
}

function presentMembers(
  name: string,
  present: PresentColumns | undefined,
  clock: AnswerClock,
  query: ForecastQuery,
): object {
  if (!present) return {}
  const { at, columns } = present
  return {
    [`${name}_units`]: {
      time: query.timeformat,
      interval: 'seconds',
      ...Object.fromEntries(columns.map((column) => [column.name, column.label])),
    },
    [name]: {
      time: shownInstant(at, clock, query),
      interval: CURRENT_SECONDS,
      ...Object.fromEntries(columns.map((column) => [column.name, column.values[0]])),
    },
  }
}

function sectionMembers(
  name: string,
  { axis, columns }: ForecastSection,
  clock: AnswerClock,
  query: ForecastQuery,
): object {
  if (columns.length === 0) return {}
  return {
    [`${name}_units`]: {
      time: query.timeformat,
      ...Object.fromEntries(columns.map((column) => [column.name, column.label])),
    },
    [name]: {
      time: timesOf(axis).map((local) => shownTime(local, axis.step, clock, query)),
      ...Object.fromEntries(columns.map((column) => [column.name, shownValues(column, clock, query)])),
    },
  }
}

/** Tables one after another with an empty line between them, as Open-Meteo writes them: places, current, hourly, daily. */
function csvOf(forecasts: readonly PlaceForecast[], query: ForecastQuery): string {
  const isList = forecasts.length > 1
  const line = (id: number, cells: readonly (ShownCell | undefined)[]) =>
    `${[...(isList ? [id] : []), ...cells.map((cell) => cell ?? 'NaN')].join(',')}\n`
  const id = isList ? 'location_id,' : ''
  const places = forecasts.map(({ weather: { location }, clock }, i) =>
    line(i, [
      location.lat,
      location.lon,
      location.elevation,
      clock.offset / SECOND,
      clock.timezone,
      clock.abbreviation,
    ]),
  )
  const head = (columns: readonly ForecastColumn[]) =>
    `${id}time${columns.map(({ name, label }) => `,${name} (${label})`).join('')}\n`
  const tables = [
    `${id}latitude,longitude,elevation,utc_offset_seconds,timezone,timezone_abbreviation\n${places.join('')}`,
  ]
  for (const name of ['current', 'currentWeather'] as const) {
    const [first] = forecasts.flatMap((forecast) => forecast[name] ?? [])
    if (!first) continue
    const rows = forecasts.flatMap(({ [name]: present, clock }, i) =>
      present
        ? line(i, [shownInstant(present.at, clock, query), ...present.columns.map(({ values }) => values[0])])
        : [],
    )
    tables.push(head(first.columns) + rows.join(''))
  }
  for (const name of ['hourly', 'daily'] as const) {
    const columns = forecasts[0]?.[name].columns ?? []
    if (columns.length === 0) continue
    const rows = forecasts.flatMap(({ [name]: section, clock }, i) => {
      const shown = section.columns.map((column) => shownValues(column, clock, query))
      return timesOf(section.axis).map((local, n) =>
        line(i, [shownTime(local, section.axis.step, clock, query), ...shown.map((values) => values[n])]),
      )
    })
    tables.push(head(columns) + rows.join(''))
  }
  return tables.join('\n')
}
