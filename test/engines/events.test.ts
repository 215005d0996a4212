import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import { deadLetters, topics } from '../../ingest/domain/event.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import type { EventLog, Events } from '../../ingest/ports/events.ts'
import { eventsSuite } from '../contracts/events-suite.ts'
import { type CloudEventMessage, cloudEventsSdk, readCloudEvent } from '../truth/cloud-event.ts'
import { startTcpProxy } from './faulty-proxy.ts'

let events: Events
const open = () => openEvents(loadConfig())

beforeAll(async () => {
  events = await open()
})

afterAll(() => events?.close())

describe('Kafka', () => eventsSuite(() => events, open))

describe('Kafka alone', () => {
  test('creates topics with their settings', async () => {
    const { Kafka, logLevel } = await import('kafkajs')
    const admin = new Kafka({ brokers: [...loadConfig().kafkaBrokers], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const metadata = await admin.fetchTopicMetadata({ topics: Object.values(topics).map(({ name }) => name) })
    for (const { name, partitions } of Object.values(topics)) {
      expect(metadata.topics.find((topic) => topic.name === name)?.partitions).toHaveLength(partitions)
    }
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: 2, name: topics.alerts.name, configNames: ['retention.ms'] }],
    })
    expect(nth(nth(resources, 0).configEntries, 0).configValue).toBe(String(topics.alerts.retentionHours * 3_600_000))
    await admin.disconnect()
  })

  test('sends the headers of a CloudEvent in binary mode, and the payload alone as the body', async () => {
    const { Kafka, logLevel } = await import('kafkajs')
    const kafka = new Kafka({ brokers: [...loadConfig().kafkaBrokers], logLevel: logLevel.NOTHING })
    const consumer = kafka.consumer({ groupId: `cloud-events-${process.pid}-${Date.now()}` })
    await consumer.connect()
    await consumer.subscribe({ topic: topics.runs.name, fromBeginning: false })
    const received: CloudEventMessage[] = []
    const joined = new Promise<void>((resolve) => void consumer.on(consumer.events.GROUP_JOIN, () => resolve()))
    await consumer.run({
      eachMessage: async ({ message: { key, value, headers } }) => {
        if (String(key) !== 'cloud') return
        const named = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])
        received.push({ key: String(key), value: String(value), headers: Object.fromEntries(named) })
      },
    })
    await joined
    const payload = { dataset: 'cloud', run: '2026-08-20T12:00:00.000Z', at: '2026-08-20T13:00:00.000Z' }
    await expect
      .poll(
        async () => {
          // A new group starts at the offsets of its join, so earlier messages are not received.
          if (received.length === 0) await events.publish(topics.runs.name, 'cloud', payload, { id: 7 })
          return received.length
        },
        { timeout: 20_000, interval: 500 },
      )
      .toBeGreaterThan(0)
    await consumer.disconnect()
    expect(nth(received, 0).headers).toMatchObject({ ce_specversion: '1.0', ce_id: '7', ce_type: 'hexcast.runs.v1' })
    expect(JSON.parse(nth(received, 0).value)).toEqual(payload)
    if (!cloudEventsSdk) return
    expect(readCloudEvent(nth(received, 0))).toMatchObject({
      id: '7',
      source: 'urn:hexcast',
      type: 'hexcast.runs.v1',
      subject: 'cloud',
      data: payload,
    })
  })

  test('rejects a payload of another topic before it is sent, and skips foreign messages', async () => {
    await expect(events.publish(topics.runs.name, 'k', { nonsense: true })).rejects.toMatchObject({ kind: 'Invalid' })
    const received: unknown[] = []
    const subscription = await events.subscribe(topics.runs.name, ({ key }) => {
      // Other test files publish in the same topic.
      if (key === 'foreign' || key === 'after') received.push(key)
    })
    const { Kafka, logLevel } = await import('kafkajs')
    const producer = new Kafka({ brokers: [...loadConfig().kafkaBrokers], logLevel: logLevel.NOTHING }).producer()
    await producer.connect()
    await producer.send({
      topic: topics.runs.name,
      messages: [
        { key: 'foreign', value: 'not json' },
        { key: 'foreign', value: '{}' },
      ],
    })
    await producer.disconnect()
    const payload = { dataset: 'after', run: '2026-08-20T12:00:00.000Z', at: '2026-08-20T13:00:00.000Z' }
    await events.publish(topics.runs.name, 'after', payload)
    await expect.poll(() => received, { timeout: 10_000 }).toEqual(['after'])
    await subscription.close()
  })

  test('stores a message that no attempt could handle as a dead letter, and delivers the later ones', async () => {
    const { Kafka, logLevel } = await import('kafkajs')
    const own = `dead-${Math.random().toString(36).slice(2)}`
    const letters: { offset: string; value: string; headers: Record<string, string> }[] = []
    const consumer = new Kafka({ brokers: [...loadConfig().kafkaBrokers], logLevel: logLevel.NOTHING }).consumer({
      groupId: own,
    })
    await consumer.connect()
    await consumer.subscribe({ topic: deadLetters.name, fromBeginning: true })
    await consumer.run({
      eachMessage: async ({ message: { key, value, headers, offset } }) => {
        const texts = Object.fromEntries(Object.entries(headers ?? {}).map(([name, text]) => [name, String(text)]))
        if (String(key) === own) letters.push({ offset, value: String(value), headers: texts })
      },
    })
    const errors: object[] = []
    const log = { warn: () => undefined, error: (fields: object) => void errors.push(fields) }
    const listening = await openEvents(loadConfig(), undefined, log as unknown as EventLog)
    const received: unknown[] = []
    await listening.subscribe(topics.runs.name, ({ key, payload }) => {
      if (key !== own) return
      if ((payload as { dataset: string }).dataset === 'spoiled') throw new Error('the handler has no such dataset')
      received.push(payload)
    })
    const payloadOf = (dataset: string) => ({
      dataset,
      run: '2026-08-20T12:00:00.000Z',
      at: '2026-08-20T13:00:00.000Z',
    })
    await events.publish(topics.runs.name, own, payloadOf('spoiled'))
    await events.publish(topics.runs.name, own, payloadOf('sound'))
    await expect.poll(() => received, { timeout: 30_000 }).toEqual([payloadOf('sound')])
    await expect.poll(() => letters.length, { timeout: 20_000 }).toBe(1)
    expect(JSON.parse(letters[0]?.value ?? '')).toEqual(payloadOf('spoiled'))
    expect(letters[0]?.headers).toMatchObject({
      'hexcast-topic': topics.runs.name,
      'hexcast-error': 'the handler has no such dataset',
      ce_type: topics.runs.name,
    })
    expect(errors).toMatchObject([{ topic: topics.runs.name, key: own, error: 'the handler has no such dataset' }])
    expect(listening.lag().dropped).toBe(1)
    await listening.close()
    await consumer.disconnect()
  })

  test('starts without a broker: publishing is Refused and names it, and nothing is received', async () => {
    const away = await openEvents({ kafkaBrokers: ['127.0.0.1:1'] })
    const payload = { dataset: 'away', run: '2026-08-20T12:00:00.000Z', at: '2026-08-20T13:00:00.000Z' }
    await expect(away.publish(topics.runs.name, 'away', payload)).rejects.toMatchObject({
      kind: 'Refused',
      message: expect.stringContaining('127.0.0.1:1'),
    })
    await away.subscribe(topics.runs.name, () => {})
    expect(away.lag().connected).toBe(false)
    await away.close()
  })

  test('receives in a subscription that began without a broker once the broker is reachable', async () => {
    const line = await startTcpProxy(nth(loadConfig().kafkaBrokers, 0))
    line.cut()
    const late = await openEvents({ kafkaBrokers: [line.address] })
    const received: string[] = []
    await late.subscribe(topics.runs.name, ({ key }) => void received.push(key))
    expect(late.lag().connected).toBe(false)
    line.restore()
    await expect.poll(() => late.lag().connected, { timeout: 30_000 }).toBe(true)
    const payload = { dataset: 'late', run: '2026-08-20T12:00:00.000Z', at: '2026-08-20T13:00:00.000Z' }
    await events.publish(topics.runs.name, 'late', payload)
    await expect.poll(() => received, { timeout: 10_000 }).toContain('late')
    await late.close()
    line.close()
  })
})
