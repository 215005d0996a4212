import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstKey } from '../../api/keys/issue.ts'
import { type RunningApi, startApi } from '../../api/main.ts'
import { textFeed } from '../../infra/simulator/feeds/texts.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { loadConfig } from '../../ingest/config.ts'
import { textChanged } from '../../ingest/domain/event.ts'
import { textListName, textLists } from '../../ingest/domain/text/product.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { expireTexts, sweepTexts } from '../../ingest/steps/feeds/texts.ts'
import { type Relay, startRelay } from '../../ingest/steps/relay-outbox.ts'
import { removeOldTextChanges } from '../../sql/queries/changes.ts'

let dataDir: string
let database: Database
let events: Events
let upstream: Upstream
let relay: Relay
let api: RunningApi
let key: string
let mirror: Mirror

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-text-events-'))
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' })
  database = await openDatabase(config)
  events = await openEvents(config, database)
  mirror = await startMirror({ sources: [textFeed()], now: () => Date.now() })
  upstream = openUpstream({ mirror: mirror.url })
  relay = startRelay({ database, events }, () => undefined)
  api = await startApi(config, { database, events, objects: await openObjects(config) })
  key = (await firstKey(database)) as unknown as string
})
afterAll(async () => {
  await api.close()
  await relay.stop()
  await events.close()
  await upstream.close()
  await mirror.close()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

interface Received {
  readonly id: string
  readonly event: string
  readonly data: Record<string, unknown>
}

const get = (query: string, last?: string, signal?: AbortSignal) =>
  fetch(`http://127.0.0.1:${api.port}/v1/events?${query}`, {
    headers: { authorization: `Bearer ${key}`, ...(last !== undefined && { 'last-event-id': last }) },
    ...(signal && { signal }),
  })

/** The id of the event before. */
const idBefore = (id: string) => id.replace(/\d+$/, (number) => String(Number(number) - 1))

/** An open stream and the events that it has received. */
async function listen(query: string, last?: string) {
  const abort = new AbortController()
  const response = await get(query, last, abort.signal)
  expect(response.status).toBe(200)
  const received: Received[] = []
  const read = async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const [, id, event, data] = /^id: (\S+)\nevent: (\S+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
        if (data) received.push({ id: id!, event: event!, data: JSON.parse(data) })
        text = text.slice(end + 2)
      }
    }
  }
  void read().catch(() => undefined)
  return { received, stop: () => abort.abort() }
}

const few = textLists.filter((list) => ['text/swo-mcd', 'text/afd'].includes(textListName(list)))
const sweep = () => sweepTexts({ database, upstream, notify: relay.nudge }, few)
/** Has the simulator issue a text. */
const issue = async (query: string) =>
  (
    (await (await fetch(`${mirror.url}/api.weather.gov/_texts?${query}`)).json()) as { issued: { id: string }[] }
  ).issued.at(-1)!.id
const awaitEvent = (stream: { received: Received[] }, id: string, event: string) =>
  expect
    .poll(() => stream.received.filter((message) => message.data['id'] === id && message.event === event).length, {
      timeout: 15_000,
    })
    .toBe(1)

test('sends each text once as issued and once as expired, by place, resumable by id, and only if texts are requested', async () => {
  await sweep()
  const all = await listen('events=text.*')
  const both = await listen('events=alert.*,text.*')
  const alerts = await listen('')
  const expired = await listen('events=text.expired&lat=40&lon=-105')
  const matching = await Promise.all(
    ['lat=40&lon=-105', 'bbox=-106,39,-104,41', 'office=BOU', 'area=CO', 'zone=COC013'].map((where) =>
      listen(`events=text.*&${where}`),
    ),
  )
  const elsewhere = await Promise.all(
    ['lat=25.8&lon=-80.2', 'bbox=-81,25,-80,26', 'office=MFL', 'area=FL', 'zone=FLC086', 'lat=21.3&lon=-157.9'].map(
      (where) => listen(`events=text.*&${where}`),
    ),
  )
  const afd = await issue('office=BOU')
  await sweep()
  const mcd = await issue('lat=40&lon=-105&minutes=30')
  await sweep()
  for (const stream of [all, both, ...matching]) await awaitEvent(stream, afd, 'text.issued')
  // An MCD has a polygon. Filters by office, state and zone match the offices that it is addressed to.
  for (const stream of [all, both, ...matching.slice(0, 2)]) await awaitEvent(stream, mcd, 'text.issued')
  const first = all.received.find(({ data }) => data['id'] === afd)!
  expect(textChanged.parse(first.data)).toMatchObject({ kind: 'afd', change: 'issued', wfo: 'BOU', awips: 'AFDBOU' })
  expect(textChanged.parse(all.received.find(({ data }) => data['id'] === mcd)?.data)).toMatchObject({
    kind: 'mcd',
    wfo: null,
    number: expect.any(Number),
  })

  await database.query(
    `update text_product set current_until = clock_timestamp() - interval '1 second' where item = $1`,
    [mcd],
  )
  await expireTexts({ database, notify: relay.nudge })
  for (const stream of [all, both, expired, ...matching.slice(0, 2)]) await awaitEvent(stream, mcd, 'text.expired')

  const resumed = await listen('events=text.*', idBefore(first.id))
  await awaitEvent(resumed, mcd, 'text.expired')
  const own = ({ data }: Received) => data['id'] === afd || data['id'] === mcd
  expect(resumed.received.filter(own)).toEqual(all.received.filter(own))
  expect(all.received.filter(own).map(({ event }) => event)).toEqual(['text.issued', 'text.issued', 'text.expired'])
  for (const { received } of [all, both, resumed]) {
    const ids = received.map(({ id }) => Number(id.split('-')[1]))
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  }
  expect(expired.received.map(({ event }) => event)).toEqual(expired.received.map(() => 'text.expired'))
  expect([...elsewhere.flatMap(({ received }) => received.filter(own)), ...alerts.received]).toEqual([])
  for (const stream of [all, both, alerts, expired, resumed, ...matching, ...elsewhere]) stream.stop()
}, 60_000)

test('refuses an unknown event with a list of the known events, and deletes old changes', async () => {
  const refused = await get('events=texts')
  expect(refused.status).toBe(400)
  expect(JSON.stringify(await refused.json())).toContain('text.issued')
  await database.query(`update text_change set at = at - interval '8 days'`)
  await removeOldTextChanges(database, 168)
  expect(await database.query('select id from text_change')).toEqual([])
})
