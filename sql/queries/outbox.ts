import { sql } from 'kysely'
import type { Queries } from '../session.ts'
import { lockChanges } from './changes.ts'

/** An event to be published after the transaction that makes it true has committed. */
export interface OutboxMessage {
  readonly topic: string
  /** Messages of one key stay in order. */
  readonly key: string
  readonly payload: unknown
  /** The `traceparent` of the cause. */
  readonly trace?: string | null
}

export interface OutboxRow extends OutboxMessage {
  readonly id: number
  readonly created_at: Date
}

/**
 * Adds messages to the outbox, in the caller's transaction, which ends with it as far as others may wait for its rows: their numbers become
 * visible in order. @returns their ids, ascending
 */
export async function addToOutbox(tx: Queries, messages: readonly OutboxMessage[]): Promise<number[]> {
  if (messages.length === 0) return []
  await lockChanges(tx)
  const rows = await tx.kysely
    .insertInto('outbox')
    .values(messages.map(({ payload, ...rest }) => ({ ...rest, payload: JSON.stringify(payload) })))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id).sort((left, right) => left - right)
}

/** Unsent messages, oldest first. Rows are locked to the transaction: two relays never send out of order. */
export async function unsentMessages(tx: Queries, most: number): Promise<OutboxRow[]> {
  return tx.kysely
    .selectFrom('outbox')
    .select(['id', 'topic', 'key', 'payload', 'trace', 'created_at'])
    .where('sent_at', 'is', null)
    .orderBy('id')
    .limit(most)
    .execute()
}

/** Tries the advisory lock of the relay: false while another relay has it. Released with the transaction. */
export async function tryRelayLock(tx: Queries): Promise<boolean> {
  const [row] = await tx.query<{ mine: boolean }>("select pg_try_advisory_xact_lock(hashtext('outbox relay')) as mine")
  return row?.mine === true
}

export async function markSent(tx: Queries, ids: readonly number[]): Promise<void> {
  await tx.query('update outbox set sent_at = clock_timestamp() where id = any($1::bigint[])', [ids])
}

/** Deletes messages that were sent long ago. */
export async function sweepOutbox(db: Queries, keepHours: number): Promise<number> {
  const rows = await db.query(
    'delete from outbox where sent_at < now() - make_interval(hours => $1::int) returning id',
    [keepHours],
  )
  return rows.length
}

/** Number of unsent messages, and age of the oldest in seconds. */
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

/** The database's clock: expirations use it, not that of a process. */
export async function databaseNow(db: Queries): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('select clock_timestamp() as now')
  return row!.now
}

/**
 * Messages sent from five seconds before an instant on, oldest first. The overlap is for transactions that committed late: their
 * `sent_at` is their start. Readers skip ids that they have seen.
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
