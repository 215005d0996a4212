import { sql } from 'kysely'
import type { Queries, Transactions } from '../session.ts'

/** Returns whether the stored weather is simulated, or undefined before the first fetch. */
export async function isSimulated(db: Queries): Promise<boolean | undefined> {
  const row = await db.kysely.selectFrom('origin').select('simulated').executeTakeFirst()
  return row?.simulated
}

/**
 * Returns the time of the first fetch, which identifies the content of a database until it is emptied. Undefined before
 * the first fetch.
 */
export async function weatherSince(db: Queries): Promise<Date | undefined> {
  const row = await db.kysely.selectFrom('origin').select('since').executeTakeFirst()
  return row?.since
}

/** Returns the mirror that the worker last recorded, or undefined for the real sources. */
export async function upstreamMirror(db: Queries): Promise<string | undefined> {
  const row = await db.kysely.selectFrom('origin').select('mirror').executeTakeFirst()
  return row?.mirror ?? undefined
}

export async function setUpstreamMirror(db: Queries, mirror: string | undefined): Promise<void> {
  await db.kysely
    .updateTable('origin')
    .set({ mirror: mirror ?? null })
    .execute()
}

/**
 * Tables with data from upstream. They are emptied when upstream changes between simulated and real; accounts and keys
 * stay.
 */
export const weatherTables = [
  'pointer',
  'run',
  'run_revision',
  'outbox',
  'outbox_dead',
  'alert',
  'alert_zone',
  'alert_change',
  'rejected_entry',
  'station',
  'observation',
  'monitor_hour',
  'air_quality_forecast',
  'text_item',
  'text_product',
  'text_change',
  'zone',
  'zone_shape',
  'feed_state',
  'second_source',
  'upstream_check',
  'upstream_check_run',
  'outlook',
  'outlook_product',
  'nowcast_score',
  'nowcast_day',
  'nowcast_probability_day',
  'nowcast_raw_day',
  'nowcast_calibration',
  'climate_text',
  'climate_report',
  'climate_record',
  'season_hour',
  'season_day',
  'season_month',
  'run_timing',
  'frame_sweep',
  'freshness_day',
  'verified_station',
  'issued_forecast',
  'verified_day',
  'verification',
  'verification_part',
  'served_state',
  'quarantine',
  'quarantine_count',
  'onset_watch',
]

/**
 * Records whether the source of weather is simulated. If that has changed, all stored weather is deleted, so that
 * simulated and real weather are never mixed.
 * @returns whether stored weather was deleted
 */
export async function setOrigin(db: Transactions, simulated: boolean): Promise<boolean> {
  return db.transaction(async (tx) => {
    const before = await isSimulated(tx)
    if (before === simulated) return false
    await tx.kysely
      .insertInto('origin')
      .values({ simulated })
      .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ simulated, since: sql<Date>`now()` }))
      .execute()
    if (before === undefined) return false
    const tables = await tx.query<{ table_name: string }>(
      `select table_name from information_schema.tables where table_schema = current_schema() and table_name = any($1)`,
      [weatherTables],
    )
    for (const { table_name } of tables) await tx.query(`truncate table ${table_name} cascade`)
    return tables.length > 0
  })
}
