import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openZones } from '../../api/live/zones.ts'
import { zonesRoute } from '../../api/routes/zones.ts'
import { alertFeed } from '../../infra/simulator/feeds/alerts.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import type { MirrorObject, SimulatedHost } from '../../infra/simulator/source.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import { COVER_RESOLUTION } from '../../ingest/domain/shape/cover.ts'
import { HOUR, isoMilliseconds } from '../../ingest/domain/time.ts'
import { usePublicZones, zonesAt, zonesById } from '../../ingest/geo/zone.ts'
import { databaseOver } from '../../ingest/ports/database/over.ts'
import { scratchDatabase } from '../../ingest/ports/database/scratch.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import type { FeedDeps } from '../../ingest/steps/feeds/feed.ts'
import { loadPublicZones } from '../../ingest/steps/feeds/public-zones.ts'
import { loadZones } from '../../ingest/steps/feeds/zones.ts'
import { publicZonesKey } from '../../ingest/tile/public-zones-file.ts'
import { migrate } from '../../sql/migrate.ts'
import { alertIdsAt } from '../../sql/queries/alerts.ts'
import { feedState } from '../../sql/queries/feeds.ts'

const DENVER = { lat: 39.7392, lon: -104.9903 }
const PUEBLO = { lat: 38.2544, lon: -104.6091 }

const simulated = alertFeed()
const requests: string[] = []
let bodies: Record<string, unknown> = {}

const resource = (value: unknown): MirrorObject => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { etag: `"${text.length}"`, lastModified: 0, type: 'application/geo+json', body: () => Buffer.from(text) }
}
/** The simulator, but for the lists of some states and for some files. */
const source: SimulatedHost = {
  host: 'api.weather.gov',
  find(path, query, now) {
    const name = path === '/zones' ? query.get('area')! : path
    if (path === '/zones') requests.push(name)
    return bodies[name] === undefined ? simulated.find(path, query, now) : resource(bodies[name])
  },
}

let database: Database
let close: () => Promise<void>
let upstream: Upstream
let mirror: Awaited<ReturnType<typeof startMirror>>
let deps: FeedDeps

beforeAll(async () => {
  const scratch = await scratchDatabase()
  await migrate(scratch.source, { lock: false })
  database = databaseOver(scratch.source, 'embedded')
  close = scratch.close
  mirror = await startMirror({ sources: [source], now: Date.now })
  upstream = openUpstream({ mirror: mirror.url })
  const objects = await openFolder(await mkdtemp(join(tmpdir(), 'hexcast-zones-')))
  deps = { database, upstream, objects, clock: Date.now }
})
afterAll(async () => {
  await upstream.close()
  await mirror.close()
  await deps.objects.close()
  await close()
})

const zonesOf = async (query: Record<string, string>) => {
  const { body } = await zonesRoute.handle!({ query, now: Date.now(), format: 'json' } as never)
  return (body as { zones: { id: string; name: string; office: string }[] }).zones
}
const agedBy = (days: number) =>
  database.query(
    `update feed_state set looked_at = looked_at - make_interval(days => ${days}) where feed like 'zones/%'`,
  )
const square = (id: string, { lat, lon }: { lat: number; lon: number }, half = 0.3) => ({
  type: 'Feature',
  properties: { id, type: 'public', name: `Zone ${id}`, state: id.slice(0, 2), cwa: ['BOU'] },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [lon - half, lat - half],
        [lon + half, lat - half],
        [lon + half, lat + half],
        [lon - half, lat + half],
        [lon - half, lat - half],
      ],
    ],
  },
})
const listOf = (...features: object[]) => ({ type: 'FeatureCollection', features })

test('loads the public zones of every state once', async () => {
  expect(await zonesOf({ lat: '39.7392', lon: '-104.9903', kind: 'forecast' })).toEqual([])
  expect(await loadPublicZones(deps)).toEqual(['public zones of 51 states'])
  expect(requests.length).toBe(51)
  expect(await zonesOf({ lat: '39.7392', lon: '-104.9903', kind: 'forecast' })).toMatchObject([
    { id: 'COZ040', kind: 'forecast', state: 'CO', office: 'BOU' },
  ])
  expect(await loadPublicZones(deps)).toEqual([])
  expect(requests.length).toBe(51)
})

const oracle = join(import.meta.dirname, '../../../shared/fixtures/text/geo/oracles/places-50-states-dc.json')
test.skipIf(!existsSync(oracle))('every capital, largest and rural place of the states has a public zone', () => {
  const places = JSON.parse(readFileSync(oracle, 'utf8')) as {
    lat: number
    lon: number
    state: string
    place: string
  }[]
  expect(places.length).toBeGreaterThan(150)
  const zones = places.map(({ lat, lon, state, place }) => ({ state, place, zone: zonesAt(lat, lon).forecast }))
  expect(zones.filter(({ zone }) => zone === undefined)).toEqual([])
  // Fairview, Montana, lies on the line to North Dakota, within the generalisation of the county outlines.
  const abroad = zones.filter(({ state, zone }) => !zone?.startsWith(`${state}Z`))
  expect(abroad.filter(({ place }) => place !== 'Fairview')).toEqual([])
})

test('finds an alert for public zones inside and not outside them', async () => {
  const sent = Date.now() - HOUR
  const properties = {
    id: 'winter',
    event: 'Winter Weather Advisory',
    sent: isoMilliseconds(sent),
    effective: isoMilliseconds(sent),
    onset: isoMilliseconds(sent),
    expires: isoMilliseconds(sent + 4 * HOUR),
    ends: isoMilliseconds(sent + 6 * HOUR),
    status: 'Actual',
    messageType: 'Alert',
    severity: 'Moderate',
    urgency: 'Expected',
    certainty: 'Likely',
    senderName: 'NWS Denver CO',
    geocode: { UGC: ['COZ040'], SAME: [] },
    affectedZones: ['https://api.weather.gov/zones/forecast/COZ040'],
    references: [],
    parameters: {},
  }
  bodies = { '/alerts/active': listOf({ type: 'Feature', geometry: null, properties }) }
  await sweepAlerts({ database, upstream }, Date.now())
  const at = ({ lat, lon }: { lat: number; lon: number }) =>
    alertIdsAt(database, lon, lat, cellOf(lat, lon, COVER_RESOLUTION))
  expect([await at(DENVER), await at(PUEBLO)]).toEqual([['winter'], []])
  await loadZones({ database, upstream })
  expect([await at(DENVER), await at(PUEBLO)]).toEqual([['winter'], []])
})

test('reads lists again after a week and replaces renumbered zones', async () => {
  bodies = { CO: listOf(square('COZ540', DENVER), square('COZ541', PUEBLO)) }
  requests.length = 0
  await agedBy(8)
  expect(await loadPublicZones(deps)).toEqual(['public zones of 1 states'])
  expect(requests.length).toBe(51)
  expect(zonesAt(DENVER.lat, DENVER.lon).forecast).toBe('COZ540')
  expect(zonesById('COZ040')).toEqual([])
})

test('loses only an unreadable zone, and keeps the zones if a list is invalid', async () => {
  const broken = { ...square('COZ541', PUEBLO), geometry: null }
  bodies = { CO: listOf(square('COZ540', DENVER), broken, square('COZ542', { lat: 40.5, lon: -105 })), TX: '<html>' }
  const texan = zonesAt(32.78, -96.8).forecast
  await agedBy(8)
  const notes = await loadPublicZones(deps)
  expect(notes).toEqual([
    'public zones of 1 states',
    expect.stringContaining('zones of TX: the body must be JSON'),
    expect.stringContaining('1 public zones could not be read: zone COZ541'),
  ])
  expect(zonesAt(40.5, -105).forecast).toBe('COZ542')
  expect(zonesAt(32.78, -96.8).forecast).toBe(texan)
  expect((await feedState(database, 'zones/TX'))?.failure).toMatch(/the body must be JSON/)
  // Within ten minutes it is not read again, then whole.
  requests.length = 0
  bodies = {}
  await loadPublicZones(deps)
  expect(requests).toEqual([])
  await agedBy(1)
  await loadPublicZones(deps)
  expect(requests).toEqual(['TX'])
})

test('gives the stored zones to a process at its start and later', async () => {
  usePublicZones('CO', await deps.objects.get(publicZonesKey(false, 'TX')))
  expect(zonesAt(DENVER.lat, DENVER.lon).forecast).toBeUndefined()
  let invalidated = 0
  const current = { invalidateAll: () => invalidated++ }
  const report = () => (error: unknown) => {
    throw error
  }
  const live = await openZones({ database, objects: deps.objects, current, report, clock: Date.now } as never)
  expect(zonesAt(DENVER.lat, DENVER.lon).forecast).toBe('COZ540')
  expect(invalidated).toBe(1)
  bodies = { CO: listOf(square('COZ700', DENVER)) }
  await agedBy(8)
  await loadPublicZones(deps)
  await live.read!()
  expect(zonesAt(DENVER.lat, DENVER.lon).forecast).toBe('COZ700')
  expect(invalidated).toBe(2)
  await live.close!()
})
