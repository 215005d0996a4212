import { firstRow } from '../first-row.ts'
import type { Queries } from '../session.ts'

/** A row of the table `quarantine`. */
export interface QuarantineRow {
  readonly id: number
  readonly dataset: string
  readonly domain: string
  readonly run: Date
  readonly variable: string
  readonly reason: string
  readonly detail: string
  readonly url: string
  readonly leads: readonly number[]
  readonly object: string | null
  readonly bytes: number
  readonly first_at: Date
  readonly last_at: Date
}

const columns = 'id, dataset, domain, run, variable, reason, detail, url, leads, object, bytes, first_at, last_at'

/**
 * Stores an entry, or adds its hour to the row of the same variable and reason. Each hour of a run is counted once.
 * @returns the id, and whether the row is new, so that the caller must store its bytes
 */
export async function putQuarantined(
  tx: Queries,
  entry: Pick<QuarantineRow, 'dataset' | 'domain' | 'run' | 'variable' | 'reason' | 'detail' | 'url'>,
  lead: number,
): Promise<{ id: number; added: boolean }> {
  const { dataset, domain, run, variable, reason, detail, url } = entry
  const rows = await tx.query<{ id: number; added: boolean; counted: boolean }>(
    `with before as (
       select leads from quarantine where dataset = $1 and domain = $2 and run = $3 and variable = $4 and reason = $5
     )
     insert into quarantine (dataset, domain, run, variable, reason, detail, url, leads)
     values ($1, $2, $3, $4, $5, left($6, 600), $7, array[$8::smallint])
     on conflict (dataset, domain, run, variable, reason) do update set last_at = clock_timestamp(),
       leads = (select array_agg(distinct lead order by lead) from unnest(quarantine.leads || excluded.leads) lead)
     returning id, not exists (select from before) as added,
       not exists (select from before where $8::smallint = any(leads)) as counted`,
    [dataset, domain, run, variable, reason, detail, url, lead],
  )
  const row = firstRow(rows, 'insert into quarantine')
  if (row.counted) {
    await tx.query(
      `insert into quarantine_count (dataset, reason, total) values ($1, $2, 1)
       on conflict (dataset, reason) do update set total = quarantine_count.total + 1`,
      [dataset, reason],
    )
  }
  return row
}

/**
 * Returns the objects of the entries, and the highest id of the entries that are older than an hour, which no
 * transaction can still be writing.
 */
export async function quarantinedObjects(db: Queries): Promise<{ named: ReadonlySet<string>; settled: number }> {
  const rows = await db.query<{ object: string | null; id: number; settled: boolean }>(
    `select object, id, first_at < clock_timestamp() - interval '1 hour' as settled from quarantine`,
  )
  return {
    named: new Set(rows.flatMap(({ object }) => object ?? [])),
    settled: rows.reduce((most, { id, settled }) => (settled ? Math.max(most, id) : most), 0),
  }
}

export async function setQuarantinedObject(tx: Queries, id: number, object: string, bytes: number): Promise<void> {
  await tx.query('update quarantine set object = $2, bytes = $3 where id = $1', [id, object, bytes])
}

/** Returns the newest entries. @param dataset if present, only entries of this dataset */
export async function quarantined(db: Queries, limit: number, dataset?: string): Promise<QuarantineRow[]> {
  return db.query<QuarantineRow & Record<string, unknown>>(
    `select ${columns} from quarantine where $2::text is null or dataset = $2 order by last_at desc, id desc limit $1`,
    [limit, dataset ?? null],
  )
}

export async function quarantinedEntry(db: Queries, id: number): Promise<QuarantineRow | undefined> {
  const [row] = await db.query<QuarantineRow & Record<string, unknown>>(
    `select ${columns} from quarantine where id = $1`,
    [id],
  )
  return row
}

/** Deletes an entry. @returns the key of the object with its bytes, or undefined if there is no such entry */
export async function dropQuarantined(tx: Queries, id: number): Promise<Pick<QuarantineRow, 'object'> | undefined> {
  const [row] = await tx.query<{ object: string | null }>('delete from quarantine where id = $1 returning object', [id])
  return row
}

/**
 * Removes the oldest rows that exceed a number of rows or of bytes. @returns the keys of the objects with their bytes
 */
export async function trimQuarantine(tx: Queries, rows: number, bytes: number): Promise<string[]> {
  const removed = await tx.query<{ object: string | null }>(
    `delete from quarantine where id in (
       select id from (
         select id, row_number() over newest as place, sum(bytes) over newest as size from quarantine
         window newest as (order by last_at desc, id desc)
       ) q where place > $1 or size > $2
     ) returning object`,
    [rows, bytes],
  )
  return removed.flatMap(({ object }) => object ?? [])
}

export async function quarantineTotals(db: Queries): Promise<{ dataset: string; reason: string; total: number }[]> {
  return db.query('select dataset, reason, total::float8 as total from quarantine_count')
}

/** Returns the newest three entries of each dataset and domain since an instant. */
export async function recentlyQuarantined(db: Queries, since: Date): Promise<QuarantineRow[]> {
  return db.query<QuarantineRow & Record<string, unknown>>(
    `select ${columns} from (
       select *, row_number() over (partition by dataset, domain order by last_at desc, id desc) as place
       from quarantine where last_at >= $1
     ) q where place <= 3 order by dataset, domain, last_at desc`,
    [since],
  )
}

/**
 * Removes hours from the published leads of a run, so that a worker processes these hours again.
 * @returns false if the run is not stored
 */
export async function forgetLeads(
  tx: Queries,
  run: Pick<QuarantineRow, 'dataset' | 'domain' | 'run' | 'leads'>,
): Promise<boolean> {
  const rows = await tx.query(
    `update run set manifest = jsonb_set(manifest, '{leads}', (
       select coalesce(jsonb_agg(lead), '[]') from jsonb_array_elements(manifest -> 'leads') lead
       where (lead #>> '{}')::int <> all($4::int[])
     ))
     where dataset = $1 and domain = $2 and run = $3 and manifest ? 'leads' returning run`,
    [run.dataset, run.domain, run.run, run.leads],
  )
  return rows.length > 0
}

/**
 * Deletes a rejected frame, so that the next read of its dataset processes it again.
 * @returns false if it is not stored
 */
export async function forgetFrame(
  tx: Queries,
  run: Pick<QuarantineRow, 'dataset' | 'domain' | 'run'>,
): Promise<boolean> {
  const rows = await tx.query(
    `delete from run where dataset = $1 and domain = $2 and run = $3 and state = 'rejected' returning run`,
    [run.dataset, run.domain, run.run],
  )
  return rows.length > 0
}

/**
 * Removes the validators of a feed, so that the next read processes its documents even if they have not changed.
 * @returns false if it has none
 */
export async function forgetReads(tx: Queries, feed: string): Promise<boolean> {
  const rows = await tx.query(
    `update feed_state set etag = null, last_modified = null, digest = null
     where feed = $1 or starts_with(feed, $1 || '/') returning feed`,
    [feed],
  )
  return rows.length > 0
}
