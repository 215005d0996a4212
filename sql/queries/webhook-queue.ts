import type { Queries } from '../session.ts'
import { active } from './webhooks.ts'

/**
 * The queue of pending calls. For each webhook and subject one call is the head, which is the only call that may be
 * sent. Every change of pending calls first locks the row of the webhook and then reads in later statements. It
 * therefore sees the changes that other transactions have committed, so heads and counts stay correct.
 */

/** Maximum number of pending calls of a webhook, and of all webhooks of an account. */
export interface WaitingBounds {
  readonly webhook: number
  readonly account: number
}

export interface NewDelivery {
  readonly id: string
  readonly webhookId: string
  readonly subject: string
  readonly type: string
  readonly source: string
  readonly sourceId: number
  readonly body: string
}

interface Subject {
  readonly webhook_id: string
  readonly subject: string
}

interface LockedDelivery {
  readonly id: string
  /** Identifies the account; a key without an account counts as an account of its own. */
  readonly account: string
  readonly waiting: number
}

const isFree = '(d.leased_until is null or d.leased_until <= clock_timestamp())'
/**
 * Selects the first pending call at or after a subject. The embedded database has no statistics: with equalities the
 * planner expects one row from every index that begins with webhook_id, and may read all calls of a webhook through a
 * smaller index. Only the intended index has this order.
 */
const oldestFrom = (table: string) => `select p.id, p.webhook_id, p.subject from webhook_delivery p
  where (p.webhook_id, p.subject, p.seq) >= (${table}.webhook_id, ${table}.subject, 0) and p.state = 'pending'
  order by p.webhook_id, p.subject, p.seq limit 1`
const accountOf = "coalesce('account ' || k.account_id, k.prefix)"

/** Locks webhooks until the transaction ends, in the order of their ids, so that two transactions do not deadlock. */
async function lockWebhooks(tx: Queries, ids: readonly string[]): Promise<Map<string, LockedDelivery>> {
  const rows = await tx.query<LockedDelivery & object>(
    `select w.id, w.waiting, ${accountOf} as account from webhook w join api_key k on k.prefix = w.key_prefix
     where w.id = any($1::text[]) order by w.id for no key update of w`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Returns the pending calls of the accounts of webhooks: the sum of the counts of all webhooks of their keys, including
 * revoked keys.
 */
async function waitingOfAccounts(tx: Queries, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ account: string; waiting: number }>(
    `with own as (select k.prefix, k.account_id from webhook w join api_key k on k.prefix = w.key_prefix where w.id = any($1::text[])),
     of_account as (select prefix from own union select k.prefix from api_key k join own on k.account_id = own.account_id)
     select ${accountOf} as account, sum(w.waiting) as waiting
     from of_account join api_key k using (prefix) join webhook w on w.key_prefix = k.prefix group by 1`,
    [ids],
  )
  return new Map(rows.map(({ account, waiting }) => [account, waiting]))
}

/** Changes the counts of pending calls of locked webhooks. */
async function addWaiting(tx: Queries, rows: readonly Pick<Subject, 'webhook_id'>[], each: 1 | -1): Promise<void> {
  if (rows.length === 0) return
  const counts = new Map<string, number>()
  for (const { webhook_id } of rows) counts.set(webhook_id, (counts.get(webhook_id) ?? 0) + each)
  await tx.query(
    'update webhook w set waiting = w.waiting + c.n from unnest($1::text[], $2::int[]) c(id, n) where w.id = c.id',
    [[...counts.keys()], [...counts.values()]],
  )
}

/** Makes the oldest pending call the head of each subject of a locked webhook that has no head. */
async function placeHeads(tx: Queries, subjects: readonly Subject[]): Promise<void> {
  const distinct = [
    ...new Map(subjects.map((subject) => [`${subject.webhook_id} ${subject.subject}`, subject])).values(),
  ]
  if (distinct.length === 0) return
  // The ids are read first, because in a join PostgreSQL without fresh statistics reads the whole table.
  const oldest = await tx.query<{ id: string }>(
    `select oldest.id from unnest($1::text[], $2::text[]) s(webhook_id, subject)
     cross join lateral (${oldestFrom('s')}) oldest
     where (oldest.webhook_id, oldest.subject) = (s.webhook_id, s.subject) and not coalesce((
       select (h.webhook_id, h.subject) = (s.webhook_id, s.subject) from webhook_delivery h
       where (h.webhook_id, h.subject) >= (s.webhook_id, s.subject) and h.head and h.state = 'pending'
       order by h.webhook_id, h.subject limit 1), false)`,
    [distinct.map(({ webhook_id }) => webhook_id), distinct.map(({ subject }) => subject)],
  )
  if (oldest.length === 0) return
  await tx.query('update webhook_delivery set head = true where id = any($1::text[])', [oldest.map(({ id }) => id)])
}

/**
 * Stores calls to be made, in order. Calls that are already stored are unchanged. Calls that exceed a bound are stored
 * as dead.
 * @returns for each call the reason why it is dead, or undefined if it is not
 */
export async function insertDeliveries(
  tx: Queries,
  calls: readonly NewDelivery[],
  bounds: WaitingBounds,
): Promise<(string | undefined)[]> {
  if (calls.length === 0) return []
  const existing = await tx.query<{ webhook_id: string; source: string; source_id: number }>(
    `select d.webhook_id, d.source, d.source_id from unnest($1::text[], $2::text[], $3::bigint[]) c(webhook_id, source, source_id)
     cross join lateral (
       select o.webhook_id, o.source, o.source_id from webhook_delivery o
       where (o.webhook_id, o.source, o.source_id) >= (c.webhook_id, c.source, c.source_id)
       order by o.webhook_id, o.source, o.source_id limit 1) d
     where (d.webhook_id, d.source, d.source_id) = (c.webhook_id, c.source, c.source_id)`,
    [calls.map((call) => call.webhookId), calls.map((call) => call.source), calls.map((call) => call.sourceId)],
  )
  const stored = new Set(existing.map((row) => `${row.webhook_id} ${row.source} ${row.source_id}`))
  const isNew = (call: NewDelivery) => !stored.has(`${call.webhookId} ${call.source} ${call.sourceId}`)
  const ids = [...new Set(calls.filter(isNew).map(({ webhookId }) => webhookId))]
  if (ids.length === 0) return calls.map(() => undefined)
  const hooks = await lockWebhooks(tx, ids)
  const accounts = await waitingOfAccounts(tx, ids)
  const waiting = new Map(Array.from(hooks.values(), (hook) => [hook.id, hook.waiting]))
  const reasons = calls.map((call) => {
    const hook = hooks.get(call.webhookId)
    // The webhook was deleted meanwhile, or the call is already stored.
    if (!hook || !isNew(call)) return undefined
    const waitingOfHook = waiting.get(hook.id) ?? 0
    const full = reasonOf(waitingOfHook, accounts.get(hook.account) ?? 0, bounds)
    if (full) return full
    waiting.set(hook.id, waitingOfHook + 1)
    accounts.set(hook.account, (accounts.get(hook.account) ?? 0) + 1)
    return undefined
  })
  const rows = calls
    .map((call, i) => ({ ...call, dead: reasons[i] }))
    .filter((call) => hooks.has(call.webhookId) && isNew(call))
  const inserted = await tx.query<Subject & { state: string }>(
    `insert into webhook_delivery (id, webhook_id, subject, type, source, source_id, body, state, error, ended_at)
     select r.id, r."webhookId", r.subject, r.type, r.source, r."sourceId", r.body,
            case when r.dead is null then 'pending' else 'dead' end, r.dead,
            case when r.dead is null then null else clock_timestamp() end
     from rows from (jsonb_to_recordset($1::jsonb)
       as (id text, "webhookId" text, subject text, type text, source text, "sourceId" bigint, body text, dead text)) with ordinality
       as r(id, "webhookId", subject, type, source, "sourceId", body, dead, n)
     order by n
     on conflict do nothing returning webhook_id, subject, state`,
    [JSON.stringify(rows)],
  )
  const pending = inserted.filter(({ state }) => state === 'pending')
  await placeHeads(tx, pending)
  await addWaiting(tx, pending, 1)
  return reasons
}

function reasonOf(ofWebhook: number, ofAccount: number, bounds: WaitingBounds): string | undefined {
  if (ofWebhook >= bounds.webhook) return `the webhook has more than ${bounds.webhook} pending calls`
  if (ofAccount >= bounds.account) return `the account has more than ${bounds.account} pending calls of webhooks`
  return undefined
}

export interface ClaimedDelivery {
  readonly id: string
  readonly body: string
  readonly attempts: number
  readonly created_at: Date
  readonly webhook_id: string
  readonly url: string
  readonly secret: string
  /** Consecutive failures of the receiver when this call was claimed. */
  readonly failures: number
}

/**
 * Leases calls that are due. Only heads are leased, so that the calls of a subject stay in order. At most `perWebhook`
 * calls of a webhook are leased, so that a slow receiver does not take every slot; while its receiver fails, at most
 * one. The statements read only the leased calls and one row of each webhook with pending calls.
 */
export async function claimDeliveries(
  tx: Queries,
  most: number,
  perWebhook: number,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  const slots = `case when w.failures > 0 then 1 else $2::int end
    - (select count(*) from webhook_delivery d where d.webhook_id = w.id and d.leased_until > clock_timestamp())`
  const due = `d.webhook_id = w.id and d.head and d.state = 'pending' and d.next_at <= clock_timestamp() and ${isFree} order by d.next_at`
  const hooks = await tx.query<{ id: string }>(
    `select w.id from webhook w join api_key k on k.prefix = w.key_prefix
     cross join lateral (select d.next_at from webhook_delivery d where ${due} limit 1) due
     where w.waiting > 0 and ${active} and (w.next_at is null or w.next_at <= clock_timestamp()) and ${slots} > 0
     order by due.next_at limit $1 for no key update of w skip locked`,
    [most, perWebhook],
  )
  if (hooks.length === 0) return []
  return tx.query<ClaimedDelivery & object>(
    `with due as materialized (
       select due.id, due.next_at, row_number() over (partition by w.id order by due.next_at) as n from webhook w
       cross join lateral (select d.id, d.next_at from webhook_delivery d where ${due} limit greatest(${slots}, 0)) due
       where w.id = any($3::text[]) order by n, due.next_at limit $1)
     update webhook_delivery d set leased_until = clock_timestamp() + make_interval(secs => $4::float8 / 1000), attempts = attempts + 1
     from due, webhook w where d.id = due.id and w.id = d.webhook_id
     returning d.id, d.body, d.attempts, d.created_at, d.webhook_id, w.url, w.secret, w.failures`,
    [most, perWebhook, hooks.map(({ id }) => id), leaseMs],
  )
}

export interface CallOutcome {
  readonly status: number | null
  /** Why the call failed; null if the receiver accepted it. */
  readonly error: string | null
  /** Time until the next attempt of this call; null if there is none. */
  readonly retryMs: number | null
  /** Time until the next call of the webhook if the receiver failed; null if it did not. */
  readonly pauseMs: number | null
}

/**
 * Records the outcome of an attempt: the call is delivered, dead or pending again. The next call of the subject becomes
 * the head, and the next call of the webhook is delayed if the receiver failed.
 */
export async function endAttempt(tx: Queries, call: ClaimedDelivery, outcome: CallOutcome): Promise<void> {
  await lockWebhooks(tx, [call.webhook_id])
  const state = outcome.error === null ? 'delivered' : outcome.retryMs === null ? 'dead' : 'pending'
  // A failure that is reported after the lease has ended does not end a newer attempt.
  const ended = await tx.query<Subject>(
    `with ended as (
       update webhook_delivery d set state = $2,
              head = d.head and $2 = 'pending' and d.id = (select oldest.id from (${oldestFrom('d')}) oldest), leased_until = null, status = $3::int, error = $4,
              ended_at = case when $2 = 'pending' then null else clock_timestamp() end,
              next_at = clock_timestamp() + make_interval(secs => $5::float8 / 1000)
       where d.id = $1 and d.state = 'pending' and ($2 = 'delivered' or d.attempts = $6)
       returning d.webhook_id, d.subject)
     update webhook w set waiting = w.waiting - case when $2 = 'pending' then 0 else 1 end,
            failures = case when $7::float8 is null then 0 when w.failures = $8 then $8 + 1 else greatest(w.failures, 1) end,
            failing_since = case when $7 is not null then coalesce(w.failing_since, clock_timestamp()) end,
            next_at = case when $7 is not null then greatest(w.next_at, clock_timestamp() + make_interval(secs => $7 / 1000)) end
     from ended where w.id = ended.webhook_id returning ended.webhook_id, ended.subject`,
    [
      ...[call.id, state, outcome.status, outcome.error, outcome.retryMs ?? 0, call.attempts],
      ...[outcome.pauseMs, call.failures],
    ],
  )
  // A new head is also needed after a failed attempt, because an older call may have been replayed meanwhile.
  await placeHeads(tx, ended)
}

/**
 * Makes the next call of a webhook due now even though its receiver has failed: a test, a replay or a changed
 * webhook is tried immediately.
 */
export async function probeReceiver(tx: Queries, id: string): Promise<void> {
  await tx.query('update webhook set next_at = clock_timestamp() where id = $1 and next_at > clock_timestamp()', [id])
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

export async function deliveriesOf(
  db: Queries,
  webhookId: string,
  state: string | null,
  most: number,
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow & object>(
    `select d.id, d.subject, d.type, d.state, d.attempts, greatest(d.next_at, w.next_at) as next_at, d.status, d.error, d.created_at,
            d.ended_at
     from webhook_delivery d join webhook w on w.id = d.webhook_id
     where d.webhook_id = $1 and ($2::text is null or d.state = $2) order by d.seq desc limit $3`,
    [webhookId, state, most],
  )
}

/**
 * Makes dead calls pending again, oldest first, with a full day of attempts. An older call becomes the head unless the
 * head is being sent.
 * @returns the number of calls; `full` is the reason if the bound of pending calls allows none
 */
export async function replayDeliveries(
  tx: Queries,
  webhookId: string,
  id: string | null,
  bounds: WaitingBounds,
  most = 1000,
): Promise<{ replayed: number; full: string | undefined }> {
  const hook = (await lockWebhooks(tx, [webhookId])).get(webhookId)
  if (!hook) return { replayed: 0, full: undefined }
  const account = (await waitingOfAccounts(tx, [webhookId])).get(hook.account) ?? 0
  const room = Math.min(bounds.webhook - hook.waiting, bounds.account - account)
  if (room <= 0) return { replayed: 0, full: reasonOf(hook.waiting, account, bounds) }
  const rows = await tx.query<Subject>(
    `update webhook_delivery set state = 'pending', head = false, attempts = 0, next_at = clock_timestamp(), created_at = clock_timestamp(),
            ended_at = null, leased_until = null
     where id in (select d.id from webhook_delivery d where d.webhook_id = $1 and d.state = 'dead' and ($2::text is null or d.id = $2)
                  order by d.seq limit $3)
     returning webhook_id, subject`,
    [webhookId, id, Math.min(room, most)],
  )
  if (rows.length === 0) return { replayed: 0, full: undefined }
  await tx.query(
    `update webhook_delivery d set head = false
     where d.webhook_id = $1 and d.subject = any($2::text[]) and d.head and d.state = 'pending' and ${isFree}
       and d.id <> (select oldest.id from (${oldestFrom('d')}) oldest)`,
    [webhookId, [...new Set(rows.map(({ subject }) => subject))]],
  )
  await placeHeads(tx, rows)
  await addWaiting(tx, rows, 1)
  await probeReceiver(tx, webhookId)
  return { replayed: rows.length, full: undefined }
}

/**
 * Ends old calls of one webhook that cannot be made because its receiver fails, it is paused or its key is not valid.
 * @returns the number of calls, at most `most`
 */
export async function expireDeliveries(tx: Queries, hours: number, most: number): Promise<number> {
  const expired = `d.webhook_id = w.id and d.state = 'pending' and d.created_at < clock_timestamp() - make_interval(hours => $1::int) and ${isFree}`
  const [hook] = await tx.query<{ id: string; reason: string }>(
    `select w.id, 'not accepted within ' || $1::int || ' hours: ' || case
              when w.failures > 0 then 'the receiver has failed since ' || to_char(w.failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
              when w.disabled_at is not null then 'the webhook is paused' else 'the key of the webhook is not valid' end as reason
     from webhook w join api_key k on k.prefix = w.key_prefix
     where w.waiting > 0 and (w.failures > 0 or not (${active})) and exists (select from webhook_delivery d where ${expired})
     order by w.id limit 1 for no key update of w skip locked`,
    [hours],
  )
  if (!hook) return 0
  const rows = await tx.query<Subject>(
    `update webhook_delivery set state = 'dead', head = false, leased_until = null, ended_at = clock_timestamp(), error = coalesce(error, $3)
     where id in (select d.id from webhook w join webhook_delivery d on ${expired} where w.id = $2 order by d.created_at limit $4)
     returning webhook_id, subject`,
    [hours, hook.id, hook.reason, most],
  )
  await placeHeads(tx, rows)
  await addWaiting(tx, rows, -1)
  return rows.length
}

/** Deletes calls that ended more than `keepHours` ago. @returns the number of calls, at most `most` */
export async function removeEndedDeliveries(db: Queries, keepHours: number, most: number): Promise<number> {
  const rows = await db.query(
    `delete from webhook_delivery where id = any(array(
       select id from webhook_delivery where ended_at < clock_timestamp() - make_interval(hours => $1::int) order by ended_at limit $2))
     returning id`,
    [keepHours, most],
  )
  return rows.length
}

/**
 * Sets missing heads of the next webhook and corrects its count of pending calls, because processes of an earlier
 * version store calls without heads and counts.
 * @param after id of the previous webhook
 * @returns its id, or undefined if no further webhook has pending calls
 */
export async function repairQueue(tx: Queries, after: string): Promise<string | undefined> {
  const [hook] = await tx.query<{ id: string }>(
    `select w.id from webhook w where w.id > $1 and (w.waiting <> 0 or exists (
       select from webhook_delivery d where d.webhook_id = w.id and d.state = 'pending')) order by w.id limit 1 for no key update`,
    [after],
  )
  if (!hook) return undefined
  const headless = await tx.query<Subject>(
    `select webhook_id, subject from webhook_delivery where webhook_id = $1 and state = 'pending'
     group by 1, 2 having not bool_or(head)`,
    [hook.id],
  )
  await placeHeads(tx, headless)
  await tx.query(
    `update webhook w set waiting = c.n
     from (select count(*) as n from webhook_delivery where webhook_id = $1 and state = 'pending') c
     where w.id = $1 and w.waiting <> c.n`,
    [hook.id],
  )
  return hook.id
}
