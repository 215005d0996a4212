import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstKey } from '../../api/keys/issue.ts'
import { type RunningApi, startApi } from '../../api/main.ts'
import { loadConfig } from '../../ingest/config.ts'
import { outlookFiles } from '../../ingest/datasets/spc.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { expireAlerts, sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import { sweepOutlooks } from '../../ingest/steps/feeds/outlooks.ts'
import { type Relay, startRelay } from '../../ingest/steps/relay-outbox.ts'
import { startMirror } from './mirror.ts'

const FEED = 'api.weather.gov/alerts/active'
let dataDir: string
let database: Database
let events: Events
let upstream: Upstream
let relay: Relay
let api: RunningApi
let key: string
let mirror: Awaited<ReturnType<typeof startMirror>>

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-alerts-api-'))
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' })
  database = await openDatabase(config)
  events = await openEvents(config, database)
  mirror = await startMirror()
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

const ports = () => ({ database, upstream, notify: relay.nudge })
const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${api.port}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } })
// biome-ignore lint/suspicious/noExplicitAny: answers as parsed from JSON
type Json = any
const json = async (path: string) => (await ask(path)).json() as Promise<Json>
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const until = async (condition: () => Promise<boolean>, ms = 3000) => {
  const start = performance.now()
  while (!(await condition())) {
    if (performance.now() - start > ms) throw new Error(`not within ${ms} ms`)
    await pause(10)
  }
  return performance.now() - start
}

interface Message {
  id: string
  zones?: string[]
  event?: string
  status?: string
  severity?: string
  seconds?: number
  ring?: number[][][]
  type?: string
  vtec?: string
  kind?: string
}
const around = (lon: number, lat: number) => [
  [
    [lon - 0.2, lat - 0.2],
    [lon + 0.2, lat - 0.2],
    [lon + 0.2, lat + 0.2],
    [lon - 0.2, lat + 0.2],
    [lon - 0.2, lat - 0.2],
  ],
]
const feature = ({
  id,
  zones = ['COC031'],
  event = 'Tornado Warning',
  status = 'Actual',
  severity = 'Extreme',
  seconds = 3600,
  ring,
  type = 'county',
  vtec,
  kind = 'Alert',
}: Message) => ({
  type: 'Feature',
  geometry: ring ? { type: 'Polygon', coordinates: ring } : null,
  properties: {
    id,
    event,
    status,
    severity,
    messageType: kind,
    sent: new Date(Date.now() - 1000).toISOString(),
    effective: new Date().toISOString(),
    onset: null,
    expires: new Date(Date.now() + seconds * 1000).toISOString(),
    ends: null,
    urgency: 'Immediate',
    certainty: 'Observed',
    senderName: 'NWS Denver CO',
    headline: `${event} ${id}`,
    description: 'take cover',
    areaDesc: 'Denver, CO',
    geocode: { UGC: zones, SAME: ['008031'] },
    affectedZones: zones.map((code) => `https://api.weather.gov/zones/${type}/${code}`),
    parameters: { maxWindGust: ['70 MPH'], WMOidentifier: ['WFUS55 KBOU 011800'], ...(vtec && { VTEC: [vtec] }) },
  },
})
const set = (...messages: Message[]) =>
  mirror.set(FEED, JSON.stringify({ type: 'FeatureCollection', features: messages.map(feature) }))
const DENVER = 'lat=39.74&lon=-104.99'

/** Opens a stream of events and collects its events. */
const listen = async (query: string, last?: string) => {
  const stop = new AbortController()
  const response = await fetch(`http://127.0.0.1:${api.port}/v1/events?${query}`, {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(last && { 'last-event-id': last }),
    },
    signal: stop.signal,
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const events: { id: string; event: string; data: Json }[] = []
  void (async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = Object.fromEntries(
          text
            .slice(0, end)
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        )
        if (lines['data'])
          events.push({
            id: entryOf(lines, 'id'),
            event: entryOf(lines, 'event'),
            data: JSON.parse(entryOf(lines, 'data')),
          })
        text = text.slice(end + 2)
      }
    }
  })().catch(() => undefined)
  return { events, stop: () => stop.abort() }
}

describe('alerts, from feed to answer', () => {
  test('no absence of alerts is claimed before the feed was read', async () => {
    expect((await ask('/v1/alerts')).status).toBe(503)
    const weather = await json(`/v1/weather?${DENVER}&include=alerts`)
    expect(weather.alerts).toBeUndefined()
    expect(weather.meta.warnings.map((alert: { section: string }) => alert.section)).toContain('alerts')
  })

  test('a change is in every answer within two seconds, cached or not, and its end within one second', async () => {
    set()
    await sweepAlerts(ports())
    await until(async () => (await ask('/v1/alerts')).status === 200)
    await until(async () => Array.isArray((await json(`/v1/weather?${DENVER}&include=alerts`)).alerts))
    expect((await json(`/v1/weather?${DENVER}&include=alerts`)).alerts).toEqual([])
    const times: number[] = []
    for (let i = 0; i < 10; i++) {
      set({ id: `storm-${i}`, ring: around(-105, 39.75), seconds: 3 })
      await sweepAlerts(ports())
      const isListed = async () =>
        (await json(`/v1/weather?${DENVER}&include=alerts`)).alerts?.some(
          (alert: { id: string }) => alert.id === `storm-${i}`,
        )
      times.push(await until(isListed))
    }
    times.sort((a, b) => a - b)
    expect(times.at(-1)).toBeLessThan(2000)
    expect(times[5]).toBeLessThan(200)
    const answer = await ask(`/v1/weather?${DENVER}&include=alerts`)
    expect(Number(/max-age=(\d+)/.exec(answer.headers.get('cache-control')!)?.[1])).toBeLessThanOrEqual(3)
    // The previous storm may still be listed: a single absence from the feed does not end an alert.
    const alert = ((await answer.json()) as Json).alerts.find((alert: { id: string }) => alert.id === 'storm-9')
    expect(alert).toMatchObject({
      event: 'Tornado Warning',
      status: 'Actual',
      sender: 'NWS Denver CO',
      area_desc: 'Denver, CO',
      highlights: { maxWindGust: '70 MPH' },
    })
    for (const field of ['onset', 'ends', 'effective', 'expires', 'expiration'])
      expect(Date.parse(alert[field]), field).toBeGreaterThan(0)
    const end = Date.parse(alert.expiration)
    await pause(Math.max(0, end + 1000 - Date.now()))
    expect(
      (await json(`/v1/weather?${DENVER}&include=alerts`)).alerts.map((alert: { id: string }) => alert.id),
    ).not.toContain('storm-9')
    await expireAlerts(ports())
  }, 30_000)

  test('/v1/alerts applies every selector and filter', async () => {
    set(
      { id: 'tornado', ring: around(-105, 39.75) },
      { id: 'flood', event: 'Flood Watch', severity: 'Moderate', zones: ['COC013', 'WYC021'] },
      { id: 'exercise', status: 'Exercise', event: 'Tsunami Warning' },
      { id: 'gale', event: 'Gale Warning', severity: 'Moderate', zones: ['GMZ630'], type: 'forecast' },
    )
    await sweepAlerts(ports())
    const ids = async (query: string) =>
      (await json(`/v1/alerts?${query}`)).alerts?.map((alert: { id: string }) => alert.id).sort()
    await until(async () => (await ids('area=CO'))?.includes('tornado'))
    const has = async (query: string, expectedIds: string[]) =>
      expect(
        (await ids(query)).filter((id: string) => !id.startsWith('storm')),
        query,
      ).toEqual(expectedIds)
    await has('area=CO', ['flood', 'tornado'])
    await has('area=WY', ['flood'])
    await has('area=gm', ['gale'])
    await has('zone=COC013', ['flood'])
    await has('office=BOU', ['flood', 'gale', 'tornado'])
    await has('office=KBOU&event=gale warning', ['gale'])
    await has(DENVER, ['tornado'])
    // The geometries of the alert's zones may be loaded later.
    await until(async () => (await ids('location=Boulder, CO'))?.includes('flood'))
    await has('location=Boulder, CO', ['flood'])
    await has('bbox=-105.3,39.5,-104.7,39.6', ['tornado'])
    await has('bbox=-104.5,44,-104.4,45', [])
    await has('area=CO&severity=moderate', ['flood'])
    await has('status=Exercise', ['exercise'])
    await has('status=actual,exercise&area=CO', ['exercise', 'flood', 'tornado'])
    await has('id=https://api.weather.gov/alerts/flood', ['flood'])
    await has('id=nothing', [])
    expect((await json('/v1/alerts?id=tornado')).alerts[0]).toMatchObject({
      description: 'take cover',
      geometry: { type: 'MultiPolygon' },
      office: 'BOU',
    })
    const drawn = await ask(`/v1/alerts?area=CO&format=geojson`)
    expect(drawn.headers.get('content-type')).toContain('application/geo+json')
    const collection = (await drawn.json()) as Json
    const flood = collection.features.find((alert: { id: string }) => alert.id === 'flood')
    expect(flood.geometry.coordinates.length).toBeGreaterThan(1)
    expect(
      (await json(`/v1/weather?${DENVER}&include=alerts`)).alerts.map((alert: { id: string }) => alert.id),
    ).toEqual(['tornado'])
    // A misspelled event name is refused with the nearest name; an unknown name is marked as unknown in every format.
    expect((await json('/v1/alerts?area=CO&event=Tornado%20Warnin')).detail).toContain('Nearest: Tornado Warning')
    expect((await json('/v1/alerts?area=CO&severity=Sever')).detail).toMatch(/Severe/)
    const unknown = await json('/v1/alerts?area=CO&event=Locust%20Swarm%20Emergency,Flood%20Watch')
    expect(unknown.alerts.map(({ id }: { id: string }) => id)).toEqual(['flood'])
    expect(unknown.meta.warnings.map(({ code }: { code: string }) => code)).toContain('unknown_event')
    const table = await ask('/v1/alerts?area=CO&event=Locust%20Swarm%20Emergency&format=csv')
    expect(table.headers.get('x-warnings')).toContain('unknown_event')
    for (const [query, status] of [
      ['bbox=1,2', 400],
      ['bbox=10,40,12,42', 404],
      ['area=CO&zone=COC013', 400],
      ['severity=huge', 400],
      ['area=CO&event=Tornado Warnin', 400],
      ['event=tornado  waring,Flood Watch', 400],
      ['zone=13', 400],
      ['what=ever', 400],
      ['area=ZZ', 404],
      ['zone=COZ999', 404],
      ['office=QQQ', 404],
      ['bbox=-100,30,-110,40', 400],
      ['area=PR', 200],
      ['area=pk', 200],
    ] as const)
      expect((await ask(`/v1/alerts?${query}`)).status, query).toBe(status)
    expect((await json('/v1/alerts?area=ZZ')).detail).toMatch(/`area`: no area "ZZ" is known\. Nearest: [A-Z]{2}\./)
    expect((await json('/v1/alerts?zone=COZ999')).detail).toMatch(/Nearest: COZ\d{3}, COZ\d{3}, COZ\d{3}\./)
  })

  test('a marine alert applies to the water and not to the land beside it', async () => {
    const galveston = { lat: 29.3, lon: -94.79 }
    const ring = around(galveston.lon, 29.2)
    set({ id: 'marine', event: 'Special Marine Warning', zones: ['GMZ355'], type: 'forecast', ring })
    await sweepAlerts(ports())
    const at = async (lat: number, lon: number) =>
      (await json(`/v1/alerts?lat=${lat}&lon=${lon}`)).alerts.map((alert: { id: string }) => alert.id)
    await until(async () => (await at(29.15, -94.75)).includes('marine'))
    expect(await at(galveston.lat, galveston.lon)).not.toContain('marine')
  })

  test('while the feed fails, stored alerts stay with a warning and no-store, until it recovers', async () => {
    set({ id: 'kept', ring: around(-105, 39.75) })
    await sweepAlerts(ports())
    await until(async () =>
      (await json(`/v1/weather?${DENVER}&include=alerts`)).alerts.some((alert: { id: string }) => alert.id === 'kept'),
    )
    mirror.set(FEED, '<html>busy</html>')
    await sweepAlerts(ports())
    const took = await until(
      async () => (await ask(`/v1/weather?${DENVER}&include=alerts`)).headers.get('cache-control') === 'no-store',
      10_000,
    )
    expect(took).toBeLessThan(3000)
    const weather = await json(`/v1/weather?${DENVER}&include=alerts`)
    expect(weather.alerts.map((alert: { id: string }) => alert.id)).toContain('kept')
    expect(weather.meta.warnings).toContainEqual(
      expect.objectContaining({ section: 'alerts', code: 'feed_unconfirmed' }),
    )
    expect((await json('/v1/alerts?area=CO')).meta.warnings.length).toBe(1)
    const state = await json('/readyz')
    expect(JSON.stringify(state)).toContain('alert feed could not be read')
    expect(state.datasets).toEqual([expect.objectContaining({ dataset: 'nws-alerts' })])
    set({ id: 'kept', ring: around(-105, 39.75) })
    await sweepAlerts(ports())
    await until(async () =>
      /max-age/.test((await ask(`/v1/weather?${DENVER}&include=alerts`)).headers.get('cache-control') ?? ''),
    )
  })

  test('the counties stand in for a zone without geometry, and every answer reports it', async () => {
    const hole = [
      [-103.9, 41.1],
      [-103.7, 41.1],
      [-103.7, 41.3],
      [-103.9, 41.3],
      [-103.9, 41.1],
    ]
    const drawn = { id: 'drawn', ring: [nth(around(-103.8, 41.2), 0).toReversed(), hole] }
    set(drawn, { id: 'unknown', zones: ['COZ998'], type: 'forecast', event: 'Winter Storm Warning' })
    const stream = await listen(DENVER)
    await sweepAlerts(ports())
    const warned = async (path: string) =>
      ((await json(path)).meta?.warnings ?? []).filter(({ code }: { code: string }) => code === 'area_approximated')
    await until(async () => (await warned('/v1/alerts?zone=COZ998')).length === 1)
    expect((await warned(`/v1/alerts?${DENVER}`))[0].detail).toContain('COZ998')
    await until(async () => (await warned(`/v1/weather?${DENVER}&include=alerts`)).length > 0)
    expect(await warned(`/v1/weather?${DENVER}&include=alerts`)).toEqual([
      expect.objectContaining({ section: 'alerts', product_id: 'nws-alerts' }),
    ])
    expect(await warned('/v1/alerts?id=drawn')).toEqual([])
    const client = new Client({ name: 'test', version: '1' })
    const headers = { authorization: `Bearer ${key}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${api.port}/mcp`), { requestInit: { headers } }),
    )
    const [lat, lon] = DENVER.match(/-?[\d.]+/g)!.map(Number)
    for (const [name, args] of [
      ['get_alerts', { lat, lon }],
      ['get_alerts', { alert_id: 'unknown' }],
      ['search_alerts', { zone: 'COZ998' }],
    ] as const) {
      const { structuredContent, content } = await client.callTool({ name, arguments: args })
      expect(JSON.stringify(structuredContent ?? content), name).toContain('area_approximated')
      expect(JSON.stringify(content)).toContain('COZ998')
    }
    await client.close()
    await until(async () => stream.events.some(({ data }) => data.id === 'unknown'))
    stream.stop()
    // RFC 7946, 3.1.6: outlines are counterclockwise and holes clockwise, whatever the feed has.
    const [ring, inner] = (await json('/v1/alerts?id=drawn')).alerts[0].geometry.coordinates[0]
    const signedArea = (ring: number[][]) =>
      ring.slice(1).reduce((sum, [x, y], i) => sum + nth(nth(ring, i), 0) * y! - nth(nth(ring, i), 1) * x!, 0)
    expect([signedArea(ring) > 0, signedArea(inner) < 0]).toEqual([true, true])
  })

  test('a reader that resumes days later is notified of deleted alerts in its areas', async () => {
    set({ id: 'long-ago', zones: ['COC031'] })
    await sweepAlerts(ports())
    const all = await listen('')
    set({ id: 'after', zones: ['COC001'] })
    await sweepAlerts(ports())
    await until(async () => all.events.some(({ data }) => data.id === 'after'))
    all.stop()
    await database.query("delete from alert where id = 'long-ago'")
    const [change] = await database.query<{ id: number }>(
      "select min(id) as id from alert_change where alert_id = 'long-ago'",
    )
    const back = await listen(DENVER, String(Number(change?.id) - 1))
    await until(async () => back.events.some(({ data }) => data.id === 'long-ago'))
    expect(back.events.some(({ data }) => data.id === 'after')).toBe(false)
    back.stop()
  })

  test('/v1/events sends each change once, filtered, and resumes after a break', async () => {
    set({ id: 'before', zones: ['COC001'], event: 'Flood Watch' })
    await sweepAlerts(ports())
    await pause(300)
    const all = await listen('')
    const here = await listen(DENVER)
    const zone = await listen('zone=COC013')
    const elsewhere = await listen('area=TX')
    set(
      { id: 'one', ring: around(-105, 39.75), vtec: '/O.NEW.KBOU.TO.W.0099.260101T0000Z-270101T0000Z/' },
      { id: 'two', zones: ['COC013'], event: 'Flood Watch' },
    )
    await sweepAlerts(ports())
    await until(async () => all.events.some(({ data }) => data.id === 'two'))
    await until(
      async () =>
        here.events.some(({ data }) => data.id === 'one') && zone.events.some(({ data }) => data.id === 'two'),
    )
    expect(here.events.filter(({ data }) => data.id === 'two')).toEqual([])
    const alert = all.events.find(({ data }) => data.id === 'one')!
    expect(alert.event).toBe('alert.issued')
    expect(alert.data).toMatchObject({ event: 'Tornado Warning', change: 'issued', areas: ['COC031'] })
    expect(Object.keys(alert.data).sort()).toEqual(['areas', 'at', 'change', 'event', 'expiration', 'id'])
    here.stop()
    set(
      {
        id: 'one-b',
        kind: 'Update',
        ring: around(-105, 39.75),
        vtec: '/O.CON.KBOU.TO.W.0099.000000T0000Z-270101T0000Z/',
      },
      { id: 'two', zones: ['COC013'], event: 'Flood Watch' },
    )
    await sweepAlerts(ports())
    await until(async () => all.events.some(({ event, data }) => event === 'alert.updated' && data.id === 'one-b'))
    const resumed = await listen(DENVER, alert.id)
    await until(async () => resumed.events.some(({ data }) => data.id === 'one-b'))
    expect(
      resumed.events.filter(({ data }) => data.id.startsWith('one')).map(({ event, data }) => `${event} ${data.id}`),
    ).toEqual(['alert.updated one-b'])
    const numbers = all.events.map(({ id }) => Number(id))
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    expect(elsewhere.events).toEqual([])
    for (const stream of [all, zone, elsewhere, resumed]) stream.stop()
    expect((await ask('/v1/events?bbox=1')).status).toBe(400)
  }, 20_000)
})

describe('outlooks, from file to answer', () => {
  const time = (hours: number) =>
    new Date(Date.now() + hours * 3_600_000).toISOString().replaceAll(/[-:T]/g, '').slice(0, 12)
  const box = [
    [
      [-106, 38],
      [-103, 38],
      [-103, 41],
      [-106, 41],
      [-106, 38],
    ],
  ]
  const outlook = (levels: { label: string; dn: number; ring?: number[][][] }[], issued = -1) =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: (levels.length ? levels : [{ label: '', dn: 0 }]).map(({ label, dn, ring }) => ({
        type: 'Feature',
        geometry: levels.length
          ? { type: 'Polygon', coordinates: ring ?? box }
          : { type: 'GeometryCollection', geometries: [] },
        properties: { DN: dn, LABEL: label, VALID: time(-1), EXPIRE: time(12), ISSUE: time(issued) },
      })),
    })
  const spc = (name: string) => `www.spc.noaa.gov/products/outlook/${name}.geojson`

  test('an answer has the highest level of each day and hazard, marks significant areas, and a new issue replaces the old', async () => {
    mirror.set(
      spc('day1otlk_cat.nolyr'),
      outlook([
        { label: 'TSTM', dn: 2 },
        { label: 'SLGT', dn: 4 },
      ]),
    )
    mirror.set(
      spc('day1otlk_torn.lyr'),
      outlook([
        { label: '0.02', dn: 2 },
        { label: '0.05', dn: 5 },
      ]),
    )
    mirror.set(spc('day1otlk_hail.nolyr'), outlook([{ label: '0.15', dn: 15 }]))
    mirror.set(spc('day1otlk_wind.nolyr'), outlook([]))
    mirror.set(spc('day1otlk_cigtorn.nolyr'), outlook([{ label: 'CIG1', dn: 1 }]))
    mirror.set(spc('day1otlk_cighail.nolyr'), outlook([]))
    const swept = await sweepOutlooks(ports(), outlookFiles)
    expect(swept.failed).toEqual([])
    const at = async (where = DENVER) => (await json(`/v1/weather?${where}&include=outlooks`)).outlooks
    await until(async () => (await at())?.length === 3, 8000)
    expect(await at()).toMatchObject([
      { type: 'severe', day: 1, risk: 'SLGT', risk_label: 'Slight', significant: true, product_id: 'day1otlk_cat' },
      { type: 'tornado', day: 1, probability: 0.05, risk_label: '5%', significant: true },
      { type: 'hail', day: 1, probability: 0.15, significant: false },
    ])
    // A place without an outlook gets an empty list once every file was read.
    await until(async () => (await at('lat=30.27&lon=-97.74')) !== undefined, 8000)
    expect(await at('lat=30.27&lon=-97.74')).toEqual([])
    expect((await sweepOutlooks(ports(), outlookFiles)).changed).toEqual([])
    mirror.set(spc('day1otlk_cat.nolyr'), outlook([{ label: 'ENH', dn: 5 }], 0))
    expect((await sweepOutlooks(ports(), outlookFiles)).changed).toEqual(['day1otlk_cat'])
    await until(async () => (await at())[0].risk === 'ENH', 3000)
    mirror.set(spc('day1otlk_hail.nolyr'), { status: 500 })
    await sweepOutlooks(ports(), outlookFiles)
    await until(
      async () => (await ask(`/v1/weather?${DENVER}&include=outlooks`)).headers.get('cache-control') === 'no-store',
      8000,
    )
    expect((await at()).length).toBe(3)
  }, 40_000)

  test('the points text stands in for a file that fails', async () => {
    const now = new Date()
    const stamp = (hours: number) => {
      const at = new Date(Date.now() + hours * 3_600_000).toISOString()
      return at.slice(8, 10) + at.slice(11, 13) + at.slice(14, 16)
    }
    const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
    mirror.set(
      'tgftp.nws.noaa.gov/data/raw/wu/wuus02.kwns.pts.dy2.txt',
      `000
WUUS02 KWNS ${stamp(0)}
PTSDY2

DAY 2 CONVECTIVE OUTLOOK AREAL OUTLINE
NWS STORM PREDICTION CENTER NORMAN OK
0100 PM CDT FRI ${months[now.getUTCMonth()]} ${now.getUTCDate()} ${now.getUTCFullYear()}

VALID TIME ${stamp(12)}Z - ${stamp(36)}Z

PROBABILISTIC OUTLOOK POINTS DAY 2

... TORNADO ...

0.05   38000600 41000600 41000300 38000300 38000600
&&

CATEGORICAL OUTLOOK POINTS DAY 2

... CATEGORICAL ...

SLGT   38000600 41000600 41000300 38000300 38000600
&&
`,
    )
    mirror.set(spc('day2otlk_cat.nolyr'), '<html>down</html>')
    const swept = await sweepOutlooks(ports(), outlookFiles)
    expect(swept.changed).toContain('day2otlk_torn')
    const day2 = async () =>
      (await json(`/v1/weather?${DENVER}&include=outlooks`)).outlooks.filter(
        (alert: { day: number }) => alert.day === 2,
      )
    await until(async () => (await day2()).length === 2, 8000)
    expect(await day2()).toMatchObject([
      { type: 'severe', risk_label: 'Slight' },
      { type: 'tornado', probability: 0.05 },
    ])
  }, 30_000)
})
