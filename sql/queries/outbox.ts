import { sql } from 'kysely'
import { deleteInBatches } from '../batches.ts'
import { firstRow } from '../first-row.ts'
import type { Queries, Transactions } from '../session.ts'
import { lockChanges } from './changes.ts'

/** An event that is published after its transaction has committed. */
export interface OutboxMessage {
  readonly topic: string
  /** Messages with the same key stay in order. */
  readonly key: string
  readonly payload: unknown
  /** The `traceparent` of the cause. */
  readonly trace?: string | null
}

export interface OutboxRow extends OutboxMessage {
  readonly id: number
  readonly created_at: Date
}

/** A row with the incarnation of the database, which makes its number unique. */
export interface NumberedRow extends OutboxRow {
  readonly incarnation: string
}

const incarnation = sql<string>`(select event_incarnation())`.as('incarnation')

/**
 * Adds messages to the outbox in the caller's transaction. It takes a lock that other writers wait for (`lockChanges`),
 * so it should be the last statement of the transaction.
 * @returns their ids, ascending
 */
export async function addToOutbox(tx: Queries, messages: readonly OutboxMessage[]): Promise<number[]> {
  if (messages.length === 0) return []
  await lockChanges(tx)
  const rows = await tx.kysely
    .insertInto('outbox')
    .values(messages.map(({ payload, ...message }) => ({ ...message, payload: JSON.stringify(payload) })))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/**
 * Returns the unsent messages, oldest first. The caller holds the relay lock (`tryRelayLock`), so that two relays never
 * send out of order.
 */
export async function unsentMessages(tx: Queries, most: number): Promise<NumberedRow[]> {
  return tx.kysely
    .selectFrom('outbox')
    .select(['id', 'topic', 'key', 'payload', 'trace', 'created_at', incarnation])
    .where('sent_at', 'is', null)
    .orderBy('id')
    .limit(most)
    .execute()
}

/** Tries to take the relay's lock until the transaction ends. @returns false while another relay has it */
export async function tryRelayLock(tx: Queries): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(
    "select pg_try_advisory_xact_lock(hashtext('outbox relay')) as locked",
  )
  return row?.locked === true
}

export async function markSent(tx: Queries, ids: readonly number[]): Promise<void> {
  await tx.query('update outbox set sent_at = clock_timestamp() where id = any($1::bigint[])', [ids])
}

/** Number of dead messages that are stored; older ones are deleted. */
const MAX_DEAD = 1000

/** Moves a message that can never be published to `outbox_dead`, so that it does not hold up the messages after it. */
export async function buryMessage(tx: Queries, id: number, reason: string): Promise<void> {
  await tx.query(
    `with dead as (delete from outbox where id = $1 returning id, topic, key, payload, trace, created_at)
     insert into outbox_dead (id, topic, key, payload, trace, created_at, reason)
     select id, topic, key, payload, trace, created_at, $2 from dead`,
    [id, reason.slice(0, 1000)],
  )
  await tx.query(
    'delete from outbox_dead where id <= (select id from outbox_dead order by id desc offset $1 limit 1)',
    [MAX_DEAD],
  )
}

export interface DeadMessage extends OutboxRow {
  readonly failed_at: Date
  readonly reason: string
}

/** Returns the dead messages, newest first. @param id returns only this message */
export function deadMessages(db: Queries, most: number, id?: number): Promise<DeadMessage[]> {
  return db.kysely
    .selectFrom('outbox_dead')
    .select(['id', 'topic', 'key', 'payload', 'trace', 'created_at', 'failed_at', 'reason'])
    .$if(id !== undefined, (select) => select.where('id', '=', id ?? 0))
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
}

/** Returns the number of dead messages. */
export async function countDead(db: Queries): Promise<number> {
  return firstRow(await db.query<{ count: number }>('select count(*) as count from outbox_dead'), 'outbox_dead').count
}

/** Removes dead messages. @param id of one message; all are removed if it is undefined @returns the removed messages, oldest first */
export async function removeDead(tx: Queries, id?: number): Promise<OutboxMessage[]> {
  const rows = await tx.query<OutboxRow>(
    'delete from outbox_dead where $1::bigint is null or id = $1 returning id, topic, key, payload, trace, created_at',
    [id],
  )
  return rows.sort((a, b) => a.id - b.id)
}

/**
 * Adds dead messages to the outbox again, as new messages: readers that skip ids below the last one would not see the
 * earlier ids.
 * @param id of one message; all are meant if it is undefined
 * @returns the new ids
 */
export async function requeueDead(db: Transactions, id?: number): Promise<number[]> {
  return db.transaction(async (tx) => {
    const messages = await removeDead(tx, id)
    return addToOutbox(
      tx,
      messages.map(({ topic, key, payload, trace }) => ({ topic, key, payload, trace })),
    )
  })
}

/** Deletes messages that were sent more than `keepHours` ago. @returns their number */
export function removeSentMessages(db: Pick<Transactions, 'run'>, keepHours: number): Promise<number> {
  return deleteInBatches(
    db,
    `delete from outbox where ctid = any(array(
       select ctid from outbox where sent_at < now() - make_interval(hours => $1::int) limit $2))`,
    [keepHours],
  )
}

/** Returns the number of unsent messages, and the age of the oldest in seconds. */
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

/** Returns the time of the database's clock, which decides about expirations. */
export async function databaseNow(db: Queries): Promise<Date> {
  return firstRow(await db.query<{ now: Date }>('select clock_timestamp() as now'), 'clock_timestamp').now
}

/**
 * Returns the messages sent since five seconds before an instant, oldest first. The five seconds cover transactions
 * that commit late. Readers skip ids that they have seen.
 */
export async function sentSince(db: Queries, at: Date): Promise<(NumberedRow & { sent_at: Date })[]> {
  const rows = await db.kysely
    .selectFrom('outbox')
    .select(['id', 'topic', 'key', 'payload', 'trace', 'created_at', 'sent_at', incarnation])
    .where('sent_at', '>', new Date(at.getTime() - 5_000))
    .orderBy('id')
    .limit(10_000)
    .execute()
  return rows as (NumberedRow & { sent_at: Date })[]
}
