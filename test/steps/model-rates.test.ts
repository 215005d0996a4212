import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { cellOf, centreOf } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { modelRates } from '../../ingest/steps/frames/model-rates.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { placeOf } from '../../ingest/tile/frame.ts'
import { writeFrame } from '../../ingest/tile/frame-write.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { pointerOf } from '../../sql/queries/runs.ts'

/** The rates of HRRR at the pixels of a radar frame, from a run of the simulator. */

const folder = mkdtempSync(join(tmpdir(), 'hexcast-model-rates-'))
const run = Date.UTC(2026, 7, 20, 12)
const now = run + 87 * MINUTE
const RESOLUTION = 5
const valid = run + 3 * HOUR
const grid = { nx: 1400, ny: 700, north: 54.975, west: -129.975, dLat: 0.05, dLon: 0.05 }
const FRAME = 'frame'
let mirror: Mirror
let upstream: Upstream
let objects: Objects
let database: Database
let pool: Pool

beforeAll(async () => {
  const sources = modelSources(24).filter(({ host }) => host.includes('hrrr'))
  mirror = await startMirror({ sources, now: () => now })
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  objects = await openFolder(join(folder, 'objects'))
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  pool = openPool({ threads: 1 })
  const ports = { upstream, objects, slabs: objects, database, pool, resolution: RESOLUTION, cacheDir: folder }
  await takeRun(ports, hrrr, { domains: ['conus'], run }, () => now)
  const row = Buffer.alloc(grid.nx * 2)
  const read = (take: (rows: Uint8Array) => void) => {
    for (let y = 0; y < grid.ny; y++) take(row)
  }
  const { bytes } = writeFrame(
    {
      ...{ product: 'mrms-precip-rate', domain: 'conus', unit: 'mm/h', source: 'https://mrms/rate' },
      validTime: valid,
      grid,
    },
    { each: 2, read, meaning: () => 0, values: 'amount' },
  )
  await objects.put(FRAME, bytes)
}, 120_000)
afterAll(async () => {
  await pool.close()
  await database.close()
  await objects.close()
  await upstream.close()
  await mirror.close()
  rmSync(folder, { recursive: true, force: true })
})

const published = async () => (await pointerOf(database, 'hrrr', 'conus'))!
const ratesAt = (time: number, anchors: readonly number[]) =>
  modelRates({ database, objects }, 'conus', time, anchors, FRAME)

test('reads the rate of the hour at the pixels in the middle of cells over the whole domain', async () => {
  const { manifest_key: key, published_at: at } = await published()
  const { pixels, rates } = (await ratesAt(valid + MINUTE, [at.getTime()])).get(at.getTime())!
  expect(pixels.length).toBe(rates.length)
  expect(pixels.length).toBeGreaterThan(2000)
  expect(rates.filter((rate) => rate >= 0.1).length).toBeGreaterThan(50)
  const opened = await openRun(objects, key)
  const hour = opened.variables.get('precip_rate')!.times.indexOf(valid)
  for (let i = 0; i < pixels.length; i += 101) {
    const pixel = nth(pixels, i)
    const { lat, lon } = placeOf(grid, pixel % grid.nx, Math.floor(pixel / grid.nx))
    const cell = cellOf(lat, lon, RESOLUTION)
    const [middle] = centreOf(cell)
    expect(Math.abs(middle - lat)).toBeLessThan(grid.dLat)
    expect((await opened.point(cell))!.variables.get('precip_rate')!.values[hour]).toBe(rates[i])
  }
})

test('takes no run that was served later than the nowcast, none of another domain, and nothing between full hours', async () => {
  const at = (await published()).published_at.getTime()
  expect([...(await ratesAt(valid, [at - 1, at])).keys()]).toEqual([at])
  expect((await ratesAt(valid + 10 * MINUTE, [at])).size).toBe(0)
  expect((await ratesAt(run + 30 * HOUR, [at])).size).toBe(0)
  expect((await modelRates({ database, objects }, 'hawaii', valid, [at], FRAME)).size).toBe(0)
})
