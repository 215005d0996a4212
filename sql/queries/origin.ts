import { sql } from 'kysely'
import type { Queries, Transactions } from '../session.ts'

/** Whether what is held is simulated; undefined before anything was fetched. */
export async function isSimulated(db: Queries): Promise<boolean | undefined> {
  const row = await db.kysely.selectFrom('origin').select('simulated').executeTakeFirst()
  return row?.simulated
}

/** The mirror that the worker reads from, as it last said; undefined for the real sources. */
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

/** What was made from upstream, and goes when the upstream turns from simulated to real or back. Accounts and keys stay. */
const weatherTables = [
  'pointer',
  'run',
  'outbox',
  'alert',
  'alert_zone',
  'alert_change',
  'alert_kept_aside',
  'zone',
  'zone_shape',
  'feed_state',
  'outlook',
  'outlook_product',
  'nowcast_score',
  'climate_text',
  'climate_report',
  'climate_record',
  'season_hour',
  'season_day',
  'season_month',
]

/**
 * Says where weather comes from now. Simulated and real weather never stand side by side: when the one follows the other,
 * all that is held is forgotten.
 * @returns whether anything was forgotten
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
    const there = await tx.query<{ table_name: string }>(
      `select table_name from information_schema.tables where table_schema = current_schema() and table_name = any($1)`,
      [weatherTables],
    )
    for (const { table_name } of there) await tx.query(`truncate table ${table_name} cascade`)
    return there.length > 0
  })
}
