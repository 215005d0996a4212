import { randomBytes } from 'node:crypto'
import type { Database } from '../../ingest/ports/database.ts'
import { sentSince } from '../../sql/queries/outbox.ts'
import { insertDeliveries, type NewDelivery, type WaitingBounds } from '../../sql/queries/webhook-queue.ts'
import {
  activeWebhooks,
  cursorOf,
  lastChangeBefore,
  moveCursor,
  subjectsOf,
  tryFanOutLock,
  type WebhookRow,
} from '../../sql/queries/webhooks.ts'
import type { Queries } from '../../sql/session.ts'
import { type AlertChange, type AlertFilter, alertChangesWithPlaces, alertFilterOf } from '../changes/alert-changes.ts'
import { runChangeOf, subjectOfRun } from '../changes/run-changes.ts'

/** Calls that wait; what comes beyond is stored as dead, visible and replayable. */
export const maxWaiting: WaitingBounds = { webhook: 10_000, account: 20_000 }

export interface FanOutDeps {
  readonly database: Database
  readonly simulated: () => boolean
  /** Where links lead. */
  readonly base: () => string
}

/** A filter as it is stored; members of the place are those of `/v1/alerts`. */
export interface StoredFilter {
  readonly where?: Readonly<Record<string, string>>
  readonly min_severity?: string
  readonly event?: readonly string[]
  readonly dataset_id?: readonly string[]
  /** Of nowcast.onset: how far ahead. */
  readonly within_minutes?: number
}

export const deliveryId = () => `msg_${randomBytes(15).toString('base64url')}`

/** The body of a call: Standard Webhooks. */
export function bodyOf(type: string, at: string, data: object): string {
  return JSON.stringify({ type, timestamp: at, data })
}

/**
 * Turns what happened since the last time into calls to be made, in one transaction: nothing is lost or doubled by a crash.
 * @returns whether there may be more
 */
export async function fanOut(deps: FanOutDeps): Promise<boolean> {
  // Each second, and most installations have none: one statement instead of a transaction.
  if ((await activeWebhooks(deps.database)).length === 0) return false
  return deps.database.transaction(async (tx) => {
    if (!(await tryFanOutLock(tx))) return false
    const hooks = await activeWebhooks(tx)
    if (hooks.length === 0) return false
    const since = new Date(Math.min(...hooks.map(({ created_at }) => created_at.getTime())))
    const more = await fanOutAlerts(tx, hooks, since, deps)
    await fanOutRuns(tx, hooks, since, deps)
    return more
  })
}

async function fanOutAlerts(
  tx: Queries,
  hooks: readonly WebhookRow[],
  since: Date,
  deps: FanOutDeps,
): Promise<boolean> {
  const after = Math.max(await cursorOf(tx, 'alert_change'), await lastChangeBefore(tx, since))
  const changes = await alertChangesWithPlaces(tx, after)
  const last = changes.at(-1)
  if (!last) return false
  const known = new Map(
    (
      await subjectsOf(
        tx,
        changes.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  )
  const filters = new Map(hooks.map((hook) => [hook.id, filterOfHook(hook)]))
  const rows = changes.flatMap((change) => {
    const { subject, record } = known.get(change.id)!
    const type = `alert.${change.payload.change}`
    const body = bodyOf(type, change.payload.at, alertData(change, record, deps))
    return hooks
      .filter((hook) => concerns(hook, type, change.payload.at))
      .filter((hook) => filters.get(hook.id)!(change))
      .map((hook) => delivery(hook, { type, subject, body, source: 'alert_change', sourceId: change.id }))
  })
  await insertDeliveries(tx, rows, maxWaiting)
  await moveCursor(tx, 'alert_change', last.id)
  return true
}

/** What becomes of runs are rows of the outbox; their cursor is the time of publication, read with an overlap. */
async function fanOutRuns(tx: Queries, hooks: readonly WebhookRow[], since: Date, deps: FanOutDeps): Promise<void> {
  const from = new Date(Math.max(await cursorOf(tx, 'outbox'), since.getTime()))
  const sent = await sentSince(tx, from)
  if (sent.length === 0) return
  const rows = sent.flatMap(({ id, topic, payload }) => {
    const run = runChangeOf(id, topic, payload)
    if (!run) return []
    const type = `run.${run.change}`
    const { at, dataset } = run.payload
    const body = bodyOf(type, at, { ...run.payload, ...(deps.simulated() && { simulated: true }) })
    return hooks
      .filter((hook) => concerns(hook, type, at))
      .filter(({ filter }) => (filter as StoredFilter).dataset_id?.includes(dataset) ?? true)
      .map((hook) => delivery(hook, { type, subject: subjectOfRun(run.payload), body, source: 'outbox', sourceId: id }))
  })
  await insertDeliveries(tx, rows, maxWaiting)
  await moveCursor(tx, 'outbox', Math.max(...sent.map(({ sent_at }) => sent_at.getTime())))
}

function delivery(hook: WebhookRow, of: Omit<NewDelivery, 'id' | 'webhookId'>): NewDelivery {
  return { id: deliveryId(), webhookId: hook.id, ...of }
}

/** What happened before a webhook was made is not its business. */
function concerns({ events, created_at }: WebhookRow, type: string, at: string): boolean {
  return (
    Date.parse(at) >= created_at.getTime() && events.some((one) => one === type || one === `${type.split('.')[0]}.*`)
  )
}

function filterOfHook({ filter }: WebhookRow): AlertFilter {
  const { where = {}, min_severity, event } = filter as StoredFilter
  const place = alertFilterOf({ ...where, ...(min_severity && { min_severity }) })
  const names = event?.map((name) => name.toLowerCase())
  return (change) => (!names || names.includes(change.payload.event.toLowerCase())) && place(change)
}

function alertData(
  { payload }: AlertChange,
  record: Readonly<Record<string, unknown>> | null,
  deps: FanOutDeps,
): object {
  const { id, event, change, areas, expiration, replaces } = payload
  const { severity, urgency, certainty, headline, areaDesc } = record ?? {}
  return {
    ...{ id, event, change, areas, expiration },
    ...(replaces && { replaces }),
    ...{ severity, urgency, certainty, headline, area_desc: areaDesc },
    geometry: `${deps.base()}/v1/alerts?id=${encodeURIComponent(id)}&format=geojson`,
    ...(deps.simulated() && { simulated: true }),
  }
}
