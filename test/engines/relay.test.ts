import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { topics } from '../../ingest/domain/event.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { relayOutbox, startRelay } from '../../ingest/steps/relay-outbox.ts'
import { addToOutbox, outboxLag } from '../../sql/queries/outbox.ts'
import { startTcpProxy } from './faulty-proxy.ts'
import { down, freePorts, up } from './native.ts'
import { freshPlace } from './place.ts'

const topic = topics.runs.name
const KEYS = 5
const ROWS = 600
let folder: string
let place: Awaited<ReturnType<typeof freshPlace>>
let databases: Database[] = []
let proxy: Awaited<ReturnType<typeof startTcpProxy>>
let replies = 0
let lost = 0
let isSpoiled = false
/** Replies that are lost meanwhile: one of this number. */
const LOST_EVERY = 7

/** A broker that names the proxy as its address, so that each connection goes through the proxy. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-relay-'))
  await mkdir(folder, { recursive: true })
  const ports = await freePorts()
  proxy = await startTcpProxy(`127.0.0.1:${ports['KAFKA_PORT']}`, () => {
    const isLost = isSpoiled && ++replies % LOST_EVERY === 0
    if (isLost) lost++
    return isLost
  })
  await writeFile(join(folder, 'kafka.more.properties'), `advertised.listeners=PLAINTEXT://${proxy.address}\n`)
  place = await freshPlace()
  const [first, second] = await Promise.all([openDatabase(place.config), openDatabase(place.config)])
  databases = [first, second]
  await up(folder, ['kafka'], ports)
})

afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()))
  await place?.drop()
  proxy?.close()
  await down(folder)
  await rm(folder, { recursive: true, force: true })
})

/** The numbers of the outbox rows in the topic, in the order of each key. */
async function publishedByKey(): Promise<Map<string, number[]>> {
  const kafka = new Kafka({ brokers: [proxy.address], logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  await admin.connect()
  const offsets = await admin.fetchTopicOffsets(topic)
  await admin.disconnect()
  const wanted = offsets.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0)
  const consumer = kafka.consumer({ groupId: `relay-${process.pid}` })
  await consumer.connect()
  await consumer.subscribe({ topic, fromBeginning: true })
  const numbers = new Map<string, number[]>()
  let read = 0
  await consumer.run({
    eachMessage: async ({ message: { key, headers } }) => {
      read++
      const list = numbers.get(String(key)) ?? []
      numbers.set(String(key), [...list, Number(String(headers?.['id']))])
    },
  })
  await expect.poll(() => read, { timeout: 30_000 }).toBe(wanted)
  await consumer.disconnect()
  return numbers
}

test('moves a row that can never be published to the dead rows, and publishes those after it', async () => {
  const [database] = databases
  if (!database) throw new Error('no database was opened')
  const events = await openEvents({ kafkaBrokers: [proxy.address] })
  const payload = { dataset: 'relay', run: '2026-08-20T12:00:00.000Z', at: '2026-08-20T13:00:00.000Z' }
  const large = { ...payload, dataset: 'x'.repeat(3_000_000) }
  const ids = await database.transaction((tx) =>
    addToOutbox(
      tx,
      [{ nonsense: true }, payload, large, payload].map((value) => ({ topic, key: 'dead', payload: value })),
    ),
  )
  const reports: string[] = []
  const relay = () => relayOutbox({ database, events }, (error) => void reports.push(String(error)))
  // Other tests' relays hold the lock of this PostgreSQL at times, and the relay then leaves the rows to its next round.
  let sent = 0
  await expect.poll(async () => (sent += await relay()), { timeout: 60_000 }).toBe(4)
  expect(await outboxLag(database)).toMatchObject({ waiting: 0 })
  const dead = await database.query<{ id: number; reason: string }>('select id, reason from outbox_dead order by id')
  expect(dead).toEqual([
    { id: ids[0], reason: expect.stringContaining('must match the schema of the topic') },
    { id: ids[2], reason: expect.stringMatching(/larger than|too large/i) },
  ])
  expect(reports).toHaveLength(2)
  await events.close()
})

test('publishes every row in order through lost acknowledgements, by two relays at once', async () => {
  const publishers = await Promise.all([0, 1].map(() => openEvents({ kafkaBrokers: [proxy.address] })))
  const failures: unknown[] = []
  const relays = publishers.map((events, index) =>
    startRelay({ database: nth(databases, index), events }, (error) => void failures.push(error)),
  )
  isSpoiled = true
  const stored = new Map<string, number[]>()
  for (let row = 0; row < ROWS; row += 10) {
    const messages = Array.from({ length: 10 }, (_, index) => ({
      topic,
      key: `key-${(row + index) % KEYS}`,
      payload: {
        dataset: 'relay',
        run: '2026-08-20T12:00:00.000Z',
        at: new Date(1_790_000_000_000 + row).toISOString(),
      },
    }))
    const ids = await nth(databases, 0).transaction((tx) => addToOutbox(tx, messages))
    messages.forEach(({ key }, index) => void stored.set(key, [...(stored.get(key) ?? []), nth(ids, index)]))
    relays.forEach((relay) => void relay.nudge())
    await pause(50)
    // An outage that is longer than the retries of a producer, so that its sends fail and it is replaced.
    if (row !== ROWS / 2) continue
    proxy.cut()
    await expect.poll(() => failures.length, { timeout: 40_000 }).toBeGreaterThan(0)
    proxy.restore()
  }
  isSpoiled = false
  expect(lost).toBeGreaterThan(5)
  await expect.poll(() => outboxLag(nth(databases, 0)), { timeout: 60_000 }).toMatchObject({ waiting: 0 })
  await Promise.all(relays.map((relay) => relay.stop()))
  await Promise.all(publishers.map((events) => events.close()))

  const published = await publishedByKey()
  published.delete('dead')
  const firsts = new Map([...published].map(([key, numbers]) => [key, [...new Set(numbers)]]))
  expect(firsts).toEqual(stored)
  const total = [...published.values()].reduce((sum, numbers) => sum + numbers.length, 0)
  // A failed transaction marks none of its rows as sent, so the rows of each failed round may be in the topic again.
  expect(total - ROWS).toBeLessThanOrEqual(failures.length * 200)
  console.info(`${ROWS} rows, ${lost} lost replies, ${failures.length} failed rounds, ${total - ROWS} doubled`)
})
