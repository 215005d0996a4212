import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AlertWatch, watchAlerts } from '../../api/live/alert-watch.ts'
import { alertFeed } from '../../infra/simulator/feeds/alerts.ts'
import { isMarine } from '../../ingest/domain/alert/ugc.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { COVER_RESOLUTION } from '../../ingest/domain/shape/cover.ts'
import { boxOf, normalized, type Polygon } from '../../ingest/domain/shape/ring.ts'
import { shapeCovers, shapeOf, shapeOfWkb, shapeTouchesBox, wkbOf } from '../../ingest/domain/shape/shape.ts'
import { polygonsOf } from '../../ingest/geo/polygon.ts'
import { zoneList, zoneRings } from '../../ingest/geo/zone.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import { alertIdsAt } from '../../sql/queries/alerts.ts'
import { startMirror } from './mirror.ts'

const NOW = Date.UTC(2026, 10, 21, 22, 30)
let dataDir: string
let database: Database
let watch: AlertWatch

/** The simulator's feed at one moment, with advisories for zones of the whole country, its islands and the sea. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-alert-index-'))
  database = await openDatabase({ dataDir, databasePool: 1 })
  const document = await alertFeed().find('/alerts/active', new URLSearchParams(), NOW)
  const feed = JSON.parse(new TextDecoder().decode(await document!.body()))
  const every = (kind: string, step: number) =>
    zoneList()
      .filter((zone) => zone.kind === kind)
      .filter((_, i) => i % step === 0)
  for (const [n, zone] of [...every('county', 12), ...every('forecast', 40), ...every('marine', 6)].entries()) {
    const kind = zone.kind === 'county' ? 'county' : 'forecast'
    const own = structuredClone(feed.features[0])
    Object.assign(own, { geometry: null })
    Object.assign(own.properties, {
      id: `advisory-${n}`,
      messageType: 'Alert',
      response: 'Prepare',
      urgency: 'Expected',
      references: [],
      ends: new Date(NOW + 3_600_000).toISOString(),
      geocode: { UGC: [zone.id] },
      affectedZones: [`https://api.weather.gov/zones/${kind}/${zone.id}`],
      parameters: {},
    })
    feed.features.push(own)
  }
  const mirror = await startMirror()
  mirror.set('api.weather.gov/alerts/active', JSON.stringify(feed))
  const upstream = openUpstream({ mirror: mirror.url })
  await sweepAlerts({ database, upstream }, NOW)
  await upstream.close()
  await mirror.close()
  watch = await watchAlerts({ database, clock: () => NOW, pollSeconds: 30 })
})
afterAll(async () => {
  await watch.close()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

test('memory and PostGIS give the same alerts at every point', async () => {
  expect(watch.index.size).toBeGreaterThan(400)
  let hits = 0
  let state = 7
  const random = () => (state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32
  const boxes = [
    [-125, 25, -67, 49],
    [-179.9, 51, -130, 71],
    [172, 51, 179.9, 54],
    [-160, 18.9, -154.8, 22.3],
  ] as const
  for (let i = 0; i < 800; i++) {
    const [west, south, east, north] = nth(boxes, i % 8 > 3 ? 0 : i % 4)
    const lon = Math.round((west + random() * (east - west)) * 1e4) / 1e4
    const lat = Math.round((south + random() * (north - south)) * 1e4) / 1e4
    // The reader and not the database applies the rule that marine alerts do not apply to land.
    const here = watch.index.at(lat, lon, NOW).map((alert) => alert.id)
    const marine = new Set(
      watch.index
        .all(NOW)
        .filter((alert) => alert.areas.some(isMarine))
        .map((alert) => alert.id),
    )
    const stored = await alertIdsAt(database, lon, lat, cellOf(lat, lon, COVER_RESOLUTION))
    expect(here.filter((id) => !marine.has(id)).sort(), `${lat},${lon}`).toEqual(
      stored.filter((id) => !marine.has(id)).sort(),
    )
    for (const id of here) expect(stored).toContain(id)
    hits += here.length
  }
  expect(hits).toBeGreaterThan(30)
})

test('a corner, a border and a hole are decided as PostGIS decides them, and boxes touch across the antimeridian', () => {
  const area = normalized([
    [
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
        [0, 0],
      ],
      [
        [4, 4],
        [6, 4],
        [6, 6],
        [4, 6],
        [4, 4],
      ],
    ],
  ])!
  const shape = shapeOf(area)
  for (const [lon, lat, inside] of [
    [0, 0, true],
    [10, 5, true],
    [5, 0, true],
    [4, 5, true],
    [5, 5, false],
    [11, 5, false],
    [2, 2, true],
  ] as const)
    expect(shapeCovers(shape, lon, lat), `${lon},${lat}`).toBe(inside)
  expect(shapeOfWkb(Buffer.from(wkbOf(area), 'hex'))).toEqual(shape)
  expect(shapeTouchesBox(shape, [4.5, 4.5, 5.5, 5.5])).toBe(false)
  expect(shapeTouchesBox(shape, [-5, -5, 20, 20])).toBe(true)
  expect(shapeTouchesBox(shape, [1, 1, 2, 2])).toBe(true)
  const aleutian = shapeOf(
    normalized([
      [
        [
          [179, 51],
          [-179, 51],
          [-179, 53],
          [179, 53],
          [179, 51],
        ],
      ],
    ])!,
  )
  expect(shapeTouchesBox(aleutian, [170, 50, -170, 54])).toBe(true)
  expect(shapeTouchesBox(aleutian, [-170, 50, 170, 54])).toBe(false)
})

test('every packaged marine zone survives encoding and decoding', () => {
  for (const zone of zoneList()
    .filter(({ kind }) => kind === 'marine')
    .slice(0, 60)) {
    const area = normalized(polygonsOf(zoneRings(zone.id)!))!
    const shape = shapeOfWkb(Buffer.from(wkbOf(area), 'hex'))
    expect(shape.box).toEqual(boxOf(area as readonly Polygon[]))
  }
})
