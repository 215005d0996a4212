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
import {
  type AlertChangeEvent,
  type AlertFilter,
  alertChangesWithPlaces,
  alertFilterOf,
} from '../changes/alert-changes.ts'
import { runChangeOf, subjectOfRun } from '../changes/run-changes.ts'

/** Largest number of waiting calls; further calls are stored as dead, where they can be seen and replayed. */
export const maxWaiting: WaitingBounds = { webhook: 10_000, account: 20_000 }

export interface FanOutDeps {
  readonly database: Database
  readonly simulated: () => boolean
  /** Base URL of links. */
  readonly base: () => string
}

/** A filter as it is stored; `where` has the place parameters of `/v1/alerts`. */
export interface StoredFilter {
  readonly where?: Readonly<Record<string, string>>
  readonly min_severity?: string
  readonly event?: readonly string[]
  readonly dataset_id?: readonly string[]
  /** How far ahead nowcast.onset reports precipitation. */
  readonly within_minutes?: number
}

export const deliveryId = () => `msg_${randomBytes(15).toString('base64url')}`

/** Returns the body of a call as Standard Webhooks defines it. */
export function bodyOf(type: string, at: string, data: object): string {
  return JSON.stringify({ type, timestamp: at, data })
}

/**
 * Turns the events since the last run of this function into calls, in one transaction, so that a crash neither loses nor repeats a call.
 * @returns whether there may be more events
 */
export async function fanOut(deps: FanOutDeps): Promise<boolean> {
  // This runs every second, and most installations have no webhooks: one statement is cheaper than a transaction.
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
  const alerts = new Map(
    (
      await subjectsOf(
        tx,
        changes.map(({ id }) => id),
      )
    ).map((alert) => [alert.id, alert]),
  )
  const filters = new Map(hooks.map((hook) => [hook.id, filterOfHook(hook)]))
  const rows = changes.flatMap((change) => {
    const alert = alerts.get(change.id)
    if (!alert) throw new Error(`change ${change.id} has no alert`)
    const { subject, record } = alert
    const type = `alert.${change.payload.change}`
    const body = bodyOf(type, change.payload.at, alertData(change, record, deps))
    return hooks
      .filter((hook) => concerns(hook, type, change.payload.at))
      .filter((hook) => filters.get(hook.id)?.(change))
      .map((hook) => delivery(hook, { type, subject, body, source: 'alert_change', sourceId: change.id }))
  })
  await insertDeliveries(tx, rows, maxWaiting)
  await moveCursor(tx, 'alert_change', last.id)
  return true
}

/** Run events are rows of the outbox. Their cursor is the time of publication, and reads overlap. */
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

function delivery(hook: WebhookRow, call: Omit<NewDelivery, 'id' | 'webhookId'>): NewDelivery {
  return { id: deliveryId(), webhookId: hook.id, ...call }
}

/** Whether a webhook receives an event: it must subscribe to the type, and exist when the event occurs. */
function concerns({ events, created_at }: WebhookRow, type: string, at: string): boolean {
  return (
    Date.parse(at) >= created_at.getTime() &&
    events.some((event) => event === type || event === `${type.split('.')[0]}.*`)
  )
}

function filterOfHook({ filter }: WebhookRow): AlertFilter {
  const { where = {}, min_severity, event } = filter as StoredFilter
  const place = alertFilterOf({ ...where, ...(min_severity && { min_severity }) })
  const names = event?.map((name) => name.toLowerCase())
  return (change) => (!names || names.includes(change.payload.event.toLowerCase())) && place(change)
}

function alertData(
  { payload }: AlertChangeEvent,
  record: Readonly<Record<string, unknown>> | null,
  deps: FanOutDeps,
): object {
  const { id, event, change, areas, cells, expiration, replaces } = payload
  const { severity, urgency, certainty, headline, areaDesc } = record ?? {}
  return {
    ...{ id, event, change, areas, cells, expiration },
    ...(replaces && { replaces }),
    ...{ severity, urgency, certainty, headline, area_desc: areaDesc },
    geometry: `${deps.base()}/v1/alerts?id=${encodeURIComponent(id)}&format=geojson`,
    ...(deps.simulated() && { simulated: true }),
  }
}
