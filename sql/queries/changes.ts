import { deleteInBatches } from '../batches.ts'
import { firstRow } from '../first-row.ts'
import type { Queries, Transactions } from '../session.ts'

/** A published change of an alert or a text, or the outcome of a run. */
export interface ChangeRow {
  /** Number in the outbox, which increases with every change of any topic. */
  readonly id: number
  readonly topic: 'alert' | 'text' | 'run'
  readonly payload: unknown
  /** Topic of a run's message. */
  readonly source: string | null
  /** Issuing office of an alert. */
  readonly office: string | null
  /** Offices that an MCD or MPD is addressed to. */
  readonly attention: readonly string[] | null
  /** UGC codes of the segments of a text. */
  readonly zones: readonly string[] | null
  /** Desk of a PMD. */
  readonly desk: string | null
  /** Polygon of an MCD or MPD. */
  readonly wkb: Uint8Array | null
}

export type AlertChangeRow = Pick<ChangeRow, 'id' | 'payload' | 'office'>

/**
 * Locks changes until the transaction ends, so that there is one writer at a time. The numbers of changes then become
 * visible in order, and a stream that has delivered a change has missed none before it.
 */
export async function lockChanges(tx: Queries): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('changes'))`)
}

/**
 * Returns the changes after a number, in order. A single statement reads all logs at the same moment.
 * @param runTopics topics of runs
 */
export async function changesAfter(
  db: Queries,
  id: number,
  limit: number,
  runTopics: readonly string[],
): Promise<ChangeRow[]> {
  return db.query<ChangeRow>(
    `select c.id, c.topic, c.payload, c.office, c.source, p.attention, p.record ->> 'desk' as desk, ST_AsBinary(p.area) as wkb,
       (select array_agg(code) from jsonb_array_elements(p.record -> 'segments') s, jsonb_array_elements_text(s -> 'zones') code) as zones
     from ((select id, 'alert' as topic, payload, office, null::text as source, null::text as item, null::integer as part
            from alert_change where id > $1 order by id limit $2)
           union all
           (select id, 'text', payload, null, null, item, part from text_change where id > $1 order by id limit $2)
           union all
           (select id, 'run', payload, null, topic, null, null from outbox where id > $1 and topic = any($3::text[])
            order by id limit $2)) c
     left join text_product p on p.item = c.item and p.part = c.part
     order by c.id limit $2`,
    [id, limit, [...runTopics]],
  )
}

export async function alertChangesAfter(db: Queries, id: number, limit: number): Promise<AlertChangeRow[]> {
  return db.kysely
    .selectFrom('alert_change')
    .select(['id', 'payload', 'office'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The extent of the stored changes. */
export interface ChangeLog {
  /** The incarnation of the database, in which the numbers are unique. */
  readonly incarnation: string
  /** Number of the last change of any kind; 0 if there is none. */
  readonly last: number
  /** Number of the oldest stored message; 0 if there is none. Earlier changes may be deleted. */
  readonly oldest: number
}

export async function changeLog(db: Queries): Promise<ChangeLog> {
  const rows = await db.query<ChangeLog>(
    `select event_incarnation() as incarnation, coalesce((select min(id) from outbox), 0) as oldest,
       coalesce(greatest((select max(id) from alert_change), (select max(id) from text_change), (select max(id) from outbox)), 0) as last`,
  )
  return firstRow(rows, 'event_incarnation')
}

export interface TextChangeRow {
  readonly id: number
  readonly item: string
  readonly part: number
  readonly payload: unknown
  readonly at: Date
}

export async function putTextChanges(tx: Queries, changes: readonly TextChangeRow[]): Promise<void> {
  if (changes.length === 0) return
  await tx.kysely
    .insertInto('text_change')
    .values(changes.map(({ payload, ...change }) => ({ ...change, payload: JSON.stringify(payload) })))
    .execute()
}

/** Deletes changes that are older than `keepHours`. @returns their number */
export function removeOldTextChanges(db: Pick<Transactions, 'run'>, keepHours: number): Promise<number> {
  return deleteInBatches(
    db,
    `delete from text_change where ctid = any(array(
       select ctid from text_change where at < now() - make_interval(hours => $1::int) limit $2))`,
    [keepHours],
  )
}
