import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openServiceStatus } from '../../api/live/service-status.ts'
import { measureUpstreamChecks } from '../../api/live/status-metrics.ts'
import { startSimulator } from '../../infra/simulator/main.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { checkNameOf, dailyCheck } from '../../ingest/steps/live-check/daily-check.ts'
import { setOrigin } from '../../sql/queries/origin.ts'
import { checkActivities } from '../../workers/activities/checks.ts'
import type { Activities, ActivityDeps, StepNote } from '../../workers/activities.ts'
import { openEmbeddedEngine } from '../../workers/embedded/engine.ts'

let folder: string
let database: Database
let upstream: Upstream
let simulator: Awaited<ReturnType<typeof startSimulator>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hexcast-daily-'))
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  simulator = await startSimulator({ coarse: 60 })
  upstream = openUpstream({ mirror: simulator.url })
  await setOrigin(database, false)
})
afterAll(async () => {
  await upstream?.close()
  await simulator?.close()
  await database?.close()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => {
  simulator.misbehaviours.length = 0
})

const settings = { datasets: ['rtma', 'storm-tracks'], contact: 'a@b.c', secondSources: {}, contactExpected: true }
const run = () => dailyCheck({ database, upstream, clock: Date.now }, settings)
const status = () => openServiceStatus({ database, clock: Date.now, datasets: settings.datasets })()
async function metrics(): Promise<string> {
  const registry = new Registry()
  measureUpstreamChecks(registry, database, Date.now)
  return registry.metrics()
}

test('shows no check before the first has ended', { timeout: 90_000 }, async () => {
  // The read of a status may time out after some seconds on a busy machine.
  await expect.poll(async () => (await status())?.upstream_check, { timeout: 60_000 }).toBeNull()
  expect(await metrics()).not.toMatch(/^hexcast_upstream_check/m)
})

test('stores one result for each check, and reports what upstream has instead', async () => {
  simulator.misbehaviours.push({ path: 'ProbSevere/', how: 'late' })
  const counts = await run()
  expect(counts).toMatchObject({ failed: 1 })
  expect(counts?.passed).toBeGreaterThan(20)
  const check = (await status())?.upstream_check
  expect(check).toMatchObject({ failed: 1, passed: counts?.passed })
  expect(check?.problems[0]).toMatchObject({ check: 'storm-tracks/conus newest frame', state: 'failed' })
  expect(check?.problems[0]?.detail).toContain('no key begins with ProbSevere/')
  const figures = await metrics()
  expect(figures).toContain('hexcast_upstream_check{check="storm-tracks/conus newest frame"} 2')
  expect(figures).toContain('hexcast_upstream_check{check="rtma/alaska keys"} 0')
  expect(figures).toMatch(/^hexcast_upstream_check_age_seconds \d/m)
})

test('runs once a day, and again an hour after a check that was interrupted', async () => {
  expect(await run()).toBeUndefined()
  await database.query(
    "update upstream_check_run set began_at = began_at - interval '25 hours', ended_at = ended_at - interval '25 hours'",
  )
  expect(await run()).toMatchObject({ failed: 0 })
  const check = (await status())?.upstream_check
  expect(check).toMatchObject({ failed: 0 })
  // The simulator has no text products of outlooks, which are read in place of files that fail.
  expect(check?.problems.filter((problem) => !problem.check.startsWith('feed outlook text'))).toEqual([])
  await database.query(
    "update upstream_check_run set began_at = clock_timestamp() - interval '59 minutes', ended_at = null",
  )
  expect(await run()).toBeUndefined()
  await database.query("update upstream_check_run set began_at = clock_timestamp() - interval '61 minutes'")
  expect(await run()).toMatchObject({ failed: 0 })
})

test('exports a check that itself failed as a failed check', async () => {
  await database.query("update upstream_check_run set failure = 'no answer', ended_at = clock_timestamp()")
  expect(await metrics()).toContain('hexcast_upstream_check{check="the check"} 2')
  await database.query('update upstream_check_run set failure = null')
  expect(await metrics()).not.toContain('the check"')
})

test('runs as a workflow of the embedded engine, and not over simulated weather', { timeout: 60_000 }, async () => {
  const notes: string[] = []
  const config = { datasets: ['rtma'], contact: 'a@b.c', secondSources: {}, upstream: new URL(simulator.url) }
  const deps = {
    database,
    upstream,
    clock: Date.now,
    config,
    note: ({ detail }: StepNote) => void notes.push(detail ?? ''),
  } as unknown as ActivityDeps
  await checkActivities({ ...deps, simulated: true }).checkUpstream()
  expect(notes).toEqual([])
  await database.query('delete from upstream_check_run')
  const activities = checkActivities(deps) as Activities
  const failures: unknown[] = []
  const engine = await openEmbeddedEngine({
    database,
    activities,
    clock: Date.now,
    report: (...failure) => failures.push(failure),
  })
  await engine.work()
  await engine.start('checkUpstream', 'check-upstream', {})
  await expect
    .poll(() => notes, { timeout: 50_000 })
    .toEqual([expect.stringMatching(/^\d+ passed, \d+ warnings, 0 failed/)])
  await engine.stop()
  expect(failures).toEqual([])
})

test('names checks independently of runs and lead hours', () => {
  expect(checkNameOf('nbm/conus keys of 2026-08-20T12Z')).toBe('nbm/conus keys')
  expect(checkNameOf('nbm/conus index f038')).toBe('nbm/conus index')
  expect(checkNameOf('feed texts AFD')).toBe('feed texts AFD')
})
