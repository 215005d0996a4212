import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gfs } from '../../ingest/datasets/gfs.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import { rtma } from '../../ingest/datasets/rtma.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { type RunLate, runLate } from '../../ingest/domain/event.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { CATCH_UP_SECONDS } from '../../ingest/domain/run/lateness.ts'
import { DAY, HOUR, type Instant, isoSeconds, MINUTE, SECOND } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { timingsOf } from '../../ingest/steps/grid/publish.ts'
import { latenessCheck } from '../../ingest/steps/lateness.ts'
import { freshnessDays, learnExpectations, recordServed, removeTimings } from '../../sql/queries/lateness.ts'
import { publishRun } from '../../sql/queries/runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'hexcast-lateness-'))
let database: Database
beforeAll(async () => {
  database = await openDatabase({ dataDir: folder, databasePool: 1 })
}, 60_000)
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Numbers from 0 to 1 that follow from a seed. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

interface Serving {
  readonly at: Instant
  readonly dataset: GridDataset
  readonly domain: DomainId
  readonly run: Instant
  readonly stage: number
}

const BEGIN = Date.parse('2026-08-17T00:00:00Z')
const DAYS = 4
/** When each of these runs is served: the usual delay of its lead groups after the run, minutes. */
const delays: readonly (readonly [dataset: GridDataset, domain: DomainId, minutes: readonly number[]])[] = [
  [hrrr, 'conus', [88]],
  [hrrr, 'alaska', [95]],
  [rtma, 'conus', [42]],
  [nbm, 'conus', [66, 78]],
  [gfs, 'conus', [215, 305]],
]
const nameOf = ({ dataset, domain, run }: { dataset: string; domain: string; run: string }) =>
  `${dataset}/${domain}/${run}`

function runsBetween(dataset: GridDataset, domain: DomainId, from: Instant, to: Instant): Instant[] {
  const runs = new Set<Instant>()
  for (let at = from; at < to; at += dataset.cadenceSeconds * SECOND) for (const run of dataset.runs(at)) runs.add(run)
  return [...runs].filter((run) => run >= from && run < to && dataset.leads(run, domain).length > 0)
}

async function serve({ at, dataset, domain, run, stage }: Serving): Promise<string> {
  const files = dataset.leads(run, domain).map((leadHours) => ({ leadHours, url: '', modified: at - MINUTE }))
  const plan = { dataset: dataset.id, domain, run, stageNumber: stage, files }
  const publishedTo = nth(dataset.stages(run, domain), stage).to
  return publishRun(
    database,
    {
      dataset: dataset.id,
      domain,
      run: new Date(run),
      stage,
      publishedTo,
      manifestKey: `${dataset.id}/${domain}/${run}/${stage}`,
      manifest: {},
      wanted: 1,
      got: 1,
      missing: 0,
      timings: timingsOf(dataset, plan).map((timing) => ({ ...timing, served_at: new Date(at) })),
    },
    [],
  )
}

describe('four days with late, missing and doubled runs', () => {
  const draw = random(22)
  const servings: Serving[] = []
  const late = new Map<string, number>()
  let doubled = 0
  for (const [dataset, domain, minutes] of delays) {
    // Eight days before, so that expectations are learned.
    for (const run of runsBetween(dataset, domain, BEGIN - 8 * DAY, BEGIN + DAYS * DAY)) {
      const isJudged = run >= BEGIN && run < BEGIN + DAYS * DAY - 12 * HOUR
      const kind = isJudged ? draw() : 1
      const delayed = kind < 0.02 ? 40 : kind < 0.06 ? 11 : 0
      const missing = kind > 0.06 && kind < 0.08
      const firstLate = Math.floor(draw() * minutes.length)
      if (delayed === 40 || missing) late.set(`${dataset.id}/${domain}/${isoSeconds(run)}`, missing ? 0 : firstLate)
      for (const [stage, usual] of missing ? [] : minutes.entries()) {
        const extra = stage >= firstLate ? delayed : 0
        const at = run + (usual + extra + (draw() * 4 - 2)) * MINUTE
        servings.push({ at, dataset, domain, run, stage })
        // Some runs are published again, at once and hours later, as by a second worker or a restart.
        if (isJudged && draw() < 0.1) {
          doubled++
          servings.push({ at: at + SECOND, dataset, domain, run, stage })
          servings.push({ at: at + 3 * HOUR, dataset, domain, run, stage })
        }
      }
    }
  }
  servings.sort((a, b) => a.at - b.at)

  test('sends one event within 60 s for each late run and none for other runs', { timeout: 300_000 }, async () => {
    expect(late.size).toBeGreaterThan(8)
    expect(doubled).toBeGreaterThan(20)
    const watched = { grids: [hrrr, rtma, nbm, gfs], frames: [], feeds: [] }
    const only = watched.grids.map((dataset) => ({
      ...dataset,
      domains: dataset.domains.filter(({ id }) => delays.some(([other, domain]) => other === dataset && domain === id)),
    }))
    const open = () => latenessCheck(database, { ...watched, grids: only })
    let check = open()
    let next = 0
    for (; nth(servings, next).at < BEGIN; next++) await serve(nth(servings, next))
    let ticks = 0
    for (let now = BEGIN + 7_000; now < BEGIN + DAYS * DAY; now += 30 * SECOND) {
      for (; next < servings.length && nth(servings, next).at <= now; next++) await serve(nth(servings, next))
      await check(now)
      // A restart, and two processes at the same moment.
      if (++ticks % 997 === 0) await Promise.all([check(now), (check = open())(now)])
    }
    const rows = await database.query<{ payload: RunLate }>(
      "select payload from outbox where topic = 'hexcast.late.v1' order by id",
    )
    const events = rows.map(({ payload }) => runLate.parse(payload))
    expect(events.map(nameOf).sort()).toEqual([...late.keys()].sort())
    for (const event of events) {
      const [, , minutes] = delays.find(([{ id }, domain]) => id === event.dataset && domain === event.domain)!
      expect(event.stage, nameOf(event)).toBe(late.get(nameOf(event)))
      const [run, due, at] = [event.run, event.due_at, event.at].map((text) => Date.parse(text)) as [
        number,
        number,
        number,
      ]
      expect(at - due, nameOf(event)).toBeGreaterThanOrEqual(0)
      expect(at - due, nameOf(event)).toBeLessThanOrEqual(60 * SECOND)
      const margin = (due - run) / MINUTE - nth(minutes, event.stage)
      expect(margin, nameOf(event)).toBeGreaterThan(14)
      expect(margin, nameOf(event)).toBeLessThan(24)
    }
    // Every minute is counted once, even if two processes checked.
    const days = await freshnessDays(database, new Date(BEGIN))
    expect(days.length).toBe(DAYS * delays.length)
    for (const day of days) {
      expect(day.checked).toBe(1440)
      expect(day.fresh).toBeGreaterThan(day.dataset === 'gfs' ? 700 : 1200)
      expect(day.fresh).toBeLessThanOrEqual(1440)
    }
  })

  test('learns the usual delay and preserves the times of first serving', async () => {
    const expectation = await learnExpectations(database, BEGIN + DAYS * DAY)
    for (const [dataset, domain, minutes] of delays)
      for (const [stage, usual] of minutes.entries()) {
        const { expectedSeconds, learned } = expectation(dataset, domain, stage)
        expect(learned).toBe(true)
        expect(Math.abs(expectedSeconds / 60 - usual), `${dataset.id} ${domain} ${stage}`).toBeLessThan(1.5)
      }
  })
})

test('learns nothing from a run that was served after an outage', async () => {
  const now = Date.parse('2026-08-20T00:00:00Z')
  const rows = Array.from({ length: 240 }, (_, k) => {
    const run = now - (k + 1) * HOUR
    const appearedAt = run + 30 * MINUTE
    const late = k % 3 === 0 ? 2 * CATCH_UP_SECONDS * SECOND : MINUTE
    const [at, last] = [new Date(run), new Date(appearedAt)]
    const row = { dataset: 'outage', domain: '', stage: 0, slot: at, run: at, first_seen: last, last_seen: last }
    return { ...row, served_at: new Date(appearedAt + late) }
  })
  await recordServed(database, rows)
  const expectation = (await learnExpectations(database, now))({ id: 'outage', latencySeconds: 1 }, '', 0)
  expect(expectation).toEqual({ expectedSeconds: 31 * 60, lateSeconds: 46 * 60, learned: true })
})

test('removes timings and days before an instant', async () => {
  const removed = await removeTimings(database, new Date(BEGIN + 30 * DAY))
  expect(removed).toBeGreaterThan(1000)
  const [counts] = await database.query<{ timings: number; days: number }>(
    'select (select count(*) from run_timing)::int as timings, (select count(*) from freshness_day)::int as days',
  )
  expect(counts).toEqual({ timings: 0, days: 0 })
})
