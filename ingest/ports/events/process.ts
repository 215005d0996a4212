import { AsyncResource } from 'node:async_hooks'
import { sentSince } from '../../../sql/queries/outbox.ts'
import { type EventId, eventIdText } from '../../domain/event-id.ts'
import { nth } from '../../domain/nth.ts'
import type { Database } from '../database.ts'
import type { EventFlow, EventLog, EventMessage, Events } from '../events.ts'
import { deliver } from './deliver.ts'

interface Subscriber {
  readonly topic: string
  readonly handler: (message: EventMessage) => Promise<void> | void
  readonly queue: EventMessage[]
  busy: boolean
  closed: boolean
}

const POLL_MS = 1_000

/** Opens events inside this process. With a database, subscribers also receive events that other processes published through the outbox. */
export async function openProcess(database?: Database, log?: EventLog): Promise<Events> {
  const subscribers = new Set<Subscriber>()
  const counts = { received: 0, dropped: 0, reconnects: 0 }
  const deliveredIds = new DeliveredIds()
  let connected = true
  let tail: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()
  let closed = false

  function spread(message: EventMessage): void {
    for (const subscriber of subscribers) {
      if (subscriber.topic !== message.topic) continue
      subscriber.queue.push(message)
      void drain(subscriber, counts, log)
    }
  }

  async function poll(database: Database, since: { at: Date }): Promise<void> {
    try {
      const rows = await sentSince(database, since.at)
      if (!connected) counts.reconnects++
      connected = true
      for (const { id, incarnation, topic, key, payload, sent_at, trace } of rows) {
        if (sent_at > since.at) since.at = sent_at
        if (deliveredIds.first({ incarnation, number: id }))
          spread({ id, topic, key, payload, trace: trace ?? undefined })
      }
    } catch {
      connected = false
    }
  }

  async function startTail(database: Database): Promise<void> {
    const since = { at: new Date(0) }
    // Events that precede the first subscription count as read and are not delivered.
    const [newest] = await database.query<{ at: Date | null }>('select max(sent_at) as at from outbox')
    since.at = newest?.at ?? since.at
    for (const { id, incarnation } of await sentSince(database, since.at))
      deliveredIds.first({ incarnation, number: id })
    let busy = false
    let isRequested = false
    const again = () => {
      if (closed) return
      isRequested = busy
      if (busy) return
      busy = true
      clearTimeout(tail)
      polling = poll(database, since).then(() => {
        busy = false
        if (isRequested) return again()
        tail = setTimeout(again, POLL_MS)
        tail.unref()
      })
    }
    readNow = again
    tail = setTimeout(again, POLL_MS)
    tail.unref()
  }
  let tailing: Promise<void> | undefined
  let readNow: (() => void) | undefined

  return {
    async publish(topic, key, payload, options = {}) {
      const { id, incarnation } = options
      if (id !== undefined && !deliveredIds.first({ incarnation, number: id })) return
      // A handler in another process would receive a copy. A copy is passed here too, so that publisher and handlers share no object.
      spread({ topic, key, payload: structuredClone(payload), id: options.id, trace: options.trace })
    },
    async subscribe(topic, handler) {
      if (database) await (tailing ??= startTail(database))
      // The handler runs in the async context of its subscription. A message that is published inside a transaction then does not run it in
      // that transaction.
      const bound = AsyncResource.bind(handler)
      const subscriber: Subscriber = { topic, handler: bound, queue: [], busy: false, closed: false }
      subscribers.add(subscriber)
      return {
        async close() {
          subscriber.closed = true
          subscribers.delete(subscriber)
        },
      }
    },
    readOutbox: () => readNow?.(),
    lag(): EventFlow {
      const behind = [...subscribers].reduce((sum, { queue }) => sum + queue.length, 0)
      return { kind: 'process', connected, behind, ...counts }
    },
    async close() {
      closed = true
      clearTimeout(tail)
      for (const subscriber of subscribers) subscriber.closed = true
      subscribers.clear()
      await polling
    },
  }
}

/** Delivers the queued messages of a subscriber one after the other. */
async function drain(
  subscriber: Subscriber,
  counts: { received: number; dropped: number },
  log?: EventLog,
): Promise<void> {
  if (subscriber.busy) return
  subscriber.busy = true
  while (subscriber.queue.length > 0 && !subscriber.closed) {
    const message = nth(subscriber.queue, 0)
    const failure = await deliver(subscriber.handler, message, () => subscriber.closed)
    subscriber.queue.shift()
    if (!failure) counts.received++
    else if (!subscriber.closed) {
      counts.dropped++
      const { topic, key, id } = message
      log?.error({ topic, key, id, error: failure.message }, 'an event was dropped after its last attempt')
    }
  }
  subscriber.busy = false
}

/** The ids of delivered outbox rows. Consecutive polls overlap, and the newest 20,000 ids cover the overlap. */
class DeliveredIds {
  readonly #ids = new Set<string>()

  first(eventId: EventId): boolean {
    const id = eventIdText(eventId)
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    const [oldest] = this.#ids
    if (this.#ids.size > 20_000 && oldest !== undefined) this.#ids.delete(oldest)
    return true
  }
}
