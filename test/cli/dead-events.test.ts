import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runVerb } from '../../bin/command-line.ts'
import { verbs } from '../../bin/verbs/workers.ts'
import { topics } from '../../ingest/domain/event.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { measurePorts } from '../../ingest/ports/measure.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { relayOutbox } from '../../ingest/steps/relay-outbox.ts'
import { addToOutbox, buryMessage } from '../../sql/queries/outbox.ts'

// What an operator does about events that can never be published: the verb over an embedded database.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-dead-events-'))
const topic = topics.runs.name
const payload = { dataset: 'hrrr', run: '2026-08-20T12:00:00.000Z', at: '2026-08-20T13:00:00.000Z' }

/** Open all the time, as of a running installation: the verb joins it. */
let database: Database
let events: Events
const received: { key: string; id?: number | undefined }[] = []

async function deadEvents(...words: string[]): Promise<{ status: number; printed: string }> {
  const lines: unknown[] = []
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line) => void lines.push(line)),
  )
  try {
    const verb = verbs.find(({ name }) => name === 'dead-events')
    if (!verb) throw new Error('there is no verb dead-events')
    return { status: await runVerb(verb, words), printed: lines.join('\n') }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** Adds a message to the outbox and moves it to the dead ones. @returns its id */
async function bury(key: string, reason: string): Promise<number> {
  return database.transaction(async (tx) => {
    const [id = 0] = await addToOutbox(tx, [{ topic, key, payload }])
    await buryMessage(tx, id, reason)
    return id
  })
}

async function deadInMetrics(): Promise<string | undefined> {
  const registry = new Registry()
  const objects = await openFolder(join(folder, 'objects'))
  measurePorts(registry, { database, events, objects }, Date.now, { exports: async () => true, datasets: [] })
  return /^hexcast_outbox_dead (\d+)$/m.exec(await registry.metrics())?.[1]
}

beforeAll(async () => {
  vi.stubEnv('DATA_DIR', folder)
  database = await openDatabase({ dataDir: folder, databasePool: 1 })
  events = await openEvents({ kafkaBrokers: [] })
  await events.subscribe(topic, ({ key, id }) => void received.push({ key, id }))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await events.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

test('lists the dead events with their reasons, newest first, and counts them in the metrics', async () => {
  expect(await deadEvents('list')).toEqual({ status: 0, printed: 'every event could be published' })
  expect(await deadInMetrics()).toBe('0')
  const [first, second] = [await bury('small', 'payload: expected a run'), await bury('large', 'larger\nthan 1 MB')]
  const { status, printed } = await deadEvents()
  expect(status).toBe(0)
  expect(printed.split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^ *${second} .* ${topic}  large  larger.than 1 MB$`)),
    expect.stringMatching(new RegExp(`^ *${first} .* ${topic}  small  payload: expected a run$`)),
  ])
  expect(await deadInMetrics()).toBe('2')
  expect(JSON.parse((await deadEvents('show', String(first))).printed)).toMatchObject({
    id: first,
    key: 'small',
    payload,
  })
})

test('publishes an event again under a new id, once', async () => {
  const id = await bury('again', 'the broker took less')
  const { status, printed } = await deadEvents('requeue', String(id))
  expect({ status, printed }).toEqual({
    status: 0,
    printed: expect.stringMatching(/^1 event will be published again as \d+$/),
  })
  await relayOutbox({ database, events })
  await expect.poll(() => received.map(({ key }) => key)).toEqual(['again'])
  expect(Number(printed.split(' ').at(-1))).toBeGreaterThan(id)
  expect(await deadEvents('requeue', String(id))).toEqual({
    status: 2,
    printed: `hexcast: there is no event ${id} among those that could not be published`,
  })
})

test('removes one event, then all', async () => {
  const id = await bury('one', 'unknown field')
  expect(await deadEvents('drop', String(id))).toEqual({ status: 0, printed: '1 event removed' })
  expect((await deadEvents('drop', 'all')).printed).toBe('2 events removed')
  expect(await deadInMetrics()).toBe('0')
  expect((await deadEvents('requeue', 'all')).printed).toBe('0 events will be published again')
})

test('says what is wrong with its arguments', async () => {
  for (const [words, message] of [
    [['mend'], 'unknown action "mend"; expected list, show, requeue or drop'],
    [['drop'], 'the event is missing; expected its number from "npx hexcast dead-events list", or all'],
    [['show', 'all'], '"all" is not an event; expected its number from "npx hexcast dead-events list"'],
  ] as const)
    expect(await deadEvents(...words)).toEqual({ status: 2, printed: `hexcast: ${message}` })
})
