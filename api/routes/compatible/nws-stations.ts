import { HOUR, type Instant, isoSeconds, parseInstant } from '../../../ingest/domain/time.ts'
import { relativeHumidity } from '../../../ingest/domain/weather/derive.ts'
import { heatIndex, windChill } from '../../../ingest/domain/weather/feels-like.ts'
import { OBSERVATION_KEEP_MS, type Observation, USABLE_REPORT_MS } from '../../../ingest/domain/weather/observation.ts'
import { timezoneAt } from '../../../ingest/geo/coverage.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { reportsOf } from '../../../sql/queries/observations.ts'
import type { MetaWarning, ObservingStation } from '../../contract.ts'
import type { Observations } from '../../live/observations.ts'
import { simulatedWarnings, warningsHeader } from '../../present/meta.ts'
import { round } from '../../present/units.ts'
import { Problem } from '../../problem.ts'
import { mediaTypes } from '../../query/format.ts'
import { displayed } from '../../query/query.ts'
import type { Answer, RouteRequest } from '../../route.ts'
import { observedWords } from './nws-observed-words.ts'
import { quantity } from './nws-periods.ts'

export interface NwsStationDeps {
  readonly database: Database
  readonly live: { readonly observations: Observations }
  readonly simulated: () => boolean
}

/** Distance and number of the stations of a point. */
const STATIONS_KM = 150
const MAX_STATIONS = 50
/** Number of observations in an answer, as at api.weather.gov. */
const MAX_OBSERVATIONS = 500
const KELVIN = 273.15
const KMH = 3.6
const MPH = 2.236936
/** Wind, m/s, above which wind chill is defined (3 mph), and air temperature, °C, from which the heat index is (80 °F). */
const MIN_CHILL_WIND = 1.34
const MIN_HEAT = 26.7
const fahrenheit = (degrees: number) => degrees * 1.8 + 32
const celsius = (degrees: number) => (degrees - 32) / 1.8

const answerOf = (
  { simulated }: NwsStationDeps,
  body: object,
  warnings: readonly MetaWarning[],
  seconds: number,
): Answer => {
  const all = [...warnings, ...simulatedWarnings(simulated())]
  return {
    type: mediaTypes.geojson,
    body: JSON.stringify({ ...body, hexcast: { warnings: all } }),
    headers: {
      'Cache-Control': warnings.length > 0 ? 'no-store' : `max-age=${seconds}`,
      ...warningsHeader(all),
    },
  }
}

/** The stations around a point that have reported within three hours, nearest first. */
export function stationsAnswer(
  deps: NwsStationDeps,
  { lat, lon }: { readonly lat: number; readonly lon: number },
  { now, base }: RouteRequest,
): Answer {
  const { observations } = deps.live
  const near = observations.near(lat, lon, STATIONS_KM, MAX_STATIONS, now, USABLE_REPORT_MS)
  const features = near.map(({ station, km }) => stationFeature(base, station, km))
  const observationStations = near.map(({ station }) => urlOf(base, station.id))
  const body = { type: 'FeatureCollection', features, observationStations }
  return answerOf(deps, body, observations.warnings('stations', now), 300)
}

export function stationAnswer(deps: NwsStationDeps, { params, base }: RouteRequest): Answer {
  return answerOf(deps, stationFeature(base, stationOf(deps, params['station'] ?? '')), [], 3600)
}

/** The reports of a station, newest first: those between `start` and `end`, or of the last three days. */
export async function observationsAnswer(
  deps: NwsStationDeps,
  { params, query, now, base }: RouteRequest,
): Promise<Answer> {
  const station = stationOf(deps, params['station'] ?? '')
  const { start, end, limit } = query
  const from = start === undefined ? now - OBSERVATION_KEEP_MS : instantOf('start', start)
  const to = end === undefined ? now + HOUR : instantOf('end', end)
  const { rows } = await reportsOf(deps.database, {
    stations: [station.id],
    from: new Date(Math.max(from, now - OBSERVATION_KEEP_MS)),
    to: new Date(Math.min(to, now + HOUR)),
    limit: limitOf(limit),
  })
  const features = rows.map((report) => observationFeature(base, station, report))
  return answerOf(
    deps,
    { type: 'FeatureCollection', features },
    deps.live.observations.warnings('observations', now),
    60,
  )
}

/** @throws Problem not-found if no report of the station is known */
export function latestAnswer(deps: NwsStationDeps, { params, now, base }: RouteRequest): Answer {
  const { observations } = deps.live
  const station = stationOf(deps, params['station'] ?? '')
  const report = observations.newest(station.id)
  if (!report) throw new Problem('not-found', `${station.id} has no report of the last three days.`)
  return answerOf(deps, observationFeature(base, station, report), observations.warnings('observations', now), 60)
}

/** @throws Problem not-found */
function stationOf({ live }: NwsStationDeps, id: string): ObservingStation {
  const station = live.observations.station(id)
  if (!station)
    throw new Problem('not-found', `No station ${displayed(id.slice(0, 20))} is known. Use one such as KDEN.`)
  return station
}

/** @throws Problem bad-request */
function instantOf(name: string, text: string): Instant {
  // A plus sign of a URL is read as a space.
  const at = parseInstant(text.replace(' ', '+'))
  if (Number.isNaN(at))
    throw new Problem(
      'bad-request',
      `Parameter "${name}" must be an instant such as 2026-08-20T18:00:00Z, but was ${displayed(text)}.`,
    )
  return at
}

/** @throws Problem bad-request */
function limitOf(text: string | undefined): number {
  if (text === undefined) return MAX_OBSERVATIONS
  const count = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (!(count >= 1 && count <= MAX_OBSERVATIONS))
    throw new Problem(
      'bad-request',
      `Parameter "limit" must be from 1 to ${MAX_OBSERVATIONS}, but was ${displayed(text)}.`,
    )
  return count
}

const urlOf = (base: string, id: string) => `${base}/nws/stations/${id}`

function stationFeature(base: string, station: ObservingStation, km?: number): object {
  const { id, name, lat, lon, elevation } = station
  return {
    id: urlOf(base, id),
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lon, lat] },
    properties: {
      '@id': urlOf(base, id),
      '@type': 'wx:ObservationStation',
      elevation: quantity('wmoUnit:m', elevation),
      stationIdentifier: id,
      name,
      timeZone: timezoneAt(lat, lon) ?? null,
      ...(km !== undefined && { distance: quantity('wmoUnit:m', Math.round(km * 1000)) }),
    },
  }
}

const measured = (unitCode: string, value: number | null) => ({
  unitCode,
  value: value === null ? null : round(value, 3),
  qualityControl: value === null ? 'Z' : 'V',
})

/** A report in the units of api.weather.gov: °C, km/h, Pa, m. */
function observationFeature(base: string, station: ObservingStation, report: Observation): object {
  const { temperature, dewPoint, windDirection, windSpeed, windGust, pressure, visibility, layers = [] } = report
  const isFull = temperature !== null && dewPoint !== null
  const humidity = isFull ? relativeHumidity(temperature + KELVIN, dewPoint + KELVIN) : null
  const id = `${urlOf(base, station.id)}/observations/${isoSeconds(report.observedAt)}`
  const { conditions, icon, present } = observedWords(report, humidity)
  const chill =
    temperature !== null && windSpeed !== null && temperature <= 10 && windSpeed > MIN_CHILL_WIND
      ? celsius(windChill(fahrenheit(temperature), windSpeed * MPH))
      : null
  const heat =
    temperature !== null && humidity !== null && temperature >= MIN_HEAT
      ? celsius(heatIndex(fahrenheit(temperature), humidity))
      : null
  return {
    id,
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [report.lon, report.lat] },
    properties: {
      '@id': id,
      '@type': 'wx:ObservationStation',
      elevation: quantity('wmoUnit:m', report.elevation),
      station: urlOf(base, station.id),
      stationId: station.id,
      stationName: station.name,
      timestamp: isoSeconds(report.observedAt).replace('Z', '+00:00'),
      rawMessage: report.raw,
      textDescription: conditions,
      icon,
      presentWeather: present,
      temperature: measured('wmoUnit:degC', temperature),
      dewpoint: measured('wmoUnit:degC', dewPoint),
      windDirection: measured('wmoUnit:degree_(angle)', windDirection),
      windSpeed: measured('wmoUnit:km_h-1', windSpeed === null ? null : windSpeed * KMH),
      windGust: measured('wmoUnit:km_h-1', windGust === null ? null : windGust * KMH),
      barometricPressure: measured('wmoUnit:Pa', pressure),
      seaLevelPressure: measured('wmoUnit:Pa', null),
      visibility: measured('wmoUnit:m', visibility),
      relativeHumidity: measured('wmoUnit:percent', humidity),
      windChill: measured('wmoUnit:degC', chill),
      heatIndex: measured('wmoUnit:degC', heat),
      cloudLayers: layers.flatMap(({ cover, base_ft }) =>
        cover === '///'
          ? []
          : [{ base: quantity('wmoUnit:m', base_ft === undefined ? null : round(base_ft * 0.3048, 0)), amount: cover }],
      ),
    },
  }
}
