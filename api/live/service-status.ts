import { catalog, stateKeyOf } from '../../ingest/catalog.ts'
import type { Dataset, FeedDataset, GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { dueOf, type Expectation, TIMING_DAYS } from '../../ingest/domain/run/lateness.ts'
import { DAY, dateText, floorTo, type Instant, isoSeconds, MINUTE, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { type FeedState, feedStates } from '../../sql/queries/feeds.ts'
import { type FrameSweep, frameSweeps } from '../../sql/queries/frame-sweeps.ts'
import {
  type Expectations,
  type FailureRow,
  freshnessDays,
  learnExpectations,
  rejectedRuns,
  watchedSince,
} from '../../sql/queries/lateness.ts'
import { isSimulated } from '../../sql/queries/origin.ts'
import { type QuarantineRow, recentlyQuarantined } from '../../sql/queries/quarantine.ts'
import { type Pointer, pointers } from '../../sql/queries/runs.ts'
import { type SecondSource, secondSources } from '../../sql/queries/second-sources.ts'
import { SharedRead } from './shared-read.ts'

/** State of one dataset in one domain, as `/v1/status` gives it. */
export interface DatasetStatus {
  readonly dataset_id: string
  readonly title: string
  /** Null: the dataset is one piece. */
  readonly domain: string | null
  readonly kind: Dataset['kind']
  /**
   * - `on_time`: what is served is what is expected to be
   * - `late`: the next run, frame or read is past its time, or the source of frames fails; what is served is not too old yet
   * - `stale`: what is served is older than the dataset's limit
   * - `nothing_stored`: nothing was read yet
   * - `not_configured`: this installation does not take it
   * - `unknown`: the database does not answer; the other members are of `generated_at`
   */
  readonly state: 'on_time' | 'late' | 'stale' | 'nothing_stored' | 'not_configured' | 'unknown'
  /** Reference time of the served run or frame; of a feed the last confirmed read. */
  readonly run: string | null
  /** Lead group up to which a model run is served, from 0. */
  readonly stage: number | null
  readonly available_at: string | null
  readonly age_seconds: number | null
  readonly expected_next: {
    readonly run: string | null
    readonly expected_at: string
    readonly late_at: string
    /** False: the declared latency, until seven days were recorded. */
    readonly learned: boolean
  } | null
  /** Seconds past `expected_at` of a run that is late; 0 in time. */
  readonly late_by_seconds: number | null
  readonly last_failures: readonly { readonly at: string; readonly run: string | null; readonly detail: string }[]
  /** The host that is read in place of the first source, since when, and why; null: the first is read. */
  readonly second_source: { readonly host: string; readonly since: string; readonly reason: string } | null
  /** What upstream delivered in the last day and is not published: the newest three variables of runs, of a feed rows or documents. */
  readonly quarantine: readonly {
    readonly at: string
    readonly run: string
    /** Null: a whole file. */
    readonly variable: string | null
    readonly reason: string
    readonly lead_hours: readonly number[]
    readonly detail: string
  }[]
  /** Of each of the last 90 days the share of checked minutes in which it was not stale; null: nothing was checked. Oldest first. */
  readonly availability: readonly (number | null)[]
}

export interface ServiceStatus {
  /** When the database was read. */
  readonly generated_at: string
  readonly status: 'ok' | 'degraded' | 'outage'
  readonly simulated: boolean
  readonly notes: readonly string[]
  /** First day of the lists `availability`. */
  readonly availability_from: string
  readonly datasets: readonly DatasetStatus[]
}

export interface StatusDeps {
  readonly database: Database
  readonly clock: () => Instant
  /** Ids of the datasets that are taken; empty: all. */
  readonly datasets: readonly string[]
}

/** A read takes 20 ms; one that hangs ends by the timeouts of its statements. */
const LIMITS = { fresh: 5 * SECOND, given: 30 * SECOND, wait: 3 * SECOND, first: 5 * SECOND, read: MINUTE }
/** What changes slowly is read again after so long. */
const SLOW_TTL_MS = 5 * MINUTE
const FAILURE_DAYS = 7
const MAX_DETAIL = 200

/** What is read of the database for one document. */
interface StatusRows {
  readonly now: Instant
  readonly served: ReadonlyMap<string, Pointer>
  readonly feeds: readonly FeedState[]
  readonly failures: readonly FailureRow[]
  readonly quarantine: readonly QuarantineRow[]
  readonly seconds: readonly SecondSource[]
  readonly sweeps: readonly FrameSweep[]
  readonly expectations: Expectations
  readonly days: ReadonlyMap<string, number>
  readonly since: ReadonlyMap<string, Instant>
}

/**
 * The status document, read at most every five seconds. One of the last 30 s is given at once, and the next is read behind it. Where the
 * database is silent the last one is given as degraded, with unknown states once it is older. @returns undefined before the first
 */
export function openServiceStatus({ database, clock, datasets }: StatusDeps): () => Promise<ServiceStatus | undefined> {
  let slow: ({ at: Instant } & Pick<StatusRows, 'expectations' | 'days' | 'since'>) | undefined

  const read = async (): Promise<ServiceStatus> => {
    const now = clock()
    if (!slow || now - slow.at > SLOW_TTL_MS) {
      const rows = await freshnessDays(database, new Date(now - (TIMING_DAYS - 1) * DAY))
      const days = new Map(rows.map((row) => [`${row.dataset}/${row.domain}/${row.day}`, row.fresh / row.checked]))
      const watched = await watchedSince(database)
      const since = new Map(watched.map((row) => [`${row.dataset}/${row.domain}`, row.since.getTime()]))
      slow = { at: now, days, since, expectations: await learnExpectations(database, now) }
    }
    const stored: StatusRows = {
      now,
      served: new Map((await pointers(database)).map((row) => [`${row.dataset}/${row.domain}`, row])),
      feeds: (await feedStates(database, '')).feeds,
      failures: await rejectedRuns(database, new Date(now - FAILURE_DAYS * DAY)),
      quarantine: await recentlyQuarantined(database, new Date(now - DAY)),
      seconds: await secondSources(database),
      sweeps: await frameSweeps(database),
      expectations: slow.expectations,
      days: slow.days,
      since: slow.since,
    }
    const list = catalog
      .filter(({ kind }) => kind !== 'climatology')
      .flatMap((dataset) => statesOf(dataset, stored, datasets.length === 0 || datasets.includes(dataset.id)))
    const taken = list.filter(({ state }) => state !== 'not_configured')
    const models = taken.filter(({ kind }) => kind === 'grid')
    const nothing = models.length > 0 && models.every(({ state }) => state === 'nothing_stored')
    const bad = taken.some(({ state, run }) => state === 'stale' || run === null)
    return {
      generated_at: isoSeconds(now),
      status: nothing ? 'outage' : bad ? 'degraded' : 'ok',
      simulated: (await isSimulated(database)) ?? false,
      notes: [],
      availability_from: dateText(Math.floor(now / DAY) - TIMING_DAYS + 1),
      datasets: list,
    }
  }
  const shared = new SharedRead(read, clock, LIMITS)
  return async () => {
    const known = await shared.get()
    if (!known || known.current) return known?.value
    return doubted(known.value, known.failed, clock() - known.at > LIMITS.given)
  }
}

/** A document of which nothing newer can be read. */
function doubted(document: ServiceStatus, failed: boolean, old: boolean): ServiceStatus {
  const { generated_at: at, datasets, status } = document
  return {
    ...document,
    // An outage stays one: it is what was seen last.
    status: status === 'outage' ? status : 'degraded',
    notes: [
      `${failed ? 'The database cannot be reached' : `The database has not answered for ${LIMITS.wait / SECOND} s`}: this is the last known state, of ${at}.${old ? ' What is current, late or stale since then is unknown.' : ''}`,
    ],
    datasets: old ? datasets.map(unknown) : datasets,
  }
}

const unknown = (one: DatasetStatus): DatasetStatus =>
  one.state === 'not_configured' ? one : { ...one, state: 'unknown', late_by_seconds: null }

function statesOf(dataset: Dataset, stored: StatusRows, taken: boolean): DatasetStatus[] {
  if (dataset.kind !== 'grid' && dataset.kind !== 'frame') return [feedStatus(dataset as FeedDataset, stored, taken)]
  return dataset.domains.map(({ id: domain }) => runStatus(dataset, domain, stored, taken))
}

function runStatus(dataset: Dataset, domain: DomainId, stored: StatusRows, taken: boolean): DatasetStatus {
  const { now, served, failures, expectations } = stored
  const pointer = served.get(`${dataset.id}/${domain}`)
  const run = pointer?.run.getTime()
  const next = run === undefined ? undefined : nextOf(dataset, domain, run, pointer!.stage, expectations, now)
  const age = run === undefined ? null : Math.max(0, Math.round((now - run) / SECOND))
  const failed = failures.filter((row) => row.dataset === dataset.id && row.domain === domain)
  const trouble = dataset.kind === 'frame' && taken ? frameTrouble(dataset, domain, stored, run) : undefined
  const known = outcome(taken, age, dataset.staleAfterSeconds, next, now)
  return {
    ...common(dataset, domain, stored),
    ...known,
    ...(trouble && {
      state: known.state === 'stale' ? known.state : 'late',
      late_by_seconds: Math.max(1, known.late_by_seconds ?? 0, Math.round((now - trouble.since) / SECOND)),
    }),
    run: run === undefined ? null : isoSeconds(run),
    stage: dataset.kind === 'grid' ? (pointer?.stage ?? null) : null,
    available_at: pointer ? isoSeconds(pointer.published_at.getTime()) : null,
    age_seconds: age,
    last_failures: [
      ...(trouble ? [{ at: isoSeconds(trouble.since), run: null, detail: detailOf(trouble.detail) }] : []),
      ...failed.map(({ at, run: of, reason }) => ({
        at: isoSeconds(at.getTime()),
        run: isoSeconds(of.getTime()),
        detail: detailOf(reason),
      })),
    ],
  }
}

/** A sweep ends within four minutes, and its activity within five. */
const MAX_SWEEP_SECONDS = 300

/** Why no frames can come: the source does not answer, the sweep does not end, or nothing was listed since the start. */
function frameTrouble(
  { id, staleAfterSeconds }: Dataset,
  domain: DomainId,
  { now, sweeps, since }: StatusRows,
  run: Instant | undefined,
): { since: Instant; detail: string } | undefined {
  const sweep = sweeps.find((one) => one.dataset === id)
  if (sweep?.failing_since) return { since: sweep.failing_since.getTime(), detail: sweep.failure ?? '' }
  const running = sweep?.running_seconds ?? 0
  if (running > MAX_SWEEP_SECONDS) {
    const detail = `the sweep of its source was expected to end within ${MAX_SWEEP_SECONDS} s and goes on; restart the worker`
    return { since: now - running * SECOND, detail }
  }
  const watched = since.get(`${id}/${domain}`)
  if (run !== undefined || watched === undefined || now - watched <= staleAfterSeconds * SECOND) return undefined
  return { since: watched, detail: 'no frame was listed since the start; look for its key in the bucket' }
}

interface Next extends Pick<Expectation, 'learned'> {
  readonly run: Instant | null
  readonly expectedAt: Instant
  readonly lateAt: Instant
}

function nextOf(
  dataset: Dataset,
  domain: DomainId,
  run: Instant,
  stage: number,
  expectations: Expectations,
  now: Instant,
): Next | undefined {
  if (dataset.kind === 'grid') {
    const expectation = (group: number) => expectations(dataset, domain, group)
    const [due] = dueOf(dataset as GridDataset, domain, { run, stage }, expectation, now)
    return due && { ...due, learned: expectation(due.stage).learned }
  }
  const { expectedSeconds, lateSeconds, learned } = expectations(dataset, domain, 0)
  const next = run + dataset.cadenceSeconds * SECOND
  const lateAt = Math.min(next + lateSeconds * SECOND, run + dataset.staleAfterSeconds * SECOND)
  return { run: next, expectedAt: next + expectedSeconds * SECOND, lateAt, learned }
}

function feedStatus(feed: FeedDataset, stored: StatusRows, taken: boolean): DatasetStatus {
  const { now, feeds } = stored
  const key = stateKeyOf(feed)
  const mine = feeds.filter(({ feed: name }) => name.split('/', 1)[0] === key)
  const confirmed = Math.max(...mine.map(({ confirmed_at }) => confirmed_at?.getTime() ?? Number.NEGATIVE_INFINITY))
  const known = Number.isFinite(confirmed)
  const age = known ? Math.max(0, Math.round((now - confirmed) / SECOND)) : null
  const next = known
    ? {
        run: null,
        expectedAt: confirmed + feed.pollSeconds * SECOND,
        lateAt: confirmed + feed.staleAfterSeconds * SECOND,
        learned: false,
      }
    : undefined
  const failing = mine
    .filter((row) => row.failure !== null && row.failed_at !== null)
    .sort((a, b) => b.failed_at!.getTime() - a.failed_at!.getTime())
  return {
    ...common(feed, null, stored),
    // Answers depend on some feeds: they are read although DATASETS leaves them out.
    ...outcome(taken || known, age, feed.staleAfterSeconds, next, now),
    run: known ? isoSeconds(confirmed) : null,
    stage: null,
    available_at: known ? isoSeconds(confirmed) : null,
    age_seconds: age,
    last_failures: failing.slice(0, 3).map(({ failed_at, failure }) => ({
      at: isoSeconds(failed_at!.getTime()),
      run: null,
      detail: detailOf(failure),
    })),
  }
}

function common(dataset: Dataset, domain: DomainId | null, { now, days, quarantine: rows, seconds }: StatusRows) {
  const today = Math.floor(now / DAY)
  const share = (day: number) => days.get(`${dataset.id}/${domain ?? ''}/${dateText(day)}`)
  const availability = Array.from({ length: TIMING_DAYS }, (_, index) => {
    const fresh = share(today - TIMING_DAYS + 1 + index)
    return fresh === undefined ? null : Math.floor(fresh * 1000) / 1000
  })
  const quarantine = rows
    .filter((row) => row.dataset === dataset.id && row.domain === (domain ?? ''))
    .map(({ last_at, run, variable, reason, leads, detail }) => ({
      at: isoSeconds(last_at.getTime()),
      run: isoSeconds(run.getTime()),
      variable: variable === '' ? null : variable,
      reason,
      lead_hours: leads,
      detail: detailOf(detail),
    }))
  const second = seconds.find((row) => row.dataset === dataset.id)
  return {
    dataset_id: dataset.id,
    title: dataset.title,
    domain,
    kind: dataset.kind,
    second_source: second
      ? { host: second.source, since: isoSeconds(second.since.getTime()), reason: detailOf(second.reason) }
      : null,
    quarantine,
    availability,
  }
}

function outcome(
  taken: boolean,
  age: number | null,
  staleAfterSeconds: number,
  next: Next | undefined,
  now: Instant,
): Pick<DatasetStatus, 'state' | 'expected_next' | 'late_by_seconds'> {
  if (!taken) return { state: 'not_configured', expected_next: null, late_by_seconds: null }
  const late = next !== undefined && next.lateAt <= now
  return {
    state: age === null ? 'nothing_stored' : age > staleAfterSeconds ? 'stale' : late ? 'late' : 'on_time',
    expected_next: next
      ? {
          run: next.run === null ? null : isoSeconds(next.run),
          expected_at: isoSeconds(floorTo(next.expectedAt, SECOND)),
          late_at: isoSeconds(floorTo(next.lateAt, SECOND)),
          learned: next.learned,
        }
      : null,
    late_by_seconds: next === undefined ? null : late ? Math.round((now - next.expectedAt) / SECOND) : 0,
  }
}

/** A reason in short, without hosts: an internal mirror is nobody's business. */
function detailOf(reason: string | null): string {
  return (reason ?? 'no reason was recorded').replaceAll(/https?:\/\/[^/\s"]+/g, '').slice(0, MAX_DETAIL)
}

/** Frames that are late or stale, each with the reason: for the detail of readiness. */
export function lateFrames(document: ServiceStatus | undefined): string[] {
  return (document?.datasets ?? [])
    .filter(({ kind, state }) => kind === 'frame' && (state === 'late' || state === 'stale'))
    .map(({ dataset_id: id, domain, state, last_failures: [failure] }) => {
      const why = failure && failure.run === null ? `: ${failure.detail}` : ''
      return `${id}/${domain}: ${state}${why}`
    })
}
