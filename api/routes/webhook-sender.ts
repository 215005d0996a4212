import { Webhook } from 'standardwebhooks'
import type { Database } from '../../ingest/ports/database.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  disableWebhook,
  markDelivered,
  markFailed,
  sweepDeliveries,
} from '../../sql/queries/webhooks.ts'
import { CALL_TIMEOUT_MS, type CallResult, call, type Receivers } from './webhook-request.ts'

/** Calls in work of one process, and of one webhook over all processes. */
const MAX_CALLS = 32
const CALLS_PER_WEBHOOK = 4
const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 3_600_000
/** Attempts end a day after the event. */
const GIVE_UP_MS = 24 * 3_600_000
const KEEP_HOURS = 72
const SWEEP_MS = 600_000
/** A look reads all calls that wait: with 100,000 of them looking takes a third of the time at most. */
const PAUSE_PER_LOOK = 2
const LONGEST_PAUSE_MS = 5_000

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
  const { pollMs = 1000, callMs = CALL_TIMEOUT_MS, firstRetryMs = FIRST_RETRY_MS } = deps.timing ?? {}
  const leaseMs = deps.timing?.leaseMs ?? 3 * callMs
  const open = new Set<Promise<void>>()
  let stopped = false
  let swept = 0
  let wake: () => void = () => undefined
  const closing = Promise.withResolvers<void>()
  const nudge = () => wake()

  const send = async (one: ClaimedDelivery): Promise<void> => {
    const result = await attempt(deps, one, callMs)
    const wanted = 'status' in result && result.status >= 200 && result.status < 300
    if (wanted) return markDelivered(database, one.id, result.status)
    const status = 'status' in result ? result.status : null
    // 410: the receiver wants no more calls (Standard Webhooks).
    if (status === 410) await disableWebhook(database, one.webhook_id)
    const waited =
      Math.min(firstRetryMs * 3 ** Math.min(one.attempts - 1, 12), LAST_RETRY_MS) * (0.8 + 0.4 * Math.random())
    const over = Date.now() + waited - one.created_at.getTime() > GIVE_UP_MS
    const error = 'error' in result ? result.error : `status ${status}`
    await markFailed(database, one.id, { status, error, retryMs: over ? null : waited })
  }

  const round = async (): Promise<boolean> => {
    if (performance.now() - swept > SWEEP_MS || swept === 0) {
      swept = performance.now()
      await sweepDeliveries(database, KEEP_HOURS)
    }
    const more = await deps.fanOut()
    const slots = MAX_CALLS - open.size
    const claimed = slots > 0 ? await claimDeliveries(database, slots, CALLS_PER_WEBHOOK, leaseMs) : []
    for (const one of claimed) {
      const sending = send(one)
        // The lease ends by itself: the call is made again.
        .catch(report)
        .finally(() => {
          open.delete(sending)
          nudge()
        })
      open.add(sending)
    }
    return more || claimed.length > 0
  }

  const running = (async () => {
    while (!stopped) {
      const nudged = new Promise<void>((resolve) => {
        wake = resolve
      })
      const began = performance.now()
      const again = await round().catch((error) => {
        if (!stopped) report(error)
        return false
      })
      await waitFor(Math.min(LONGEST_PAUSE_MS, (performance.now() - began) * PAUSE_PER_LOOK), closing.promise)
      if (!again) await waitFor(pollMs, nudged)
    }
  })()
  return {
    nudge,
    async close() {
      stopped = true
      closing.resolve()
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
