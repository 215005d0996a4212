import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stationForecasts } from '../../api/answer/station-forecasts.ts'
import { Blender } from '../../api/blend/blend.ts'
import { WriterMemory } from '../../api/present/writer-memory.ts'
import { weatherAt } from '../../infra/simulator/atmosphere.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { catalog } from '../../ingest/catalog.ts'
import { rrfs, rrfsLong } from '../../ingest/datasets/rrfs.ts'
import { cellOf, centreOf } from '../../ingest/domain/cell.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { HOUR_ELEMENTS, LEAD_HOURS, READ_SOURCES } from '../../ingest/domain/verification/forecast.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import type { RunPorts } from '../../ingest/steps/grid/grid-run.ts'
import { newRuns } from '../../ingest/steps/grid/new-runs.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { type OpenRun, openRun } from '../../ingest/tile/read.ts'
import { recentlyQuarantined } from '../../sql/queries/quarantine.ts'
import { manifestOf, pointerOf } from '../../sql/queries/runs.ts'
import { tileCurrent } from './tile-current.ts'

// RRFS from the simulated bucket to tiles, with the simulated atmosphere as the truth.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-rrfs-'))
const RUN = Date.UTC(2026, 10, 21, 12)
let now = RUN + 4 * HOUR
let mirror: Mirror
let upstream: Upstream
let objects: Objects
let database: Database
let pool: Pool
let ports: RunPorts

beforeAll(async () => {
  const sources = modelSources(12, { withRrfs: true }).filter(({ host }) => host.includes('rrfs'))
  mirror = await startMirror({ sources, now: () => now })
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  objects = await openFolder(join(folder, 'objects'))
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  pool = openPool({ threads: 2 })
  const clock = () => now
  ports = { upstream, objects, slabs: objects, database, pool, resolution: 5, cacheDir: join(folder, 'cache'), clock }
}, 60_000)
afterAll(async () => {
  await pool.close()
  await database.close()
  await objects.close()
  await upstream.close()
  await mirror.close()
  rmSync(folder, { recursive: true, force: true })
})

async function served(dataset: string, domain: DomainId): Promise<OpenRun> {
  const pointer = await pointerOf(database, dataset, domain)
  return openRun(objects, pointer!.manifest_key)
}

const boxes: readonly (readonly [DomainId, number, number, number, number])[] = [
  ['conus', 27, 48, -120, -72],
  ['alaska', 56, 70, -165, -142],
  ['hawaii', 19, 22, -160, -155],
]
const turn = (a: number, b: number) => Math.abs(((a - b + 540) % 360) - 180)

/** The largest and the mean error of each quantity at points of a box. */
async function errorsOf(run: OpenRun, box: (typeof boxes)[number], points: number) {
  const [, south, north, west, east] = box
  const errors = new Map<string, number[]>()
  const add = (name: string, error: number) => errors.set(name, [...(errors.get(name) ?? []), error])
  for (let k = 0; k < 3000 && (errors.get('temperature')?.length ?? 0) < points; k++) {
    const lat = south + (north - south) * ((k * 0.618034) % 1)
    const cell = cellOf(lat, west + (east - west) * ((k * 0.754878) % 1), 5)
    const point = await run.point(cell)
    if (!point) continue
    const at = (name: string, time: Instant) => {
      const series = point.variables.get(name)
      return series?.values[series.times.indexOf(time)] ?? Number.NaN
    }
    const time = run.run + 9 * HOUR
    const truth = weatherAt(...centreOf(cell), time)
    add('temperature', Math.abs(at('temperature', time) - truth.temperature))
    add('pressure', Math.abs(at('pressure', time) - truth.pressure))
    add('wind_speed', Math.abs(at('wind_speed', time) - truth.windSpeed))
    add('wind_direction', truth.windSpeed > 3 ? turn(at('wind_direction', time), truth.windDirection) : 0)
    add('cloud_cover', Math.abs(at('cloud_cover', time) - truth.cloudCover))
    add('cloud_cover_low', Math.abs(at('cloud_cover_low', time) - truth.cloudLow))
    add('solar_radiation', Math.abs(at('solar_radiation', time) - truth.solar))
    const ceiling = at('cloud_ceiling', time)
    add('ceiling_unlimited', Number.isNaN(ceiling) === Number.isNaN(truth.ceiling) ? 0 : 1)
    if (!Number.isNaN(ceiling + truth.ceiling)) add('cloud_ceiling', Math.abs(ceiling - truth.ceiling))
    add('smoke', Math.abs(at('smoke', time) - truth.smoke) * 1e9)
    add('snow_flag', truth.precipRate > 1 && truth.snowFraction > 0.6 ? 1 - at('snow_flag', time) : 0)
  }
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  return {
    points: errors.get('temperature')!.length,
    means: Object.fromEntries([...errors].map(([k, v]) => [k, mean(v)])),
  }
}

test('reads the truth at 200 points of three domains, with the winds turned to true north', {
  timeout: 180_000,
}, async () => {
  for (const { domains, run } of await newRuns(ports, rrfs, now)) {
    expect(run).toBe(RUN)
    const { stages } = await takeRun(ports, rrfs, { domains, run }, () => now)
    expect(stages[0]?.outcomes).toEqual([{ state: 'published', reasons: [] }])
  }
  let points = 0
  for (const box of boxes) {
    const run = await served('rrfs', box[0])
    const errors = await errorsOf(run, box, 70)
    points += errors.points
    // The grid points are 36 km apart over CONUS and Alaska, and 15 km over Hawaii.
    for (const [name, most] of [
      ['temperature', 0.3],
      ['pressure', 30],
      ['wind_speed', 0.2],
      ['wind_direction', 2],
      ['cloud_cover', 3],
      ['cloud_cover_low', 3],
      ['solar_radiation', 12],
      ['cloud_ceiling', 100],
      ['ceiling_unlimited', 0.05],
      ['smoke', 0.5],
      ['snow_flag', 0.05],
    ] as const)
      expect(errors.means[name], `${name} of ${box[0]}`).toBeLessThan(most)
    // The height of the ground, which is subtracted from a ceiling, is the second message of its source.
    const sources = await run.provenance()
    const [ceiling, ground] = ['cloud_ceiling', 'terrain_height'].map((name) => sources.get(name)?.[0])
    expect(ceiling?.from).not.toBe(ground?.from)
    expect(ceiling?.v).toEqual({
      from: ground?.from,
      length: ground?.length,
      number: ground?.number,
      sha256: ground?.sha256,
    })
    const manifest = await manifestOf(database, { dataset: 'rrfs', domain: box[0], run: new Date(RUN) })
    expect(manifest).toMatchObject({ lacking: [], gaps: [], last: true })
  }
  expect(points).toBeGreaterThanOrEqual(200)
  // Doubled lines are of fields that are not read.
  expect(await recentlyQuarantined(database, new Date(0))).toEqual([])
})

test('publishes the later hours without a file that was dropped', { timeout: 180_000 }, async () => {
  mirror.misbehaviours.push({ path: /2dfld\.2p5km\.f047\.hi/, how: 'late' })
  const run = RUN - 6 * HOUR
  const ask = () => takeRun(ports, rrfsLong, { domains: ['hawaii'], run }, () => now)
  await expect(ask()).rejects.toThrow('the first is hour 47')
  // The list of a mirror must be unchanged for two minutes.
  now += 3 * MINUTE
  const { stages } = await ask()
  expect(stages.map(({ outcomes }) => outcomes[0]?.state)).toEqual(['published', 'published'])
  const opened = await served('rrfs-long', 'hawaii')
  const { times } = opened.variables.get('pressure')!
  expect(times.length).toBe(65)
  expect(times).not.toContain(run + 47 * HOUR)
  expect(times.at(-1)).toBe(run + 84 * HOUR)
})

test('verifies RRFS alone by its own values to hour 72, which are the truth, and no value after its end', async () => {
  const station = { id: 'PHNL', name: 'Honolulu', lat: 21.3187, lon: -157.9225, state: 'HI', office: 'HFO' }
  const stations = [{ ...station, domain: 'hawaii', timezone: 'Pacific/Honolulu' } as const]
  const current = await tileCurrent(objects)
  const about = { current, datasets: catalog, suppliers: {}, resolution: 5 }
  const deps = { ...about, blender: new Blender(), writerMemory: new WriterMemory() }
  const { hours } = await stationForecasts(deps, { now, stations, morning: [] })
  const values = (source: (typeof READ_SOURCES)[number], lead: (typeof LEAD_HOURS)[number]) => {
    const at = (LEAD_HOURS.indexOf(lead) * READ_SOURCES.length + READ_SOURCES.indexOf(source)) * HOUR_ELEMENTS.length
    return Object.fromEntries(HOUR_ELEMENTS.map((name, e) => [name, hours[at + e] ?? Number.NaN]))
  }
  for (const lead of [1, 3, 6, 12, 24, 48, 72] as const) {
    const truth = weatherAt(
      ...centreOf(cellOf(station.lat, station.lon, 5)),
      Math.floor(now / HOUR) * HOUR + lead * HOUR,
    )
    const own = values('rrfs', lead)
    expect(Math.abs(Number(own['temperature']) - truth.temperature + 273.15), `${lead} h`).toBeLessThan(0.5)
    expect(Math.abs(Number(own['wind_speed']) - truth.windSpeed), `${lead} h`).toBeLessThan(0.5)
    expect(Math.abs(Number(own['cloud_cover']) - truth.cloudCover), `${lead} h`).toBeLessThan(6)
    // A flight category needs a ceiling: infinity is none.
    expect(own['cloud_ceiling'] === Number.POSITIVE_INFINITY, `${lead} h`).toBe(Number.isNaN(truth.ceiling))
  }
  expect(values('rrfs', 120)['temperature']).toBeNaN()
  expect(values('nbm', 24)['temperature']).toBeNaN()
})
