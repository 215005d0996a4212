import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fallenInHour, weatherAt } from '../../infra/simulator/atmosphere.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { memberTimes, refsMembers } from '../../infra/simulator/refs.ts'
import { refs, refsAgreement, refsMean, refsSpread } from '../../ingest/datasets/refs.ts'
import { cellOf, centreOf } from '../../ingest/domain/cell.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
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

// REFS from the simulated bucket to tiles. Its members are the simulated sky at other hours, so that each probability can be counted again.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-refs-'))
const RUN = Date.UTC(2026, 10, 21, 12)
let now = RUN + 5 * HOUR
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

async function served({ id }: GridDataset, domain: DomainId): Promise<OpenRun> {
  const pointer = await pointerOf(database, id, domain)
  if (!pointer) throw new Error(`no run of ${id} is served in ${domain}`)
  return openRun(objects, pointer.manifest_key)
}

async function publish(dataset: GridDataset, only?: DomainId): Promise<void> {
  for (const { domains, run } of await newRuns(ports, dataset, now)) {
    if (only && !domains.includes(only)) continue
    expect(run).toBe(RUN)
    const { stages } = await takeRun(ports, dataset, { domains, run }, () => now)
    expect(stages.flatMap(({ outcomes }) => outcomes.map(({ state }) => state))).toEqual(['published', 'published'])
  }
}

const boxes: readonly (readonly [DomainId, number, number, number, number])[] = [
  ['conus', 27, 48, -120, -72],
  ['alaska', 56, 70, -165, -142],
  ['hawaii', 19, 22, -160, -155],
]

type Truth = (lat: number, lon: number, times: readonly Instant[]) => number
const percent = (times: readonly Instant[], isMet: (time: Instant) => boolean) =>
  (100 * times.filter(isMet).length) / times.length
const total = (lat: number, lon: number, end: Instant, hours: number, kind: 'liquid' | 'snow') =>
  Array.from({ length: hours }, (_, k) => fallenInHour(lat, lon, end - k * HOUR)[kind]).reduce((sum, x) => sum + x, 0)

const visibilityBelow =
  (limit: number): Truth =>
  (lat, lon, times) =>
    percent(times, (time) => weatherAt(lat, lon, time).visibility < limit)
const ceilingBelow =
  (limit: number): Truth =>
  (lat, lon, times) =>
    percent(times, (time) => weatherAt(lat, lon, time).ceiling < limit)
const amountAbove =
  (kind: 'liquid' | 'snow', limit: number, hours: number): Truth =>
  (lat, lon, times) =>
    percent(times, (end) => total(lat, lon, end, hours, kind) > limit)
const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const temperatures = (lat: number, lon: number, times: readonly Instant[]) =>
  times.map((time) => weatherAt(lat, lon, time).temperature)

/** The stored value and the true value of variables at points of a box. */
async function compared(
  dataset: GridDataset,
  box: (typeof boxes)[number],
  { lead, points, truths }: { lead: number; points: number; truths: Readonly<Record<string, Truth>> },
) {
  const [domain, south, north, west, east] = box
  const run = await served(dataset, domain)
  const time = RUN + lead * HOUR
  const times = memberTimes(domain, lead, time)
  const pairs = new Map<string, (readonly [stored: number, truth: number])[]>()
  let read = 0
  for (let k = 0; k < 3000 && read < points; k++) {
    const lat = south + (north - south) * ((k * 0.618034) % 1)
    const cell = cellOf(lat, west + (east - west) * ((k * 0.754878) % 1), 5)
    const point = await run.point(cell)
    if (!point) continue
    read++
    for (const [name, truth] of Object.entries(truths)) {
      const series = point.variables.get(name)
      const stored = series?.values[series.times.indexOf(time)] ?? Number.NaN
      pairs.set(name, [...(pairs.get(name) ?? []), [stored, truth(...centreOf(cell), times)]])
    }
  }
  return { read, pairs, run }
}

/** The share of one of 14 members. Between two points of the grid a count changes in steps, which the stored value smooths. */
const MEMBER = 100 / 14
const meanError = (pairs: readonly (readonly [number, number])[]) => average(pairs.map(([a, b]) => Math.abs(a - b)))

test('counts the members of the simulated sky at 200 points of three domains', { timeout: 600_000 }, async () => {
  await publish(refs)
  const truths = {
    ensemble_visibility_prob_below_1mi: visibilityBelow(1600),
    ensemble_visibility_prob_below_3mi: visibilityBelow(4829),
    ensemble_visibility_prob_below_5mi: visibilityBelow(8049),
    ensemble_ceiling_prob_below_500ft: ceilingBelow(152.4),
    ensemble_ceiling_prob_below_1000ft: ceilingBelow(305),
    ensemble_ceiling_prob_below_3000ft: ceilingBelow(915),
    ensemble_snow_nearby_prob_gt_1in: amountAbove('snow', 25, 24),
    ensemble_snow_nearby_prob_gt_3in: amountAbove('snow', 76, 24),
    ensemble_snow_nearby_prob_gt_6in: amountAbove('snow', 152, 24),
    ensemble_snow_nearby_prob_gt_12in: amountAbove('snow', 304, 24),
    ensemble_snow_nearby_prob_gt_18in: amountAbove('snow', 457, 24),
    ensemble_members: (_lat: number, _lon: number, times: readonly Instant[]) => times.length,
  } satisfies Record<string, Truth>
  let points = 0
  const all = new Map<string, (readonly [number, number])[]>()
  for (const box of boxes) {
    const { read, pairs, run } = await compared(refs, box, { lead: 24, points: 70, truths })
    points += read
    for (const [name, list] of pairs) {
      expect(meanError(list), `${name} of ${box[0]}`).toBeLessThan(MEMBER)
      all.set(name, [...(all.get(name) ?? []), ...list])
    }
    const manifest = await manifestOf(database, { dataset: 'refs', domain: box[0], run: new Date(RUN) })
    expect(manifest).toMatchObject({ lacking: [], gaps: [], last: true })
    // Windows of 24 hours end at every third hour; visibility and the count are hourly.
    expect(run.variables.get('ensemble_members')?.times.length).toBe(60)
    expect(run.variables.get('ensemble_snow_nearby_prob_gt_3in')?.times.length).toBe(13)
  }
  expect(points).toBeGreaterThanOrEqual(200)
  // The simulated sky of this day crosses these limits at some points and hours. It never has the other five.
  const varied = [...all].filter(([, list]) => new Set(list.map(([, truth]) => truth)).size > 3).map(([name]) => name)
  expect(varied).toEqual([
    'ensemble_visibility_prob_below_3mi',
    'ensemble_visibility_prob_below_5mi',
    'ensemble_ceiling_prob_below_3000ft',
    'ensemble_snow_nearby_prob_gt_1in',
    'ensemble_snow_nearby_prob_gt_3in',
    'ensemble_snow_nearby_prob_gt_6in',
  ])
  expect(await recentlyQuarantined(database, new Date(0))).toEqual([])
})

test('keeps the number of members, which falls with the lead', async () => {
  const leads = [1, 42, 43, 48, 49, 59, 60]
  for (const [domain, lat, lon] of [
    ['conus', 39.7, -104.9],
    ['alaska', 64.8, -147.7],
    ['hawaii', 21.3, -157.9],
  ] as const) {
    const run = await served(refs, domain)
    const point = await run.point(cellOf(lat, lon, 5))
    const series = point?.variables.get('ensemble_members')
    const counts = leads.map((lead) => series?.values[series.times.indexOf(RUN + lead * HOUR)])
    expect(counts).toEqual(leads.map((lead) => refsMembers(domain, lead)))
  }
  expect(leads.map((lead) => refsMembers('conus', lead))).toEqual([14, 14, 13, 13, 12, 12, 6])
})

test('reads precipitation, means and spreads of the same members', { timeout: 240_000 }, async () => {
  for (const dataset of [refsAgreement, refsMean, refsSpread]) await publish(dataset, 'hawaii')
  const [, , hawaii] = boxes
  if (!hawaii) throw new Error('a box of Hawaii is needed')
  const ask = async (dataset: GridDataset, lead: number, truths: Readonly<Record<string, Truth>>) =>
    (await compared(dataset, hawaii, { lead, points: 40, truths })).pairs
  const rain = await ask(refsAgreement, 48, {
    ensemble_precip_probability: amountAbove('liquid', 0.254, 1),
    ensemble_precip_probability_6h: amountAbove('liquid', 0.254, 6),
    ensemble_precip_prob_gt_010in: amountAbove('liquid', 2.54, 24),
    ensemble_precip_prob_gt_025in: amountAbove('liquid', 6.35, 24),
    ensemble_precip_prob_gt_050in: amountAbove('liquid', 12.7, 24),
    ensemble_precip_prob_gt_100in: amountAbove('liquid', 25.4, 24),
    ensemble_precip_prob_gt_200in: amountAbove('liquid', 50.8, 24),
    ensemble_precip_prob_gt_500in: amountAbove('liquid', 127, 24),
  })
  for (const [name, list] of rain) {
    expect(meanError(list), name).toBeLessThan(MEMBER)
  }
  const mean = await ask(refsMean, 30, { temperature: (...at) => average(temperatures(...at)) })
  expect(meanError(mean.get('temperature') ?? [])).toBeLessThan(0.3)
  const spread = await ask(refsSpread, 30, {
    temperature_stddev: (...at) => {
      const values = temperatures(...at)
      return Math.sqrt(average(values.map((value) => (value - average(values)) ** 2)))
    },
  })
  expect(meanError(spread.get('temperature_stddev') ?? [])).toBeLessThan(0.1)
})

test('publishes without a file that was dropped', { timeout: 180_000 }, async () => {
  mirror.misbehaviours.push({ path: /prob\.f31\.hi/, how: 'late' })
  now += 6 * HOUR
  const run = RUN + 6 * HOUR
  const ask = () => takeRun(ports, refs, { domains: ['hawaii'], run }, () => now)
  await expect(ask()).rejects.toThrow('the first is hour 31')
  now += 3 * MINUTE
  const { stages } = await ask()
  expect(stages.map(({ outcomes }) => outcomes[0]?.state)).toEqual(['published'])
  const times = (await served(refs, 'hawaii')).variables.get('ensemble_members')?.times
  expect(times).toHaveLength(59)
  expect(times).not.toContain(run + 31 * HOUR)
})
