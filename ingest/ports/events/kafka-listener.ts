import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Admin, Consumer, IHeaders, Kafka } from 'kafkajs'
import { topicNamed } from '../../domain/event.ts'
import type { EventLog, EventMessage } from '../events.ts'
import { randomWait } from '../random-wait.ts'
import { deliver } from './deliver.ts'

const joinTimeoutMs = 15_000
const UNREADABLE = new Error('the message is not an event of this topic')

interface ListenerDeps {
  readonly kafka: Kafka
  readonly admin: Admin
  readonly link: () => Promise<void>
  readonly topic: string
  readonly counts: { received: number; dropped: number; reconnects: number }
  /** Stores a message that could not be handled. */
  readonly bury: (letter: DeadLetter) => Promise<void>
  readonly log?: EventLog
}

/** What one subscription does with a message. */
interface TopicSubscriber {
  readonly handle: (message: EventMessage) => Promise<void> | void
}

/** A message that could not be handled, as it was received, and why. */
export interface DeadLetter {
  readonly topic: string
  readonly partition: number
  readonly offset: string
  readonly group: string
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly headers: IHeaders
  readonly error: string
}

/**
 * The consumer of a topic, which the subscriptions of a process share. It commits the offsets of its group when it joins, so that it misses no
 * message after a reconnect. It commits later offsets after the handlers return, so a message may be delivered twice.
 */
export class KafkaListener {
  readonly #deps: ListenerDeps
  readonly #group = `hexcast-${hostname()}-${process.pid}-${randomUUID()}`
  readonly #subscribers = new Set<TopicSubscriber>()
  readonly #behind = new Map<number, number>()
  #from: { topic: string; partition: number; offset: string }[] | undefined
  /** Whether the group has offsets, which a consumer after a crash continues from. */
  #hasOffsets = false
  #consumer: Consumer | undefined
  #lastSign = Number.NEGATIVE_INFINITY
  #stopped = false
  #starting: Promise<void> | undefined
  #stopping: Promise<void> | undefined
  #joins = 0

  constructor(deps: ListenerDeps) {
    this.#deps = deps
  }

  /** Adds a subscription. The returned function ends it, and tells whether it was the last one. */
  add(handle: TopicSubscriber['handle']): () => boolean {
    const subscriber = { handle }
    this.#subscribers.add(subscriber)
    return () => {
      this.#subscribers.delete(subscriber)
      return this.#subscribers.size === 0
    }
  }

  get connected(): boolean {
    return performance.now() - this.#lastSign < 8_000
  }

  get behind(): number {
    return [...this.#behind.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Resolves when the consumer has joined its group; it retries until then. */
  start(): Promise<void> {
    this.#starting ??= (async () => {
      while (!this.#stopped) {
        try {
          await this.#deps.link()
          await this.#begin()
          return
        } catch {
          await this.#consumer?.disconnect().catch(() => {})
          // The wait is random, because all processes of a fleet lose the broker at the same time.
          await pause(randomWait(500, 0.5), undefined, { ref: false })
        }
      }
    })()
    return this.#starting
  }

  async #begin(): Promise<void> {
    const now = await this.#deps.admin.fetchTopicOffsets(this.#deps.topic)
    this.#from ??= now.map(({ partition, high }) => ({ topic: this.#deps.topic, partition, offset: high }))
    const consumer = this.#deps.kafka.consumer({
      groupId: this.#group,
      sessionTimeout: 10_000,
      heartbeatInterval: 3_000,
      // A fetch returns with the first message; without one, each costs a process time that fifty processes would feel.
      maxWaitTimeInMs: 1_000,
      allowAutoTopicCreation: false,
      retry: { initialRetryTime: 150, maxRetryTime: 2_000, retries: 5, restartOnFailure: async () => !this.#stopped },
    })
    this.#consumer = consumer
    const joined = Promise.withResolvers<void>()
    joined.promise.catch(() => {})
    const state = { crash: undefined as Error | undefined, hasBegun: false }
    const { CRASH, GROUP_JOIN, HEARTBEAT, FETCH } = consumer.events
    const sign = () => {
      this.#lastSign = performance.now()
    }
    consumer.on(HEARTBEAT, sign)
    consumer.on(FETCH, sign)
    consumer.on(GROUP_JOIN, () => {
      sign()
      if (this.#joins++ > 0) this.#deps.counts.reconnects++
      joined.resolve()
    })
    consumer.on(CRASH, ({ payload: { error, restart } }) => {
      if (restart) return
      state.crash = error
      joined.reject(error)
      // Until the consumer has begun, the loop in `start` replaces it.
      if (state.hasBegun) this.#restart(consumer, error)
    })
    const late = setTimeout(
      () => joined.reject(new Error(`the consumer did not join its group within ${joinTimeoutMs / 1000} s`)),
      joinTimeoutMs,
    )
    try {
      await consumer.connect()
      await consumer.subscribe({ topics: [this.#deps.topic] })
      await this.#run(consumer)
      await joined.promise
    } finally {
      clearTimeout(late)
    }
    if (!this.#hasOffsets) {
      for (const place of this.#from) consumer.seek(place)
      await consumer.commitOffsets(this.#from)
      this.#hasOffsets = true
    }
    if (state.crash) throw state.crash
    state.hasBegun = true
  }

  /** Starts another consumer of the same group in place of one that kafkajs has given up. */
  #restart(crashed: Consumer, error: Error): void {
    if (this.#stopped || this.#consumer !== crashed) return
    this.#deps.log?.warn(
      { topic: this.#deps.topic, error: error.message },
      'a consumer of Kafka crashed and is restarted',
    )
    this.#starting = undefined
    void this.start()
  }

  #run(consumer: Consumer): Promise<void> {
    return consumer.run({
      autoCommit: true,
      autoCommitInterval: 1_000,
      autoCommitThreshold: 50,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 3,
      eachBatch: async ({ batch, resolveOffset, heartbeat, commitOffsetsIfNecessary, isRunning, isStale }) => {
        for (const { key, value, headers, offset } of batch.messages) {
          if (!isRunning() || isStale()) return
          this.#behind.set(batch.partition, Number(batch.highWatermark) - Number(offset))
          const message = read(this.#deps.topic, key, value, headers ?? {})
          const failure = message ? await this.#deliver(message) : UNREADABLE
          if (this.#stopped && failure) return
          if (failure) {
            const { partition } = batch
            await this.#drop({ partition, offset, key, value, headers: headers ?? {}, error: failure.message })
          }
          resolveOffset(offset)
          this.#behind.set(batch.partition, Math.max(0, Number(batch.highWatermark) - Number(offset) - 1))
          await commitOffsetsIfNecessary()
          await heartbeat()
        }
      },
    })
  }

  /** Passes a message to all subscriptions and waits for them. @returns a failure of a subscription that has not ended meanwhile */
  async #deliver(message: EventMessage): Promise<Error | undefined> {
    const failures = await Promise.all(
      [...this.#subscribers].map(async (subscriber) => {
        const hasEnded = () => this.#stopped || !this.#subscribers.has(subscriber)
        const failure = await deliver(subscriber.handle, message, hasEnded)
        if (failure) return hasEnded() && !this.#stopped ? undefined : failure
        this.#deps.counts.received++
        return undefined
      }),
    )
    return failures.find((failure) => failure !== undefined)
  }

  /** Counts, logs and buries a message, so that the later messages of its partition are not held up. */
  async #drop(letter: Omit<DeadLetter, 'topic' | 'group'>): Promise<void> {
    const { topic, counts, bury, log } = this.#deps
    const { partition, offset, key, error } = letter
    counts.dropped++
    const where = { topic, partition, offset, key: String(key) }
    log?.error({ ...where, error }, 'an event was dropped after its last attempt')
    await bury({ topic, group: this.#group, ...letter }).catch((failure: Error) =>
      log?.error({ ...where, error: failure.message }, 'a dropped event could not be stored as a dead letter'),
    )
  }

  /** Closes the consumer at the first call. Later calls share that promise, because the admin's connection must not be closed twice. */
  stop(): Promise<void> {
    this.#stopping ??= (async () => {
      this.#stopped = true
      await this.#consumer?.disconnect().catch(() => {})
      await this.#starting?.catch(() => {})
      if (this.#from) await this.#deps.admin.deleteGroups([this.#group]).catch(() => {})
    })()
    return this.#stopping
  }
}

/** Returns undefined for a message of a foreign producer, so that the consumer skips it instead of failing. */
function read(topic: string, key: Buffer | null, value: Buffer | null, headers: IHeaders): EventMessage | undefined {
  try {
    const payload: unknown = JSON.parse(String(value))
    const schema = topicNamed(topic)?.schema
    if (schema && !schema.safeParse(payload).success) return undefined
    const number = headers['id'] === undefined ? undefined : Number(String(headers['id']))
    const id = Number.isSafeInteger(number) ? number : undefined
    const trace = headers['traceparent'] === undefined ? undefined : String(headers['traceparent'])
    return { topic, key: key ? String(key) : '', payload, id, trace }
  } catch {
    return undefined
  }
}
