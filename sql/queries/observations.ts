import { sql } from 'kysely'
import { HOUR, isoMilliseconds } from '../../ingest/domain/time.ts'
import type { MetarReport, Observation, SkyLayer } from '../../ingest/domain/weather/observation.ts'
import { deleteInBatches } from '../batches.ts'
import type { Queries, Transactions } from '../session.ts'

const BATCH = 1000

/**
 * Locks observations until the transaction ends, so that a second writer waits and then reads the result of the first.
 */
export async function lockObservations(tx: Queries): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('observations'))`)
}

export interface StoredVersion {
  readonly station: string
  readonly observedAt: number
  readonly raw: string
  readonly corrected: boolean
}

/** Returns the stored versions with the stations and times of some reports. */
export async function storedVersions(
  tx: Queries,
  reports: readonly Pick<MetarReport, 'station' | 'observedAt'>[],
): Promise<StoredVersion[]> {
  const versions: StoredVersion[] = []
  for (let i = 0; i < reports.length; i += BATCH) {
    const keys = reports
      .slice(i, i + BATCH)
      .map(({ station, observedAt }) => ({ station, at: isoMilliseconds(observedAt) }))
    const rows = await tx.query<{ station: string; observed_at: Date; raw: string; corrected: boolean }>(
      `select o.station, o.observed_at, o.raw, o.corrected
       from jsonb_to_recordset($1::jsonb) as k(station text, at timestamptz)
       join observation o on o.station = k.station and o.observed_at = k.at`,
      [JSON.stringify(keys)],
    )
    for (const { observed_at, ...row } of rows) versions.push({ ...row, observedAt: observed_at.getTime() })
  }
  return versions
}

/** Returns the number of stations with a report in a period. */
export async function stationsReporting(db: Queries, from: Date, to: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(distinct station)::int as count from observation where observed_at between $1 and $2',
    [from, to],
  )
  return row?.count ?? 0
}

export async function putObservations(tx: Queries, rows: readonly Observation[], version: number): Promise<void> {
  for (let i = 0; i < rows.length; i += BATCH) {
    const part = rows.slice(i, i + BATCH).map((row) => ({ ...row, at: isoMilliseconds(row.observedAt) }))
    await tx.query(
      `insert into observation (station, observed_at, place, elevation_m, report_type, corrected, auto, raw, temperature_c,
         dew_point_c, wind_direction, wind_speed_ms, wind_gust_ms, visibility_m, pressure_pa, layers, weather, version)
       select r.station, r.at, ST_SetSRID(ST_MakePoint(r.lon, r.lat), 4326), r.elevation, r.type, r.corrected, r.auto, r.raw,
         r.temperature, r."dewPoint", r."windDirection", r."windSpeed", r."windGust", r.visibility, r.pressure, r.layers,
         array(select jsonb_array_elements_text(r.weather)), $2
       from jsonb_to_recordset($1::jsonb) as r(station text, at timestamptz, lat float8, lon float8, elevation real, type text,
         corrected boolean, auto boolean, raw text, temperature real, "dewPoint" real, "windDirection" smallint,
         "windSpeed" float8, "windGust" float8, visibility float8, pressure float8, layers jsonb, weather jsonb)
       on conflict (station, observed_at) do update set place = excluded.place, elevation_m = excluded.elevation_m,
         report_type = excluded.report_type, corrected = excluded.corrected, auto = excluded.auto, raw = excluded.raw,
         temperature_c = excluded.temperature_c, dew_point_c = excluded.dew_point_c,
         wind_direction = excluded.wind_direction, wind_speed_ms = excluded.wind_speed_ms,
         wind_gust_ms = excluded.wind_gust_ms, visibility_m = excluded.visibility_m, pressure_pa = excluded.pressure_pa,
         layers = excluded.layers, weather = excluded.weather, received_at = clock_timestamp(), version = excluded.version`,
      [JSON.stringify(part), version],
    )
  }
}

interface ObservationRow {
  readonly station: string
  readonly observed_at: Date
  readonly lat: number
  readonly lon: number
  readonly elevation_m: number | null
  readonly report_type: 'METAR' | 'SPECI'
  readonly corrected: boolean
  readonly auto: boolean
  readonly raw: string
  readonly temperature_c: number | null
  readonly dew_point_c: number | null
  readonly wind_direction: number | null
  readonly wind_speed_ms: number | null
  readonly wind_gust_ms: number | null
  readonly visibility_m: number | null
  readonly pressure_pa: number | null
  readonly layers: readonly SkyLayer[] | null
  readonly weather: readonly string[]
}

const COLUMNS = `station, observed_at, ST_Y(place) as lat, ST_X(place) as lon, elevation_m, report_type, corrected, auto, raw,
  temperature_c, dew_point_c, wind_direction, wind_speed_ms, wind_gust_ms, visibility_m, pressure_pa, layers, weather`

function observationOf(row: ObservationRow): Observation {
  return {
    station: row.station,
    observedAt: row.observed_at.getTime(),
    type: row.report_type,
    corrected: row.corrected,
    auto: row.auto,
    raw: row.raw,
    temperature: row.temperature_c,
    dewPoint: row.dew_point_c,
    windDirection: row.wind_direction,
    windSpeed: row.wind_speed_ms,
    windGust: row.wind_gust_ms,
    visibility: row.visibility_m,
    pressure: row.pressure_pa,
    ...(row.layers ? { layers: row.layers } : {}),
    weather: row.weather,
    lat: row.lat,
    lon: row.lon,
    elevation: row.elevation_m,
  }
}

/** Returns the newest report of every station. */
export async function newestObservations(db: Queries): Promise<Observation[]> {
  const rows = await db.query<ObservationRow & object>(
    `select distinct on (station) ${COLUMNS} from observation order by station, observed_at desc`,
  )
  return rows.map(observationOf)
}

/** Maximum number of rows of a query, because reading the rows of all stations at once blocks the process for 40 ms. */
const ROWS = 250

/** Returns the reports that were added or changed after a version, ordered by station and time. */
export async function observationsSince(db: Queries, version: number): Promise<Observation[]> {
  const observations: Observation[] = []
  for (;;) {
    const { station = '', observedAt = 0 } = observations.at(-1) ?? {}
    const rows = await db.query<ObservationRow & object>(
      `select ${COLUMNS} from observation where version > $1 and (station, observed_at) > ($2, $3)
       order by station, observed_at limit $4`,
      [version, station, isoMilliseconds(observedAt), ROWS],
    )
    observations.push(...rows.map(observationOf))
    if (rows.length < ROWS) return observations
  }
}

interface ReportQuery {
  readonly stations: readonly string[]
  readonly from: Date
  readonly to: Date
  readonly limit: number
}

/** Approximate number of reports of a station in an hour, including special reports. */
const REPORTS_AN_HOUR = 1.5
/** Approximate number of rows of a statement, because 20,000 rows in one message block the process for 50 ms. */
const REPORTS_AT_ONCE = 1000

/**
 * Returns the reports of some stations in a period including both ends, in the order of `stations`, newest first, and
 * the total number of such reports.
 */
export async function reportsOf(
  db: Queries,
  { stations, from, to, limit }: ReportQuery,
): Promise<{ rows: Observation[]; total: number }> {
  const expected = 1 + (REPORTS_AN_HOUR * (to.getTime() - from.getTime())) / HOUR
  const group = Math.max(1, Math.floor(REPORTS_AT_ONCE / expected))
  const rows: Observation[] = []
  let total = 0
  for (let i = 0; i < stations.length; i += group) {
    if (rows.length >= limit) {
      const [remainder] = await db.query<{ count: number }>(
        'select count(*)::int as count from observation where station = any($1) and observed_at between $2 and $3',
        [stations.slice(i), from, to],
      )
      total += remainder?.count ?? 0
      break
    }
    const reports = await db.query<ObservationRow & { total: number }>(
      `select ${COLUMNS}, count(*) over () as total from observation
       where station = any($1) and observed_at between $2 and $3
       order by array_position($1::text[], station), observed_at desc limit $4`,
      [stations.slice(i, i + group), from, to, limit - rows.length],
    )
    for (const report of reports) rows.push(observationOf(report))
    total += reports[0]?.total ?? 0
  }
  return { rows, total }
}

/** Returns the stations in a box with a report since an instant. The box may cross the antimeridian. */
export async function stationsInBox(
  db: Queries,
  [west, south, east, north]: readonly [number, number, number, number],
  from: Date,
): Promise<string[]> {
  const rows = await db.query<{ station: string }>(
    `select distinct station from observation
     where observed_at >= $5 and (
       place && ST_MakeEnvelope($1, $2, case when $1::float8 <= $3::float8 then $3::float8 else 180 end, $4, 4326)
       or ($1::float8 > $3::float8 and place && ST_MakeEnvelope(-180, $2, $3, $4, 4326)))
     order by station`,
    [west, south, east, north, from],
  )
  return rows.map(({ station }) => station)
}

/** Returns the times of the oldest and newest stored report. */
export async function observationRange(db: Queries): Promise<{ oldest: Date | null; newest: Date | null }> {
  const [row] = await db.query<{ oldest: Date | null; newest: Date | null }>(
    'select min(observed_at) as oldest, max(observed_at) as newest from observation',
  )
  return row ?? { oldest: null, newest: null }
}

/** @returns the number of removed reports */
export function removeObservationsBefore(db: Pick<Transactions, 'run'>, before: Date): Promise<number> {
  return deleteInBatches(
    db,
    'delete from observation where ctid = any(array(select ctid from observation where observed_at < $1 limit $2))',
    [before],
  )
}

export interface StationRow {
  readonly id: string
  readonly iata: string | null
  readonly faa: string | null
  readonly name: string
  readonly state: string | null
  readonly country: string | null
  readonly lat: number | null
  readonly lon: number | null
  readonly elevation_m: number | null
  readonly metar: boolean
}

/** Replaces the table of stations. */
export async function putStations(tx: Queries, stations: readonly StationRow[], version: number): Promise<void> {
  await tx.query('delete from station where not (id = any($1))', [stations.map(({ id }) => id)])
  for (let i = 0; i < stations.length; i += BATCH) {
    await tx.query(
      `insert into station (id, iata, faa, name, state, country, place, elevation_m, metar, version)
       select r.id, r.iata, r.faa, r.name, r.state, r.country,
         case when r.lat is not null then ST_SetSRID(ST_MakePoint(r.lon, r.lat), 4326) end, r.elevation_m, r.metar, $2
       from jsonb_to_recordset($1::jsonb) as r(id text, iata text, faa text, name text, state text, country text,
         lat float8, lon float8, elevation_m real, metar boolean)
       on conflict (id) do update set iata = excluded.iata, faa = excluded.faa, name = excluded.name, state = excluded.state,
         country = excluded.country, place = excluded.place, elevation_m = excluded.elevation_m, metar = excluded.metar,
         version = excluded.version`,
      [JSON.stringify(stations.slice(i, i + BATCH)), version],
    )
  }
}

export async function stationRows(db: Queries): Promise<StationRow[]> {
  return db.kysely
    .selectFrom('station')
    .select(['id', 'iata', 'faa', 'name', 'state', 'country', 'elevation_m', 'metar'])
    .select([sql<number | null>`ST_Y(place)`.as('lat'), sql<number | null>`ST_X(place)`.as('lon')])
    .orderBy('id')
    .execute()
}
