import { HOUR, type Instant } from '../../../ingest/domain/time.ts'
import { officeAt, zonesAt } from '../../../ingest/geo/zone.ts'
import type { TypedAnswer, Weather } from '../../answer/weather.ts'
import type { AlertWatch } from '../../live/alert-watch.ts'
import { warningsHeader } from '../../present/meta.ts'
import { Problem, type Slug } from '../../problem.ts'
import { mediaTypes } from '../../query/format.ts'
import { resolve } from '../../query/location.ts'
import { displayed, parseWeather } from '../../query/query.ts'
import type { Answer, Compatibility, CompatibleFailure, Route, RouteRequest } from '../../route.ts'
import { activeAlerts } from './nws-alerts.ts'
import { gridSeries } from './nws-grid.ts'
import { halfDayPeriods, hourPeriods } from './nws-periods.ts'
import { gridOf, pointAt, pointOf } from './nws-point.ts'
import { latestAnswer, type NwsStationDeps, observationsAnswer, stationAnswer, stationsAnswer } from './nws-stations.ts'

const NWS = 'https://api.weather.gov'
/** Number of periods in a forecast, and of hours in an hourly forecast, as at api.weather.gov. */
const HALF_DAYS = 14
const HOURS = 156
/** Half a grid cell, degrees. */
const HALF = 0.00005

interface NwsDeps extends NwsStationDeps {
  readonly weather: Weather
  readonly alerts: AlertWatch
}

/**
 * `/points`, `/gridpoints`, `/stations` and `/alerts/active` of api.weather.gov with our values, as GeoJSON. What differs is in
 * docs/COMPATIBLE.md.
 */
export function nwsRoutes({ weather, alerts, ...stations }: NwsDeps): readonly Route[] {
  const { simulated } = stations
  const compatibility: Compatibility = { failure }
  const get = (path: string, handle: NonNullable<Route['handle']>): Route => ({
    method: 'get',
    path: `/nws${path}`,
    handle,
    compatibility,
  })
  const active = (name?: 'area' | 'zone') => (request: RouteRequest) => {
    const { query, params } = request
    return activeAlerts(
      alerts,
      { ...request, query: name ? { ...query, [name]: params[name] ?? '' } : query },
      simulated(),
    )
  }
  return [
    get('/points/:point', pointAnswer),
    get('/gridpoints/:office/:grid/forecast', (request) => forecast(weather, request, 'half-days')),
    get('/gridpoints/:office/:grid/forecast/hourly', (request) => forecast(weather, request, 'hours')),
    get('/gridpoints/:office/:grid', (request) => forecast(weather, request, 'grid')),
    get('/gridpoints/:office/:grid/stations', (request) => stationsAnswer(stations, gridPoint(request), request)),
    get('/points/:point/stations', (request) => {
      const point = pointOf(request.params['point'] ?? '')
      resolve({ kind: 'point', ...point })
      return stationsAnswer(stations, point, request)
    }),
    get('/stations/:station', (request) => stationAnswer(stations, request)),
    get('/stations/:station/observations', (request) => observationsAnswer(stations, request)),
    get('/stations/:station/observations/latest', (request) => latestAnswer(stations, request)),
    get('/alerts/active', active()),
    get('/alerts/active/area/:area', active('area')),
    get('/alerts/active/zone/:zone', active('zone')),
  ]
}

/** Names of problems of api.weather.gov. */
const problems: Readonly<Partial<Record<Slug, readonly [type: string, title: string]>>> = {
  'bad-request': ['BadRequest', 'Bad Request'],
  'outside-coverage': ['InvalidPoint', 'Data Unavailable For Requested Point'],
  'not-found': ['NotFound', 'Not Found'],
  unauthorized: ['Unauthorized', 'Unauthorized'],
  forbidden: ['Forbidden', 'Forbidden'],
  'service-unavailable': ['ServiceUnavailable', 'Service Unavailable'],
}

function failure({ status, slug, detail, id }: CompatibleFailure) {
  const [type, title] = problems[slug] ?? ['UnexpectedProblem', 'Unexpected Problem']
  const body = {
    correlationId: id,
    title,
    type: `${NWS}/problems/${type}`,
    status,
    detail,
    instance: `/requests/${id}`,
  }
  return { status, type: 'application/problem+json; charset=utf-8', body }
}

/** @throws Fault Missing outside the coverage */
function pointAnswer({ params, base }: RouteRequest): Answer {
  const point = pointOf(params['point'] ?? '')
  const { place, gis } = resolve({ kind: 'point', ...point })
  const { lat, lon } = point
  const office = officeOf(lat, lon)
  const { county, fire, forecast } = zonesAt(lat, lon)
  const [x, y] = gridOf(point)
  const id = `${base}/nws/points/${lat},${lon}`
  const grid = `${base}/nws/gridpoints/${office}/${x},${y}`
  const zone = (kind: string, code: string | undefined) => (code ? `${NWS}/zones/${kind}/${code}` : null)
  const { nearest_city: city, nearest_radar: radar } = gis as {
    readonly nearest_city?: string
    readonly nearest_radar: { readonly id: string }
  }
  const geometry = { type: 'Point', coordinates: [lon, lat] }
  const properties = {
    '@id': id,
    '@type': 'wx:Point',
    cwa: office,
    forecastOffice: `${NWS}/offices/${office}`,
    gridId: office,
    gridX: x,
    gridY: y,
    forecast: `${grid}/forecast`,
    forecastHourly: `${grid}/forecast/hourly`,
    forecastGridData: grid,
    observationStations: `${grid}/stations`,
    relativeLocation: {
      type: 'Feature',
      geometry,
      properties: { city: city ?? place.name, state: place.region ?? null },
    },
    forecastZone: zone('forecast', forecast),
    county: zone('county', county),
    fireWeatherZone: zone('fire', fire),
    timeZone: place.timezone,
    radarStation: radar.id.length === 3 ? `K${radar.id}` : radar.id,
  }
  return {
    type: mediaTypes.geojson,
    body: JSON.stringify({ id, type: 'Feature', geometry, properties }),
    headers: { 'Cache-Control': 'max-age=3600' },
  }
}

/** Returns the office of a point. Points on the coast have that of the nearest shore. */
function officeOf(lat: number, lon: number): string {
  const office = officeAt(lat, lon)
  if (office === undefined)
    throw new Problem('outside-coverage', `No forecast office is known for ${lat},${lon}. Use a point on land.`)
  return office
}

/** @throws Problem not-found unless the office is that of the point */
function gridPoint({ params: { office = '', grid = '' } }: RouteRequest): {
  readonly lat: number
  readonly lon: number
} {
  const point = pointAt(grid)
  if (!point || officeAt(point.lat, point.lon) !== office.toUpperCase()) {
    throw new Problem(
      'not-found',
      `${displayed(`${office}/${grid}`)} is no grid point of this server. Take the address from /nws/points/{latitude},{longitude}.`,
    )
  }
  return point
}

type ForecastStep = 'half-days' | 'hours' | 'grid'

async function forecast(weather: Weather, request: RouteRequest, step: ForecastStep): Promise<Answer> {
  const { query, now } = request
  const { units = 'us' } = query
  if (units !== 'us' && units !== 'si')
    throw new Problem('bad-request', `Parameter "units" must be us or si, but was ${displayed(units)}.`)
  const point = gridPoint(request)
  const answer = await weather.value(
    parseWeather({
      lat: String(point.lat),
      lon: String(point.lon),
      units: units === 'us' && step !== 'grid' ? 'imperial' : 'metric',
      ...selections[step],
    }),
    now,
  )
  const isNew = !answer.sent
  answer.sent = true
  return {
    type: mediaTypes.geojson,
    body: JSON.stringify(featureOf(answer, point, now, step)),
    headers: { 'Cache-Control': answer.cacheControl(now), ...warningsHeader(answer.value.meta.warnings ?? []) },
    counted: isNew,
  }
}

const days = String(HALF_DAYS / 2 + 1)
/** Parameters of our answer by step. */
const selections: Readonly<Record<ForecastStep, Readonly<Record<string, string>>>> = {
  'half-days': { include: 'daily', days },
  hours: { include: 'current,hourly', hourly_hours: String(HOURS) },
  grid: { include: 'hourly,daily', hourly_hours: String(HOURS), days },
}

/** Converts feet or metres to metres. */
const metres = (height: number, unit: string) => (unit === 'ft' ? height * 0.3048 : height)

function featureOf(
  { value }: TypedAnswer,
  { lat, lon }: { readonly lat: number; readonly lon: number },
  now: Instant,
  step: ForecastStep,
): object {
  const { location, units, meta, attribution } = value
  const isHourly = step !== 'half-days'
  const start = new Date(Math.floor(now / HOUR) * HOUR).toISOString().slice(0, 19)
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ] as const
  const ring = corners.map(([x, y]) => [Number((lon + x * HALF).toFixed(5)), Number((lat + y * HALF).toFixed(5))])
  return {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: {
      units: units.temperature === 'F' ? 'us' : 'si',
      forecastGenerator: isHourly ? 'HourlyForecastGenerator' : 'BaselineForecastGenerator',
      generatedAt: meta.generated_at,
      updateTime: updateOf(value.meta.freshness ?? [], meta.generated_at),
      validTimes: `${start}+00:00/P${isHourly ? `6DT${HOURS - 144}H` : `${HALF_DAYS / 2}D`}`,
      elevation: {
        unitCode: 'wmoUnit:m',
        value: typeof location.elevation === 'number' ? metres(location.elevation, units.altitude) : null,
      },
      ...(step === 'grid' && gridSeries(value)),
      ...(step === 'hours' && { periods: hourPeriods(value) }),
      ...(step === 'half-days' && { periods: halfDayPeriods(value, now, HALF_DAYS) }),
    },
    hexcast: { attribution, warnings: meta.warnings ?? [] },
  }
}

/** Returns the newest reference time behind an answer. */
function updateOf(
  freshness: readonly { readonly reference_time?: string | null | undefined }[],
  otherwise: string,
): string {
  return (
    freshness
      .flatMap(({ reference_time: at }) => at ?? [])
      .sort()
      .at(-1) ?? otherwise
  )
}
