import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Admin,
  type Consumer,
  type IHeaders,
  Kafka,
  logLevel,
  Partitioners,
  type Producer,
  type SASLOptions,
} from 'kafkajs'
import { certificateFault } from '../../domain/certificate-fault.ts'
import { cloudEventHeaders } from '../../domain/cloud-event.ts'
import { type KafkaConnection, type KafkaSasl, kafkaTlsNames } from '../../domain/connection-settings.ts'
import { topicNamed, topics } from '../../domain/event.ts'
import { Fault } from '../../domain/fault.ts'
import type { EventFlow, EventMessage, Events } from '../events.ts'
import { randomWait } from '../random-wait.ts'
import { tlsOptions } from '../tls.ts'
import { deliver } from './deliver.ts'

/** Longest wait for the broker during opening or subscribing, ms. The process then continues without the broker. */
const connectTimeoutMs = 10_000
const joinTimeoutMs = 15_000

interface Counts {
  received: number
  dropped: number
  reconnects: number
}

// kafkajs 2.2 computes the timeout of its request queue from a clock that is never set. The timeout becomes 1 ms, which does no harm, but
// Node prints a warning to stderr at every start. Only that warning is suppressed.
const warn = process.emitWarning.bind(process) as (...words: unknown[]) => void
process.emitWarning = ((...words: unknown[]) => {
  if (words[1] !== 'TimeoutNegativeWarning') warn(...words)
}) as typeof process.emitWarning

/**
 * Opens the events of a Kafka broker. Each subscription is a separate consumer group, so every process receives every message. The process
 * also starts while the broker is unreachable: until it answers, `publish` throws Fault Refused, subscriptions wait, and `lag` reports
 * `connected: false`.
 */
export async function openKafka(brokers: readonly string[], connection: KafkaConnection = {}): Promise<Events> {
  const kafka = new Kafka({
    clientId: `hexcast-${hostname()}-${process.pid}`,
    brokers: [...brokers],
    ssl: connection.tls && tlsOptions(connection.tls),
    sasl: connection.sasl && saslOptions(connection.sasl),
    logLevel: logLevel.NOTHING,
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    // A broker that has just started answers "coordinator is loading" for several seconds.
    retry: { initialRetryTime: 150, maxRetryTime: 2_000, retries: 5 },
  })
  const admin = kafka.admin()
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 },
  })
  const counts = { received: 0, dropped: 0, reconnects: 0 }
  const listeners = new Set<Listener>()
  let linked = false
  let failure: string | undefined
  let linking: Promise<void> | undefined
  const link = () => {
    linking ??= (async () => {
      await admin.connect()
      await createTopics(admin, brokers.length)
      await producer.connect()
      linked = true
      failure = undefined
    })().catch((error) => {
      linking = undefined
      failure = reasonOf(error, connection)
      throw error
    })
    return linking
  }
  await within(connectTimeoutMs, link())

  return {
    publish: (topic, key, payload, options = {}) =>
      reached(
        async () => {
          checkPayload(topic, payload)
          await link()
          await send(producer, { topic, key, payload, ...options })
        },
        brokers,
        connection,
      ),
    async subscribe(topic, handler) {
      const listener = new Listener(kafka, admin, link, topic, handler, counts)
      listeners.add(listener)
      await within(connectTimeoutMs, listener.start())
      return {
        async close() {
          await listener.stop()
          listeners.delete(listener)
        },
      }
    },
    lag(): EventFlow {
      const all = [...listeners]
      return {
        kind: 'kafka',
        connected: linked && all.every((listener) => listener.connected),
        behind: all.reduce((sum, listener) => sum + listener.behind, 0),
        ...(failure && { failure }),
        ...counts,
      }
    },
    async close() {
      await Promise.all([...listeners].map((listener) => listener.stop()))
      await linking?.catch(() => {})
      await Promise.all([producer.disconnect(), admin.disconnect()].map((end) => end.catch(() => {})))
    },
  }
}

function saslOptions(sasl: KafkaSasl): SASLOptions {
  if (sasl.mechanism !== 'oauthbearer') return { ...sasl }
  const { token, tokenFile } = sasl
  return {
    mechanism: 'oauthbearer',
    oauthBearerProvider: async () => ({ value: tokenFile ? (await readFile(tokenFile, 'utf8')).trim() : token }),
  }
}

/** Returns why the brokers cannot be used, and what to do. */
function reasonOf(error: unknown, { tls, sasl }: KafkaConnection): string {
  const names = { address: 'KAFKA_BROKERS', ...kafkaTlsNames }
  const fault = certificateFault(error, names)
  if (fault) return fault
  const message = error instanceof Error ? error.message : String(error)
  if (message.includes('authentication failed'))
    return `"${message}". Check KAFKA_SASL_MECHANISM and the user and password or token of KAFKA_SASL_*.`
  const protocol = `${sasl ? 'SASL_' : ''}${tls ? 'SSL' : 'PLAINTEXT'}`
  return `"${message}". Check that the brokers are up, and that their listener has KAFKA_SECURITY_PROTOCOL=${protocol}.`
}

/** Resolves when the work has succeeded or the time is up. The work then continues in the background. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const late = new AbortController()
  const ended = work.catch(() => {})
  await Promise.race([ended, pause(ms, undefined, { signal: late.signal }).catch(() => {})])
  late.abort()
}

function checkPayload(topic: string, payload: unknown): void {
  const schema = topicNamed(topic)?.schema
  if (!schema || schema.safeParse(payload).success) return
  throw new Fault(
    'Invalid',
    `event on ${topic}: the payload must match the schema of the topic, but is ${JSON.stringify(payload).slice(0, 300)}`,
  )
}

async function send(producer: Producer, { topic, key, payload, id, trace }: EventMessage): Promise<void> {
  const headers = {
    ...cloudEventHeaders(topic, key, payload, id === undefined ? randomUUID() : String(id)),
    ...(id !== undefined && { id: String(id) }),
    ...(trace && { traceparent: trace }),
  }
  await producer.send({
    topic,
    acks: -1,
    messages: [{ key, value: JSON.stringify(payload), headers }],
  })
}

async function createTopics(admin: Admin, brokerCount: number): Promise<void> {
  const replicationFactor = Math.min(3, brokerCount)
  await admin.createTopics({
    waitForLeaders: true,
    topics: Object.values(topics).map(({ name, partitions, retentionHours }) => ({
      topic: name,
      numPartitions: partitions,
      replicationFactor,
      configEntries: [
        { name: 'retention.ms', value: String(retentionHours * 3_600_000) },
        { name: 'cleanup.policy', value: 'delete' },
        { name: 'min.insync.replicas', value: String(Math.max(1, replicationFactor - 1)) },
      ],
    })),
  })
}

/**
 * A consumer. It commits the offsets of its group when it joins, so that it misses no message after a reconnect. It commits later offsets
 * after the handler returns, so a message may be delivered twice.
 */
class Listener {
  readonly #kafka: Kafka
  readonly #admin: Admin
  readonly #link: () => Promise<void>
  readonly #topic: string
  readonly #handler: (message: EventMessage) => Promise<void> | void
  readonly #counts: Counts
  readonly #group = `hexcast-${hostname()}-${process.pid}-${randomUUID()}`
  readonly #behind = new Map<number, number>()
  #from: { topic: string; partition: number; offset: string }[] | undefined
  #consumer: Consumer | undefined
  #lastSign = Number.NEGATIVE_INFINITY
  #stopped = false
  #starting: Promise<void> | undefined
  #stopping: Promise<void> | undefined
  #joins = 0

  constructor(
    kafka: Kafka,
    admin: Admin,
    link: () => Promise<void>,
    topic: string,
    handler: (message: EventMessage) => Promise<void> | void,
    counts: Counts,
  ) {
    this.#kafka = kafka
    this.#admin = admin
    this.#link = link
    this.#topic = topic
    this.#handler = handler
    this.#counts = counts
  }

  get connected(): boolean {
    return performance.now() - this.#lastSign < 8_000
  }

  get behind(): number {
    return [...this.#behind.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Resolves when this subscription has joined its group; it retries until then. */
  start(): Promise<void> {
    this.#starting ??= (async () => {
      while (!this.#stopped) {
        try {
          await this.#link()
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
    const now = await this.#admin.fetchTopicOffsets(this.#topic)
    this.#from ??= now.map(({ partition, high }) => ({ topic: this.#topic, partition, offset: high }))
    const consumer = this.#kafka.consumer({
      groupId: this.#group,
      sessionTimeout: 10_000,
      heartbeatInterval: 1_000,
      maxWaitTimeInMs: 100,
      allowAutoTopicCreation: false,
      retry: { initialRetryTime: 150, maxRetryTime: 2_000, retries: 5, restartOnFailure: async () => !this.#stopped },
    })
    this.#consumer = consumer
    const joined = Promise.withResolvers<void>()
    const { GROUP_JOIN, HEARTBEAT, FETCH } = consumer.events
    const sign = () => {
      this.#lastSign = performance.now()
    }
    consumer.on(HEARTBEAT, sign)
    consumer.on(FETCH, sign)
    consumer.on(GROUP_JOIN, () => {
      sign()
      if (this.#joins++ > 0) this.#counts.reconnects++
      joined.resolve()
    })
    const late = setTimeout(
      () => joined.reject(new Error(`the consumer did not join its group within ${joinTimeoutMs / 1000} s`)),
      joinTimeoutMs,
    )
    try {
      await consumer.connect()
      await consumer.subscribe({ topics: [this.#topic] })
      await this.#run(consumer)
      await joined.promise
    } finally {
      clearTimeout(late)
    }
    for (const place of this.#from) consumer.seek(place)
    await consumer.commitOffsets(this.#from)
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
          const message = read(this.#topic, key, value, headers ?? {})
          const isDelivered = message && (await deliver(this.#handler, message, () => this.#stopped))
          if (this.#stopped && !isDelivered) return
          if (isDelivered) this.#counts.received++
          else this.#counts.dropped++
          resolveOffset(offset)
          this.#behind.set(batch.partition, Math.max(0, Number(batch.highWatermark) - Number(offset) - 1))
          await commitOffsetsIfNecessary()
          await heartbeat()
        }
      },
    })
  }

  /** Closes the consumer at the first call. Later calls share that promise, because the admin's connection must not be closed twice. */
  stop(): Promise<void> {
    this.#stopping ??= (async () => {
      this.#stopped = true
      await this.#consumer?.disconnect().catch(() => {})
      await this.#starting?.catch(() => {})
      if (this.#from) await this.#admin.deleteGroups([this.#group]).catch(() => {})
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

async function reached<T>(act: () => Promise<T>, brokers: readonly string[], connection: KafkaConnection): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault(
      'Refused',
      `Kafka at ${brokers.join(', ')} does not answer: ${reasonOf(error, connection)}`,
      {},
      error,
    )
  }
}
