import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { expireAlerts, sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'

import {
  api,
  around,
  ask,
  DENVER,
  database,
  FEED,
  type Json,
  json,
  key,
  listen,
  mirror,
  pause,
  ports,
  set,
  until,
  useAlertSystem,
} from './alert-system.ts'

useAlertSystem()

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
    const numbers = all.events.map(({ id }) => Number(/^[0-9a-f]{8}-(\d+)$/.exec(id)?.[1]))
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    expect(elsewhere.events).toEqual([])
    for (const stream of [all, zone, elsewhere, resumed]) stream.stop()
    expect((await ask('/v1/events?bbox=1')).status).toBe(400)
  }, 20_000)
})
