import { sql } from 'kysely'
import type { Queries } from '../session.ts'

/** Something to be said to the world, once the transaction that makes it true has committed. */
export interface Message {
  readonly topic: string
  /** Messages of one key stay in order. */
  readonly key: string
  readonly payload: unknown
  /** The `traceparent` of what brought it about. */
  readonly trace?: string | null
}

export interface OutboxRow extends Message {
  readonly id: number
  readonly created_at: Date
}

/** Lays messages into the outbox, in the caller's transaction. @returns their ids, ascending */
export async function addToOutbox(tx: Queries, messages: readonly Message[]): Promise<number[]> {
  if (messages.length === 0) return []
  const rows = await tx.kysely
    .insertInto('outbox')
    .values(messages.map(({ payload, ...rest }) => ({ ...rest, payload: JSON.stringify(payload) })))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id).sort((left, right) => left - right)
}

/** What is still to be said, oldest first. Rows are locked to the transaction: two relays never send out of order. */
export async function unsentMessages(tx: Queries, most: number): Promise<OutboxRow[]> {
  return tx.kysely
    .selectFrom('outbox')
    .select(['id', 'topic', 'key', 'payload', 'trace', 'created_at'])
    .where('sent_at', 'is', null)
    .orderBy('id')
    .limit(most)
    .execute()
}

/** One relay at a time speaks: the others find the turn taken. Ends with the transaction. */
export async function tryRelayLock(tx: Queries): Promise<boolean> {
  const [row] = await tx.query<{ mine: boolean }>("select pg_try_advisory_xact_lock(hashtext('outbox relay')) as mine")
  return row?.mine === true
}

export async function markSent(tx: Queries, ids: readonly number[]): Promise<void> {
  await tx.query('update outbox set sent_at = clock_timestamp() where id = any($1::bigint[])', [ids])
}

/** Forgets what was said long ago. */
export async function sweepOutbox(db: Queries, keepHours: number): Promise<number> {
  const rows = await db.query(
    'delete from outbox where sent_at < now() - make_interval(hours => $1::int) returning id',
    [keepHours],
  )
  return rows.length
}

/** How many wait to be said, and for how many seconds the oldest has. */
export async function outboxLag(db: Queries): Promise<{ waiting: number; seconds: number }> {
  const row = await db.kysely
    .selectFrom('outbox')
    .select([
      sql<number>`count(*)`.as('waiting'),
      sql<number>`coalesce(extract(epoch from now() - min(created_at)), 0)::float8`.as('seconds'),
    ])
    .where('sent_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row
}

/** The database's own time: expirations go by it, whatever a process believes. */
export async function databaseNow(db: Queries): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('select clock_timestamp() as now')
  return row!.now
}

/**
 * What was said from five seconds before an instant on, oldest first. The overlap is for transactions that committed late: their
 * `sent_at` is that of their beginning. The reader knows what it has seen by the ids.
 */
export async function sentSince(db: Queries, at: Date): Promise<(OutboxRow & { sent_at: Date })[]> {
  const rows = await db.kysely
    .selectFrom('outbox')
    .select(['id', 'topic', 'key', 'payload', 'trace', 'created_at', 'sent_at'])
    .where('sent_at', '>', new Date(at.getTime() - 5_000))
    .orderBy('id')
    .limit(10_000)
    .execute()
  return rows as (OutboxRow & { sent_at: Date })[]
}
