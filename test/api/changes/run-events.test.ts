import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NowcastAtPoint } from '../../../api/contract.ts'
import type { RouteRequest } from '../../../api/route.ts'
import { eventStreams } from '../../../api/routes/events.ts'
import { type OnsetDeps, onsetWatch } from '../../../api/webhooks/onset-watch.ts'
import { loadConfig } from '../../../ingest/config.ts'
import { topics } from '../../../ingest/domain/event.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { type Instant, isoSeconds, MINUTE } from '../../../ingest/domain/time.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { openEvents } from '../../../ingest/ports/events/open.ts'
import type { Events } from '../../../ingest/ports/events.ts'
import { relayOutbox } from '../../../ingest/steps/relay-outbox.ts'
import { recordLate } from '../../../sql/queries/lateness.ts'
import { removeSentMessages } from '../../../sql/queries/outbox.ts'
import { endRun, publishRun, startRun } from '../../../sql/queries/runs.ts'
import { receiver, until, webhookHarness } from '../webhooks/harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies as they came
type Json = any

let harness: Awaited<ReturnType<typeof webhookHarness>>
let database: Database
let events: Events
beforeAll(async () => {
  harness = await webhookHarness()
  database = harness.database
  events = await openEvents(loadConfig({ DATA_DIR: harness.dataDir }), database)
}, 60_000)
afterAll(async () => {
  await events?.close()
  await harness?.close()
})

const now = () => isoSeconds(Date.now() + 1000)
const keyOf = (run: Instant, dataset = 'nbm') => ({ dataset, domain: 'conus', run: new Date(run) })
const started = (run: Instant, dataset = 'nbm') => ({
  topic: topics.started.name,
  key: dataset,
  payload: { dataset, domain: 'conus', run: isoSeconds(run), at: now() },
})
const begin = (run: Instant, dataset?: string) => startRun(database, keyOf(run, dataset), started(run, dataset))
const late = (run: Instant) =>
  recordLate(database, [{ ...keyOf(run), stage: 0, due_at: new Date(run) }], new Date(), (row) => ({
    topic: topics.late.name,
    key: row.dataset,
    payload: { ...started(run).payload, stage: 0, expected_at: isoSeconds(run), due_at: isoSeconds(run) },
  }))
const publish = (run: Instant, stage: number) =>
  publishRun(
    database,
    {
      ...keyOf(run),
      ...{ stage, publishedTo: stage, manifestKey: `k${stage}`, manifest: {}, wanted: 1, got: 1, missing: 0 },
    },
    [{ topic: topics.runs.name, key: 'nbm', payload: { ...started(run).payload, stage } }],
  )
const at = Date.parse('2026-07-04T12:00:00Z')

test('starts a run once, however often and in whichever process its work begins', async () => {
  const run = at - 86_400_000
  await Promise.all([begin(run), begin(run), begin(run)])
  await begin(run)
  // The run disappears upstream and appears again.
  await endRun(database, keyOf(run), 'gone', 'test')
  await begin(run)
  const rows = await database.query('select id from outbox where topic = $1', [topics.started.name])
  expect(rows).toHaveLength(2)
  await database.query('delete from outbox')
})

test('sends started, late, published and stage to webhooks in order and once, filtered by dataset', async () => {
  const target = await receiver((response) => void response.writeHead(200).end())
  const hook = await harness.hook(target.url, { dataset_id: ['nbm'] }, ['run.*'])
  const sender = harness.sender({})
  await begin(at)
  await begin(at, 'gfs')
  await late(at)
  await late(at)
  await publish(at, 0)
  await publish(at, 1)
  await relayOutbox({ database, events })
  await until(() => target.calls.length >= 4)
  await sender.close()
  const calls = target.calls.map(({ body }) => JSON.parse(body) as Json)
  expect(calls.map(({ type }) => type)).toEqual(['run.started', 'run.late', 'run.published', 'run.stage'])
  expect(calls[1].data).toMatchObject({ dataset: 'nbm', domain: 'conus', due_at: isoSeconds(at) })
  await database.query('delete from webhook where id = $1', [hook])
  await target.close()
})

/** A stream of `/v1/events`, without the rest of the API. */
async function openStream(query: Record<string, string>, onsets?: OnsetDeps, lastId?: string) {
  const streams = await eventStreams({
    ...{ database, events, onError: (error) => console.error(error), isActive: () => true },
    plans: {} as never,
    ...(onsets && { onsets }),
  })
  const server = createServer((request, response) => {
    Object.assign(request, { exchange: { id: 'test' } })
    const incoming = { query, headers: { 'last-event-id': lastId }, caller: undefined } as unknown as RouteRequest
    void Promise.resolve(streams.route.stream!(incoming, request, response)).catch((error) =>
      response.end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const abort = new AbortController()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const response = await fetch(url, { signal: abort.signal })
  let text = ''
  const reading = (async () => {
    for await (const part of response.body ?? []) text += Buffer.from(part).toString()
  })().catch(() => undefined)
  return {
    seen: () =>
      text
        .split('\n\n')
        .filter((block) => block.includes('event: '))
        .map((block) => ({
          id: /^id: (\S+)$/m.exec(block)?.[1],
          event: /^event: (.*)$/m.exec(block)?.[1],
          data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '') as Json,
        })),
    text: () => text,
    async close() {
      abort.abort()
      await reading
      await streams.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

test('streams each change of a run with an id, and the missed changes after a reconnect', async () => {
  const query = { events: 'run.*', dataset_id: 'nbm' }
  const stream = await openStream(query)
  await until(() => stream.text().includes('listening'))
  const run = at + 86_400_000
  await begin(run)
  await begin(run, 'hrrr')
  await publish(run, 0)
  await until(() => stream.seen().length >= 2)
  expect(stream.seen().map(({ event, data }) => [event, data.dataset])).toEqual([
    ['run.started', 'nbm'],
    ['run.published', 'nbm'],
  ])
  const first = nth(stream.seen(), 0).id!
  await stream.close()
  await late(run)
  const resumed = await openStream({ ...query, events: 'run.published,run.late' }, undefined, first)
  await until(() => resumed.seen().length >= 2)
  expect(resumed.seen().map(({ event }) => event)).toEqual(['run.published', 'run.late'])
  await resumed.close()
})

test('deletes old published messages, and keeps waiting messages', async () => {
  await database.query(`delete from outbox`)
  for (const run of [1, 2, 3]) await begin(at + run * 3_600_000, 'rtma')
  const age = (hours: number) => `clock_timestamp() - make_interval(hours => ${hours})`
  const ids = (await database.query<{ id: number }>('select id from outbox order by id')).map(({ id }) => id)
  await database.query(`update outbox set sent_at = ${age(170)} where id = $1`, [nth(ids, 0)])
  await database.query(`update outbox set sent_at = ${age(160)} where id = $1`, [nth(ids, 1)])
  expect(await removeSentMessages(database, 168)).toBe(1)
  const remaining = await database.query<{ id: number }>('select id from outbox order by id')
  expect(remaining.map(({ id }) => id)).toEqual(ids.slice(1))
})

/** Minutes from each scan to the first wet step, for scans every two minutes; null if no step is wet. */
function scans(starts: readonly (number | null)[]) {
  const first = Date.now() - starts.length * 2 * MINUTE
  let at = -1
  const anchor = () => (at < 0 ? undefined : first + at * 2 * MINUTE)
  const deps: OnsetDeps = {
    anchorOf: (domain) => (domain === 'conus' ? anchor() : undefined),
    nowcast: async () => {
      const minutes = starts[at] ?? null
      const startsAt = minutes === null ? undefined : anchor()! + minutes * MINUTE
      const summary = { startsAt, type: 'rain', peakIntensity: 'light', alreadyOccurring: minutes === 0 }
      return { anchor: anchor()!, product: 'x', points: [], summary, warnings: [], freshness: [] } as NowcastAtPoint
    },
    clock: () => anchor()!,
    resolution: 7,
    simulated: () => true,
  }
  return { deps, next: () => at++ }
}
const denver = { where: { lat: '39.74', lon: '-104.99' }, within_minutes: 30 }

test('calls a webhook once at an onset, with several processes and a crash', async () => {
  const target = await receiver((response) => void response.writeHead(200).end())
  const hook = await harness.hook(target.url, denver, ['nowcast.onset'])
  const { deps, next } = scans([null, 45, 28, 20, 0])
  /** Simulates a crash in the middle of a transaction, which is rolled back. */
  const dying: Database = {
    ...database,
    query: database.query.bind(database),
    transaction: (work, ...rest) =>
      database.transaction(
        async (tx) => {
          await work(tx)
          throw new Error('killed')
        },
        ...rest,
      ),
  }
  const looks = [onsetWatch({ ...deps, database }), onsetWatch({ ...deps, database })]
  for (let scan = 0; scan < 5; scan++) {
    next()
    await onsetWatch({ ...deps, database: dying })().catch(() => undefined)
    await Promise.all([...looks, ...looks].map((look) => look()))
  }
  const sender = harness.sender({})
  await until(() => target.calls.length >= 1)
  await sender.close()
  const rows = await database.query('select id from webhook_delivery where webhook_id = $1', [hook])
  expect([rows.length, target.calls.length]).toEqual([1, 1])
  const { type, data } = JSON.parse(nth(target.calls, 0).body) as Json
  expect(type).toBe('nowcast.onset')
  expect(data).toMatchObject({
    lat: 39.74,
    lon: -104.99,
    within_minutes: 30,
    minutes: 28,
    type: 'rain',
    simulated: true,
  })
  await target.close()
})

test('reports an onset on the stream of a point, and rejects a stream without a point', async () => {
  const { deps, next } = scans([null, 20, 15])
  next()
  const stream = await openStream({ events: 'nowcast.onset', lat: '39.74', lon: '-104.99' }, deps)
  await until(() => stream.text().includes('listening'))
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(stream.seen()).toEqual([])
  next()
  await until(() => stream.seen().length === 1)
  next()
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(stream.seen().map(({ event, data }) => [event, data.minutes])).toEqual([['nowcast.onset', 20]])
  await stream.close()
  const refused = await openStream({ events: 'nowcast.onset' }, deps)
  await until(() => refused.text() !== '')
  expect(refused.text()).toContain('needs a point')
  await refused.close()
})
