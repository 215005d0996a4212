import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coverage } from '../../../ingest/geo/coverage.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

/** Tools and routes give the same numbers for the same data. */
type Row = Record<string, unknown>
let sky: SkyServer
let client: Client
beforeAll(async () => {
  sky = await skyServer({
    frames: ['mrms-reflectivity', 'mrms-precip-rate', 'mrms-precip-flag', 'storm-tracks', 'storm-cells'],
  })
  client = sky.client
})
afterAll(() => sky.close())

async function tool(name: string, args: Row): Promise<Row> {
  const result = (await client.callTool({ name, arguments: args })) as unknown as Result
  expect(result.isError, result.content[0]?.text).toBeFalsy()
  return result.structuredContent ?? {}
}
async function getJson(path: string): Promise<Row> {
  const answer = await fetch(sky.base + path, { headers: { authorization: `Bearer ${sky.key}` } })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Row
}
/** Expects every member of a tool's row to have the value of REST. */
function expectSame(toolRow: Row, restRow: Row): void {
  expect(Object.keys(toolRow).length).toBeGreaterThan(3)
  for (const [name, value] of Object.entries(toolRow)) expect([name, restRow[name]]).toEqual([name, value])
}

const places = [
  ['Denver, CO', 39.7392, -104.9847],
  ['Anchorage, AK', 61.2181, -149.9003],
  ['Honolulu, HI', 21.3069, -157.8583],
] as const

describe.each(places)('%s', (_, lat, lon) => {
  test.each(['imperial', 'metric'])('has the same values in get_forecast and /v1/weather, %s', async (units) => {
    const { forecast } = (await tool('get_forecast', {
      lat,
      lon,
      units,
      include: 'current,daily,hourly,alerts',
    })) as Record<string, Row>
    const weather = await getJson(
      `/v1/weather?lat=${lat}&lon=${lon}&units=${units}&include=current,daily,hourly,alerts`,
    )
    expectSame(forecast?.['current'] as Row, weather['current'] as Row)
    const days = forecast?.['daily'] as Row[]
    // Before six in the morning, local time, the night that began yesterday has a separate row.
    expect(days.filter(({ relative_day }) => relative_day !== -1).length).toBe(10)
    for (const day of days) expectSame(day, (weather['daily'] as Row[]).find(({ date }) => date === day['date']) ?? {})
    const hours = forecast?.['hourly'] as Row[]
    expect(hours.length).toBe(24)
    for (const hour of hours)
      expectSame(hour, (weather['hourly'] as Row[]).find(({ time }) => time === hour['time']) ?? {})
    const restAlerts = weather['alerts'] as Row[]
    const { warnings = [] } = weather['meta'] as { warnings?: { section: string; code: string }[] }
    // The total is absent while it is not known whether an alert without an outline applies.
    const isDoubtful = warnings.some(({ section, code }) => section === 'alerts' && code === 'source_incomplete')
    const isKnown = restAlerts.length > 0 || !isDoubtful
    expect(forecast?.['alerts_total']).toBe(isKnown ? restAlerts.length : undefined)
  })

  test('has the same values in get_radar and the section radar', async () => {
    const { radar } = (await tool('get_radar', { lat, lon, units: 'metric' })) as { radar: Row }
    const weather = await getJson(`/v1/weather?lat=${lat}&lon=${lon}&units=metric&include=radar`)
    expectSame(radar, weather['radar'] as Row)
  })
})

test('gives the same alerts in search_alerts, get_alerts and /v1/alerts', async () => {
  const { features } = (await getJson('/v1/alerts?bbox=-124,25,-67,49&format=geojson')) as {
    features: { id: string; geometry: { type: string; coordinates: number[][][] } | null; properties: Row }[]
  }
  const search = (await tool('search_alerts', { bbox: [-124, 25, -67, 49], limit: 50 })) as {
    total: number
    alerts: Row[]
  }
  expect(search.total).toBe(features.length)
  for (const alert of search.alerts) {
    const same = features.find(({ id }) => id === alert['id'])?.properties
    for (const name of ['event', 'severity', 'urgency', 'certainty', 'headline', 'onset', 'ends'])
      expect([name, alert[name]]).toEqual([name, same?.[name]])
  }
  const [first] = search.alerts
  const detail = await tool('get_alerts', { alert_id: String(first?.['id']) })
  expect((detail['alert'] as Row)['headline']).toBe(first?.['headline'])
})

test('gives the same areas in get_severe_outlook and the section outlooks', async () => {
  let areas = 0
  for (const [lat, lon] of [
    [35.5, -97.5],
    [32.8, -96.8],
    [39.1, -94.6],
    [33.7, -84.4],
  ]) {
    const { outlooks } = (await tool('get_severe_outlook', { lat, lon, days: 8 })) as { outlooks: Row[] }
    const weather = await getJson(`/v1/weather?lat=${lat}&lon=${lon}&include=outlooks`)
    const restOutlooks = weather['outlooks'] as Row[]
    expect(outlooks.map(({ product_id, day, risk_label, cig }) => [product_id, day, risk_label, cig])).toEqual(
      restOutlooks.map(({ product_id, day, risk_label, intensity_group }) => [
        product_id,
        day,
        risk_label,
        intensity_group ?? null,
      ]),
    )
    areas += outlooks.length
  }
  expect(areas).toBeGreaterThan(0)
})

test('gives the same storms in get_storm_tracks and /v1/storm-tracks', async () => {
  const { features } = (await getJson('/v1/storm-tracks')) as {
    features: { id?: string; geometry: { coordinates: unknown[] }; properties: Row }[]
  }
  const idOf = (storm: { id?: string; properties: Row }) => String(storm.id ?? storm.properties['id'])
  // Storms over the sea and beyond the border are outside of the coverage.
  const covered = features.flatMap((storm) => {
    const [lon = 0, lat = 0] = storm.geometry.coordinates.flat(3) as number[]
    return coverage(lat, lon) ? [{ id: idOf(storm), lat, lon }] : []
  })
  const [{ id, lat, lon } = { id: 'no storm in the coverage', lat: 0, lon: 0 }] = covered
  const { storms } = (await tool('get_storm_tracks', { lat, lon })) as { storms: Row[] }
  expect(storms.map((storm) => String(storm['id']))).toContain(id)
  const ids = features.map(idOf)
  for (const storm of storms) expect(ids).toContain(String(storm['id']))
})

test('pages through the same alerts, outlooks and storms in OGC API Features', async () => {
  const pages = async (path: string) => {
    const features: Row[] = []
    for (let next: string | undefined = sky.base + path; next; ) {
      const answer = await fetch(next, { headers: { authorization: `Bearer ${sky.key}` } })
      expect([next, answer.status]).toEqual([next, 200])
      const body = (await answer.json()) as {
        features: Row[]
        numberMatched: number
        numberReturned: number
        links: { rel: string; href: string }[]
      }
      expect(body.numberReturned).toBe(body.features.length)
      features.push(...body.features)
      next = body.links.find(({ rel }) => rel === 'next')?.href.replace(/^https?:\/\/[^/]+/, sky.base)
      expect(features.length === body.numberMatched).toBe(!next)
    }
    return features
  }
  const ids = (list: readonly Row[]) => list.map((feature) => feature['id']).sort()
  const { features: alerts } = (await getJson('/v1/alerts?format=geojson')) as { features: Row[] }
  expect(await pages('/edr/collections/alerts/items?limit=7')).toEqual(alerts)
  const box = '-109.1,36.9,-102,41.1'
  const { features: near } = (await getJson(`/v1/alerts?format=geojson&bbox=${box}`)) as { features: Row[] }
  expect(ids(await pages(`/edr/collections/alerts/items?bbox=${box}`))).toEqual(ids(near))
  const { features: storms } = (await getJson('/v1/storm-tracks')) as { features: Row[] }
  expect(ids(await pages('/edr/collections/storm-tracks/items?limit=50'))).toEqual(ids(storms))
  expect(await pages('/edr/collections/alerts/items?datetime=2001-01-01T00:00:00Z/2001-01-02T00:00:00Z')).toEqual([])
  const outlooks = await pages('/edr/collections/outlooks/items')
  expect(new Set(ids(outlooks)).size).toBe(outlooks.length)
  for (const { id } of [...alerts.slice(0, 1), ...outlooks.slice(0, 1)]) {
    const source = alerts.some((alert) => alert['id'] === id) ? 'alerts' : 'outlooks'
    const feature = await getJson(`/edr/collections/${source}/items/${encodeURIComponent(String(id))}`)
    expect(feature['id']).toBe(id)
  }
})
