import { feedAges } from '../../sql/queries/feeds.ts'
import {
  countFreshness,
  type Expectations,
  type FreshnessCheck,
  type LateRow,
  learnExpectations,
  recordLate,
  recordServed,
  type TimingRow,
  watchedSince,
} from '../../sql/queries/lateness.ts'
import { pointers } from '../../sql/queries/runs.ts'
import type { FrameDataset, GridDataset } from '../domain/dataset/dataset.ts'
import { type RunLate, topics } from '../domain/event.ts'
import { dueOf, NOTHING_SERVED } from '../domain/run/lateness.ts'
import { floorTo, HOUR, type Instant, isoSeconds, MINUTE, SECOND } from '../domain/time.ts'
import type { Database } from '../ports/database.ts'

/** The ingested datasets. */
export interface WatchedDatasets {
  readonly grids: readonly GridDataset[]
  readonly frames: readonly Pick<FrameDataset, 'id' | 'domains' | 'staleAfterSeconds' | 'provisional'>[]
  readonly feeds: readonly { readonly id: string; readonly stateKey: string; readonly staleAfterSeconds: number }[]
}

export interface LateRun extends LateRow {
  readonly expected_at: Date
}

/** Interval at which expectations are learned again, ms; they change slowly. */
const LEARN_INTERVAL_MS = 10 * MINUTE

/**
 * Finds model runs that are due and not served, stores one event for each, and counts the minutes in which every
 * dataset was fresh. Idempotent, and cheap enough to run twice a minute. @returns the newly late runs
 */
export function latenessCheck(
  database: Database,
  watched: WatchedDatasets,
): (now: Instant) => Promise<readonly LateRun[]> {
  let learned: { at: Instant; expectations: Expectations; since: ReadonlyMap<string, Instant> } | undefined
  let counted: Instant | undefined

  const learn = async (at: Instant) => {
    const rows = await watchedSince(database)
    const since = new Map(rows.map((row) => [`${row.dataset}/${row.domain}`, row.since.getTime()]))
    return { at, since, expectations: await learnExpectations(database, at) }
  }
  return async (now) => {
    const served = new Map((await pointers(database)).map((row) => [`${row.dataset}/${row.domain}`, row]))
    const minute = floorTo(now, MINUTE)
    if (minute !== counted) {
      const feeds = new Map((await feedAges(database)).map(({ feed, seconds }) => [feed, seconds]))
      await countFreshness(database, checksOf(watched, served, feeds, now), new Date(minute))
      await recordServed(database, feedTimings(watched, feeds, now))
      counted = minute
    }
    if (!learned || now - learned.at >= LEARN_INTERVAL_MS || now < learned.at) learned = await learn(now)
    const { expectations, since } = learned
    const late: LateRun[] = []
    for (const dataset of watched.grids) {
      for (const { id: domain } of dataset.domains) {
        const key = `${dataset.id}/${domain}`
        const pointer = served.get(key)
        if (dataset.provisional && !pointer) continue
        const has = pointer ? { run: pointer.run.getTime(), stage: pointer.stage } : NOTHING_SERVED
        const expectation = (stage: number) => expectations(dataset, domain, stage)
        for (const { run, stage, expectedAt, lateAt } of dueOf(dataset, domain, has, expectation, now)) {
          // Runs that were due before the first check are not late.
          if (lateAt > now || lateAt <= (since.get(key) ?? now)) continue
          const times = { run: new Date(run), due_at: new Date(lateAt), expected_at: new Date(expectedAt) }
          late.push({ dataset: dataset.id, domain, stage, ...times })
        }
      }
    }
    return recordLate(database, late, new Date(now), (row) => messageOf(row, now))
  }
}

function checksOf(
  { grids, frames, feeds }: WatchedDatasets,
  served: ReadonlyMap<string, { readonly run: Date }>,
  feedAge: ReadonlyMap<string, number>,
  now: Instant,
): FreshnessCheck[] {
  const runs = [...grids, ...frames].flatMap(({ id, domains, staleAfterSeconds, provisional }) =>
    domains.flatMap(({ id: domain }) => {
      const run = served.get(`${id}/${domain}`)?.run.getTime()
      if (provisional && run === undefined) return []
      return { dataset: id, domain, fresh: run !== undefined && now - run <= staleAfterSeconds * SECOND }
    }),
  )
  const read = feeds.map(({ id, stateKey, staleAfterSeconds }) => {
    const fresh = (feedAge.get(stateKey) ?? Number.POSITIVE_INFINITY) <= staleAfterSeconds
    return { dataset: id, domain: '', fresh }
  })
  return [...runs, ...read]
}

/** Returns the first confirmed read of a feed in each hour. */
function feedTimings({ feeds }: WatchedDatasets, ages: ReadonlyMap<string, number>, now: Instant): TimingRow[] {
  return feeds.flatMap(({ id, stateKey }) => {
    const age = ages.get(stateKey)
    if (age === undefined) return []
    const at = now - age * SECOND
    const [slot, read] = [new Date(floorTo(at, HOUR)), new Date(at)]
    return [{ dataset: id, domain: '', stage: 0, slot, run: read, first_seen: null, last_seen: null, served_at: read }]
  })
}

function messageOf({ dataset, domain, run, stage, expected_at, due_at }: LateRun, now: Instant) {
  const payload: RunLate = {
    dataset,
    domain,
    run: isoSeconds(run.getTime()),
    stage,
    expected_at: isoSeconds(expected_at.getTime()),
    due_at: isoSeconds(due_at.getTime()),
    at: isoSeconds(now),
  }
  return { topic: topics.late.name, key: dataset, payload }
}
