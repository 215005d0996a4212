import type { GridDataset } from '../dataset/dataset.ts'
import type { DomainId } from '../domain.ts'
import { nth } from '../nth.ts'
import { DAY, type Instant, MINUTE, SECOND } from '../time.ts'

/** Number of days for which timings are stored and used. */
export const TIMING_DAYS = 90
/** Number of days of timings from which on they replace the declared latency. */
const LEARNING_DAYS = 7
/** Time between the last file and serving, above which an outage of ours delayed the run, s; its timing is then ignored. */
export const CATCH_UP_SECONDS = 3600
/** Minimum time between the usual delay and lateness. */
const MIN_MARGIN_SECONDS = (15 * MINUTE) / SECOND

/** Statistics of the delay from a run's reference time to its serving, for one dataset, domain and lead group. */
export interface Delays {
  readonly count: number
  /** Reference time of the oldest of these runs. */
  readonly since: Instant
  /** Median and 95th percentile, s. */
  readonly p50: number
  readonly p95: number
}

/** When a run is expected and when it is late, in seconds after its reference time. */
export interface Expectation {
  readonly expectedSeconds: number
  readonly lateSeconds: number
  /** Whether the times come from recorded timings; false if they come from the declared latency, because timings are too few. */
  readonly learned: boolean
}

export function expectationOf(declaredSeconds: number, delays: Delays | undefined, now: Instant): Expectation {
  const learned = delays !== undefined && now - delays.since >= LEARNING_DAYS * DAY
  const p50 = learned ? delays.p50 : declaredSeconds
  const p95 = learned ? delays.p95 : declaredSeconds
  return { expectedSeconds: p50, lateSeconds: p95 + Math.max(p95 - p50, MIN_MARGIN_SECONDS), learned }
}

/** The served state of a dataset in a domain. */
export interface ServedStage {
  readonly run: Instant
  readonly stage: number
}

/** A lead group of a run that is still expected, with its times. */
export interface Due {
  readonly run: Instant
  readonly stage: number
  readonly expectedAt: Instant
  readonly lateAt: Instant
}

export interface DueQuestion {
  /** Runs that exist in the domain, ascending, including future runs. */
  readonly runs: readonly Instant[]
  readonly stagesOf: (run: Instant) => number
  readonly expectation: (stage: number) => Expectation
  readonly served: ServedStage
  /** Age of a run after which no further files are expected. */
  readonly deadlineSeconds: number
  readonly now: Instant
}

/**
 * Returns the runs that are not served and still expected, oldest first, each with its late or next lead group. A later stage or a newer
 * run supersedes all earlier ones.
 */
export function dueRuns({ runs, stagesOf, expectation, served, deadlineSeconds, now }: DueQuestion): Due[] {
  const expected: Due[] = []
  for (const run of runs) {
    if (run < served.run) continue
    const first = run === served.run ? served.stage + 1 : 0
    const stages = Array.from({ length: Math.max(0, stagesOf(run) - first) }, (_, index) => first + index)
    const due = stages.map((stage): Due => {
      const { expectedSeconds, lateSeconds } = expectation(stage)
      return { run, stage, expectedAt: run + expectedSeconds * SECOND, lateAt: run + lateSeconds * SECOND }
    })
    const last = due.at(-1)
    if (!last || now > Math.max(run + deadlineSeconds * SECOND, last.lateAt + MIN_MARGIN_SECONDS * SECOND)) continue
    expected.push(due.find(({ lateAt }) => lateAt <= now) ?? nth(due, 0))
  }
  return expected
}

/** Number of intervals between runs to look ahead, because an interval may have no run in a domain. */
const AHEAD = 8

/** Returns the expectations for a dataset of model runs in a domain; see `dueRuns`. */
export function dueOf(
  dataset: GridDataset,
  domain: DomainId,
  served: ServedStage,
  expectation: (stage: number) => Expectation,
  now: Instant,
): Due[] {
  const ahead = Array.from({ length: AHEAD + 1 }, (_, count) => now + count * dataset.cadenceSeconds * SECOND)
  const runs = [...new Set(ahead.flatMap((at) => dataset.runs(at)))]
    .filter((run) => dataset.leads(run, domain).length > 0)
    .sort((a, b) => a - b)
  const stagesOf = (run: Instant) => dataset.stages(run, domain).length
  return dueRuns({ runs, stagesOf, expectation, served, deadlineSeconds: dataset.deadlineSeconds, now })
}

/** The state without a served run, in which every run is expected. */
export const NOTHING_SERVED: ServedStage = { run: Number.NEGATIVE_INFINITY, stage: -1 }
