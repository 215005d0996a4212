import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openAnswers } from '../../api/answer/open.ts'
import { parseWeather } from '../../api/query/query.ts'
import { weatherAt } from '../../infra/simulator/atmosphere.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import type { SimulatedHost } from '../../infra/simulator/source.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { rtma } from '../../ingest/datasets/rtma.ts'
import { cellOf, centreOf } from '../../ingest/domain/cell.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { newRuns, type RunPorts } from '../../ingest/steps/grid/grid-run.ts'
import { servedRun } from '../../ingest/steps/grid/publish.ts'
import { retireRuns } from '../../ingest/steps/grid/retire.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { outboxLag } from '../../sql/queries/outbox.ts'
import { manifestOf, pointerOf } from '../../sql/queries/runs.ts'
import { parsed } from '../api/answer/parsed.ts'

// A model run from upstream to tiles, with an upstream that misbehaves.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-walk-'))
let now = Date.UTC(2026, 10, 21, 15, 10)
const clock = () => now
let mirror: Mirror
let upstream: Upstream
let objects: Objects
let database: Database
let pool: Pool
let ports: RunPorts

/** While this is set, indexes omit the element. */
let withheld = ''
const withholding = (source: SimulatedHost): SimulatedHost => ({
  ...source,
  async find(path, query, at) {
    const newRun = await source.find(path, query, at)
    if (!newRun || !withheld || !path.endsWith('.idx')) return newRun
    const lines = Buffer.from(await newRun.body())
      .toString()
      .replaceAll(`:${withheld}:`, ':NONE:')
    return { ...newRun, size: lines.length, body: () => Buffer.from(lines) }
  },
})

beforeAll(async () => {
  mirror = await startMirror({ sources: modelSources(24).map(withholding), now: clock })
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  objects = await openFolder(join(folder, 'objects'))
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  pool = openPool({ threads: 2 })
  ports = { upstream, objects, slabs: objects, database, pool, resolution: 5, cacheDir: join(folder, 'cache'), clock }
}, 60_000)
afterEach(() => void mirror.misbehaviours.splice(0))
afterAll(async () => {
  await pool.close()
  await database.close()
  await objects.close()
  await upstream.close()
  await mirror.close()
  rmSync(folder, { recursive: true, force: true })
})

const conus = { domains: ['conus'] as const }
const ranges = (since: number) => mirror.log.slice(since).filter((line) => / 206 /.test(line))

test('builds, publishes and announces the newest complete run', async () => {
  const [newRun] = await newRuns(ports, hrrr, now)
  // At 15:10 the 13 UTC run is complete (86 minutes), and the 14 UTC run has only its first hours.
  expect(newRun).toEqual({ ...conus, run: Date.UTC(2026, 10, 21, 13) })
  const steps: string[] = []
  const { stages } = await takeRun(ports, hrrr, newRun!, clock, { progress: ({ what: step }) => void steps.push(step) })
  expect(stages).toMatchObject([{ stage: 0, last: true, outcomes: [{ state: 'published', reasons: [] }] }])
  expect(new Set(steps)).toEqual(new Set(['sample', 'weave', 'published']))
  const served = await servedRun(database, 'hrrr', 'conus')
  expect(served).toEqual({ run: newRun!.run, stage: 0, until: newRun!.run + 18 * HOUR })
  // One event says that the run started, the other that it is published.
  expect((await outboxLag(database)).waiting).toBe(2)
  const manifest = await manifestOf(database, { dataset: 'hrrr', domain: 'conus', run: new Date(newRun!.run) })
  expect(manifest).toMatchObject({ lacking: [], gaps: [], last: true })
  for await (const { key } of objects.list('slabs/')) expect.fail(`${key} is still there`)
})

test('readers get the simulated atmosphere, hour by hour', async () => {
  const pointer = await pointerOf(database, 'hrrr', 'conus')
  const run = await openRun(objects, pointer!.manifest_key)
  const off = { temperature: 0, pressure: 0, cloud_cover: 0 }
  let compared = 0
  for (let k = 0; k < 60; k++) {
    const cell = cellOf(30 + 16 * ((k * 0.618034) % 1), -118 + 38 * ((k * 0.754878) % 1), 5)
    const point = await run.point(cell)
    if (!point) continue
    const [lat, lon] = centreOf(cell)
    const { times, values } = point.variables.get('temperature')!
    expect(times.length).toBe(19)
    for (const [h, time] of times.entries()) {
      const truth = weatherAt(lat, lon, time)
      off.temperature += Math.abs(nth(values, h) - truth.temperature)
      off.pressure += Math.abs(nth(point.variables.get('pressure')!.values, h) - truth.pressure)
      off.cloud_cover += Math.abs(nth(point.variables.get('cloud_cover')!.values, h) - truth.cloudCover)
      compared++
    }
    // Accumulations are stored at the end of their hour, so the analysis hour has none.
    expect(point.variables.get('precip_amount')?.times[0]).toBe(run.run + HOUR)
  }
  expect(compared).toBeGreaterThan(500)
  // The grid points are 72 km apart: interpolation alone causes errors of tenths of a kelvin.
  expect(off.temperature / compared).toBeLessThan(0.5)
  expect(off.pressure / compared).toBeLessThan(60)
  expect(off.cloud_cover / compared).toBeLessThan(6)
})

test('ingesting the run again does nothing, and an older run is stored without being served', async () => {
  const before = mirror.log.length
  const again = await takeRun(ports, hrrr, { ...conus, run: Date.UTC(2026, 10, 21, 13) }, clock)
  expect(again.stages).toEqual([])
  const older = await takeRun(ports, hrrr, { ...conus, run: Date.UTC(2026, 10, 21, 12) }, clock)
  expect(older.why).toContain('a newer run is served')
  expect(ranges(before)).toEqual([])
  const forced = await takeRun(ports, hrrr, { ...conus, run: Date.UTC(2026, 10, 21, 12) }, clock, { partial: true })
  expect(forced.stages[0]?.outcomes[0]?.state).toBe('superseded')
  expect((await servedRun(database, 'hrrr', 'conus'))?.run).toBe(Date.UTC(2026, 10, 21, 13))
})

test('an interrupted run is continued, and no stored slab is fetched again', async () => {
  now = Date.UTC(2026, 10, 21, 16, 10)
  const [next] = await newRuns(ports, hrrr, now)
  expect(next!.run).toBe(Date.UTC(2026, 10, 21, 14))
  const stop = new AbortController()
  const before = mirror.log.length
  const broken = takeRun(ports, hrrr, next!, clock, {
    signal: stop.signal,
    progress: ({ done: filesDone }) => void (filesDone === 7 && stop.abort(new Error('killed'))),
  })
  await expect(broken).rejects.toThrow('killed')
  expect((await servedRun(database, 'hrrr', 'conus'))?.run).toBe(Date.UTC(2026, 10, 21, 13))
  expect(await newRuns(ports, hrrr, now)).toContainEqual(next)
  await takeRun(ports, hrrr, next!, clock)
  expect((await servedRun(database, 'hrrr', 'conus'))?.run).toBe(Date.UTC(2026, 10, 21, 14))
  const files = ranges(before).map((line) => /wrfsfcf\d\d/.exec(line)![0])
  // Only the three files in progress at the interruption may be fetched again.
  expect(files.length).toBeLessThanOrEqual(new Set(files).size + 3)
  expect(new Set(files).size).toBe(19)
})

test('slabs that are corrupted or lost before the build of tiles are sampled again', async () => {
  now = Date.UTC(2026, 10, 21, 16, 40)
  const alaska = { domains: ['alaska'] as const, run: Date.UTC(2026, 10, 21, 12) }
  const stop = new AbortController()
  const progress = ({ done: filesDone }: { done: number }) => void (filesDone === 7 && stop.abort(new Error('killed')))
  await expect(takeRun(ports, hrrr, alaska, clock, { signal: stop.signal, progress })).rejects.toThrow('killed')
  const slabs: string[] = []
  for await (const { key } of objects.list('slabs/v1/hrrr/alaska/')) if (key.endsWith('.slab')) slabs.push(key)
  const bytes = Uint8Array.from(await objects.get(nth(slabs, 1)))
  bytes[bytes.length >> 1]! ^= 1
  await objects.put(nth(slabs, 1), bytes)
  await objects.put(nth(slabs, 2), bytes.subarray(0, 10))
  await objects.remove(nth(slabs, 3))
  for (let broken = 0; broken < 3; broken++) {
    const attempt = takeRun(ports, hrrr, alaska, clock)
    await expect(attempt).rejects.toSatisfy((error) => isFault(error, 'NotYet') && /f0\d\d-/.test(error.message))
  }
  const before = mirror.log.length
  const { stages } = await takeRun(ports, hrrr, alaska, clock)
  expect(stages[0]?.outcomes).toEqual([{ state: 'published', reasons: [] }])
  expect(ranges(before).filter((line) => line.includes('/alaska/')).length).toBeLessThanOrEqual(1)
})

test('a run survives a busy server and broken connections, and a file that was listed too early completes it', async () => {
  now = Date.UTC(2026, 10, 21, 17, 10)
  const [next] = await newRuns(ports, hrrr, now)
  mirror.misbehaviours.push(
    { path: 'wrfsfcf03', how: '503', times: 2 },
    { path: 'wrfsfcf04.grib2', how: 'truncate', times: 2 },
    { path: /wrfsfcf05\.grib2$/, how: 'listed-early' },
  )
  const early = await takeRun(ports, hrrr, next!, clock)
  expect(early.stages[0]?.outcomes[0]).toEqual({ state: 'published', reasons: [] })
  const key = { dataset: 'hrrr', domain: 'conus', run: new Date(next!.run) }
  expect(await manifestOf(database, key)).toMatchObject({ gaps: ['upstream does not have hours 5'] })
  mirror.misbehaviours.splice(0)
  now += 3 * MINUTE
  const { stages } = await takeRun(ports, hrrr, next!, clock)
  expect(stages[0]?.outcomes[0]).toEqual({ state: 'published', reasons: [] })
  expect(await manifestOf(database, key)).toMatchObject({ gaps: [] })
})

test('a run is published without a corrupt file, and the file is not read again at once', async () => {
  now = Date.UTC(2026, 10, 21, 18, 10)
  const [next] = await newRuns(ports, hrrr, now)
  expect(next!.run).toBe(Date.UTC(2026, 10, 21, 16))
  mirror.misbehaviours.push({ path: /wrfsfcf07\.grib2/, how: 'html' })
  const { stages } = await takeRun(ports, hrrr, next!, clock)
  expect(stages[0]?.outcomes[0]).toEqual({ state: 'published', reasons: [] })
  const before = mirror.log.length
  await takeRun(ports, hrrr, next!, clock)
  expect(mirror.log.slice(before).filter((line) => line.includes('wrfsfcf07'))).toEqual([])
  expect((await servedRun(database, 'hrrr', 'conus'))?.run).toBe(next!.run)
  const manifest = await manifestOf(database, { dataset: 'hrrr', domain: 'conus', run: new Date(next!.run) })
  expect(manifest).toMatchObject({ gaps: ['upstream does not have hours 7'] })
})

test('each domain is served separately, and all old runs but the served run are deleted', async () => {
  now = Date.UTC(2026, 10, 21, 19, 10)
  for (const newRun of await newRuns(ports, rtma, now)) await takeRun(ports, rtma, newRun, clock)
  const served = await Promise.all(rtma.domains.map(({ id }) => servedRun(database, 'rtma', id)))
  expect(served.map((servedRun) => servedRun?.run)).toEqual([18, 18, 18].map((hour) => Date.UTC(2026, 10, 21, hour)))
  now += 30 * HOUR
  const dayAgo = new Date(now - 24 * HOUR)
  await database.query(
    'update run set claimed_at = $1::timestamptz, published_at = least(published_at, $1::timestamptz)',
    [dayAgo],
  )
  const deleted = await retireRuns(ports, hrrr, now)
  expect(deleted).toBeGreaterThanOrEqual(3)
  const remaining = new Set<string>()
  for await (const { key } of objects.list('tiles/v1/hrrr/conus/')) remaining.add(nth(key.split('/'), 4))
  expect([...remaining]).toEqual(['2026-11-21T16Z'])
})

test('only the variable that upstream no longer offers is missing, and the answer reports it', async () => {
  now = Date.UTC(2026, 10, 23, 3, 10)
  const [next] = await newRuns(ports, hrrr, now)
  withheld = 'GUST'
  const { stages } = await takeRun(ports, hrrr, next!, clock)
  withheld = ''
  expect(stages[0]?.outcomes[0]).toEqual({ state: 'published', reasons: [] })
  const events = await openEvents({ kafkaBrokers: [] }, database)
  const views = await openAnswers({
    database,
    objects,
    events,
    clock,
    resolution: 5,
    feedPollSeconds: {},
    report: () => () => undefined,
  })
  const { weather } = views
  const answer = await weather.answer(parseWeather({ lat: '39.74', lon: '-104.99', include: 'hourly' }), now)
  await views.close()
  await events.close()
  const value = parsed(answer) as { hourly: { temperature: number; wind_gust: null }[]; meta: { warnings: object[] } }
  expect(value.hourly[2]).toMatchObject({ temperature: expect.any(Number), wind_gust: null })
  expect(value.meta.warnings).toContainEqual(
    expect.objectContaining({ code: 'source_incomplete', product_id: 'hrrr', fields: ['wind_gust'] }),
  )
  expect(answer.cacheControl(now)).toBe('no-store')
})
