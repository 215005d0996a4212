import type { Queries } from '../session.ts'

/** The size of a table, including its indexes and the earlier versions of its rows that answers with `as_of` read. */
export interface TableStorage {
  readonly table: string
  readonly rows: number
  readonly bytes: number
  /**
   * Approximate bytes of the rows that were written in the last day, from their mean size; null for tables without
   * versions.
   */
  readonly bytesOfDay: number | null
}

/** Returns the sizes of all tables of the schema, largest first. @param since start of the last day */
export async function tableStorage(db: Queries, since: Date): Promise<TableStorage[]> {
  const tables = await db.query<{ name: string; past: string; versioned: boolean }>(
    `select t.tablename as name, current_schema() || '_past' as past,
       exists (select from pg_tables p where p.schemaname = current_schema() || '_past' and p.tablename = 'ended_' || t.tablename) as versioned
     from pg_tables t where t.schemaname = current_schema() order by 1`,
  )
  // The oldest transaction of the day follows from the snapshots that readers recorded. Without an older snapshot, all
  // rows count.
  const [first] = await db.query<{ xid: string | null }>(
    `select max(pg_snapshot_xmin(snapshot))::text as xid from served_state where since <= $1`,
    [since],
  )
  const storage: TableStorage[] = []
  for (const { name, past, versioned } of tables) {
    const parts = [`"${name}"`, ...(versioned ? [`"${past}"."ended_${name}"`] : [])]
    let [rows, bytes, written] = [0, 0, 0]
    for (const part of parts) {
      const counts = await db.query<{ rows: number; bytes: number; written: number }>(
        `select count(*) as rows, pg_total_relation_size('${part}'::regclass) as bytes,
           ${versioned ? 'count(*) filter (where written_xid >= $1::xid8)' : 'count($1::text) * 0'} as written from ${part}`,
        [first?.xid ?? '0'],
      )
      for (const count of counts) {
        rows += count.rows
        bytes += count.bytes
        written += count.written
      }
    }
    const bytesOfDay = versioned ? (rows === 0 ? 0 : Math.round((bytes * written) / rows)) : null
    storage.push({ table: name, rows, bytes, bytesOfDay })
  }
  return storage.sort((a, b) => b.bytes - a.bytes)
}

/** Returns the bytes of the verification sums of the last verified day, or null if there is none. */
export async function verificationDayBytes(db: Queries): Promise<number | null> {
  const [row] = await db.query<{ bytes: number | null }>(
    `select sum(length(sums) + pg_column_size(areas) + pg_column_size(ends) + 80) as bytes from verification_part
     where day = (select max(day) from verified_day)`,
  )
  return row?.bytes ?? null
}
