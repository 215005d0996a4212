import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type Admin, Kafka, logLevel, type ProducerRecord } from 'kafkajs'
import type { KafkaConnection } from '../../domain/connection-settings.ts'
import { deadLetters, topicNamed, topics } from '../../domain/event.ts'
import { Fault } from '../../domain/fault.ts'
import type { EventFlow, EventLog, Events } from '../events.ts'
import { kafkaSecurity, logOfKafka, reasonOf } from './kafka-connection.ts'
import { restIdleConnections } from './kafka-idle.ts'
import { type DeadLetter, KafkaListener } from './kafka-listener.ts'
import { KafkaSender, recordOf, recordOfLetter } from './kafka-sender.ts'

/** Longest wait for the broker during opening or subscribing, ms. The process then continues without the broker. */
const connectTimeoutMs = 10_000

restIdleConnections()

/**
 * Opens the events of a Kafka broker. The process has one consumer for each topic that it subscribes to, in a group of its own, so every
 * process receives every message. It also starts while the broker is unreachable: until the broker answers, `publish` throws Fault Refused,
 * subscriptions wait, and `lag` reports `connected: false`.
 */
export async function openKafka(
  brokers: readonly string[],
  connection: KafkaConnection = {},
  log?: EventLog,
): Promise<Events> {
  const kafka = new Kafka({
    clientId: `hexcast-${hostname()}-${process.pid}`,
    brokers: [...brokers],
    ...kafkaSecurity(connection),
    ...(log ? logOfKafka(log) : { logLevel: logLevel.NOTHING }),
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    // A broker that has just started answers "coordinator is loading" for several seconds.
    retry: { initialRetryTime: 150, maxRetryTime: 2_000, retries: 5 },
  })
  const admin = kafka.admin()
  const sender = new KafkaSender(kafka)
  const counts = { received: 0, dropped: 0, reconnects: 0 }
  /** The consumers, by topic. */
  const listeners = new Map<string, KafkaListener>()
  let linked = false
  let failure: string | undefined
  let linking: Promise<void> | undefined
  const link = () => {
    linking ??= (async () => {
      await admin.connect()
      await createTopics(admin, connection.replication)
      await sender.connect()
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

  const sendLinked = async (message: ProducerRecord) => {
    await link()
    await sender.send(message)
  }
  const bury = (letter: DeadLetter) => sendLinked(recordOfLetter(letter))

  return {
    publish: (topic, key, payload, options = {}) =>
      reached(
        async () => {
          checkPayload(topic, payload)
          await sendLinked(recordOf({ topic, key, payload, ...options }))
        },
        brokers,
        connection,
      ),
    async subscribe(topic, handler) {
      const listener = listeners.get(topic) ?? new KafkaListener({ kafka, admin, link, topic, counts, bury, log })
      listeners.set(topic, listener)
      const end = listener.add(handler)
      await within(connectTimeoutMs, listener.start())
      return {
        async close() {
          if (!end()) return
          if (listeners.get(topic) === listener) listeners.delete(topic)
          await listener.stop()
        },
      }
    },
    lag(): EventFlow {
      const all = [...listeners.values()]
      return {
        kind: 'kafka',
        connected: linked && all.every((listener) => listener.connected),
        behind: all.reduce((sum, listener) => sum + listener.behind, 0),
        ...(failure && { failure }),
        ...counts,
      }
    },
    async close() {
      await Promise.all([...listeners.values()].map((listener) => listener.stop()))
      await linking?.catch(() => {})
      await Promise.all([sender.disconnect(), admin.disconnect()].map((end) => end.catch(() => {})))
    },
  }
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

/** Number of copies of a topic unless KAFKA_REPLICATION says otherwise or the cluster has fewer brokers. */
const DEFAULT_REPLICATION = 3

/** Creates the topics that do not exist. Topics that exist are used as they are, so creation may be forbidden then. */
async function createTopics(admin: Admin, replication: number | undefined): Promise<void> {
  const present = new Set(await admin.listTopics())
  const missing = [...Object.values(topics), deadLetters].filter(({ name }) => !present.has(name))
  if (missing.length === 0) return
  const replicationFactor = replication ?? Math.min(DEFAULT_REPLICATION, (await admin.describeCluster()).brokers.length)
  try {
    await admin.createTopics({
      waitForLeaders: true,
      topics: missing.map(({ name, partitions, retentionHours }) => ({
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
  } catch (error) {
    const names = missing.map(({ name }) => name).join(', ')
    throw new Error(`the topics ${names} do not exist and could not be created: ${reasonOfTopics(error)}`, {
      cause: error,
    })
  }
}

/** Returns the reasons of the single topics, which an aggregate error of kafkajs has. */
function reasonOfTopics(error: unknown): string {
  const { errors, message } = error as Error & { errors?: readonly Error[] }
  return [...new Set(errors?.map(({ message: text }) => text) ?? [message])].join('; ')
}

async function reached<T>(act: () => Promise<T>, brokers: readonly string[], connection: KafkaConnection): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof Fault) throw error
    // Sending these again cannot help.
    if (/MESSAGE_TOO_LARGE|RECORD_LIST_TOO_LARGE/.test((error as { type?: string }).type ?? ''))
      throw new Fault('Invalid', `event: ${(error as Error).message}`, {}, error)
    throw new Fault(
      'Refused',
      `Kafka at ${brokers.join(', ')} does not answer: ${reasonOf(error, connection)}`,
      {},
      error,
    )
  }
}
