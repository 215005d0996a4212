import { setTimeout as pause } from 'node:timers/promises'
import { buryMessage, markSent, type NumberedRow, tryRelayLock, unsentMessages } from '../../sql/queries/outbox.ts'
import type { Queries } from '../../sql/session.ts'
import { isFault } from '../domain/fault.ts'
import type { Database } from '../ports/database.ts'
import type { Events } from '../ports/events.ts'
import { inSpanAfter, traceparent } from '../ports/trace.ts'

interface RelayDeps {
  readonly database: Database
  readonly events: Events
}

const batch = 200

/**
 * Publishes the rows of the outbox, oldest first, at least once: the transaction marks them as sent, so a crash in between publishes them
 * again. Only one relay of all processes is active at a time. A row that can never be published (Fault Invalid) is moved to `outbox_dead`.
 * @param report receives why a row was moved
 * @returns the number of published rows
 */
export async function relayOutbox(
  { database, events }: RelayDeps,
  report: (error: unknown) => void = () => {},
): Promise<number> {
  for (let sent = 0, missed = 0; ; ) {
    const round = await database.transaction((tx) => relayRows(tx, events, report))
    if (!round) {
      // The active relay may have read before our rows were committed, so this process tries once more before it leaves
      // them to the next round.
      if (++missed > 3) return sent
      await pause(30)
      continue
    }
    if (round.failure !== undefined) throw round.failure
    sent += round.rows
    if (round.rows < batch) return sent
  }
}

/**
 * Publishes the oldest rows up to the first failure, and marks those before it as sent.
 * @returns the number of rows that wait no longer, and the failure; undefined while another relay is active
 */
async function relayRows(
  tx: Queries,
  events: Events,
  report: (error: unknown) => void,
): Promise<{ rows: number; failure?: unknown } | undefined> {
  if (!(await tryRelayLock(tx))) return undefined
  const messages = await unsentMessages(tx, batch)
  const published: number[] = []
  let dead = 0
  let failure: unknown
  for (const message of messages) {
    try {
      await publishRow(events, message)
      published.push(message.id)
    } catch (error) {
      if (!isFault(error, 'Invalid')) {
        failure = error
        break
      }
      await buryMessage(tx, message.id, error.message)
      dead++
      report(new Error(`event ${message.id} can never be published and is now in outbox_dead: ${error.message}`))
    }
  }
  if (published.length > 0) await markSent(tx, published)
  return { rows: published.length + dead, failure }
}

function publishRow(events: Events, { topic, key, payload, id, incarnation, trace }: NumberedRow): Promise<void> {
  return inSpanAfter(trace, 'announce', { 'messaging.destination.name': topic, 'messaging.message.id': id }, () =>
    events.publish(topic, key, payload, { id, incarnation, trace: traceparent() }),
  )
}

export interface Relay {
  /** Publishes committed rows now instead of at the next interval. */
  nudge(): void
  readonly failures: number
  stop(): Promise<void>
}

/**
 * Publishes immediately, at every nudge, and every half second for rows that a crash left behind; less often while the
 * broker is unreachable.
 */
export function startRelay(deps: RelayDeps, report: (error: unknown) => void): Relay {
  let failures = 0
  let stopped = false
  let wake: () => void = () => {}
  const running = (async () => {
    while (!stopped) {
      const nudged = new Promise<void>((resolve) => {
        wake = resolve
      })
      try {
        await relayOutbox(deps, report)
        failures = 0
      } catch (error) {
        failures++
        if (!stopped) report(error)
      }
      const waitMs = Math.min(500 * 2 ** Math.min(failures, 4), 5_000)
      await Promise.race([nudged, pause(waitMs, undefined, { ref: false })])
    }
  })()
  return {
    nudge: () => wake(),
    get failures() {
      return failures
    },
    async stop() {
      stopped = true
      wake()
      await running
      // This process publishes the last rows if possible; otherwise the next process does.
      await relayOutbox(deps).catch(() => {})
    },
  }
}
