import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import type { EventMessage, Events } from '../../ingest/ports/events.ts'
import { relayOutbox, startRelay } from '../../ingest/steps/relay-outbox.ts'
import { addToOutbox, outboxLag } from '../../sql/queries/outbox.ts'
import { eventsSuite } from './events-suite.ts'

let dataDir: string
let database: Database
let other: Database
let events: Events

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-events-'))
  database = await openDatabase({ dataDir, databasePool: 1 })
  other = await openDatabase({ dataDir, databasePool: 1 })
  events = await openEvents({ kafkaBrokers: [] }, database)
})

afterAll(async () => {
  await events.close()
  await other.close()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('in process', () =>
  eventsSuite(
    () => events,
    async () => events,
  ))

describe('the outbox relay', () => {
  const topic = 'hexcast.alerts.v1'
  const publish = (db: Database, key: string, number: number) =>
    db.transaction((tx) => addToOutbox(tx, [{ topic, key, payload: { number } }]))
  const listen = async (to: Events, key: string) => {
    const received: EventMessage[] = []
    await to.subscribe(topic, (message) => {
      if (message.key === key) received.push(message)
    })
    return received
  }

  test('publishes all messages in order, once each without failures, to this process and to others', async () => {
    const elsewhere = await openEvents({ kafkaBrokers: [] }, other)
    const [here, there] = [await listen(events, 'order'), await listen(elsewhere, 'order')]
    for (let number = 0; number < 10; number++) await publish(number % 2 ? other : database, 'order', number)
    expect(await relayOutbox({ database, events })).toBeGreaterThanOrEqual(10)
    expect(await relayOutbox({ database, events })).toBe(0)
    const numbers = Array.from({ length: 10 }, (_, number) => ({ number }))
    await expect.poll(() => here.map(({ payload }) => payload)).toEqual(numbers)
    await expect.poll(() => there.map(({ payload }) => payload), { timeout: 5_000 }).toEqual(numbers)
    expect((await outboxLag(database)).waiting).toBe(0)
    await elsewhere.close()
  })

  test('publishes unpublished messages again and loses none', async () => {
    const received = await listen(events, 'broken')
    let away = 3
    const flaky: Events = {
      ...events,
      publish: async (...words) => {
        if (away-- > 0) throw new Error('broker away')
        await events.publish(...words)
      },
    }
    const reports: unknown[] = []
    const relay = startRelay({ database, events: flaky }, (error) => reports.push(error))
    for (let number = 0; number < 5; number++) await publish(database, 'broken', number)
    relay.nudge()
    await expect
      .poll(() => received.map(({ payload }) => payload), { timeout: 15_000 })
      .toEqual([0, 1, 2, 3, 4].map((number) => ({ number })))
    expect(reports.length).toBeGreaterThan(0)
    await relay.stop()
  })

  test('never publishes a message whose transaction was rolled back', async () => {
    const received = await listen(events, 'undone')
    await database
      .transaction(async (tx) => {
        await addToOutbox(tx, [{ topic, key: 'undone', payload: { number: 1 } }])
        throw new Error('on purpose')
      })
      .catch(() => {})
    await relayOutbox({ database, events })
    expect(received).toEqual([])
  })
})
