import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Mirror, type Misbehaviour, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { attemptOf } from '../../ingest/steps/grid/attempt.ts'
import type { RunPorts } from '../../ingest/steps/grid/grid-run.ts'
import { newRuns } from '../../ingest/steps/grid/new-runs.ts'
import { servedRun } from '../../ingest/steps/grid/publish.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { manifestOf, pointerOf, runOf, startRun } from '../../sql/queries/runs.ts'

// A run whose file cannot be fetched is published without it, and completed when the file appears.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-lost-'))
const before = Date.UTC(2026, 10, 21, 12)
const run = before + HOUR
const LEADS = [1, 2, 3, 4, 5, 6]
let upTo: Instant = run
/** The hours of one domain are enough for this test. */
const dataset: GridDataset = {
  ...nbm,
  domains: nbm.domains.filter(({ id }) => id === 'hawaii'),
  runs: () => [...new Set([upTo, run, before])],
  leads: () => LEADS,
  stages: () => [{ name: 'part', to: 6 }],
  leadOf(key, runTime, domain) {
    const lead = nbm.leadOf(key, runTime, domain)
    return lead !== undefined && LEADS.includes(lead) ? lead : undefined
  },
}
const domains = ['hawaii'] as const
const fileOf = (runTime: Instant, lead: number) => new URL(dataset.file(runTime, 'hawaii', lead).url).pathname

let now = run + 100 * MINUTE
const clock = () => now
let mirror: Mirror
let upstream: Upstream
let objects: Objects
let database: Database
let pool: Pool
let ports: RunPorts

beforeAll(async () => {
  mirror = await startMirror({ sources: modelSources(24), now: clock })
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  objects = await openFolder(join(folder, 'objects'))
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  pool = openPool({ threads: 1 })
  const cacheDir = join(folder, 'cache')
  ports = { upstream, objects, slabs: objects, database, pool, resolution: 5, cacheDir, clock, fileMs: 3000 }
}, 60_000)
afterAll(async () => {
  await pool.close()
  await database.close()
  await objects.close()
  await upstream.close()
  await mirror.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Makes the previous run the served run. */
beforeEach(async () => {
  mirror.misbehaviours.splice(0)
  now = run + 100 * MINUTE
  for (const table of ['pointer', 'run']) await database.query(`delete from ${table} where dataset = $1`, [dataset.id])
  for await (const { key } of objects.list('slabs/')) await objects.remove(key)
  await takeRun(ports, dataset, { domains, run: before }, clock)
})

const served = async () => {
  const pointer = await pointerOf(database, dataset.id, 'hawaii')
  const opened = await openRun(objects, pointer!.manifest_key)
  const hours = [...opened.variables.get('temperature')!.times].map((time) => (time - opened.run) / HOUR)
  return { run: opened.run, hours }
}
const key = (runTime: Instant) => ({ dataset: dataset.id, domain: 'hawaii', run: new Date(runTime) })
const allLeads = LEADS
const without = LEADS.filter((lead) => lead !== 4)

/** Polls once, as the workflow does. */
async function poll(): Promise<void> {
  for (const newRun of await newRuns(ports, dataset, now)) {
    await takeRun(ports, dataset, newRun, clock).catch((error: unknown) => {
      if (!isFault(error, 'NotYet')) throw error
    })
  }
}

test.each<[string, Misbehaviour['how']]>([
  ['a redirect to another host', 'redirect'],
  ['a redirect to nowhere', 'nowhere'],
  ['a refusal', 'forbidden'],
  ['listed and absent', 'listed-early'],
  ['a page in its place', 'html'],
  ['an empty body', 'empty'],
  ['a body that breaks off', 'truncate'],
  ['no answer', 'silent'],
  ['a body that stops half-way', 'stalled'],
])('%s: the run is published without that hour in one poll, and completed when it comes', async (_, how) => {
  mirror.misbehaviours.push({ path: fileOf(run, 4), how })
  await poll()
  expect(await served()).toEqual({ run, hours: without })
  expect(await manifestOf(database, key(run))).toMatchObject({ gaps: ['upstream does not have hours 4'] })
  const attempt = () => attemptOf(database, dataset, { domains, run }, objects)
  const first = await attempt()
  // The file is requested again only after a while, and nothing is built in the meantime.
  const requests = mirror.log.filter((line) => line.includes('f004')).length
  await poll()
  expect(mirror.log.filter((line) => line.includes('f004')).length).toBe(requests)
  // An engine does not repeat work with the same name, so the next attempt has its own name.
  now += 11 * MINUTE
  await poll()
  expect(await attempt()).not.toBe(first)
  expect(await served()).toEqual({ run, hours: without })
  mirror.misbehaviours.splice(0)
  now += 11 * MINUTE
  await poll()
  expect(await served()).toEqual({ run, hours: allLeads })
  expect(await manifestOf(database, key(run))).toMatchObject({ gaps: [] })
})

test('a file without an index is read whole', async () => {
  mirror.misbehaviours.push({ path: `${fileOf(run, 4)}.idx`, how: 'listed-early' })
  await poll()
  expect(await served()).toEqual({ run, hours: allLeads })
})

test('a file that never appears delays the run only by minutes', async () => {
  mirror.misbehaviours.push({ path: fileOf(run, 4), how: 'late' })
  await poll()
  expect((await served()).run).toBe(before)
  now += 6 * MINUTE
  await poll()
  expect(await served()).toEqual({ run, hours: without })
})

test('a run that lacks most of its hours is neither published nor rejected while an outage lasts', async () => {
  for (const lead of LEADS.slice(1)) mirror.misbehaviours.push({ path: fileOf(run, lead), how: 'redirect' })
  await expect(takeRun(ports, dataset, { domains, run }, clock)).rejects.toThrow(/but is 308/)
  expect((await served()).run).toBe(before)
  expect((await runOf(database, key(run)))?.state).toBe('claimed')
  mirror.misbehaviours.splice(0)
  now += 3 * MINUTE
  await poll()
  expect(await served()).toEqual({ run, hours: allLeads })
})

test('a newer complete run is served within one poll while an older run is incomplete', async () => {
  for (const lead of LEADS.slice(1)) mirror.misbehaviours.push({ path: fileOf(run, lead), how: 'late' })
  const payload = { dataset: dataset.id, domain: 'hawaii', run: new Date(run).toISOString(), at: '' }
  now = run + HOUR + 100 * MINUTE
  upTo = run + HOUR
  await startRun(database, key(run), { topic: 'hexcast.runs', key: dataset.id, payload })
  const runs = await newRuns(ports, dataset, now)
  expect(runs).toContainEqual({ domains, run: run + HOUR })
  await Promise.allSettled(runs.map((openRun) => takeRun(ports, dataset, openRun, clock)))
  expect((await servedRun(database, dataset.id, 'hawaii'))?.run).toBe(run + HOUR)
})
