import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { normalsStations, reportStations } from '../../infra/simulator/climate-stations.ts'
import { simulatedDay, simulatedNormal } from '../../infra/simulator/feeds/climate.ts'
import { startSimulator } from '../../infra/simulator/main.ts'
import type { Mirror } from '../../infra/simulator/mirror.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { zone } from '../../ingest/domain/timezone.ts'
import type { ClimateStation } from '../../ingest/domain/weather/climate.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { firstWithTemperatures, loadStationList } from '../../ingest/steps/climate/station-normals.ts'
import type { FeedDeps } from '../../ingest/steps/feeds/feed.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { readStationList, stationListKey } from '../../ingest/tile/normals-file.ts'
import { climateRecords, climateReports, rejectedTexts } from '../../sql/queries/climate.ts'
import { feedState } from '../../sql/queries/feeds.ts'

let dataDir: string
let db: Database
let objects: Objects
let mirror: Mirror
let upstream: Upstream
let deps: FeedDeps

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-climate-'))
  db = await openDatabase({ dataDir, databasePool: 1 })
  objects = await openFolder(join(dataDir, 'objects'))
  mirror = await startSimulator({ port: 0 })
  upstream = openUpstream({ mirror: mirror.url })
  deps = { database: db, upstream, objects, clock: Date.now }
})

afterAll(async () => {
  await upstream.close()
  await mirror.close()
  await objects.close()
  await db.close()
  await rm(dataDir, { recursive: true, force: true })
})

const requestCount = () => upstream.counts.requests

test('reads the list of stations once and a station when it is first needed, and stores both', async () => {
  const normals = { upstream, objects, simulated: false }
  expect((await loadStationList(normals))?.stations).toHaveLength(normalsStations.length)
  const before = requestCount()
  expect(await loadStationList(normals)).toBeUndefined()
  const stations = readStationList(await objects.get(stationListKey(false)))
  expect(requestCount()).toBe(before)
  const denver = stations.find(({ id, lat }) => id.startsWith('USW') && Math.abs(lat - 39.4) < 0.01)!
  const wet = stations.find(({ id }) => id.startsWith('USC'))!
  const read = (await firstWithTemperatures(normals, [wet, denver]))!
  // Two headers and one file are requested.
  expect(requestCount() - before).toBe(3)
  expect(await firstWithTemperatures(normals, [wet, denver])).toEqual(read)
  expect(await firstWithTemperatures(normals, [wet])).toBeUndefined()
  expect(requestCount() - before).toBe(3)
  expect(read.days).toHaveLength(366)
  const { high, low } = simulatedNormal(denver.lat, 200)
  expect(read.days[200]).toMatchObject({ high, low, years: 30, completeness: 'S', highStddev: 8.2 })
  expect(nth(read.days, 59).precip).toBeNull()
})

test('never stores a damaged or rejected file', async () => {
  const [first, second] = readStationList(await objects.get(stationListKey(false))).filter(({ id }) =>
    id.startsWith('USW'),
  )
  const read = (station: ClimateStation) => firstWithTemperatures({ upstream, objects, simulated: true }, [station])
  for (const how of ['html', 'cut'] as const) {
    mirror.misbehaviours.push({ path: `${second!.id}.csv`, how })
    await expect(read(second!)).rejects.toMatchObject({
      kind: 'Corrupt',
    })
    mirror.misbehaviours.length = 0
  }
  mirror.misbehaviours.push({
    path: `www.ncei.noaa.gov/data/normals-daily/1991-2020/access/${first!.id}.csv`,
    how: 'html',
  })
  expect((await read(first!))?.days).toHaveLength(366)
  mirror.misbehaviours.length = 0
  expect((await read(second!))?.days).toHaveLength(366)
})

test('stores the climate reports of the simulated weather, and replaces a preliminary one by the final one', async () => {
  await sweepFeed(deps, 'climate-reports')
  expect(await feedState(db, 'climate-reports')).toMatchObject({ failure: null })
  for (const station of [nth(reportStations, 0), reportStations.at(-1)!]) {
    const yesterday = zone(station.timezone).dayOf(Date.now() - 40 * 60_000) - 1
    const date = new Date(yesterday * 86_400_000).toISOString().slice(0, 10)
    const [report, ...more] = await climateReports(db, { station: station.code, dates: [date, date], limit: 10 })
    const { high, low, rain } = simulatedDay(station, yesterday)
    expect(more).toEqual([])
    expect(report).toMatchObject({ preliminary: false, name: station.name, office: station.office })
    expect(report).toMatchObject({ temperature: { high, low }, precipitation: { total: rain } })
    expect(report!.temperature.highRecord.years).toEqual([1953])
  }
  const records = await climateRecords(db, { limit: 100 })
  expect(records.length).toBeGreaterThan(3)
  for (const { value, previous, event, tied } of records) {
    expect([event, tied, previous]).toEqual(['HIGH', false, value! - 1])
  }
  expect(await rejectedTexts(db, 'CLI', { issuedFrom: new Date(0) })).toEqual([])

  const before = requestCount()
  expect((await sweepFeed(deps, 'climate-reports')).notes).toEqual([])
  // Two lists, the codes of both kinds, and each station's list contain no text twice.
  expect(requestCount() - before).toBe(2 * (2 + reportStations.length))
})

test('reports failed lists as a failure of the feed, and keeps the texts that were read', async () => {
  mirror.misbehaviours.push({ path: 'api.weather.gov/products/types', how: 'html' })
  await expect(sweepFeed(deps, 'climate-reports')).rejects.toMatchObject({ kind: 'Corrupt' })
  expect((await feedState(db, 'climate-reports'))!.failure).toMatch(/the body must be (a JSON object|JSON)/)
  mirror.misbehaviours.length = 0
  expect((await climateReports(db, { station: 'BOS', limit: 10 })).length).toBeGreaterThan(2)
  await sweepFeed(deps, 'climate-reports')
  expect((await feedState(db, 'climate-reports'))!.failure).toBeNull()
})
