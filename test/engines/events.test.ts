import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import { topics } from '../../ingest/domain/event.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { openEvents } from '../../ingest/ports/events-open.ts'
import { eventsSuite } from '../contracts/events-suite.ts'
import { cable } from './faulty-proxy.ts'

let events: Events
const open = () => openEvents(loadConfig())

beforeAll(async () => {
  events = await open()
})

afterAll(() => events?.close())

describe('Kafka', () => eventsSuite(() => events, open))

describe('Kafka alone', () => {
  test('topics have their settings', async () => {
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
    expect(resources[0]!.configEntries[0]!.configValue).toBe(String(topics.alerts.retentionHours * 3_600_000))
    await admin.disconnect()
  })

  test('a payload that is not the topic’s is refused before it is sent; foreign messages are passed over', async () => {
    await expect(events.publish(topics.runs.name, 'k', { nonsense: true })).rejects.toMatchObject({ kind: 'Invalid' })
    const received: unknown[] = []
    const subscription = await events.subscribe(topics.runs.name, (message) => void received.push(message.key))
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

  test('an unreachable broker prevents no start: publishing is Refused and names it, nothing is received', async () => {
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

  test('a subscription that began without a broker receives once it is reachable', async () => {
    const line = await cable(loadConfig().kafkaBrokers[0]!)
    line.cut()
    const late = await openEvents({ kafkaBrokers: [line.address] })
    const received: string[] = []
    await late.subscribe(topics.runs.name, ({ key }) => void received.push(key))
    expect(late.lag().connected).toBe(false)
    line.mend()
    await expect.poll(() => late.lag().connected, { timeout: 30_000 }).toBe(true)
    const payload = { dataset: 'late', run: '2026-08-20T12:00:00.000Z', at: '2026-08-20T13:00:00.000Z' }
    await events.publish(topics.runs.name, 'late', payload)
    await expect.poll(() => received, { timeout: 10_000 }).toContain('late')
    await late.close()
    line.close()
  })
})
