import { z } from 'zod'
import { pause } from '../../ingest/domain/pacer.ts'
import { HOUR, type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import { type Observation, USABLE_REPORT_MS } from '../../ingest/domain/weather/observation.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { observationRange, reportsOf, stationsInBox } from '../../sql/queries/observations.ts'
import { fieldSchemas } from '../blend/fields.ts'
import type { MetaWarning, ObservingStation, StationReport } from '../contract.ts'
import type { Observations } from '../live/observations.ts'
import type { Current } from '../live/served-runs.ts'
import { simulatedWarnings, warningsHeader, warningsOf } from '../present/meta.ts'
import { type ShownObservation, shownObservation } from '../present/observation.ts'
import { doc, measured } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import type { Table, TableColumn } from '../present/table.ts'
import { tableIn } from '../present/table-forms.ts'
import { type Units, units } from '../present/units.ts'
import { Problem } from '../problem.ts'
import { boxShape, contains, parseBox, requireDomain } from '../query/box.ts'
import { formatShape, mediaTypes } from '../query/format.ts'
import { resolve } from '../query/location.ts'
import { parseParameters, selectorOf, selectorShape } from '../query/query.ts'
import type { Answer, Route, RouteRequest } from '../route.ts'
import { limitShape, listMeta, metaOf } from './shapes.ts'
import { unknownStation } from './sites.ts'

const MAX_AGE_SECONDS = 60
const ATTRIBUTION = 'NWS Aviation Weather Center METARs'
/** A history that begins this much later than requested gets a warning. */
const HISTORY_TOLERANCE_MS = 90 * 60_000

const formats = ['json', 'geojson', 'csv', 'parquet', 'arrow'] as const
const shape = {
  ...selectorShape,
  bbox: boxShape,
  station: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{3,5}$/)
    .optional()
    .meta({ description: 'One station: KDEN, or its FAA or IATA code DEN', expected: 'a code such as KDEN' }),
  hours: z
    .preprocess(
      (text) => (typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : text),
      z.number().int().min(1).max(72),
    )
    .optional()
    .meta({
      description:
        'Every report of the past hours, 1 to 72; default: the newest report of each station, at most 3 hours old',
      expected: 'a whole number from 1 to 72',
    }),
  units: z
    .enum(['imperial', 'metric'])
    .default('imperial')
    .meta({ description: 'Units', expected: 'imperial or metric' }),
  limit: limitShape(500, 2000),
  format: formatShape([...formats]),
}

type ObservationValues = z.output<z.ZodObject<typeof shape>>

export interface ObservationDeps {
  readonly database: Database
  readonly live: { readonly observations: Observations }
  readonly values: { readonly current: Pick<Current, 'simulated'> }
}

interface SelectedReports {
  readonly rows: readonly StationReport[]
  readonly total: number
  readonly warnings: readonly MetaWarning[]
}

const warning = (code: MetaWarning['code'], detail: string): MetaWarning => ({ code, section: 'observations', detail })

async function selectReports(
  { live, database }: ObservationDeps,
  request: RouteRequest,
  values: ObservationValues,
): Promise<SelectedReports> {
  const { observations } = live
  const { now } = request
  const hasPoint = ['lat', 'lon', 'location', 'zip'].some((name) => request.query[name] !== undefined)
  const ways = [
    hasPoint && 'a point',
    values.bbox !== undefined && 'bbox',
    values.station !== undefined && 'station',
  ].filter(Boolean)
  if (ways.length !== 1)
    throw new Problem(
      'bad-request',
      `The request must have exactly one of \`bbox\`, \`station\` or a point, but has ${ways.join(' and ') || 'none'}. Send one of them.`,
    )
  if (values.bbox !== undefined) {
    const box = parseBox(values.bbox)
    requireDomain(box)
    if (values.hours === undefined) {
      const rows = observations
        .reporting()
        .filter(({ report }) => now - report.observedAt <= USABLE_REPORT_MS && contains(box, report.lat, report.lon))
      return { rows: rows.slice(0, values.limit), total: rows.length, warnings: [] }
    }
    const ids = await stationsInBox(database, box, new Date(now - values.hours * HOUR))
    return history(
      database,
      ids.map((id) => ({ station: stationOf(observations, id) })),
      values,
      now,
    )
  }
  if (values.station !== undefined) {
    const station = observations.station(values.station)
    if (!station) throw unknownStation('station', values.station)
    if (values.hours !== undefined)
      return withSilence(await history(database, [{ station }], values, now), station, values)
    const report = observations.newest(station.id)
    const isRecent = report && now - report.observedAt <= USABLE_REPORT_MS
    return withSilence(
      { rows: isRecent ? [{ station, report }] : [], total: isRecent ? 1 : 0, warnings: [] },
      station,
      values,
    )
  }
  const { lat, lon } = resolve(selectorOf(values))
  const { nearest, warnings } = await observations.at({ lat, lon, now })
  const ownWarnings = warnings.map((warning) => ({ ...warning, section: 'observations' }))
  if (!nearest) return { rows: [], total: 0, warnings: ownWarnings }
  if (values.hours === undefined) return { rows: [nearest], total: 1, warnings: ownWarnings }
  const past = await history(database, [nearest], values, now)
  return { ...past, warnings: [...ownWarnings, ...past.warnings] }
}

/** Adds a warning if a station has no reports. */
function withSilence(list: SelectedReports, station: ObservingStation, { hours }: ObservationValues): SelectedReports {
  if (list.rows.length > 0) return list
  const detail = `${station.id} (${station.name}) has no report of the last ${hours ?? 3} hours`
  return { ...list, warnings: [...list.warnings, warning('no_data', detail)] }
}

function stationOf(observations: Observations, id: string): ObservingStation {
  const known = observations.station(id)
  return known?.id === id ? known : { id, name: id, state: null, country: null, lat: 0, lon: 0, elevation: null }
}

/** Returns every report of some stations in the past hours, in the order of the stations, newest first. */
async function history(
  database: Database,
  stations: readonly { readonly station: ObservingStation; readonly km?: number }[],
  { hours = 1, limit }: ObservationValues,
  now: Instant,
): Promise<SelectedReports> {
  const from = now - hours * HOUR
  const stationById = new Map(stations.map((entry) => [entry.station.id, entry]))
  const { rows, total } = await reportsOf(database, {
    stations: [...stationById.keys()],
    from: new Date(from),
    to: new Date(now + HOUR),
    limit,
  })
  const { oldest } = await observationRange(database)
  const isShort = oldest === null || oldest.getTime() > from + HISTORY_TOLERANCE_MS
  const since = oldest === null ? 'no report is stored yet' : `since ${isoSeconds(oldest.getTime())}`
  return {
    rows: rows.flatMap((report) => {
      const entry = stationById.get(report.station)
      return entry ? [placed(entry, report)] : []
    }),
    total,
    warnings: isShort ? [warning('history_short', `reports are stored ${since}; ${hours} hours were requested`)] : [],
  }
}

/** Returns a report with the position in it, because stations move. */
const placed = ({ station, km }: { station: ObservingStation; km?: number }, report: Observation): StationReport => ({
  station: { ...station, lat: report.lat, lon: report.lon },
  report,
  ...(km === undefined ? {} : { km }),
})

const number = z.number().nullable()
const layer = z.object({
  cover: member.cover,
  base_ft: member.base_ft.optional(),
  convective: doc(z.enum(['CB', 'TCU']).optional(), 'Convective cloud: CB or TCU', 'CB'),
})
const row = z.object({
  station_id: member.station_id,
  name: member.name,
  state: member.state.nullable(),
  lat: member.lat,
  lon: member.lon,
  elevation_m: member.elevation_m.nullable(),
  distance_km: measured(
    z.number().optional(),
    'kilometres',
    28.4,
    'Distance from the point; only in requests with a point',
  ),
  observed_at: member.observed_at,
  age_min: measured(z.int(), 'minutes', 11, 'Age of the report'),
  report_type: doc(z.enum(['METAR', 'SPECI']), 'Routine or special report', 'METAR'),
  corrected: doc(z.boolean(), 'Whether the report corrects an earlier report', false),
  auto: doc(z.boolean(), 'Whether the report is fully automated', true),
  raw: doc(z.string(), 'Text of the report', 'KDEN 201753Z 27008KT 10SM SCT065 22/06 A3005'),
  flight_category: doc(
    z.enum(['VFR', 'MVFR', 'IFR', 'LIFR']).nullable(),
    'Flight category; null if it cannot be determined',
    'VFR',
  ),
  temperature: fieldSchemas.temperature.nullable(),
  dew_point: fieldSchemas.dew_point.nullable(),
  wind_speed: fieldSchemas.wind_speed.nullable(),
  wind_gust: fieldSchemas.wind_gust.nullable(),
  wind_direction: measured(
    z.int().nullable(),
    'direction',
    270,
    'Direction from which the wind blows, 360 for north; null if calm or variable',
  ),
  visibility: fieldSchemas.visibility.nullable(),
  pressure: measured(number, 'pressure', 30.05, 'Altimeter setting'),
  ceiling_ft: member.ceiling_ft.optional(),
  layers: z.array(layer).optional().describe('Layers of clouds, the lowest first'),
  weather: member.weather,
})
const meta = listMeta.loose()

/** Returns a report as GeoJSON. */
export const observationFeature = (properties: ShownObservation) => ({
  type: 'Feature' as const,
  id: `${properties.station_id} ${properties.observed_at}`,
  geometry: { type: 'Point', coordinates: [properties.lon, properties.lat] },
  properties,
})

export function observationsRoute(parts: ObservationDeps): Route {
  return {
    method: 'get',
    path: '/v1/observations',
    formats,
    handle: async (request): Promise<Answer> => {
      const { now, format } = request
      const values = parseParameters(shape, request.query)
      const system = units[values.units]
      const list = await selectReports(parts, request, values)
      const feed = parts.live.observations.warnings('observations', now)
      const warnings = warningsOf([
        ...list.warnings,
        ...feed,
        ...(list.total > list.rows.length
          ? [warning('truncated', `${list.rows.length} of ${list.total} rows: raise limit, or request less`)]
          : []),
        ...simulatedWarnings(parts.values.current.simulated()),
      ])
      const shown = list.rows.map((row) => shownObservation(row, now, system))
      const isDegraded = warnings.some(({ code }) => ['source_failed', 'stale_source', 'degraded'].includes(code))
      const headers = { 'Cache-Control': isDegraded ? 'no-store' : `max-age=${MAX_AGE_SECONDS}` }
      const about = { ...metaOf(now, ATTRIBUTION), total: list.total, warnings }
      const { temperature, wind_speed, pressure, visibility } = system.labels
      const labels = { temperature, wind_speed, pressure, visibility }
      if (format === 'json') return { body: { observations: shown, units: labels, meta: about }, headers }
      if (format !== 'geojson')
        return {
          type: mediaTypes[format],
          body: await tableIn(format as 'csv', tableOf(shown, system), pause),
          headers: { ...headers, ...warningsHeader(warnings) },
        }
      const features = shown.map(observationFeature)
      const body = JSON.stringify({ type: 'FeatureCollection', features, units: labels, meta: about })
      return { type: mediaTypes.geojson, body, headers }
    },
    contract: {
      tag: 'places',
      summary: 'METARs in a box, of the station nearest to a point, or of one station',
      description:
        'Measurements as reported: missing values are not filled from other reports or models. Use exactly one of bbox, a point or station. An empty list says nothing about the weather.',
      query: shape,
      answer: z.union([
        z.object({
          observations: z.array(row).describe('Reports, newest first for each station'),
          units: doc(z.record(z.string(), z.string()), 'Unit of each quantity of the answer', { temperature: 'F' }),
          meta: meta.describe('Metadata of the answer'),
        }),
        z.object({
          type: z.literal('FeatureCollection').describe('Type of the GeoJSON object'),
          features: z
            .array(
              z.object({
                type: z.literal('Feature').describe('Type of the GeoJSON object'),
                id: member.feature_id,
                geometry: z.unknown().describe('GeoJSON geometry'),
                properties: row.describe('Properties of the feature'),
              }),
            )
            .describe('GeoJSON features'),
          units: doc(z.record(z.string(), z.string()), 'Unit of each quantity of the answer', { temperature: 'F' }),
          meta: meta.describe('Metadata of the answer'),
        }),
      ]),
    },
  }
}

function tableOf(rows: readonly ShownObservation[], { labels }: Units): Table {
  const unit: Readonly<Record<string, string>> = {
    temperature: labels.temperature,
    dew_point: labels.temperature,
    wind_speed: labels.wind_speed,
    wind_gust: labels.wind_speed,
    visibility: labels.visibility,
    pressure: labels.pressure,
  }
  const names = Object.keys(row.shape) as (keyof ShownObservation)[]
  return {
    columns: names.map((name) => ({ name, type: columnTypes[name] ?? 'string', unit: unit[name] ?? null })),
    rows: rows.map((row) => names.map((name) => cellOf(row[name]))),
  }
}

const numbers = ['lat', 'lon', 'elevation_m', 'distance_km', 'temperature', 'dew_point', 'wind_speed', 'wind_gust']
const columnTypes: Readonly<Record<string, TableColumn['type']>> = {
  ...Object.fromEntries([...numbers, 'visibility', 'pressure'].map((name) => [name, 'number' as const])),
  ...{ wind_direction: 'integer', age_min: 'integer', ceiling_ft: 'integer', observed_at: 'time' },
}

function cellOf(value: ShownObservation[keyof ShownObservation]): string | number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'object') return value
  return value
    .map((item) =>
      typeof item === 'string'
        ? item
        : [item.cover, item.base_ft ?? '///', item.convective].filter((part) => part !== undefined).join(' '),
    )
    .join('; ')
}
