import { Webhook } from 'standardwebhooks'
import { pause } from '../../ingest/domain/pacer.ts'
import type { Database } from '../../ingest/ports/database.ts'
import {
  type CallOutcome,
  type ClaimedDelivery,
  claimDeliveries,
  endAttempt,
  expireDeliveries,
  repairQueue,
  sweepDeliveries,
} from '../../sql/queries/webhook-queue.ts'
import { disableWebhook } from '../../sql/queries/webhooks.ts'
import { CALL_TIMEOUT_MS, type CallResult, call, type Receivers } from './request.ts'

/** Calls in work of one process, and of one webhook over all processes. */
const MAX_CALLS = 32
const CALLS_PER_WEBHOOK = 4
const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 3_600_000
/** Attempts end a day after the event. */
const GIVE_UP_HOURS = 24
const KEEP_HOURS = 72
const SWEEP_MS = 60_000
/** What a process of an earlier version stores during an upgrade is found within that time. */
const REPAIR_MS = 600_000
/** A sweep is made of short transactions, so that calls and requests come between them. */
const SWEEP_ROWS = 500
const SWEEP_STEPS = 40

export interface SenderDeps {
  readonly database: Database
  readonly receivers: Receivers
  readonly version: string
  /** Turns events into calls; true while there may be more. */
  readonly fanOut: () => Promise<boolean>
  readonly report: (error: unknown) => void
  /** Settable for tests. */
  readonly timing?: {
    readonly pollMs?: number
    readonly firstRetryMs?: number
    readonly leaseMs?: number
    readonly callMs?: number
    readonly sweepMs?: number
  }
}

export interface WebhookSender {
  /** Looks for something to send now instead of at the next interval. */
  nudge(): void
  close(): Promise<void>
}

/**
 * Sends the calls that are due. A claimed call is leased: after a crash of this process another one, or the next, makes it again
 * under the same webhook-id.
 */
export function startWebhookSender(deps: SenderDeps): WebhookSender {
  const { database, report } = deps
  const {
    pollMs = 1000,
    callMs = CALL_TIMEOUT_MS,
    firstRetryMs = FIRST_RETRY_MS,
    sweepMs = SWEEP_MS,
  } = deps.timing ?? {}
  const leaseMs = deps.timing?.leaseMs ?? 3 * callMs
  const open = new Set<Promise<void>>()
  let stopped = false
  let swept = Number.NEGATIVE_INFINITY
  let repaired = Number.NEGATIVE_INFINITY
  let lookedForEvents = Number.NEGATIVE_INFINITY
  let moreEvents = false
  let wake: () => void = () => undefined
  const nudge = () => wake()

  const send = async (one: ClaimedDelivery): Promise<void> => {
    const result = await attempt(deps, one, callMs)
    // 410: the receiver wants no more calls (Standard Webhooks).
    if ('status' in result && result.status === 410) await disableWebhook(database, one.webhook_id)
    const outcome = outcomeOf(result, one, firstRetryMs, Date.now())
    await database.transaction((tx) => endAttempt(tx, one, outcome))
  }

  const sweep = async (): Promise<void> => {
    const whole = async (step: () => Promise<number>) => {
      for (let i = 0; i < SWEEP_STEPS && !stopped; i++) if ((await step()) === 0) return
    }
    if (performance.now() - repaired > REPAIR_MS) {
      let after: string | undefined = ''
      while (after !== undefined && !stopped) {
        const from: string = after
        after = await database.transaction((tx) => repairQueue(tx, from))
      }
      repaired = performance.now()
    }
    await whole(() => database.transaction((tx) => expireDeliveries(tx, GIVE_UP_HOURS, SWEEP_ROWS)))
    await whole(() => sweepDeliveries(database, KEEP_HOURS, SWEEP_ROWS))
  }

  const round = async (): Promise<boolean> => {
    if (performance.now() - swept > sweepMs) {
      swept = performance.now()
      await sweep()
    }
    // A call that ended makes room for others; it is no sign of events.
    if (moreEvents || performance.now() - lookedForEvents >= pollMs) {
      lookedForEvents = performance.now()
      moreEvents = await deps.fanOut()
    }
    const slots = MAX_CALLS - open.size
    const claimed =
      slots > 0 ? await database.transaction((tx) => claimDeliveries(tx, slots, CALLS_PER_WEBHOOK, leaseMs)) : []
    for (const one of claimed) {
      // A signature and a connection by TLS take some milliseconds.
      await pause()
      const sending = send(one)
        // The lease ends by itself: the call is made again.
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

/** @param ended what ends the wait before its time */
async function waitFor(milliseconds: number, ended: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
    timer.unref()
  })
  await Promise.race([waited, ended])
  clearTimeout(timer)
}

/**
 * What follows from an answer. No answer, 5xx, 408, 429 and redirects are failures of the receiver: its webhook pauses, and one call at a
 * time is made until one is answered otherwise. Another 4xx is about this call alone.
 */
export function outcomeOf(result: CallResult, one: ClaimedDelivery, firstRetryMs: number, now: number): CallOutcome {
  const status = 'status' in result ? result.status : null
  if (status !== null && status >= 200 && status < 300) return { status, error: null, retryMs: null, pauseMs: null }
  const error = 'error' in result ? result.error : `status ${status}`
  const backoff = (times: number) =>
    Math.min(firstRetryMs * 3 ** Math.min(times, 12), LAST_RETRY_MS) * (0.8 + 0.4 * Math.random())
  const failed = status === null || status >= 500 || status < 400 || status === 408 || status === 429
  const asked = status === 429 || status === 503 ? ((result as { retryAfterMs?: number }).retryAfterMs ?? 0) : 0
  const pauseMs = failed ? Math.max(backoff(one.failures), Math.min(asked, LAST_RETRY_MS)) : null
  // While the receiver fails its calls take turns in trying, without pauses of their own.
  const ownMs = one.failures > 0 && failed ? 0 : backoff(one.attempts - 1)
  const next = now + Math.max(ownMs, pauseMs ?? 0)
  const over = next - one.created_at.getTime() > GIVE_UP_HOURS * 3_600_000
  return { status, error, retryMs: over ? null : ownMs, pauseMs }
}

function attempt({ receivers, version }: SenderDeps, one: ClaimedDelivery, callMs: number): Promise<CallResult> {
  const at = new Date()
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': `hexcast/${version}`,
    'webhook-id': one.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(one.secret).sign(one.id, at, one.body),
  }
  return call(receivers, one.url, headers, one.body, callMs)
}
