import type { VerifiedStation } from '../../ingest/domain/verification/forecast.ts'
import { LAYOUT, type VerifiedVariable } from '../../ingest/domain/verification/statistics.ts'
import type { Queries } from '../session.ts'

/** A station of the table of observations with its reports of a period. */
export interface ReportingStation {
  readonly id: string
  readonly name: string
  readonly lat: number
  readonly lon: number
}

/** Stations with at least so many hours with a report from an instant on, by id. */
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

export type StationClimate = VerifiedStation & {
  /** Hours with a gauge, and wet ones. */
  readonly hours: number
  readonly wet_hours: number
}

/** Stations that had reports enough on a day or later, by id. */
export async function verifiedStations(db: Queries, seenSince: string): Promise<StationClimate[]> {
  const rows = await db.query<Omit<StationClimate, 'office'> & { office: string | null }>(
    `select id, name, ST_Y(place) as lat, ST_X(place) as lon, state, office, domain, timezone, hours, wet_hours
     from verified_station where seen >= $1 order by id`,
    [seenSince],
  )
  return rows.map((row) => ({ ...row, office: row.office ?? undefined }))
}

/** Adds stations, or renews their place and day. */
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

/** The first hour at which forecasts were kept. */
export async function firstIssued(db: Queries): Promise<Date | undefined> {
  const [row] = await db.query<{ first: Date | null }>('select min(issued) as first from issued_forecast')
  return row?.first ?? undefined
}

/** The hours at which forecasts were kept. */
export async function issuedHours(db: Queries): Promise<ReadonlySet<number>> {
  const rows = await db.query<{ issued: Date }>('select issued from issued_forecast')
  return new Set(rows.map(({ issued }) => issued.getTime()))
}

export async function isVerified(db: Queries, day: string): Promise<boolean> {
  return (await db.query('select 1 from verified_day where day = $1', [day])).length > 0
}

/** Locks a day. @returns false where another worker has compared it */
export async function claimDay(tx: Queries, day: string, pairs: number, stations: number): Promise<boolean> {
  const rows = await tx.query(
    'insert into verified_day (day, pairs, stations) values ($1, $2, $3) on conflict (day) do nothing returning day',
    [day, pairs, stations],
  )
  return rows.length > 0
}

export type AreaKind = 'station' | 'state' | 'office' | 'all'

export interface VerificationRow {
  readonly area: string
  readonly kind: AreaKind
  readonly variable: VerifiedVariable
  readonly day: string
  /** Numbers of PostgreSQL's `real`. */
  readonly sums: Float64Array
}

const BATCH = 1000

export async function putVerification(tx: Queries, rows: readonly VerificationRow[]): Promise<void> {
  for (let i = 0; i < rows.length; i += BATCH) {
    const part = rows.slice(i, i + BATCH)
    await tx.query(
      `insert into verification (area, kind, variable, day, layout, sums)
       select a, k, v, d::date, $6, s::real[] from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as r(a, k, v, d, s)
       on conflict (kind, area, variable, day) do update set layout = excluded.layout, sums = excluded.sums`,
      [
        part.map(({ area }) => area),
        part.map(({ kind }) => kind),
        part.map(({ variable }) => variable),
        part.map(({ day }) => day),
        part.map(({ sums }) => `{${Array.from(sums, sumText).join()}}`),
        LAYOUT,
      ],
    )
  }
}

/** Six digits, as many as a `real` has. */
function sumText(sum: number): string {
  return Number.isInteger(sum) ? String(sum) : String(Number(sum.toPrecision(6)))
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

export interface AreaPeriod {
  readonly kind: AreaKind
  readonly areas: readonly string[]
  readonly variable: VerifiedVariable
  /** First and last day. */
  readonly from: string
  readonly to: string
}

/** The sums of some areas as one, by day. */
export async function sumsByDay(
  db: Queries,
  { kind, areas, variable, from, to }: AreaPeriod,
): Promise<{ day: string; sums: readonly number[] }[]> {
  const one = areas.length === 1
  return db.query<{ day: string; sums: readonly number[] }>(
    one
      ? `select day, sums from verification
         where kind = $1 and area = any($2) and variable = $3 and day between $4 and $5 and layout = $6 order by day`
      : `select day, array_agg(total order by place) as sums from (
           select v.day, s.place, sum(s.value) as total
           from verification v, unnest(v.sums) with ordinality as s(value, place)
           where v.kind = $1 and v.area = any($2) and v.variable = $3 and v.day between $4 and $5 and v.layout = $6
           group by v.day, s.place) as sums_of_day
         group by day order by day`,
    [kind, areas, variable, from, to, LAYOUT],
  )
}

export interface StationSums {
  readonly id: string
  readonly name: string
  readonly lat: number
  readonly lon: number
  readonly state: string
  readonly office: string | null
  /** Statistics of one slot. */
  readonly sums: readonly number[]
}

/** Sums over a period of one slot at every station. @param first place of its statistics in the sums, from 0 */
export async function stationSums(
  db: Queries,
  { variable, from, to }: Pick<AreaPeriod, 'variable' | 'from' | 'to'>,
  first: number,
  width: number,
): Promise<StationSums[]> {
  const columns = Array.from({ length: width }, (_, i) => `sum(v.sums[${first + i + 1}])`)
  return db.query<StationSums & object>(
    `select s.id, s.name, ST_Y(s.place) as lat, ST_X(s.place) as lon, s.state, s.office, t.sums
     from (select v.area, array[${columns.join()}] as sums from verification v
           where v.kind = 'station' and v.variable = $1 and v.day between $2 and $3 and v.layout = $4 group by v.area) t
     join verified_station s on s.id = t.area order by s.id`,
    [variable, from, to, LAYOUT],
  )
}

/** Ids of stations in a box; the box may cross the antimeridian. */
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

/** Whether there is such an area. */
export async function isVerifiedArea(
  db: Queries,
  kind: 'station' | 'state' | 'office',
  area: string,
): Promise<boolean> {
  const column = { station: 'id', state: 'state', office: 'office' }[kind]
  return (await db.query(`select 1 from verified_station where ${column} = $1 limit 1`, [area])).length > 0
}

/** The last day that was compared. */
export async function lastVerifiedDay(db: Queries): Promise<string | undefined> {
  const [row] = await db.query<{ day: string | null }>('select max(day) as day from verified_day')
  return row?.day ?? undefined
}

/** @returns how many rows were removed */
export async function removeVerificationBefore(db: Queries, day: string, issued: Date): Promise<number> {
  const removed = await db.query('delete from verification where day < $1 returning 1', [day])
  await db.query('delete from verified_day where day < $1', [day])
  await db.query('delete from verified_station where seen < $1', [day])
  await db.query('delete from issued_forecast where issued < $1', [issued])
  return removed.length
}
