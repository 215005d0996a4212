import { sql } from 'kysely'
import type { AreaForecast, MonitorHour } from '../../ingest/domain/weather/air-quality.ts'
import { deleteInBatches } from '../batches.ts'
import type { Queries, Transactions } from '../session.ts'

const BATCH = 1000

export async function lockAirQuality(tx: Queries): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('air quality'))`)
}

/**
 * Stores rows of monitors.
 * @param replaced hours whose stored rows are deleted first, because the file has all rows of them
 */
export async function putMonitorHours(
  tx: Queries,
  rows: readonly MonitorHour[],
  replaced: readonly number[],
): Promise<void> {
  if (replaced.length > 0)
    await tx.query('delete from monitor_hour where hour = any($1)', [replaced.map((hour) => new Date(hour))])
  for (let i = 0; i < rows.length; i += BATCH) {
    const part = rows.slice(i, i + BATCH).map((row) => ({ ...row, hour: new Date(row.hour).toISOString() }))
    await tx.query(
      `insert into monitor_hour (monitor, hour, name, agency, place, active, pm25, ozone, pm10)
       select r.id, r.hour, r.name, r.agency, ST_SetSRID(ST_MakePoint(r.lon, r.lat), 4326), r.active, r.pm25, r.ozone, r.pm10
       from jsonb_to_recordset($1::jsonb) as r(id text, hour timestamptz, name text, agency text, lat float8, lon float8,
         active boolean, pm25 int, ozone int, pm10 int)
       on conflict (monitor, hour) do update set name = excluded.name, agency = excluded.agency, place = excluded.place,
         active = excluded.active, pm25 = excluded.pm25, ozone = excluded.ozone, pm10 = excluded.pm10`,
      [JSON.stringify(part)],
    )
  }
}

/** Returns the rows of all monitors, or of the named monitors, in a period including both ends, oldest first. */
export async function monitorHours(
  db: Queries,
  from: Date,
  to: Date,
  monitors?: readonly string[],
): Promise<MonitorHour[]> {
  let query = db.kysely
    .selectFrom('monitor_hour')
    .select(['monitor as id', 'hour', 'name', 'agency', 'active', 'pm25', 'ozone', 'pm10'])
    .select([sql<number>`ST_Y(place)`.as('lat'), sql<number>`ST_X(place)`.as('lon')])
    .where('hour', '>=', from)
    .where('hour', '<=', to)
  if (monitors) query = query.where('monitor', 'in', monitors.length > 0 ? [...monitors] : [''])
  const rows = await query.orderBy('hour').orderBy('monitor').execute()
  return rows.map((row) => ({ ...row, hour: row.hour.getTime() }))
}

/** Returns the oldest and newest hour that is stored. */
export async function monitorRange(db: Queries): Promise<{ oldest: Date | null; newest: Date | null }> {
  const [row] = await db.query<{ oldest: Date | null; newest: Date | null }>(
    'select min(hour) as oldest, max(hour) as newest from monitor_hour',
  )
  return row ?? { oldest: null, newest: null }
}

/** @returns the number of removed rows */
export function removeMonitorHoursBefore(db: Pick<Transactions, 'run'>, before: Date): Promise<number> {
  return deleteInBatches(
    db,
    'delete from monitor_hour where ctid = any(array(select ctid from monitor_hour where hour < $1 limit $2))',
    [before],
  )
}

/** Replaces all stored forecasts. */
export async function putForecasts(tx: Queries, forecasts: readonly AreaForecast[]): Promise<void> {
  await tx.query('delete from air_quality_forecast')
  for (let i = 0; i < forecasts.length; i += BATCH) {
    await tx.query(
      `insert into air_quality_forecast (area, state, place, date, pollutant, aqi, category, action_day, issued)
       select r.area, r.state, ST_SetSRID(ST_MakePoint(r.lon, r.lat), 4326), r.date, r.pollutant, r.aqi, r.category,
         r."actionDay", r.issued
       from jsonb_to_recordset($1::jsonb) as r(area text, state text, lat float8, lon float8, date date, pollutant text,
         aqi int, category text, "actionDay" boolean, issued date)`,
      [JSON.stringify(forecasts.slice(i, i + BATCH))],
    )
  }
}

export async function areaForecasts(db: Queries): Promise<AreaForecast[]> {
  const rows = await db.kysely
    .selectFrom('air_quality_forecast')
    .select(['area', 'state', 'date', 'pollutant', 'aqi', 'category', 'action_day as actionDay', 'issued'])
    .select([sql<number>`ST_Y(place)`.as('lat'), sql<number>`ST_X(place)`.as('lon')])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, date: String(row.date), issued: String(row.issued) }))
}
