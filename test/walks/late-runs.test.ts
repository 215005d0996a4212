import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAnswers } from '../../api/answer/open.ts'
import { parseWeather } from '../../api/query/query.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import type { SimulatedHost } from '../../infra/simulator/source.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, type Instant, MINUTE, runName } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { newRuns, type RunPorts } from '../../ingest/steps/grid/grid-run.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { pointerOf } from '../../sql/queries/runs.ts'
import { parsed } from '../api/answer/parsed.ts'

// After half a day of silence, upstream lists eleven runs file by file in random order while two API processes answer requests.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-late-'))
/** At eight minutes past an hour the previous eleven runs are late or were never listed. */
const start = Math.floor(Date.now() / HOUR) * HOUR + 8 * MINUTE
const RUNS = Array.from({ length: 11 }, (_, i) => start - 8 * MINUTE - (i + 4) * HOUR).reverse()
const LEADS = 19
let now = start
const clock = () => now

/** `HHMM/lead` of the listed files; runs before the silence are listed completely. */
const listed = new Set<string>()
const nameOf = (run: Instant, lead: number) => `${runName(run)}/${lead}`
const isShown = (key: string): boolean => {
  const [, day, hour, lead] = /hrrr\.(\d{8})\/conus\/hrrr\.t(\d\d)z\.wrfsfcf(\d\d)/.exec(key) ?? []
  if (!day) return false
  const run = Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${hour}:00:00Z`)
  return run < nth(RUNS, 0) || listed.has(nameOf(run, Number(lead)))
}
const revealing = (source: SimulatedHost): SimulatedHost => ({
  ...source,
  *list(prefix, at) {
    for (const served of source.list?.(prefix, at) ?? []) if (isShown(served.key)) yield served
  },
  find: async (path, query, at) => (isShown(path) ? source.find(path, query, at) : undefined),
})

let mirror: Mirror
let upstream: Upstream
let objects: Objects
let database: Database
let pool: Pool
let ports: RunPorts

beforeAll(async () => {
  const sources = modelSources(24).filter(({ host }) => host.includes('hrrr'))
  mirror = await startMirror({ sources: sources.map(revealing), now: clock })
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  objects = await openFolder(join(folder, 'objects'))
  database = await openDatabase({ dataDir: folder, databasePool: 3 })
  pool = openPool({ threads: 2 })
  ports = { upstream, objects, slabs: objects, database, pool, resolution: 5, cacheDir: join(folder, 'cache') }
}, 60_000)
afterAll(async () => {
  await pool.close()
  await database.close()
  await objects.close()
  await upstream.close()
  await mirror.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns reproducible random numbers, so that a failure can be repeated. */
function* shuffled<T>(list: readonly T[], seed: number): Generator<T> {
  const remaining = [...list]
  for (let state = seed; remaining.length > 0; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    yield nth(remaining.splice(state % remaining.length, 1), 0)
  }
}

async function work(): Promise<void> {
  for (const newRun of await newRuns(ports, hrrr, now)) {
    if (newRun.domains[0] !== 'conus') continue
    try {
      await takeRun(ports, hrrr, newRun, clock)
    } catch (error) {
      if (!isFault(error, 'NotYet')) throw error
    }
  }
}

test('eleven late runs in a random order of files leave no null between two hours that upstream has', {
  timeout: 240_000,
}, async () => {
  const events = await openEvents({ kafkaBrokers: [] }, database)
  const settings = {
    database,
    objects,
    events,
    clock,
    resolution: 5,
    feedPollSeconds: {},
    report: () => () => undefined,
  }
  await work()
  const apis = [await openAnswers(settings), await openAnswers(settings)]
  const runs = new Set<string>()
  const holes: string[] = []
  let answers = 0
  let incomplete = 0

  /** Checks with both API processes that every listed hour of the served run has a value. */
  const ask = async () => {
    for (const [i, { weather, current }] of apis.entries()) {
      const answer = parsed(
        await weather.answer(
          parseWeather({ lat: '39.74', lon: '-104.99', include: 'hourly', hourly_hours: '12' }),
          now,
        ),
      ) as { hourly?: { time: string; precip_amount: number | null }[] }
      // A run that is too old is not served.
      if (answer.hourly) answers++
      const served = current.served('hrrr', 'conus')!
      runs.add(runName(served.run))
      for (const { time, precip_amount } of answer.hourly ?? []) {
        const lead = Math.round((Date.parse(time) - served.run) / HOUR)
        // An amount is not interpolated: it is null if its file is missing.
        if (lead > 18 || precip_amount !== null) continue
        incomplete++
        if (served.run < nth(RUNS, 0) || listed.has(nameOf(served.run, lead)))
          holes.push(`interface ${i}, ${runName(served.run)} hour ${lead}`)
      }
    }
  }

  /** Resolves when both processes serve the run that the pointer names. */
  const isServed = async () => {
    const pointer = await pointerOf(database, 'hrrr', 'conus')
    for (const { current } of apis)
      await expect
        .poll(() => current.served('hrrr', 'conus')?.manifestKey, { timeout: 20_000 })
        .toBe(pointer!.manifest_key)
  }

  const files = RUNS.flatMap((run) => Array.from({ length: LEADS }, (_, lead) => nameOf(run, lead)))
  let revealed = 0
  for (const file of shuffled(files, 7)) {
    listed.add(file)
    now += 5_000
    if (++revealed % 9 !== 0) continue
    // At times no file appears for so long that upstream seems to have finished.
    if (revealed % 63 === 0) {
      await work()
      now += 4 * MINUTE
    }
    await work()
    await isServed()
    await ask()
  }
  now += 3 * MINUTE
  await work()
  await work()
  await isServed()
  await ask()
  const last = apis.map(({ current }) => current.served('hrrr', 'conus'))
  for (const { close } of apis) await close()
  await events.close()
  console.log(`${answers} answers of ${runs.size} runs, ${incomplete} hours that upstream did not have then`)
  expect(holes).toEqual([])
  expect(last.map((served) => [served?.run, served?.incomplete])).toEqual([
    [RUNS.at(-1), []],
    [RUNS.at(-1), []],
  ])
  expect(answers).toBeGreaterThan(25)
  expect(incomplete, 'hours of a run that was published before upstream had all of it').toBeGreaterThan(0)
})
