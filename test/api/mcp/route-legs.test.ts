import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findSpot } from '../../../api/dataset/spot.ts'
import type { ToolContext } from '../../../api/mcp/protocol/context.ts'
import {
  isQuiet,
  legLine,
  pointsBetween,
  quietLegs,
  type RouteLeg,
  routeLegs,
} from '../../../api/mcp/query/route-legs.ts'
import { alertsAt, quietLines, worst } from '../../../api/mcp/tools/get-route-weather.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { distanceKm } from '../../../ingest/geo/sphere.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

const stop = (lat: number, lon: number, at: number) => ({ spot: findSpot({ lat, lon }), at })
const leg: RouteLeg = {
  from: 0,
  to: 1,
  distance_km: 300,
  alerts: [],
  wettest: { lat: 39, lon: -100, name: 'Hays, KS', time: '2026-11-28T20:00:00Z', precip_probability: 10 },
  covered_share: 1,
}

test('spaces the points of a leg evenly in distance and time, also across the antimeridian', () => {
  for (const [start, end] of [
    [stop(39.74, -104.99, 0), stop(38.57, -109.55, 6000)],
    [stop(51.88, -176.65, 0), stop(52.92, 172.95, 6000)],
  ] as const) {
    const points = pointsBetween(start, end, 5)
    const [a, b] = [start.spot.location, end.spot.location]
    const all = [{ ...a, at: 0 }, ...points, { ...b, at: 6000 }]
    const totalKm = distanceKm(a.lat, a.lon, b.lat, b.lon)
    for (const [i, point] of all.entries()) {
      const before = all[i - 1]
      if (!before) continue
      expect(distanceKm(before.lat, before.lon, point.lat, point.lon)).toBeCloseTo(totalKm / 6, 0)
      expect(point.at - before.at).toBe(1000)
    }
  }
})

describe('the words of a leg', () => {
  test.each<[Partial<RouteLeg>, RegExp, RegExp]>([
    [{ alerts: null }, /alerts are not known/, /no alert/],
    [{ wettest: null }, /rain and snow are not known/, /at most/],
    [{ covered_share: 0.4 }, /60% of it is outside the coverage and was not checked\.$/, /^$/],
    [{ covered_share: 0, alerts: null }, /it is outside the coverage and was not checked\.$/, /alert|rain/],
    [
      {
        alerts: [
          { id: 'x', event: 'Ice Storm Warning', severity: 'Severe', near: 'Hays, KS', time: '2026-11-28T20:00:00Z' },
        ],
      },
      /ALERT Ice Storm Warning \(Severe\) from Hays, KS about Sat, 2:00 PM CST/,
      /no alert/,
    ],
  ])('are never quiet for %j', (part, words, not) => {
    const other = { ...leg, ...part }
    expect(isQuiet(other)).toBe(false)
    expect(legLine(other, 'America/Chicago')).toMatch(words)
    expect(legLine(other, 'America/Chicago')).not.toMatch(not)
    expect(quietLegs([other])).toEqual([])
  })

  test('join quiet legs in one line', () => {
    expect(quietLegs([leg, { ...leg, from: 1, to: 2 }])).toEqual([
      'Between stops 1 and 2, 2 and 3 (straight lines): no alert issued so far is in force there at the time of passing; rain or snow at most 10% at the points checked (3 or fewer on each leg).',
    ])
  })
})

describe('the legs of a route', () => {
  const now = Date.parse('2026-11-28T18:00:00Z')
  /** An alert of the office of Denver for a zone without an outline, in force from some hours from now on. */
  const unplaced = (onset: number) => ({
    head: { event: 'Red Flag Warning', status: 'Actual' },
    record: { office: 'BOU', onset: now + onset * HOUR },
    expiration: now + 48 * HOUR,
    zones: [],
    areas: ['COZ999'],
  })
  /** The chance of each row is the UTC hour of its time. */
  const hourly = Array.from({ length: 12 }, (_, i) => {
    const time = new Date(now + i * HOUR)
    return { time: time.toISOString(), precip_probability: time.getUTCHours() }
  })
  const context = (alerts: readonly object[] = []) => {
    const value = { attribution: { sources: [], notice: '' }, meta: { generated_at: '' }, hourly }
    const index = { all: () => [], at: () => [], unplaced: () => alerts }
    return {
      now,
      signal: new AbortController().signal,
      reused: () => undefined,
      deps: {
        usedAnswers: new WeakSet(),
        weather: { value: async () => ({ value }) },
        values: { datasets: [], current: { simulated: () => false } },
        alerts: { index, now: () => now, trust: () => ({ feed: { confirmed_at: new Date(now) } }) },
      },
    } as unknown as ToolContext
  }
  const minutes = (count: number) => now + count * 60_000
  const colorado = [stop(39.74, -104.99, minutes(10)), stop(40.59, -105.08, minutes(100))]

  test('have the chance of the hour in which a point is passed', async () => {
    const [leg] = await routeLegs(context(), colorado, 'imperial')
    // Two points are passed at 18:40 and 19:10; the row of an hour has the time of its end.
    expect(leg?.wettest?.precip_probability).toBe(20)
    expect(leg?.alerts).toEqual([])
  })

  test('have unknown alerts if the area of an alert is not known, and outside the coverage', async () => {
    expect((await routeLegs(context([unplaced(-1)]), colorado, 'imperial'))[0]?.alerts).toBeNull()
    expect((await routeLegs(context([unplaced(5)]), colorado, 'imperial'))[0]?.alerts).toEqual([])
    // The straight line from Buffalo to Port Huron lies in Ontario.
    const ontario = [stop(42.96, -78.9, minutes(10)), stop(42.98, -82.43, minutes(300))]
    expect((await routeLegs(context(), ontario, 'imperial'))[0]).toMatchObject({ alerts: null, covered_share: 0 })
  })
})

describe('the stops of a route', () => {
  const at = Date.parse('2026-11-28T18:00:00Z')
  const fresh = { product_id: 'nws-alerts', age_seconds: 20 }
  const meta = (warnings: readonly object[]) =>
    ({ warnings, freshness: [fresh] }) as unknown as Parameters<typeof alertsAt>[0]['meta']
  const over = { id: 'x', event: 'Flood Warning', severity: 'Severe', onset: '2026-11-28T06:00:00Z' }
  const weather = (ends: string) =>
    ({ alerts: [{ ...over, ends }] }) as unknown as Parameters<typeof alertsAt>[0]['weather']

  test('have unknown alerts if the feed is in doubt and the known alerts have ended', () => {
    const doubt = meta([{ code: 'source_incomplete', section: 'alerts' }])
    expect(alertsAt({ weather: weather('2026-11-28T12:00:00Z'), meta: doubt }, at)).toBeNull()
    expect(alertsAt({ weather: weather('2026-11-28T12:00:00Z'), meta: meta([]) }, at)).toEqual([])
    expect(alertsAt({ weather: weather('2026-11-28T20:00:00Z'), meta: doubt }, at)).toHaveLength(1)
  })

  test('are told apart by what is not known of them', () => {
    const { location } = findSpot({ lat: 39.74, lon: -104.99 })
    const words = quietLines([
      { location, alerts: [] },
      { location, alerts: null },
      { location: null, alerts: null },
      { location, alerts: null },
    ])
    expect(words).toEqual([
      'It is not known whether an alert is in effect at every stop: stop 3 could not be answered, and the alerts at stops 2, 4 are not known. This is not an all-clear.',
    ])
  })

  test('are compared by the higher chance of the hours before and after', () => {
    const stops = [{ alerts: [] }, { alerts: null }, { alerts: [] }]
    expect(worst(stops, [50, 90, undefined])).toBe(1)
    expect(worst(stops, [49, undefined, 0])).toBeNull()
  })
})

describe('get_route_weather', () => {
  let sky: SkyServer
  beforeAll(async () => {
    sky = await skyServer()
  })
  afterAll(() => sky.close())

  test('finds an alert between two stops that are both outside of it', async () => {
    const { features } = (await (
      await fetch(`${sky.base}/v1/alerts?bbox=-120,28,-72,48&format=geojson`, {
        headers: { authorization: `Bearer ${sky.key}` },
      })
    ).json()) as {
      features: { id?: string; properties: { id: string }; geometry: { type: string; coordinates: unknown } | null }[]
    }
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    let crossed = 0
    for (const { id: ownId, properties, geometry } of features) {
      const id = ownId ?? properties.id
      if (!geometry || crossed > 0) continue
      const polygons = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as number[][][][]
      const ring = polygons[0]?.[0]?.slice(0, -1) ?? []
      const [lon, lat] = [0, 1].map((k) => ring.reduce((sum, corner) => sum + (corner[k] ?? 0), 0) / ring.length)
      if (lon === undefined || lat === undefined) continue
      const stops = [
        { lat: lat - 0.9, lon, time: at(2) },
        { lat: lat + 0.9, lon, time: at(6) },
      ]
      const result = (await sky.client.callTool({
        name: 'get_route_weather',
        arguments: { stops },
      })) as unknown as Result
      const answer = result.structuredContent as
        | { stops: { alerts: { id: string }[] | null }[]; legs: RouteLeg[] }
        | undefined
      const listed = answer?.legs[0]?.alerts?.find((alert) => alert.id === id)
      if (!listed || answer?.stops.some(({ alerts }) => alerts?.some((alert) => alert.id === id))) continue
      crossed++
      const text = result.content[0]?.text ?? ''
      expect(text).toContain(`On the way: ${listed.event} (${listed.severity}) between stops 1 and 2.`)
      expect(text).toContain(`ALERT ${listed.event}`)
      expect(text).not.toMatch(/no alert issued so far is in force there/)
    }
    expect(crossed, `${features.length} alerts`).toBe(1)
  })

  test('refuses the alerts of a county at one point', async () => {
    const result = (await sky.client.callTool({
      name: 'get_alerts',
      arguments: { location: 'Cook County, IL' },
    })) as unknown as Result
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toMatch(/is a county.*search_alerts with zone "ILC031"/s)
  })
})
