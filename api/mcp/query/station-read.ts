import { POLLUTANTS } from '../../../ingest/domain/air-quality.ts'
import { ceilingFt, type Observation, STATION_REACH_KM } from '../../../ingest/domain/observation.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { coverage } from '../../../ingest/geo/coverage.ts'
import { monitorHours } from '../../../sql/queries/air-quality.ts'
import { reportsOf } from '../../../sql/queries/observations.ts'
import { quantityOf } from '../../answer/values.ts'
import { units } from '../../present/units.ts'
import { contains } from '../../query/box.ts'
import { fourth } from '../../query/query.ts'
import type { ToolContext } from './context.ts'
import type { Family } from './dataset.ts'
import type { PointTable, Wanted } from './dataset-read.ts'
import { ToolError } from './error.ts'
import { findSpot } from './spot.ts'
import { pointsOf, type QueryPoint, type Where } from './where.ts'

/** Stations and monitors as query_dataset sees them: points with an id, and their values by time. */
interface Site {
  readonly id: string
  readonly name: string
  readonly lat: number
  readonly lon: number
}

const MAX_SITES = 500
const MAX_REPORTS = 100_000
const RETENTION_MS = 72 * HOUR

const isMetar = ({ id }: Family) => id === 'metar'

/** The requested stations: by id, of a box, or the nearest to each place. @throws ToolError */
export function stationPoints(
  context: ToolContext,
  family: Family,
  where: Where,
  variables: readonly string[],
): QueryPoint[] {
  const { stations, bbox, ...places } = where
  if (
    stations &&
    !bbox &&
    !places.points &&
    places.location === undefined &&
    places.lat === undefined &&
    places.lon === undefined
  )
    return stations.map((id, index) => pointOf(index, siteById(context, family, id)))
  if (bbox && !stations) {
    const [west, south, east, north] = bbox as [number, number, number, number]
    const inside = allSites(context, family).filter(({ lat, lon }) => contains([west, south, east, north], lat, lon))
    if (inside.length > MAX_SITES)
      throw new ToolError(
        'bad-request',
        `bbox has ${inside.length} stations, ${MAX_SITES} at most.`,
        'ask for a smaller box.',
        {
          field: 'bbox',
          allowed: MAX_SITES,
          got: inside.length,
        },
      )
    if (inside.length === 0)
      throw new ToolError(
        'no-data',
        `${family.id} has no station in this box.`,
        'ask for a larger box, or a place: its nearest station answers.',
        { field: 'bbox', got: bbox },
      )
    return inside.map((site, index) => pointOf(index, site))
  }
  if (stations) {
    const message = 'Wanted exactly one of a place (location, or lat with lon), points, bbox and stations; got more.'
    throw new ToolError('bad-request', message, 'call again with one of them.', { field: 'stations' })
  }
  return pointsOf(where).map((point) => {
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

function siteById({ deps }: ToolContext, family: Family, code: string): Site {
  const monitor = isMetar(family) ? undefined : deps.live.airQuality.monitor(code)
  const site = isMetar(family) ? deps.live.observations.station(code) : monitor
  if (site) return site
  throw new ToolError(
    'not-found',
    `${family.id} has no station "${code}".`,
    'give a place instead: its nearest station answers.',
    {
      field: 'stations',
      got: code,
    },
  )
}

function allSites({ deps }: ToolContext, family: Family): readonly Site[] {
  if (isMetar(family)) return deps.live.observations.reporting().map(({ station }) => station)
  return deps.live.airQuality.monitorsNear(39, -98, 20_000, 20_000).map(({ monitor }) => monitor)
}

function nearestSite(
  { deps, now }: ToolContext,
  family: Family,
  lat: number,
  lon: number,
  variables: readonly string[],
): Site | undefined {
  if (isMetar(family)) return deps.live.observations.near(lat, lon, STATION_REACH_KM, 1, now, RETENTION_MS)[0]?.station
  const near = deps.live.airQuality.monitorsNear(lat, lon, STATION_REACH_KM / 2, 50)
  const asked = POLLUTANTS.filter((name) => variables.includes(name) || variables.includes('aqi'))
  return (near.find(({ monitor }) => asked.some((name) => monitor[name] !== null)) ?? near[0])?.monitor
}

/** Values of every point by variable and time, in the requested units. */
export async function readStations(
  { deps }: Pick<ToolContext, 'deps'>,
  points: readonly QueryPoint[],
  wanted: Pick<Wanted, 'family' | 'variables' | 'from' | 'to' | 'units'>,
): Promise<Map<number, PointTable>> {
  const { family, variables, from, to } = wanted
  const ids = [...new Set(points.flatMap(({ station_id }) => station_id ?? []))]
  const system = units[wanted.units]
  const rows = new Map<string, Map<number, (name: string) => number | null>>(ids.map((id) => [id, new Map()]))
  if (isMetar(family)) {
    const found = await reportsOf(deps.database, {
      stations: ids,
      from: new Date(from),
      to: new Date(to),
      limit: MAX_REPORTS,
    })
    for (const report of found.rows) rows.get(report.station)?.set(report.observedAt, (name) => canonical(report, name))
  } else {
    for (const row of await monitorHours(deps.database, new Date(from), new Date(to), ids)) {
      const known = POLLUTANTS.flatMap((name) => (row.active ? (row[name] ?? []) : []))
      rows.get(row.id)?.set(row.hour, (name) => {
        if (name === 'aqi') return known.length > 0 ? Math.max(...known) : null
        return row.active ? row[name as (typeof POLLUTANTS)[number]] : null
      })
    }
  }
  const tables = new Map<number, PointTable>()
  for (const { index, station_id } of points) {
    const reports = station_id === undefined ? undefined : rows.get(station_id)
    if (!reports) continue
    const times = [...reports.keys()].sort((a, b) => a - b)
    const values = new Map(
      variables.map((name) => [
        name,
        new Map(
          times.map((time) => [time, system.show(quantityOf(name), reports.get(time)!(name) ?? undefined)] as const),
        ),
      ]),
    )
    tables.set(index, { times, values, run: undefined, runs: [], runByVariable: new Map() })
  }
  return tables
}

/** K, m/s, m, Pa, degrees. */
function canonical(report: Observation, name: string): number | null {
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
