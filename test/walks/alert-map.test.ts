import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AlertWatch, watchAlerts } from '../../api/live/alert-watch.ts'
import { alertsAt as alertsAtPoint, alertWarnings, geometryOf, textsOf } from '../../api/live/alerts.ts'
import { alertsAt } from '../../infra/simulator/alerts.ts'
import { alertMap } from '../../infra/simulator/feeds/alert-map.ts'
import { alertFeed } from '../../infra/simulator/feeds/alerts.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import type { SimulatedHost } from '../../infra/simulator/source.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import { feedState, usesSecondSource } from '../../sql/queries/feeds.ts'
import { secondSources } from '../../sql/queries/second-sources.ts'

/** Alerts while their first host is unavailable. The map service is on another host, and has them without texts. */
const HOST = '/api.weather.gov/'
const MAP = 'https://mapservices.weather.noaa.gov/eventdriven/rest/services/WWA/watch_warn_adv/MapServer'
const second = ['https://api.weather.gov/alerts/active.atom', MAP]
/** A fixed time with storms, because the simulated weather depends on it. */
const START = Date.UTC(2026, 7, 20, 18)

let now: number
let folder: string
let database: Database
let mirror: Mirror
let upstream: Upstream
let watch: AlertWatch
/** Changes the answers of the map service. */
let onMap: (body: { features: Row[] }, layer: number, isList: boolean) => object | string
interface Row {
  geometry: object | null
  properties: Record<string, unknown>
}

const map = alertMap(4)
const changed: SimulatedHost = {
  ...map,
  async find(path, query, at) {
    const document = await map.find(path, query, at)
    if (!document) return undefined
    const body = JSON.parse(new TextDecoder().decode(await document.body()))
    const answer = onMap(body, path.includes('/0/') ? 0 : 1, query.get('returnGeometry') === 'false')
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    return { ...document, body: () => new TextEncoder().encode(text) }
  },
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-map-'))
  mirror = await startMirror({ sources: [alertFeed(), changed], now: () => now })
  database = await openDatabase({ dataDir: folder, databasePool: 1 })
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
}, 60_000)
afterAll(async () => {
  await upstream?.close()
  await mirror?.close()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  now = START
  onMap = (body) => body
  mirror.misbehaviours.length = 0
  await database.query('truncate alert, alert_zone, feed_state, second_source cascade')
  watch = await watchAlerts({ database, clock: Date.now, pollSeconds: 30 })
  return () => watch.close()
})

const sweep = () => sweepAlerts({ database, upstream, secondSources: { alerts: second } }, now)
const hostAway = () => mirror.misbehaviours.push({ path: HOST, how: '503' })
interface ShownRow {
  readonly id: string
  readonly limited: boolean
  readonly event: string
  readonly drawn: boolean
}
const shown = () =>
  database.query<ShownRow & Record<string, unknown>>(
    `select id, coalesce((head->>'limited')::boolean, false) as limited, head->>'event' as event, polygon is not null as drawn
     from alert where shown is not null and status = 'Actual' order by id`,
  )
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort()
/** The simulated alerts in force, without messages that end others. */
const inForce = () => alertsAt(now).filter(({ status, action }) => status === 'Actual' && action !== 'CAN')

test('alerts are known at a cold start without the first host, and are complete when it returns', async () => {
  hostAway()
  const swept = await sweep()
  expect(swept).toMatchObject({
    state: 'changed',
    why: expect.stringMatching(/read from the second source \(mapservices/),
    rejected: 0,
  })
  const rows = await shown()
  expect(idsOf(rows)).toEqual(idsOf(inForce()))
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.every(({ limited, drawn }) => limited && drawn)).toBe(true)
  expect(usesSecondSource((await feedState(database, 'alerts'))!)).toBe(true)
  expect(await secondSources(database)).toMatchObject([{ source: 'mapservices.weather.noaa.gov' }])
  expect((await sweep()).changes, 'the same again').toEqual([])

  mirror.misbehaviours.length = 0
  const back = await sweep()
  const published = back.changes.filter(({ head }) => head.status === 'Actual')
  expect(new Set(published.map(({ change }) => change))).toEqual(new Set(['updated']))
  const complete = await shown()
  expect(idsOf(complete)).toEqual(idsOf(rows))
  expect(complete.some(({ limited }) => limited)).toBe(false)
  expect(await secondSources(database)).toEqual([])
})

test('a place has a warning that only the map service has, marked as limited, with its link', async () => {
  hostAway()
  await sweep()
  await watch.read()
  const [warning] = inForce().filter(({ ring, event }) => ring && event.endsWith('Warning'))
  const [[west = 0, south = 0] = [], , [east = 0, north = 0] = []] = warning!.ring!
  const [lat, lon] = [(south + north) / 2, (west + east) / 2]
  const live = watch.index.get(warning!.id, START)!
  expect(watch.index.at(lat, lon, START)).toContain(live)
  expect(geometryOf(live)).toMatchObject({ type: 'MultiPolygon' })
  expect(live).toMatchObject({
    expiration: warning!.ends,
    head: { event: warning!.event },
    record: { severity: warning!.severity },
  })
  expect(textsOf(live).description).toContain(`https://api.weather.gov/alerts/${warning!.id}`)
  expect(alertWarnings(watch.trust(Date.now()).doubt, [live])).toEqual([
    expect.objectContaining({ code: 'source_fallback', detail: expect.stringMatching(/a second source is read/) }),
    expect.objectContaining({
      code: 'source_fallback',
      detail: expect.stringMatching(/known only from NOAA's map.*Warning/),
    }),
  ])
  const at = { lat, lon, now: Date.now(), cell: cellOf(lat, lon, 7), domain: 'conus' } as never
  expect((await alertsAtPoint(watch)(at)).degraded).toBe(false)
})

test('an update that only the map service has replaces the previous message, and nothing else ends', async () => {
  await sweep()
  const before = await shown()
  hostAway()
  now += 17 * MINUTE
  const swept = await sweep()
  expect(swept.state).toBe('changed')
  expect(swept.changes.filter(({ change }) => change === 'cancelled')).toEqual([])
  const rows = await shown()
  const listed = new Set(idsOf(inForce()))
  for (const id of listed) expect(idsOf(rows)).toContain(id)
  const tracks = await database.query<{ track: string; n: number }>(
    `select track, count(*)::int as n from alert where shown is not null and head->>'event' like '%Warning'
     and head->>'event' not like 'Red%' group by 1`,
  )
  expect(tracks.filter(({ n }) => n !== 1)).toEqual([])
  const complete = rows.filter(({ limited }) => !limited)
  for (const { id } of complete) expect(idsOf(before)).toContain(id)
  expect(rows.some(({ limited }) => limited)).toBe(true)

  mirror.misbehaviours.length = 0
  await sweep()
  await sweep()
  const feed = alertsAt(now).filter(({ status }) => status === 'Actual')
  for (const { id, limited } of await shown()) {
    expect(idsOf(feed)).toContain(id)
    expect(limited).toBe(false)
  }
})

test('alerts that the map service lacks end only at their own times', async () => {
  await sweep()
  const before = await shown()
  const [missing, other] = idsOf(before)
  hostAway()
  onMap = (body) => {
    for (const { properties } of body.features) if (properties['cap_id'] === missing) properties['cap_id'] = other
    return body
  }
  for (let i = 0; i < 3; i++) expect((await sweep()).why).toMatch(/alerts are read from the second source/)
  expect(idsOf(await shown())).toEqual(idsOf(before))
  const { expiration } = nth(
    await database.query<{ expiration: Date }>('select expiration from alert where id = $1', [missing]),
    0,
  )
  now = expiration.getTime() + 1
  await sweep()
  expect(idsOf(await shown())).not.toContain(missing)
})

test('a frozen copy of the first host ends no alert that only the map service has', async () => {
  await sweep()
  const before = idsOf(await shown())
  for (const path of ['/api.weather.gov/alerts/active', '/api.weather.gov/alerts/active.atom'])
    mirror.misbehaviours.push({ path: new RegExp(`${path}$`), how: 'frozen', seconds: 900 })
  await sweep()
  now += 17 * MINUTE
  const swept = await sweep()
  expect(swept.why).toMatch(/the copy must be from the last 12 minutes.*read from the second source \(mapservices/)
  const fresh = (await shown()).filter(({ id }) => !before.includes(id))
  expect(fresh.length).toBeGreaterThan(0)
  onMap = () => '{}'
  for (let i = 0; i < 3; i++) await sweep()
  const after = idsOf(await shown())
  for (const { id } of fresh) expect(after).toContain(id)
  await watch.read()
  expect(watch.trust(Date.now()).doubt?.code).not.toBe('source_fallback')
  expect(watch.trust(Date.now()).doubt).toBeDefined()
})

test.each([
  ['503', () => mirror.misbehaviours.push({ path: '/mapservices', how: '503' }), /no usable answer/],
  ['cut off', () => mirror.misbehaviours.push({ path: '/mapservices', how: 'truncate' }), /mapservices/],
  ['half a body', () => (onMap = (body) => JSON.stringify(body).slice(0, -40)), /expected JSON/],
  ['an error with status 200', () => (onMap = () => ({ error: { code: 500 } })), /answered with the error/],
  ['empty', () => (onMap = (body) => ({ ...body, features: [], exceededTransferLimit: false })), /must have rows/],
  ['the same page without end', () => (onMap = (body) => ({ ...body, exceededTransferLimit: true })), /adds none/],
  [
    'an hour old',
    () =>
      (onMap = (body) => {
        for (const { properties } of body.features)
          for (const name of ['idp_filedate', 'idp_ingestdate']) properties[name] = now - HOUR
        return body
      }),
    /must be current/,
  ],
])('stored alerts stay while both hosts fail: the map is %s', async (_, breakMap, why) => {
  await sweep()
  const before = idsOf(await shown())
  hostAway()
  breakMap()
  const failed = await sweep()
  expect(failed.state).toBe('failed')
  expect(failed.why).toMatch(why)
  expect(idsOf(await shown())).toEqual(before)
  await watch.read()
  expect(watch.trust(Date.now()).doubt?.code).toBe('feed_unconfirmed')
})

test('alerts whose outlines cannot be read yet leave the feed unconfirmed, and an alert without an outline is known', async () => {
  hostAway()
  const bare = nth(inForce(), 0).id
  onMap = (body, layer, isList) => {
    if (!isList && layer === 1) return { error: { code: 500 } }
    for (const row of body.features) if (row.properties['cap_id'] === bare) row.geometry = null
    return body
  }
  const partly = await sweep()
  expect(partly.state).toBe('failed')
  expect(partly.why).toMatch(/\d+ alerts of the second source remain to be read/)
  expect((await shown()).length).toBeGreaterThan(0)
  onMap = (body) => {
    for (const row of body.features) if (row.properties['cap_id'] === bare) row.geometry = null
    return body
  }
  expect((await sweep()).why).toMatch(/alerts are read from the second source/)
  const rows = await shown()
  expect(idsOf(rows)).toEqual(idsOf(inForce()))
  expect(idsOf(rows.filter(({ drawn }) => !drawn))).toEqual([bare])
  await watch.read()
  expect(idsOf(watch.index.unplaced(now))).toEqual([bare])
})

test('the index of the first host reads the documents of alerts that were limited', async () => {
  hostAway()
  await sweep()
  mirror.misbehaviours.splice(0, 1, { path: /\/alerts\/active$/, how: '503' })
  const swept = await sweep()
  expect(swept.why).toMatch(/read from the second source \(api\.weather\.gov\)/)
  const rows = await shown()
  expect(idsOf(rows)).toEqual(idsOf(inForce()))
  expect(rows.some(({ limited }) => limited)).toBe(false)
})
