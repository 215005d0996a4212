import { setTimeout as pause } from 'node:timers/promises'
import { type LineageNote, lineageEvent } from '../domain/run/lineage.ts'

/** The settings of lineage, with the names of the OpenLineage standard. */
export interface LineagePlace {
  /** The base address; events are sent to `/api/v1/lineage` below it. */
  readonly url: string
  readonly namespace: string
  readonly key?: string
}

export interface Lineage {
  /** Queues an event. It never waits and never throws, because ingestion must not depend on the lineage server. */
  note(note: LineageNote): void
  /** Sends the queued events, but stops after two seconds. */
  close(): Promise<void>
}

/** Maximum number of queued events; beyond it the oldest are dropped. One day of all datasets has about 600 events. */
const MAX_QUEUED = 1000
const SEND_MS = 5_000
const CLOSE_MS = 2_000
/** Pauses before the retries of an event, ms. After the last retry the event is dropped. */
const RETRIES_MS = [1_000, 4_000, 15_000]

/**
 * Sends events one at a time, in order.
 * @param report called with the first failure, and after a success with the next failure
 */
export function openLineage(place: LineagePlace, report: (error: unknown) => void): Lineage {
  const queue: object[] = []
  const stopping = new AbortController()
  const address = `${place.url.replace(/(?<!\/)\/+$/, '')}/api/v1/lineage`
  let sending: Promise<void> | undefined
  let failing = false

  async function post(event: object): Promise<void> {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(place.key && { authorization: `Bearer ${place.key}` }) },
      body: JSON.stringify(event),
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(SEND_MS)]),
    })
    await reply.body?.cancel()
    if (!reply.ok) throw new Error(`${address}: the status must be 2xx, but is ${reply.status}`)
  }

  async function send(event: object): Promise<void> {
    for (const wait of [...RETRIES_MS, undefined]) {
      try {
        await post(event)
        failing = false
        return
      } catch (error) {
        if (!failing && !stopping.signal.aborted) report(error)
        failing = true
        if (wait === undefined || stopping.signal.aborted) return
        await pause(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      }
    }
  }

  async function drain(): Promise<void> {
    for (let event = queue.shift(); event && !stopping.signal.aborted; event = queue.shift()) await send(event)
    sending = undefined
  }

  return {
    note(note) {
      queue.push(lineageEvent(place.namespace, note))
      if (queue.length > MAX_QUEUED) queue.shift()
      sending ??= drain()
    },
    async close() {
      await Promise.race([sending, pause(CLOSE_MS, undefined, { ref: false })])
      stopping.abort()
      await sending
    },
  }
}
