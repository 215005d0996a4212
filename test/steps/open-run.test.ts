import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { newRuns, planStage, type RunPorts } from '../../ingest/steps/grid/grid-run.ts'
import { retireRuns } from '../../ingest/steps/grid/retire.ts'
import { sampleFile } from '../../ingest/steps/grid/sample.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { pointerOf, runOf } from '../../sql/queries/runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'hexcast-open-'))
const run = Date.UTC(2026, 7, 20, 13)
/** Upstream has f00 to f10 of the run. */
let now = run + 71 * MINUTE
let mirror: Mirror
let upstream: Upstream
let objects: Objects
let database: Database
let pool: Pool
let ports: RunPorts

beforeAll(async () => {
  const sources = modelSources(24).filter(({ host }) => host.includes('hrrr'))
  mirror = await startMirror({ sources, now: () => now })
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  objects = await openFolder(join(folder, 'objects'))
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  pool = openPool({ threads: 1 })
  ports = { upstream, objects, slabs: objects, database, pool, resolution: 4, cacheDir: join(folder, 'cache') }
}, 60_000)
afterAll(async () => {
  await pool.close()
  await database.close()
  await objects.close()
  await upstream.close()
  await mirror.close()
  rmSync(folder, { recursive: true, force: true })
})

const conus = async () => (await newRuns(ports, hrrr, now)).filter(({ domains }) => domains[0] === 'conus')
const target = { domains: ['conus' as const], run }
const fetched = () => mirror.log.filter((line) => / 206 /.test(line) && line.includes('t13z')).length

test('samples a run as it appears, each file once, and publishes it completely', async () => {
  // A new installation ingests a complete run first.
  expect((await conus()).map((row) => row.run)).toEqual([run - HOUR])
  await takeRun(ports, hrrr, { ...target, run: run - HOUR }, () => now)
  expect((await conus()).map((row) => row.run)).toEqual([run])

  const step = await planStage(ports, hrrr, target, 0, now)
  if (step.state !== 'waiting') throw new Error(`the run must wait, but is ${step.state}`)
  expect(step.files!.map(({ leadHours }) => leadHours)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  for (const file of step.files!) await sampleFile(ports, hrrr, run, file, target.domains)
  expect(await planStage(ports, hrrr, target, 0, now)).toMatchObject({ state: 'waiting', files: [] })
  // Readers still have the previous run, and nothing of this run was published.
  expect((await pointerOf(database, 'hrrr', 'conus'))!.run.getTime()).toBe(run - HOUR)
  expect(await runOf(database, { dataset: 'hrrr', domain: 'conus', run: new Date(run) })).toBeUndefined()

  const before = fetched()
  now = run + 87 * MINUTE
  await takeRun(ports, hrrr, target, () => now)
  const row = await runOf(database, (await pointerOf(database, 'hrrr', 'conus'))!)
  expect([row!.run.getTime(), row!.leads!.length]).toEqual([run, 19])
  // Only the remaining eight files are fetched.
  expect((fetched() - before) / before).toBeLessThan(1)
})

test('removes slabs of an incomplete run with other runs of its age', async () => {
  const lost = { ...target, run: run + HOUR }
  now = run + HOUR + 71 * MINUTE
  const step = await planStage(ports, hrrr, lost, 0, now)
  if (step.state !== 'waiting') throw new Error(`the run must wait, but is ${step.state}`)
  await sampleFile(ports, hrrr, lost.run, nth(step.files!, 0), lost.domains)
  const slabs = async () => {
    const keys: string[] = []
    for await (const { key } of objects.list('slabs/v1/hrrr/')) keys.push(key)
    return keys
  }
  expect((await slabs()).length).toBeGreaterThan(0)
  await retireRuns(ports, hrrr, now)
  expect((await slabs()).length).toBeGreaterThan(0)
  await retireRuns(ports, hrrr, lost.run + hrrr.keepSeconds * 1000)
  expect(await slabs()).toEqual([])
})
