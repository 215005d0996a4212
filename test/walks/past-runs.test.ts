import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answers, openAnswers } from '../../api/answer/open.ts'
import type { ToolContext } from '../../api/mcp/protocol/context.ts'
import { getPastWeather } from '../../api/mcp/tools/get-past-weather.ts'
import { parseWeather } from '../../api/query/query.ts'
import { weatherAt } from '../../infra/simulator/atmosphere.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { loadConfig } from '../../ingest/config.ts'
import { gfs } from '../../ingest/datasets/gfs.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import { rtma } from '../../ingest/datasets/rtma.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { PAST_HOURS } from '../../ingest/domain/dataset/past-hours.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { topics } from '../../ingest/domain/event.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant, MINUTE, runName, SECOND } from '../../ingest/domain/time.ts'
import { zone } from '../../ingest/domain/timezone.ts'
import { type OpenPorts, openPorts } from '../../ingest/ports/open.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { newestRun } from '../../ingest/steps/grid/plan.ts'
import { retireRuns } from '../../ingest/steps/grid/retire.ts'
import { sampleFile } from '../../ingest/steps/grid/sample.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { pointers as allPointers, publishRun, runStatesSince } from '../../sql/queries/runs.ts'
import { createActivities } from '../../workers/activities/index.ts'
import type { Activities, RunInput } from '../../workers/activities.ts'
import type { Flow } from '../../workers/workflows/flow.ts'
import { modelRun, watchRuns } from '../../workers/workflows/index.ts'
import { parsed } from '../api/answer/parsed.ts'

// A first start in the afternoon: upstream has the past hours of today and yesterday.

// biome-ignore lint/suspicious/noExplicitAny: an answer as parsed from JSON
type Json = any

const resolution = 5
const folder = mkdtempSync(join(tmpdir(), 'hexcast-past-runs-'))
const start = Date.UTC(2026, 10, 22, 1, 10)
let now = start
const clock = () => now
const newest = Date.UTC(2026, 10, 22, 0)
const places = [
  { name: 'Denver', lat: 39.74, lon: -104.99, timezone: 'America/Denver' },
  { name: 'Miami', lat: 25.9, lon: -80.5, timezone: 'America/New_York' },
  { name: 'Spokane', lat: 47.66, lon: -117.43, timezone: 'America/Los_Angeles' },
  { name: 'Fairbanks', lat: 64.84, lon: -147.72, timezone: 'America/Anchorage' },
  { name: 'Mauna Loa', lat: 19.6, lon: -155.4, timezone: 'Pacific/Honolulu' },
] as const

/** Hours that upstream never had, an hour whose file is an HTML page, and an hour whose file is always refused. */
const absent = newest - 20 * HOUR
const broken = newest - 21 * HOUR
const refused = newest - 40 * HOUR
const fileOf = (name: string, run: Instant) =>
  new RegExp(
    `${name}.${runName(run).slice(0, 10).replaceAll('-', '')}/${name}.t${runName(run).slice(11, 13)}z[^.]*.2dvaranl`,
  )

let mirror: Mirror
let upstream: Upstream
let ports: OpenPorts & { close(): Promise<void> }
let pool: Pool
let answers: Answers
let activities: Activities
const closers: (() => unknown)[] = []

function startWorker(): Activities {
  const config = loadConfig({ DATA_DIR: folder, DATASETS: 'rtma,nbm' })
  const stores = { ...ports, slabs: ports.objects, upstream, pool }
  return createActivities({
    ...stores,
    ...{ config, clock, resolution, cacheDir: join(folder, 'cache'), note: () => {} },
  })
}

beforeAll(async () => {
  mirror = await startMirror({ sources: modelSources(24), now: clock })
  mirror.misbehaviours.push(
    { path: fileOf('rtma2p5', absent), how: 'late' },
    { path: fileOf('rtma2p5', broken), how: 'html' },
    { path: fileOf('akrtma', refused), how: '503' },
  )
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  ports = await openPorts(loadConfig({ DATA_DIR: folder }), 'worker')
  pool = openPool({ threads: 2 })
  closers.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => mirror.close(),
    () => upstream.close(),
    () => ports.close(),
    () => pool.close(),
  )
  activities = startWorker()
  await forecast(
    nbm,
    Array.from({ length: 36 }, (_, i) => i + 1),
  )
  // This message is ozone.
  await forecast(gfs, [6, 12, 18, 24, 30])
  const settings = { ...ports, clock, resolution, feedPollSeconds: {}, report: () => () => undefined }
  answers = await openAnswers(settings)
  closers.push(() => answers.close())
}, 240_000)
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** The last hours of the current day. */
async function forecast(dataset: GridDataset, leads: readonly number[]): Promise<void> {
  const { database, objects } = ports
  const sampling = { upstream, slabs: objects, pool, resolution, cacheDir: join(folder, 'cache') }
  for (const { id: domain } of dataset.domains) {
    const { run, files } = await newestRun(upstream, dataset, domain, now)
    const slabs: string[] = []
    for (const file of files.filter(({ leadHours }) => leads.includes(leadHours))) {
      const receipts = await sampleFile(sampling, dataset, run, file, [domain])
      slabs.push(...receipts.map(({ slabKey }) => slabKey))
    }
    const { manifestKey } = await buildTiles(pool, objects, objects, {
      dataset: dataset.id,
      domain,
      run,
      stage: 'h036',
      slabs,
    })
    const key = { dataset: dataset.id, domain, run: new Date(run) }
    const counts = { wanted: slabs.length, got: slabs.length, missing: 0 }
    await publishRun(database, { ...key, stage: 0, publishedTo: 36, manifestKey, manifest: {}, ...counts }, [])
  }
}

/** Names of completed workflows, which an engine refuses to start again. */
const completed = new Set<string>()
let mostPast = 0

/** Runs one tick of the schedule and the work that it starts. @returns the runs whose work has ended */
async function tick(act = activities): Promise<string[]> {
  const started: [string, RunInput][] = []
  const flow: Flow = {
    now: clock,
    until: () => Promise.reject(new Error('the run waits')),
    giveWay: async () => {},
    act,
    async start(_, id, input) {
      if (!completed.has(id)) started.push([id, input as RunInput])
      return !completed.has(id)
    },
  }
  await watchRuns(flow, { dataset: 'rtma' })
  // Past runs follow the newest run. In this test the test itself ticks; in production the schedules do.
  if (started.length === 0) await watchRuns(flow, { dataset: 'rtma', past: true })
  const past = started.filter(([, input]) => input.past)
  mostPast = Math.max(mostPast, past.length)
  for (const [, { urgency }] of past) expect(urgency, 'after every stage of every dataset').toBeLessThan(-5)
  const ended: string[] = []
  for (const [id, input] of started) {
    try {
      await modelRun(flow, input)
    } catch (error) {
      // An engine retries the work under the same name.
      if (!isFault(error, 'Refused')) throw error
      continue
    }
    completed.add(id)
    ended.push(`${input.domains} ${input.run}`)
  }
  return ended
}

async function ticks(act = activities): Promise<string[]> {
  const all: string[] = []
  for (let some = await tick(act); some.length > 0; some = await tick(act)) all.push(...some)
  return all
}

/** Resolves when the API has read the served tiles of past hours. */
async function awaitServed(): Promise<void> {
  const pointers = (await allPointers(ports.database)).filter(({ dataset }) => dataset === PAST_HOURS)
  for (const { dataset, domain, manifest_key } of pointers)
    await expect
      .poll(() => answers.current.served(dataset, domain as DomainId)?.manifestKey, { timeout: 30_000 })
      .toBe(manifest_key)
}

type Place = (typeof places)[number]

async function today({ lat, lon }: Place): Promise<{ row: Json; unknown: string[] }> {
  const query = parseWeather({ lat: `${lat}`, lon: `${lon}`, include: 'daily', units: 'metric' })
  const answer = parsed(await answers.weather.answer(query, now)) as Json
  const partial = answer.meta.warnings.find(({ code }: Json) => code === 'partial_day')
  return { row: answer.daily[0], unknown: partial?.fields ?? [] }
}

/** Returns yesterday's days and hours from the tool, or its reason for having none. */
async function yesterday({ lat, lon }: Place): Promise<Json> {
  const context = {
    now,
    signal: new AbortController().signal,
    caller: 'test',
    deps: { ...ports, ...answers, radar: answers.live.radar },
    progress: async () => {},
    count: async () => {},
    reused: () => {},
  } as unknown as ToolContext
  try {
    return ((await (getPastWeather as Json).run({ lat, lon, units: 'metric', hourly: true }, context)) as Json)
      .structured
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

/** Temperatures of the simulator's atmosphere at the hours of a part of a local date, °C. */
function truth({ lat, lon, timezone }: Place, day: number, first: number, hours: number): number[] {
  const begin = zone(timezone).startOfDay(day) + first * HOUR
  return Array.from({ length: hours }, (_, h) => weatherAt(lat, lon, begin + h * HOUR).temperature - 273.15)
}
const dayOf = ({ timezone }: Place) => zone(timezone).dayOf(now)
/** Error of interpolation between grid points that are 60 km apart, K. */
const TOLERANCE = 1.5

const servedHours: string[] = []
const show = (when: string, place: Place, row: Json, past: Json) => {
  const { high, low, wind_gust_max, precip_total, uv_index_max } = row
  const day = typeof past === 'string' ? past : JSON.stringify(past.days)
  servedHours.push(
    `${when} ${place.name}: ${JSON.stringify({ high, low, wind_gust_max, precip_total, uv_index_max })}; ${day}`,
  )
}

test('after the newest run today’s high is unknown and yesterday is not stored', {
  timeout: 120_000,
}, async () => {
  const isFirst = async () => (await activities.newRuns({ dataset: 'rtma' })).map(({ unserved }) => unserved)
  expect(new Set(await isFirst())).toEqual(new Set([true]))
  expect(await tick()).toEqual(['conus', 'alaska', 'hawaii'].map((domain) => `${domain} ${runName(newest)}`))
  // The runs of the next hour follow served runs.
  now += HOUR
  expect(new Set(await isFirst())).toEqual(new Set([undefined]))
  now -= HOUR
  await awaitServed()
  for (const place of places) {
    const { row, unknown } = await today(place)
    const past = await yesterday(place)
    show('before', place, row, past)
    for (const name of ['high', 'wind_gust_max', 'uv_index_max']) {
      expect(row[name], `${name} at ${place.name}`).toBeNull()
      expect(unknown, place.name).toContain(name)
    }
    expect(past).toContain('lies before the first stored day')
  }
})

test('the hours before it are fetched newest first, two at a time, until today and yesterday are known', {
  timeout: 240_000,
}, async () => {
  const fetched = await ticks()
  expect(mostPast).toBe(2)
  expect(fetched.slice(0, 6)).toEqual(
    [1, 2].flatMap((back) =>
      ['conus', 'alaska', 'hawaii'].map((domain) => `${domain} ${runName(newest - back * HOUR)}`),
    ),
  )
  // The newest of the 48 hours before now was already stored.
  expect(fetched).toHaveLength(3 * 46)
  expect(new Set(fetched).size).toBe(fetched.length)
  await awaitServed()
  for (const place of places) {
    const { row, unknown } = await today(place)
    // Amounts are measured by radar, which this upstream lacks.
    expect(
      unknown.filter((name) => !/_total$|^precip_fallen$/.test(name)),
      place.name,
    ).toEqual([])
    const past = await yesterday(place)
    show('after', place, row, past)
    expect(Math.abs(row.high - Math.max(...truth(place, dayOf(place), 6, 12))), `high at ${place.name}`).toBeLessThan(
      TOLERANCE,
    )
    expect(row.wind_gust_max, place.name).toBeGreaterThan(0)
    expect(row.uv_index_max, place.name).toBeGreaterThanOrEqual(0)
    const [day] = past.days
    const temperatures = truth(place, dayOf(place) - 1, 0, 24)
    expect(Math.abs(day.high - Math.max(...temperatures)), `yesterday at ${place.name}`).toBeLessThan(TOLERANCE)
    expect(Math.abs(day.low - Math.min(...temperatures)), `yesterday at ${place.name}`).toBeLessThan(TOLERANCE)
    expect([day.source, day.hours_total - day.hours_available]).toEqual(['analysis', expect.toSatisfy((n) => n <= 2)])
  }
  console.log(servedHours.join('\n'))
})

test('a process tries an absent, broken or refused run once', async () => {
  const states = await runStatesSince(ports.database, 'rtma', new Date(start - 48 * HOUR))
  const unpublished = states
    .filter(({ state }) => state !== 'published')
    .map(({ domain, run, state }) => [domain, run.getTime(), state])
  expect(unpublished.sort()).toEqual([
    ['alaska', refused, 'rejected'],
    ['conus', broken, 'rejected'],
    ['conus', absent, 'gone'],
  ])
  expect(await activities.newRuns({ dataset: 'rtma', past: true })).toEqual([])
  now += 21 * MINUTE
  const requests = mirror.log.length
  expect(await ticks()).toEqual([])
  expect(mirror.log.slice(requests).filter((line) => !/list-type/.test(line) && !/prefix=/.test(line))).toEqual([])
})

test('the next start retries the failed runs and nothing else', async () => {
  mirror.misbehaviours.splice(0)
  activities = startWorker()
  expect((await ticks()).sort()).toEqual(
    [`alaska ${runName(refused)}`, `conus ${runName(broken)}`, `conus ${runName(absent)}`].sort(),
  )
  activities = startWorker()
  expect(await ticks()).toEqual([])
  const started = await ports.database.query('select id from outbox where topic = $1', [topics.started.name])
  expect(started, 'runs that are stored beside a newer one are not announced').toHaveLength(3)
})

test('after five hours without a worker the missed hours are fetched, and retired hours are not', {
  timeout: 120_000,
}, async () => {
  now = start + 5 * HOUR
  activities = startWorker()
  const fetched = await ticks()
  const missed = [5, 4, 3, 2, 1].map((after) => runName(newest + after * HOUR))
  expect(fetched).toEqual(missed.flatMap((run) => ['conus', 'alaska', 'hawaii'].map((domain) => `${domain} ${run}`)))
  const stores = { database: ports.database, objects: ports.objects, slabs: ports.objects }
  // Readers keep objects for a quarter of an hour by the database's clock.
  await ports.database.query('update run set published_at = run, claimed_at = run')
  const retired = await retireRuns(stores, rtma, now)
  expect(await ticks()).toEqual([])
  const publishedRuns = (await runStatesSince(ports.database, 'rtma', new Date(0))).filter(
    ({ state }) => state === 'published',
  )
  expect(Math.min(...publishedRuns.map(({ run }) => run.getTime()))).toBeGreaterThan(now - rtma.keepSeconds * SECOND)
  expect([retired, publishedRuns.length]).toEqual([15, 3 * 47])
})
