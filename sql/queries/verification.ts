import type { VerifiedStation } from '../../ingest/domain/verification/forecast.ts'
import type { SkyLayer } from '../../ingest/domain/weather/observation.ts'
import { deleteInBatches } from '../batches.ts'
import type { Queries, Transactions } from '../session.ts'

/** A station with enough reports to be verified. */
export interface ReportingStation {
  readonly id: string
  readonly name: string
  readonly lat: number
  readonly lon: number
}

/** Returns the stations that have METAR reports in at least `leastHours` hours since an instant, ordered by id. */
export async function reportingStations(db: Queries, from: Date, leastHours: number): Promise<ReportingStation[]> {
  return db.query<ReportingStation & object>(
    `select o.station as id, max(s.name) as name,
       (array_agg(ST_Y(o.place) order by o.observed_at desc))[1] as lat,
       (array_agg(ST_X(o.place) order by o.observed_at desc))[1] as lon
     from observation o join station s on s.id = o.station
     where o.observed_at >= $1 and o.report_type = 'METAR'
     group by o.station having count(distinct date_trunc('hour', o.observed_at)) >= $2
     order by o.station`,
    [from, leastHours],
  )
}

/** The columns of a report with which forecasts are verified, and its whole text. */
export interface ReportRow {
  readonly station: string
  readonly observed_at: Date
  readonly report_type: 'METAR' | 'SPECI'
  readonly temperature_c: number | null
  readonly dew_point_c: number | null
  readonly wind_speed_ms: number | null
  readonly wind_gust_ms: number | null
  readonly visibility_m: number | null
  readonly layers: readonly SkyLayer[] | null
  readonly raw: string
}

/** Returns the reports of a period including both ends, oldest first. A period of 90 minutes has some 8,000 reports. */
export async function verifyingReports(db: Queries, from: Date, to: Date): Promise<ReportRow[]> {
  return db.query<ReportRow & object>(
    `select station, observed_at, report_type, temperature_c, dew_point_c, wind_speed_ms, wind_gust_ms, visibility_m, layers, raw
     from observation where observed_at between $1 and $2 order by observed_at`,
    [from, to],
  )
}

/**
 * Returns the highest and lowest temperature (°C) of some stations in a period, and the number of hours with a
 * temperature.
 */
export async function temperatureExtremes(
  db: Queries,
  stations: readonly string[],
  from: Date,
  to: Date,
): Promise<{ station: string; hours: number; high: number; low: number }[]> {
  return db.query<{ station: string; hours: number; high: number; low: number }>(
    `select station, count(distinct floor(extract(epoch from observed_at) / 3600)) as hours,
       max(temperature_c) as high, min(temperature_c) as low
     from observation
     where station = any($1) and observed_at between $2 and $3 and temperature_c is not null group by station`,
    [stations, from, to],
  )
}

export type StationClimate = VerifiedStation & {
  /** Number of hours with a rain gauge reading, and number of those that were wet. */
  readonly hours: number
  readonly wet_hours: number
}

/** Returns the stations that had enough reports on a day or later, ordered by id. */
export async function verifiedStations(db: Queries, seenSince: string): Promise<StationClimate[]> {
  const rows = await db.query<Omit<StationClimate, 'office'> & { office: string | null }>(
    `select id, name, ST_Y(place) as lat, ST_X(place) as lon, state, office, domain, timezone, hours, wet_hours
     from verified_station where seen >= $1 order by id`,
    [seenSince],
  )
  return rows.map((row) => ({ ...row, office: row.office ?? undefined }))
}

/** Adds stations, or updates their location and their last day with enough reports. */
export async function putVerifiedStations(
  db: Queries,
  stations: readonly VerifiedStation[],
  seen: string,
): Promise<void> {
  await db.query(
    `insert into verified_station (id, name, place, state, office, domain, timezone, seen)
     select id, name, ST_SetSRID(ST_MakePoint(lon, lat), 4326), state, office, domain, timezone, $2
     from jsonb_to_recordset($1::jsonb) as r(id text, name text, lat float8, lon float8, state text, office text, domain text, timezone text)
     on conflict (id) do update set name = excluded.name, place = excluded.place, state = excluded.state,
       office = excluded.office, domain = excluded.domain, timezone = excluded.timezone, seen = excluded.seen`,
    [JSON.stringify(stations), seen],
  )
}

export async function isIssued(db: Queries, issued: Date): Promise<boolean> {
  return (await db.query('select 1 from issued_forecast where issued = $1', [issued])).length > 0
}

export async function recordIssued(db: Queries, issued: Date, stations: number, bytes: number): Promise<void> {
  await db.query(
    'insert into issued_forecast (issued, stations, bytes) values ($1, $2, $3) on conflict (issued) do nothing',
    [issued, stations, bytes],
  )
}

/** Returns the first hour for which forecasts are stored. */
export async function firstIssued(db: Queries): Promise<Date | undefined> {
  const [row] = await db.query<{ first: Date | null }>('select min(issued) as first from issued_forecast')
  return row?.first ?? undefined
}

/** Returns the hours for which forecasts are stored. */
export async function issuedHours(db: Queries): Promise<ReadonlySet<number>> {
  const rows = await db.query<{ issued: Date }>('select issued from issued_forecast')
  return new Set(rows.map(({ issued }) => issued.getTime()))
}

export async function isVerified(db: Queries, day: string): Promise<boolean> {
  return (await db.query('select 1 from verified_day where day = $1', [day])).length > 0
}

/** Records that a day is compared with the observations. @returns false if another worker has already compared it */
export async function claimDay(tx: Queries, day: string, pairs: number, stations: number): Promise<boolean> {
  const rows = await tx.query(
    'insert into verified_day (day, pairs, stations) values ($1, $2, $3) on conflict (day) do nothing returning day',
    [day, pairs, stations],
  )
  return rows.length > 0
}

/** Adds the hours of a day to the climatology of stations. */
export async function addWetHours(
  tx: Queries,
  counts: readonly { readonly id: string; readonly hours: number; readonly wet: number }[],
): Promise<void> {
  await tx.query(
    `update verified_station v set hours = v.hours + r.hours, wet_hours = v.wet_hours + r.wet
     from jsonb_to_recordset($1::jsonb) as r(id text, hours int, wet int) where v.id = r.id`,
    [JSON.stringify(counts)],
  )
}

/** Returns the ids of the stations in a box. The box may cross the antimeridian. */
export async function verifiedStationsInBox(
  db: Queries,
  [west, south, east, north]: readonly [number, number, number, number],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from verified_station
     where place && ST_MakeEnvelope($1, $2, case when $1::float8 <= $3::float8 then $3::float8 else 180 end, $4, 4326)
       or ($1::float8 > $3::float8 and place && ST_MakeEnvelope(-180, $2, $3, $4, 4326))
     order by id`,
    [west, south, east, north],
  )
  return rows.map(({ id }) => id)
}

/** Returns whether a station, state or office has a verified station. */
export async function isVerifiedArea(
  db: Queries,
  kind: 'station' | 'state' | 'office',
  area: string,
): Promise<boolean> {
  const column = { station: 'id', state: 'state', office: 'office' }[kind]
  return (await db.query(`select 1 from verified_station where ${column} = $1 limit 1`, [area])).length > 0
}

/** Returns the last day that was compared with the observations. */
export async function lastVerifiedDay(db: Queries): Promise<string | undefined> {
  const [row] = await db.query<{ day: string | null }>('select max(day) as day from verified_day')
  return row?.day ?? undefined
}

/**
 * Removes sums and stations from before a day, and forecasts issued before an instant.
 * @returns the number of removed rows
 */
export async function removeVerificationBefore(
  db: Pick<Transactions, 'run'>,
  day: string,
  issued: Date,
): Promise<number> {
  let removed = 0
  for (const statement of [
    'delete from verification_part where ctid = any(array(select ctid from verification_part where day < $1 limit $2))',
    'delete from verification where ctid = any(array(select ctid from verification where day < $1 limit $2))',
    'delete from verified_day where ctid = any(array(select ctid from verified_day where day < $1 limit $2))',
    'delete from verified_station where ctid = any(array(select ctid from verified_station where seen < $1 limit $2))',
  ])
    removed += await deleteInBatches(db, statement, [day])
  const forecasts =
    'delete from issued_forecast where ctid = any(array(select ctid from issued_forecast where issued < $1 limit $2))'
  return removed + (await deleteInBatches(db, forecasts, [issued]))
}
