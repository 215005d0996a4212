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
}

export interface DeliveryRow {
  readonly id: string
  readonly subject: string
  readonly type: string
  readonly state: 'pending' | 'delivered' | 'dead'
  readonly attempts: number
  readonly next_at: Date
  readonly status: number | null
  readonly error: string | null
  readonly created_at: Date
  readonly ended_at: Date | null
}

const columns = 'w.id, w.key_prefix, w.url, w.events, w.filter, w.description, w.secret, w.created_at, w.disabled_at'
const active = `w.disabled_at is null and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())`

/** @returns false where the key has as many as it may */
export async function insertWebhook(
  tx: Queries,
  hook: Pick<WebhookRow, 'id' | 'key_prefix' | 'url' | 'events' | 'filter' | 'description' | 'secret'>,
  most: number,
): Promise<boolean> {
  // Concurrent requests of one key are counted one after the other.
  await tx.query('select from api_key where prefix = $1 for update', [hook.key_prefix])
  const rows = await tx.query(
    `insert into webhook (id, key_prefix, url, events, filter, description, secret)
     select $1, $2, $3, $4::text[], $5::jsonb, $6, $7 where (select count(*) from webhook where key_prefix = $2) < $8
     returning id`,
    [hook.id, hook.key_prefix, hook.url, hook.events, JSON.stringify(hook.filter), hook.description, hook.secret, most],
  )
  return rows.length > 0
}

export async function webhooksOf(db: Queries, keyPrefix: string): Promise<WebhookRow[]> {
  return db.query<WebhookRow>(`select ${columns} from webhook w where key_prefix = $1 order by created_at, id`, [
    keyPrefix,
  ])
}

export async function updateWebhook(
  db: Queries,
  keyPrefix: string,
  hook: Pick<WebhookRow, 'id' | 'url' | 'events' | 'filter' | 'description'> & { readonly enabled: boolean },
): Promise<void> {
  await db.query(
    `update webhook set url = $3, events = $4::text[], filter = $5::jsonb, description = $6,
            disabled_at = case when $7::boolean then null else coalesce(disabled_at, clock_timestamp()) end
     where key_prefix = $1 and id = $2`,
    [keyPrefix, hook.id, hook.url, hook.events, JSON.stringify(hook.filter), hook.description, hook.enabled],
  )
}

export async function deleteWebhook(db: Queries, keyPrefix: string, id: string): Promise<boolean> {
  const rows = await db.query('delete from webhook where key_prefix = $1 and id = $2 returning id', [keyPrefix, id])
  return rows.length > 0
}

export async function disableWebhook(db: Queries, id: string): Promise<void> {
  await db.query('update webhook set disabled_at = clock_timestamp() where id = $1', [id])
}

/** Webhooks whose key is valid, and how many calls of each wait. */
export async function activeWebhooks(db: Queries): Promise<(WebhookRow & { waiting: number })[]> {
  return db.query<WebhookRow & { waiting: number }>(
    `select ${columns}, (select count(*) from webhook_delivery d where d.webhook_id = w.id and d.state = 'pending') as waiting
     from webhook w join api_key k on k.prefix = w.key_prefix where ${active} order by w.id`,
  )
}

/** One fan-out at a time, over all processes. Ends with the transaction. */
export async function tryFanOutLock(tx: Queries): Promise<boolean> {
  const [row] = await tx.query<{ mine: boolean }>("select pg_try_advisory_xact_lock(hashtext('webhooks')) as mine")
  return row?.mine === true
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

/** The last change before an instant: what lies before the oldest webhook concerns none. */
export async function lastChangeBefore(tx: Queries, at: Date): Promise<number> {
  // By the index of `at`: this is asked at every look.
  const [row] = await tx.query<{ id: number }>(
    'select id from alert_change where at < $1 order by at desc, id desc limit 1',
    [at],
  )
  return row?.id ?? 0
}

/** What orders the calls about a change, and what is known of its alert; null for one that was deleted. */
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

export interface NewDelivery {
  readonly id: string
  readonly webhookId: string
  readonly subject: string
  readonly type: string
  readonly source: string
  readonly sourceId: number
  readonly body: string
  /** Given: it is not sent, and why. */
  readonly dead?: string
}

/** Stores calls to be made; what is stored already stays as it is. */
export async function insertDeliveries(tx: Queries, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `insert into webhook_delivery (id, webhook_id, subject, type, source, source_id, body, state, error, ended_at)
     select r.id, r."webhookId", r.subject, r.type, r.source, r."sourceId", r.body,
            case when r.dead is null then 'pending' else 'dead' end, r.dead,
            case when r.dead is null then null else clock_timestamp() end
     from rows from (jsonb_to_recordset($1::jsonb)
       as (id text, "webhookId" text, subject text, type text, source text, "sourceId" bigint, body text, dead text)) with ordinality
       as r(id, "webhookId", subject, type, source, "sourceId", body, dead, n)
     order by n
     on conflict do nothing`,
    [JSON.stringify(rows)],
  )
}

export interface ClaimedDelivery {
  readonly id: string
  readonly body: string
  readonly attempts: number
  readonly created_at: Date
  readonly webhook_id: string
  readonly url: string
  readonly secret: string
}

/**
 * Takes calls that are due, for a time: of each subject the oldest alone, so that its calls stay in order, and of each webhook
 * few at once, so that a slow receiver does not take every slot.
 */
export async function claimDeliveries(
  db: Queries,
  most: number,
  perWebhook: number,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  return db.query<ClaimedDelivery & object>(
    `with heads as materialized (
       select distinct on (webhook_id, subject) id, webhook_id, seq, next_at, leased_until
       from webhook_delivery where state = 'pending' order by webhook_id, subject, seq),
     busy as (select webhook_id, count(*) as n from heads where leased_until > clock_timestamp() group by 1),
     ranked as (
       select h.id, h.next_at, h.webhook_id, row_number() over (partition by h.webhook_id order by h.seq) as n
       from heads h where h.next_at <= clock_timestamp() and (h.leased_until is null or h.leased_until <= clock_timestamp())),
     due as materialized (
       select r.id from ranked r join webhook w on w.id = r.webhook_id join api_key k on k.prefix = w.key_prefix
       left join busy b on b.webhook_id = r.webhook_id
       where ${active} and r.n <= $2 - coalesce(b.n, 0) order by r.next_at limit $1),
     mine as materialized (
       select d.id from webhook_delivery d where d.id in (select id from due) and d.state = 'pending'
         and (d.leased_until is null or d.leased_until <= clock_timestamp()) for update skip locked)
     update webhook_delivery d set leased_until = clock_timestamp() + make_interval(secs => $3::float8 / 1000), attempts = attempts + 1
     from webhook w where d.id in (select id from mine) and w.id = d.webhook_id
     returning d.id, d.body, d.attempts, d.created_at, d.webhook_id, w.url, w.secret`,
    [most, perWebhook, leaseMs],
  )
}

export async function markDelivered(db: Queries, id: string, status: number): Promise<void> {
  await db.query(
    `update webhook_delivery set state = 'delivered', status = $2, error = null, leased_until = null, ended_at = clock_timestamp()
     where id = $1 and state = 'pending'`,
    [id, status],
  )
}

/** @param retryMs null: there is no further attempt */
export async function markFailed(
  db: Queries,
  id: string,
  failure: { readonly status: number | null; readonly error: string; readonly retryMs: number | null },
): Promise<void> {
  await db.query(
    `update webhook_delivery set leased_until = null, status = $2::int, error = $3,
            state = case when $4::float8 is null then 'dead' else 'pending' end,
            ended_at = case when $4::float8 is null then clock_timestamp() end,
            next_at = clock_timestamp() + make_interval(secs => coalesce($4::float8, 0) / 1000)
     where id = $1 and state = 'pending'`,
    [id, failure.status, failure.error, failure.retryMs],
  )
}

/** When the next call that nobody is making is due. */
export async function nextDelivery(db: Queries): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(
    "select min(greatest(next_at, coalesce(leased_until, next_at))) as at from webhook_delivery where state = 'pending'",
  )
  return row?.at ?? null
}

export async function deliveriesOf(
  db: Queries,
  webhookId: string,
  state: string | null,
  most: number,
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow & object>(
    `select id, subject, type, state, attempts, next_at, status, error, created_at, ended_at from webhook_delivery
     where webhook_id = $1 and ($2::text is null or state = $2) order by seq desc limit $3`,
    [webhookId, state, most],
  )
}

/** Makes dead calls due again, with a full day of attempts. @returns how many */
export async function replayDeliveries(db: Queries, webhookId: string, id: string | null): Promise<number> {
  const rows = await db.query(
    `update webhook_delivery set state = 'pending', attempts = 0, next_at = clock_timestamp(), created_at = clock_timestamp(),
            ended_at = null, leased_until = null
     where webhook_id = $1 and state = 'dead' and ($2::text is null or id = $2) returning id`,
    [webhookId, id],
  )
  return rows.length
}

/** Deletes calls that ended long ago. */
export async function sweepDeliveries(db: Queries, keepHours: number): Promise<void> {
  await db.query('delete from webhook_delivery where ended_at < clock_timestamp() - make_interval(hours => $1::int)', [
    keepHours,
  ])
}
