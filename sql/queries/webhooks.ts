import type { Queries } from '../session.ts'

export interface WebhookRow {
  readonly id: string
  readonly key_prefix: string
  readonly url: string
  readonly events: readonly string[]
  readonly filter: Readonly<Record<string, unknown>>
  readonly description: string
  readonly secret: string
  readonly created_at: Date
  readonly disabled_at: Date | null
  /** Number of pending calls. */
  readonly waiting: number
  readonly failing_since: Date | null
  /** Earliest time of the next call after a failure of the receiver; null if it has not failed. */
  readonly next_at: Date | null
}

/** The members of a webhook that its owner sets. */
export type NewWebhook = Pick<WebhookRow, 'id' | 'key_prefix' | 'url' | 'events' | 'filter' | 'description' | 'secret'>

const columns = `w.id, w.key_prefix, w.url, w.events, w.filter, w.description, w.secret, w.created_at, w.disabled_at, w.waiting,
  w.failing_since, w.next_at`
/** Condition that calls are made for webhook `w` with key `k`. */
export const active = `w.disabled_at is null and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())`

/** Stores a webhook. @returns undefined if the key already has `most` webhooks */
export async function insertWebhook(tx: Queries, hook: NewWebhook, most: number): Promise<WebhookRow | undefined> {
  // The lock serializes concurrent requests with the same key, so that each counts the webhooks of the others.
  await tx.query('select from api_key where prefix = $1 for update', [hook.key_prefix])
  const [row] = await tx.query<WebhookRow>(
    `insert into webhook as w (id, key_prefix, url, events, filter, description, secret)
     select $1, $2, $3, $4::text[], $5::jsonb, $6, $7 where (select count(*) from webhook where key_prefix = $2) < $8
     returning ${columns}`,
    [hook.id, hook.key_prefix, hook.url, hook.events, JSON.stringify(hook.filter), hook.description, hook.secret, most],
  )
  return row
}

export async function webhooksOf(db: Queries, keyPrefix: string): Promise<WebhookRow[]> {
  return db.query<WebhookRow>(`select ${columns} from webhook w where key_prefix = $1 order by created_at, id`, [
    keyPrefix,
  ])
}

/**
 * Updates a webhook. A new address, or enabling a paused webhook, resets the failures of its receiver.
 * @returns undefined if the webhook was deleted
 */
export async function updateWebhook(
  db: Queries,
  keyPrefix: string,
  hook: Pick<WebhookRow, 'id' | 'url' | 'events' | 'filter' | 'description'> & { readonly enabled: boolean },
): Promise<WebhookRow | undefined> {
  const reset = (column: string, value: string) =>
    `${column} = case when w.url <> $3 or ($7::boolean and w.disabled_at is not null) then ${value} else w.${column} end`
  const [row] = await db.query<WebhookRow>(
    `update webhook w set url = $3, events = $4::text[], filter = $5::jsonb, description = $6,
            disabled_at = case when $7::boolean then null else coalesce(disabled_at, clock_timestamp()) end,
            ${reset('failures', '0')}, ${reset('failing_since', 'null')}, ${reset('next_at', 'null')}
     where key_prefix = $1 and id = $2 returning ${columns}`,
    [keyPrefix, hook.id, hook.url, hook.events, JSON.stringify(hook.filter), hook.description, hook.enabled],
  )
  return row
}

export async function deleteWebhook(db: Queries, keyPrefix: string, id: string): Promise<boolean> {
  const rows = await db.query('delete from webhook where key_prefix = $1 and id = $2 returning id', [keyPrefix, id])
  return rows.length > 0
}

export async function disableWebhook(db: Queries, id: string): Promise<void> {
  await db.query('update webhook set disabled_at = clock_timestamp() where id = $1', [id])
}

/** Returns the webhooks that are enabled and whose key is valid. */
export async function activeWebhooks(db: Queries): Promise<WebhookRow[]> {
  return db.query<WebhookRow>(
    `select ${columns} from webhook w join api_key k on k.prefix = w.key_prefix where ${active} order by w.id`,
  )
}

/**
 * Tries to take the lock of the fan-out until the transaction ends, so that there is one fan-out at a time over all
 * processes.
 */
export async function tryFanOutLock(tx: Queries): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>("select pg_try_advisory_xact_lock(hashtext('webhooks')) as locked")
  return row?.locked === true
}

export async function cursorOf(tx: Queries, source: string): Promise<number> {
  const [row] = await tx.query<{ position: number }>('select position from webhook_cursor where source = $1', [source])
  return row?.position ?? 0
}

export async function moveCursor(tx: Queries, source: string, position: number): Promise<void> {
  await tx.query(
    `insert into webhook_cursor (source, position) values ($1, $2)
     on conflict (source) do update set position = greatest(webhook_cursor.position, excluded.position)`,
    [source, position],
  )
}

/**
 * Returns the number of the last change before an instant, or 0. Changes before the oldest webhook are sent to no
 * webhook.
 */
export async function lastChangeBefore(tx: Queries, at: Date): Promise<number> {
  // The order makes PostgreSQL use the index of `at`, because this statement runs in every fan-out.
  const [row] = await tx.query<{ id: number }>(
    'select id from alert_change where at < $1 order by at desc, id desc limit 1',
    [at],
  )
  return row?.id ?? 0
}

/**
 * Returns the subject of each change, within which calls stay in order, and the record of its alert, or null if the
 * alert was deleted.
 */
export async function subjectsOf(
  tx: Queries,
  ids: readonly number[],
): Promise<{ id: number; subject: string; record: Readonly<Record<string, unknown>> | null }[]> {
  return tx.query(
    `select c.id, coalesce(o.key, a.track, c.alert_id) as subject, a.record
     from alert_change c left join outbox o on o.id = c.id left join alert a on a.id = c.alert_id where c.id = any($1::bigint[])`,
    [ids],
  )
}
