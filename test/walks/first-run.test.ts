import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { publishStage, type RunPorts } from '../../ingest/steps/grid/grid-run.ts'
import { newRuns } from '../../ingest/steps/grid/new-runs.ts'
import { planRun } from '../../ingest/steps/grid/plan.ts'
import { servedRun } from '../../ingest/steps/grid/publish.ts'
import { sampleFile } from '../../ingest/steps/grid/sample.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'

// A first start takes the newest run that upstream has to its end, so that the later days do not wait for a run that is
// still being written.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-first-run-'))
const before = Date.UTC(2026, 10, 21, 12)
const run = before + HOUR
const LEADS = [1, 2, 3, 4]
const domains = ['hawaii'] as const
const dataset: GridDataset = {
  ...nbm,
  domains: nbm.domains.filter(({ id }) => id === 'hawaii'),
  runs: () => [run, before],
  leads: () => LEADS,
  stages: () => [
    { name: 'near', to: 2 },
    { name: 'whole', to: 4 },
  ],
  leadOf(key, runTime, domain) {
    const lead = nbm.leadOf(key, runTime, domain)
    return lead !== undefined && LEADS.includes(lead) ? lead : undefined
  },
}

let now = run + 100 * MINUTE
const clock = () => now
let mirror: Mirror
let upstream: Upstream
let database: Database
let pool: Pool
let ports: RunPorts

beforeAll(async () => {
  mirror = await startMirror({ sources: modelSources(24), now: clock })
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  const objects = await openFolder(join(folder, 'objects'))
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  pool = openPool({ threads: 1 })
  ports = { upstream, objects, slabs: objects, database, pool, resolution: 5, cacheDir: join(folder, 'cache'), clock }
}, 60_000)
afterAll(async () => {
  await pool.close()
  await database.close()
  await upstream.close()
  await mirror.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The newest run has its first stage alone. */
beforeEach(async () => {
  now = run + 100 * MINUTE
  mirror.misbehaviours.splice(0)
  for (const lead of [3, 4]) {
    const path = new URL(dataset.file(run, 'hawaii', lead).url).pathname
    mirror.misbehaviours.push({ path, how: 'late' })
  }
  for (const table of ['pointer', 'run']) await database.query(`delete from ${table} where dataset = $1`, [dataset.id])
  for await (const { key } of ports.slabs.list('slabs/')) await ports.slabs.remove(key)
})

const polled = () => newRuns(ports, dataset, now)

async function publish(runTime: number, stage: number): Promise<void> {
  const { files } = await planRun(upstream, dataset, runTime, 'hawaii', stage, now)
  for (const file of files) await sampleFile(ports, dataset, runTime, file, domains)
  await publishStage(ports, dataset, { domains, run: runTime }, stage, now)
}

test('the complete run is taken first, and the newer one when the complete run is served', async () => {
  expect(await polled()).toEqual([{ domains, run: before }])
  await publish(before, 0)
  // The newer run has as many hours as the served stage, and would replace it without the later days.
  expect(await polled()).toEqual([{ domains, run: before }])
  await takeRun(ports, dataset, { domains, run: before }, clock)
  expect(await servedRun(database, dataset.id, 'hawaii')).toMatchObject({ run: before, stage: 1 })
  expect(await polled()).toEqual([{ domains, run }])
  await takeRun(ports, dataset, { domains, run }, clock).catch((error: unknown) => {
    if (!isFault(error, 'NotYet')) throw error
  })
  expect(await servedRun(database, dataset.id, 'hawaii')).toMatchObject({ run: before, stage: 1 })
  mirror.misbehaviours.splice(0)
  await takeRun(ports, dataset, { domains, run }, clock)
  expect(await servedRun(database, dataset.id, 'hawaii')).toMatchObject({ run, stage: 1 })
})

test('the newest run is taken if it is complete', async () => {
  mirror.misbehaviours.splice(0)
  expect(await polled()).toEqual([{ domains, run }])
})

test('a newer run no longer waits for a complete run that does not arrive', async () => {
  await publish(before, 0)
  // The database dates a claim by its own clock.
  await database.query('update run set claimed_at = $1 where dataset = $2', [new Date(now), dataset.id])
  now += 16 * MINUTE
  expect(await polled()).toContainEqual({ domains, run })
})

test('without any complete run, the newest is taken in part', async () => {
  const path = new URL(dataset.file(before, 'hawaii', 4).url).pathname
  mirror.misbehaviours.push({ path, how: 'late' })
  // So soon after the runs, absent files are still awaited.
  now = run + 62 * MINUTE
  expect((await polled()).map((entry) => entry.run)).toContain(run)
})
