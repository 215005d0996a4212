import { Webhook } from 'standardwebhooks'
import { pause } from '../../ingest/domain/pacer.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { randomWait } from '../../ingest/ports/random-wait.ts'
import {
  type CallOutcome,
  type ClaimedDelivery,
  claimDeliveries,
  endAttempt,
  expireDeliveries,
  removeEndedDeliveries,
  repairQueue,
} from '../../sql/queries/webhook-queue.ts'
import { disableWebhook } from '../../sql/queries/webhooks.ts'
import { CALL_TIMEOUT_MS, type CallResult, call, type Receivers } from './request.ts'

/** Concurrent calls of the dispatcher. */
const MAX_CALLS = 32
/** Concurrent calls of one webhook over all processes. */
const CALLS_PER_WEBHOOK = 4
const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 3_600_000
/** A call is given up a day after its event. */
const GIVE_UP_HOURS = 24
const KEEP_HOURS = 72
const CLEANUP_MS = 60_000
/** Interval at which calls that a process of an earlier version stored during an upgrade are repairedAt. */
const REPAIR_MS = 600_000
/** A cleanup consists of short transactions, so that calls and requests run between them. */
const CLEANUP_ROWS = 500
const CLEANUP_STEPS = 40

export interface SenderDeps {
  readonly database: Database
  readonly receivers: Receivers
  readonly version: string
  /** Whether this process sends the calls; one of all processes does. */
  readonly isDispatcher: () => boolean
  /** Turns events into calls; resolves to true while there may be more events. */
  readonly fanOut: () => Promise<boolean>
  readonly report: (error: unknown) => void
  /** Tests set other intervals. */
  readonly timing?: {
    readonly pollMs?: number
    readonly firstRetryMs?: number
    readonly leaseMs?: number
    readonly callMs?: number
    readonly sweepMs?: number
  }
}

export interface WebhookSender {
  /** Looks for due calls now instead of at the next interval. */
  nudge(): void
  close(): Promise<void>
}

/**
 * Sends due calls while this process is the dispatcher. A claimed call is leased: after a crash of this process, the next dispatcher
 * repeats it with the same webhook-id. Two dispatchers for a moment do no harm.
 */
export function startWebhookSender(deps: SenderDeps): WebhookSender {
  const { database, report } = deps
  const {
    pollMs = 1000,
    callMs = CALL_TIMEOUT_MS,
    firstRetryMs = FIRST_RETRY_MS,
    sweepMs: cleanupMs = CLEANUP_MS,
  } = deps.timing ?? {}
  const leaseMs = deps.timing?.leaseMs ?? 3 * callMs
  const open = new Set<Promise<void>>()
  let stopped = false
  let cleanedAt = Number.NEGATIVE_INFINITY
  let repairedAt = Number.NEGATIVE_INFINITY
  let lookedForEvents = Number.NEGATIVE_INFINITY
  let moreEvents = false
  let wake: () => void = () => undefined
  const nudge = () => wake()

  const send = async (delivery: ClaimedDelivery): Promise<void> => {
    const result = await attempt(deps, delivery, callMs)
    // 410: the receiver wants no more calls (Standard Webhooks).
    if ('status' in result && result.status === 410) await disableWebhook(database, delivery.webhook_id)
    const outcome = outcomeOf(result, delivery, firstRetryMs, Date.now())
    await database.transaction((tx) => endAttempt(tx, delivery, outcome))
  }

  const cleanUp = async (): Promise<void> => {
    const repeat = async (step: () => Promise<number>) => {
      for (let i = 0; i < CLEANUP_STEPS && !stopped; i++) if ((await step()) === 0) return
    }
    if (performance.now() - repairedAt > REPAIR_MS) {
      let after: string | undefined = ''
      while (after !== undefined && !stopped) {
        const from: string = after
        after = await database.transaction((tx) => repairQueue(tx, from))
      }
      repairedAt = performance.now()
    }
    await repeat(() => database.transaction((tx) => expireDeliveries(tx, GIVE_UP_HOURS, CLEANUP_ROWS)))
    await repeat(() => removeEndedDeliveries(database, KEEP_HOURS, CLEANUP_ROWS))
  }

  const round = async (): Promise<boolean> => {
    if (!deps.isDispatcher()) return false
    if (performance.now() - cleanedAt > cleanupMs) {
      cleanedAt = performance.now()
      await cleanUp()
    }
    // The end of a call wakes this loop to fill its slot; events are looked for at their own interval.
    if (moreEvents || performance.now() - lookedForEvents >= pollMs) {
      lookedForEvents = performance.now()
      moreEvents = await deps.fanOut()
    }
    const slots = MAX_CALLS - open.size
    const claimed =
      slots > 0 ? await database.transaction((tx) => claimDeliveries(tx, slots, CALLS_PER_WEBHOOK, leaseMs)) : []
    for (const delivery of claimed) {
      // The signature and the TLS connection of a call take some milliseconds.
      await pause()
      const sending = send(delivery)
        // After a failure the lease expires, and the call is repeated.
        .catch(report)
        .finally(() => {
          open.delete(sending)
          nudge()
        })
      open.add(sending)
    }
    return moreEvents || claimed.length > 0
  }

  const running = (async () => {
    while (!stopped) {
      const nudged = new Promise<void>((resolve) => {
        wake = resolve
      })
      const again = await round().catch((error) => {
        if (!stopped) report(error)
        return false
      })
      if (!again) await waitFor(pollMs, nudged)
    }
  })()
  return {
    nudge,
    async close() {
      stopped = true
      nudge()
      await running
      await Promise.all(open)
    },
  }
}

/** Waits for a time, or until `nudged` resolves. */
async function waitFor(milliseconds: number, nudged: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
    timer.unref()
  })
  await Promise.race([timeout, nudged])
  clearTimeout(timer)
}

/**
 * Returns what follows from an answer. No answer, 5xx, 408, 429 and redirects are failures of the receiver: its webhook pauses, and calls
 * are made one at a time until a call succeeds or gets another 4xx, which concerns only that call.
 */
export function outcomeOf(
  result: CallResult,
  delivery: Pick<ClaimedDelivery, 'failures' | 'attempts' | 'created_at'>,
  firstRetryMs: number,
  now: number,
): CallOutcome {
  const status = 'status' in result ? result.status : null
  if (status !== null && status >= 200 && status < 300) return { status, error: null, retryMs: null, pauseMs: null }
  const error = 'error' in result ? result.error : `status ${status}`
  const backoff = (times: number) => randomWait(Math.min(firstRetryMs * 3 ** Math.min(times, 12), LAST_RETRY_MS), 0.2)
  const hasFailed = status === null || status >= 500 || status < 400 || status === 408 || status === 429
  const requestedMs = status === 429 || status === 503 ? ((result as { retryAfterMs?: number }).retryAfterMs ?? 0) : 0
  const pauseMs = hasFailed ? Math.max(backoff(delivery.failures), Math.min(requestedMs, LAST_RETRY_MS)) : null
  // While the receiver fails, its calls are tried in turn, without pauses of their own.
  const retryMs = delivery.failures > 0 && hasFailed ? 0 : backoff(delivery.attempts - 1)
  const next = now + Math.max(retryMs, pauseMs ?? 0)
  const isExpired = next - delivery.created_at.getTime() > GIVE_UP_HOURS * 3_600_000
  return { status, error, retryMs: isExpired ? null : retryMs, pauseMs }
}

function attempt({ receivers, version }: SenderDeps, delivery: ClaimedDelivery, callMs: number): Promise<CallResult> {
  const at = new Date()
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': `hexcast/${version}`,
    'webhook-id': delivery.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(delivery.secret).sign(delivery.id, at, delivery.body),
  }
  return call(receivers, delivery.url, headers, delivery.body, callMs)
}
