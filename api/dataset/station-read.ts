import { HOUR } from '../../ingest/domain/time.ts'
import { POLLUTANTS } from '../../ingest/domain/weather/air-quality.ts'
import { ceilingFt, type Observation, STATION_REACH_KM } from '../../ingest/domain/weather/observation.ts'
import { coverage } from '../../ingest/geo/coverage.ts'
import { monitorHours } from '../../sql/queries/air-quality.ts'
import { reportsOf } from '../../sql/queries/observations.ts'
import { type UnitSystem, units } from '../present/units.ts'
import { contains, type QueryBox } from '../query/box.ts'
import { fourth } from '../query/query.ts'
import type { Area } from './area.ts'
import type { AreaRead, CellVisitor } from './area-read.ts'
import type { QueryContext } from './context.ts'
import { type Family, isStationReports } from './dataset.ts'
import type { PointTable, WantedValues } from './dataset-read.ts'
import { QueryError } from './error.ts'
import { findSpot } from './spot.ts'
import { quantityIn } from './variable-facts.ts'
import { pointsOf, type QueryPoint, type Where } from './where.ts'

/** A station or monitor. */
export interface Site {
  readonly id: string
  readonly name: string
  readonly lat: number
  readonly lon: number
}

const MAX_SITES = 500
const MAX_REPORTS = 100_000
const RETENTION_MS = 72 * HOUR

/** The requested stations: by id, in a box or outline, or nearest to each place. @throws QueryError */
export async function stationPoints(
  context: QueryContext,
  family: Family,
  where: Where,
  variables: readonly string[],
): Promise<QueryPoint[]> {
  const { stations, bbox, outline, ...places } = where
  if (
    stations &&
    !bbox &&
    !outline &&
    !places.points &&
    places.location === undefined &&
    places.lat === undefined &&
    places.lon === undefined
  )
    return stations.map((id, index) => pointOf(index, siteById(context, family, id)))
  if ((bbox || outline) && !stations) {
    const field = bbox ? 'bbox' : 'coords'
    const isInside = bbox
      ? (lat: number, lon: number) => contains(bbox as unknown as QueryBox, lat, lon)
      : (lat: number, lon: number) => outline?.contains(lat, lon) ?? false
    const inside = allSites(context, family).filter(({ lat, lon }) => isInside(lat, lon))
    if (inside.length > MAX_SITES)
      throw new QueryError(
        'bad-request',
        `\`${field}\` has ${inside.length} stations, but at most ${MAX_SITES} are allowed.`,
        'request a smaller box.',
        {
          field,
          allowed: MAX_SITES,
          got: inside.length,
        },
      )
    if (inside.length === 0)
      throw new QueryError(
        'no-data',
        `${family.id} has no station in this area.`,
        'request a larger area, or a place, for which its nearest station is read.',
        { field, got: bbox },
      )
    return inside.map((site, index) => pointOf(index, site))
  }
  if (stations) {
    const message =
      'A query needs exactly one of a place (location, or lat with lon), points, bbox and stations, but has several.'
    throw new QueryError('bad-request', message, 'call again with one of them.', { field: 'stations' })
  }
  return (await pointsOf(where)).map((point) => {
    if (!point.spot || point.lat === null || point.lon === null) return point
    const site = nearestSite(context, family, point.lat, point.lon, variables)
    return site
      ? { ...point, lat: fourth(site.lat), lon: fourth(site.lon), name: site.name, station_id: site.id }
      : point
  })
}

function pointOf(index: number, { id, name, lat, lon }: Site): QueryPoint {
  const at = { lat: fourth(lat), lon: fourth(lon) }
  const spot = coverage(at.lat, at.lon) ? findSpot(at) : undefined
  return { index, ...at, name, station_id: id, ...(spot ? { spot } : {}) }
}

function siteById({ deps }: QueryContext, family: Family, code: string): Site {
  const monitor = isStationReports(family) ? undefined : deps.live.airQuality.monitor(code)
  const site = isStationReports(family) ? deps.live.observations.station(code) : monitor
  if (site) return site
  throw new QueryError(
    'not-found',
    `${family.id} has no station "${code}".`,
    'give a place instead, for which its nearest station is read.',
    {
      field: 'stations',
      got: code,
    },
  )
}

/** Every station of a dataset. */
export function allSites({ deps }: QueryContext, family: Family): readonly Site[] {
  if (isStationReports(family)) return deps.live.observations.reporting().map(({ station }) => station)
  return deps.live.airQuality.all()
}

function nearestSite(
  { deps, now }: QueryContext,
  family: Family,
  lat: number,
  lon: number,
  variables: readonly string[],
): Site | undefined {
  if (isStationReports(family))
    return deps.live.observations.near(lat, lon, STATION_REACH_KM, 1, now, RETENTION_MS)[0]?.station
  const near = deps.live.airQuality.monitorsNear(lat, lon, STATION_REACH_KM / 2, 50)
  const requested = POLLUTANTS.filter((name) => variables.includes(name) || variables.includes('aqi'))
  return (near.find(({ monitor }) => requested.some((name) => monitor[name] !== null)) ?? near[0])?.monitor
}

/** Visits the values of every station in an area; each station counts as a cell. */
export async function areaStations(
  context: QueryContext,
  area: Area,
  request: WantedValues,
  visit: CellVisitor,
): Promise<AreaRead> {
  const inside = allSites(context, request.family).filter(({ lat, lon }) =>
    area.outlines.some((outline) => outline.contains(lat, lon)),
  )
  if (inside.length > MAX_SITES)
    throw new QueryError(
      'bad-request',
      `${area.name} has ${inside.length} stations, but at most ${MAX_SITES} are allowed.`,
      'request a smaller area.',
      { field: 'areas', allowed: MAX_SITES, got: inside.length },
    )
  const points = inside.map((site, index) => pointOf(index, site))
  // The visitor expects canonical units.
  const tables = await readStations(context, points, { ...request, units: undefined })
  const values = new Float64Array(request.variables.length)
  const newest = new Map<string, number>()
  for (const { index, lat, lon } of points) {
    const table = tables.get(index)
    for (const time of table?.times ?? []) {
      for (const [v, name] of request.variables.entries()) {
        const value = table?.values.get(name)?.get(time) ?? null
        values[v] = value ?? Number.NaN
        if (value !== null) newest.set(name, Math.max(time, newest.get(name) ?? time))
      }
      visit(time, lat as number, lon as number, values, index)
    }
  }
  return { runs: [], newest, products: new Map() }
}

/** Values of every point by variable and time, in the requested units, or in canonical units if none are requested. */
export async function readStations(
  { deps }: Pick<QueryContext, 'deps'>,
  points: readonly QueryPoint[],
  request: Pick<WantedValues, 'family' | 'variables' | 'from' | 'to'> & { readonly units: UnitSystem | undefined },
): Promise<Map<number, PointTable>> {
  const { family, variables, from, to } = request
  const ids = [...new Set(points.flatMap(({ station_id }) => station_id ?? []))]
  const show = (name: string, value: number | null) =>
    request.units === undefined ? value : units[request.units].show(quantityIn(name), value ?? undefined)
  const rows = new Map<string, Map<number, (name: string) => number | null>>(ids.map((id) => [id, new Map()]))
  if (isStationReports(family)) {
    const reports = await reportsOf(deps.database, {
      stations: ids,
      from: new Date(from),
      to: new Date(to),
      limit: MAX_REPORTS,
    })
    for (const report of reports.rows)
      rows.get(report.station)?.set(report.observedAt, (name) => canonicalValue(report, name))
  } else {
    for (const row of await monitorHours(deps.database, new Date(from), new Date(to), ids)) {
      const indexes = POLLUTANTS.flatMap((name) => (row.active ? (row[name] ?? []) : []))
      rows.get(row.id)?.set(row.hour, (name) => {
        if (name === 'aqi') return indexes.length > 0 ? Math.max(...indexes) : null
        return row.active ? row[name as (typeof POLLUTANTS)[number]] : null
      })
    }
  }
  const tables = new Map<number, PointTable>()
  for (const { index, station_id } of points) {
    const reports = station_id === undefined ? undefined : rows.get(station_id)
    if (!reports) continue
    const ascending = [...reports].sort(([a], [b]) => a - b)
    const times = ascending.map(([time]) => time)
    const values = new Map(
      variables.map((name) => [
        name,
        new Map(ascending.map(([time, read]) => [time, show(name, read(name))] as const)),
      ]),
    )
    tables.set(index, { times, values, run: undefined, runs: [], runByVariable: newestOf(values) })
  }
  return tables
}

/** The time of the newest value of each variable. */
function newestOf(values: ReadonlyMap<string, ReadonlyMap<number, number | null>>): Map<string, number> {
  const newest = new Map<string, number>()
  for (const [name, byTime] of values)
    for (const [time, value] of byTime) if (value !== null) newest.set(name, Math.max(time, newest.get(name) ?? time))
  return newest
}

/** A value of a report in canonical units: K, m/s, m, Pa, degrees. */
function canonicalValue(report: Observation, name: string): number | null {
  const kelvin = (celsius: number | null) => (celsius === null ? null : celsius + 273.15)
  const feet = name === 'cloud_ceiling' ? ceilingFt(report.layers) : undefined
  const values: Readonly<Record<string, number | null>> = {
    temperature: kelvin(report.temperature),
    dew_point: kelvin(report.dewPoint),
    wind_speed: report.windSpeed,
    wind_gust: report.windGust,
    wind_direction: report.windDirection,
    visibility: report.visibility,
    pressure: report.pressure,
    cloud_ceiling: feet === undefined ? null : feet * 0.3048,
  }
  return values[name] ?? null
}
