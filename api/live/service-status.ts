import { catalog, stateKeyOf } from '../../ingest/catalog.ts'
import type { Dataset, FeedDataset, GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { takes } from '../../ingest/domain/dataset/takes.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { dueOf, type Expectation, TIMING_DAYS } from '../../ingest/domain/run/lateness.ts'
import { DAY, dateText, floorTo, type Instant, isoSeconds, MINUTE, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { type FeedState, feedStates, oldCopyOf } from '../../sql/queries/feeds.ts'
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
import { newestRuns, type Pointer, pointers } from '../../sql/queries/runs.ts'
import { type SecondSource, secondSources } from '../../sql/queries/second-sources.ts'
import { lastUpstreamCheck } from '../../sql/queries/upstream-checks.ts'
import { SharedRead } from './shared-read.ts'
import { type SourceProblem, sourceProblem } from './silence.ts'
import { type UpstreamCheckStatus, upstreamCheckStatus } from './upstream-check.ts'

/** Datasets that upstream may not have. Nothing is missing while no run of them is stored. */
const provisional = new Set(catalog.filter((dataset) => dataset.provisional).map(({ id }) => id))

/** State of one dataset in one domain, as shown by `/v1/status`. */
export interface DatasetStatus {
  readonly dataset_id: string
  readonly title: string
  /** Null for a dataset that is not divided into domains. */
  readonly domain: string | null
  readonly kind: Dataset['kind']
  /**
   * - `on_time`: the expected run, frame or read is served
   * - `late`: the next run, frame or read is past its time, or the source of frames fails, but the served data are not
   * too old yet
   * - `stale`: the served data are older than the dataset's limit
   * - `nothing_stored`: nothing has been read yet
   * - `not_configured`: this installation does not ingest the dataset
   * - `unknown`: the database does not answer; the other members describe the state at `generated_at`
   */
  readonly state: 'on_time' | 'late' | 'stale' | 'nothing_stored' | 'not_configured' | 'unknown'
  /** Reference time of the served run or frame; for a feed the last confirmed read. */
  readonly run: string | null
  /** Lead group up to which a model run is served, from 0. */
  readonly stage: number | null
  readonly available_at: string | null
  readonly age_seconds: number | null
  readonly expected_next: {
    readonly run: string | null
    readonly expected_at: string
    readonly late_at: string
    /** False while the times follow from the declared latency, until seven days have been recorded. */
    readonly learned: boolean
  } | null
  /** Seconds since `expected_at` if the run is late, else 0. */
  readonly late_by_seconds: number | null
  readonly last_failures: readonly { readonly at: string; readonly run: string | null; readonly detail: string }[]
  /**
   * Since when the listings of the dataset have no new key, although the bucket answers: since the start, or since the newest listed run
   * or frame became older than the limit. For a feed, since when no read has succeeded. Null while keys arrive.
   */
  readonly silent_since: string | null
  /** The host that is read instead of the first source, with the time and reason of the change; null while the first source is read. */
  readonly second_source: { readonly host: string; readonly since: string; readonly reason: string } | null
  /**
   * Data that upstream delivered in the last day and that are not published: the newest three variables of runs, or
   * rows and documents of a feed.
   */
  readonly quarantine: readonly {
    readonly at: string
    readonly run: string
    /** Null if a whole file is not published. */
    readonly variable: string | null
    readonly reason: string
    readonly lead_hours: readonly number[]
    readonly detail: string
  }[]
  /** For each of the last 90 days, oldest first, the share of checked minutes in which the dataset was not stale; null if nothing was checked. */
  readonly availability: readonly (number | null)[]
}

export interface ServiceStatus {
  /** When the database was read. */
  readonly generated_at: string
  readonly status: 'ok' | 'degraded' | 'outage'
  readonly simulated: boolean
  readonly notes: readonly string[]
  /** The daily check of upstream; null if the weather is simulated or none has ended yet. */
  readonly upstream_check: UpstreamCheckStatus | null
  /** The day of the first item in each list `availability`. */
  readonly availability_from: string
  readonly datasets: readonly DatasetStatus[]
}

export interface StatusDeps {
  readonly database: Database
  readonly clock: () => Instant
  /** The setting `DATASETS`. */
  readonly datasets: readonly string[]
}

/** A read takes 20 ms. A read that hangs is ended by the timeouts of its statements. */
const LIMITS = { fresh: 5 * SECOND, usable: 30 * SECOND, wait: 3 * SECOND, first: 5 * SECOND, read: MINUTE }
/** Expectations and availability change slowly and are read again after this time. */
const SLOW_TTL_MS = 5 * MINUTE
const FAILURE_DAYS = 7
const MAX_DETAIL = 200
const MAX_FEED_FAILURES = 3

/** Datasets whose files upstream lists, in each domain. */
const LISTED = catalog
  .filter(({ kind }) => kind === 'grid' || kind === 'frame')
  .flatMap(({ id, domains }) => domains.map(({ id: domain }) => ({ dataset: id, domain })))

/** The rows of the database from which a document is built. */
interface StatusRows {
  readonly now: Instant
  readonly served: ReadonlyMap<string, Pointer>
  /** Reference times of the newest listed runs and frames by dataset and domain. */
  readonly newest: ReadonlyMap<string, Instant>
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
 * Returns a function that returns the status document. The database is read at most every five seconds; a document from
 * the last 30 s is returned at once while the next is read in the background. If the database does not answer, the last
 * document is returned as degraded, and its states as unknown once it is older than 30 s. The function returns
 * undefined before the first read.
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
      newest: new Map(
        (await newestRuns(database, LISTED)).map((row) => [`${row.dataset}/${row.domain}`, row.run.getTime()]),
      ),
      feeds: (await feedStates(database, '')).feeds,
      failures: await rejectedRuns(database, new Date(now - FAILURE_DAYS * DAY)),
      quarantine: await recentlyQuarantined(database, new Date(now - DAY)),
      seconds: await secondSources(database),
      sweeps: await frameSweeps(database),
      expectations: slow.expectations,
      days: slow.days,
      since: slow.since,
    }
    const simulated = (await isSimulated(database)) ?? false
    const list = catalog
      .filter(({ kind }) => kind !== 'climatology')
      .flatMap((dataset) => statesOf(dataset, stored, takes({ datasets }, dataset.id)))
    const isCounted = ({ run, dataset_id: id }: DatasetStatus) => run !== null || !provisional.has(id)
    const configured = list.filter((row) => row.state !== 'not_configured' && isCounted(row))
    const models = configured.filter(({ kind }) => kind === 'grid')
    const hasNoModels = models.length > 0 && models.every(({ run }) => run === null)
    const isDegraded = configured.some(({ state, run }) => state === 'stale' || run === null)
    return {
      generated_at: isoSeconds(now),
      status: hasNoModels ? 'outage' : isDegraded ? 'degraded' : 'ok',
      simulated,
      notes: [],
      upstream_check: simulated ? null : upstreamCheckStatus(await lastUpstreamCheck(database)),
      availability_from: dateText(Math.floor(now / DAY) - TIMING_DAYS + 1),
      datasets: list,
    }
  }
  const shared = new SharedRead(read, clock, LIMITS)
  return async () => {
    const last = await shared.get()
    if (!last || last.current) return last?.value
    return withDoubt(last.value, last.failed, clock() - last.at > LIMITS.usable)
  }
}

/** Returns the last document, with a note that no newer document can be read. */
function withDoubt(document: ServiceStatus, failed: boolean, isOld: boolean): ServiceStatus {
  const { generated_at: at, datasets, status } = document
  return {
    ...document,
    // An outage that the last document has stays an outage.
    status: status === 'outage' ? status : 'degraded',
    notes: [
      `${failed ? 'The database cannot be reached' : `The database has not answered for ${LIMITS.wait / SECOND} s`}: this is the last known state, of ${at}.${isOld ? ' Whether data are on time, late or stale since then is unknown.' : ''}`,
    ],
    datasets: isOld ? datasets.map(withUnknownState) : datasets,
  }
}

const withUnknownState = (dataset: DatasetStatus): DatasetStatus =>
  dataset.state === 'not_configured' ? dataset : { ...dataset, state: 'unknown', late_by_seconds: null }

function statesOf(dataset: Dataset, stored: StatusRows, isConfigured: boolean): DatasetStatus[] {
  if (dataset.kind !== 'grid' && dataset.kind !== 'frame')
    return [feedStatus(dataset as FeedDataset, stored, isConfigured)]
  return dataset.domains.map(({ id: domain }) => runStatus(dataset, domain, stored, isConfigured))
}

function runStatus(dataset: Dataset, domain: DomainId, stored: StatusRows, isConfigured: boolean): DatasetStatus {
  const { now, served, failures, expectations } = stored
  const pointer = served.get(`${dataset.id}/${domain}`)
  const run = pointer?.run.getTime()
  const next = pointer && nextOf(dataset, domain, pointer.run.getTime(), pointer.stage, expectations, now)
  const age = run === undefined ? null : Math.max(0, Math.round((now - run) / SECOND))
  const rejected = failures.filter((row) => row.dataset === dataset.id && row.domain === domain)
  const problem = isConfigured && (pointer || !dataset.provisional) ? problemOf(dataset, domain, stored) : undefined
  const state = stateOf(isConfigured, age, dataset.staleAfterSeconds, next, now)
  return {
    ...commonMembers(dataset, domain, stored),
    ...state,
    ...(problem && {
      state: state.state === 'stale' ? state.state : 'late',
      late_by_seconds: Math.max(1, state.late_by_seconds ?? 0, Math.round((now - problem.since) / SECOND)),
    }),
    silent_since: problem?.silent ? isoSeconds(floorTo(problem.since, SECOND)) : null,
    run: run === undefined ? null : isoSeconds(run),
    stage: dataset.kind === 'grid' ? (pointer?.stage ?? null) : null,
    available_at: pointer ? isoSeconds(pointer.published_at.getTime()) : null,
    age_seconds: age,
    last_failures: [
      ...(problem ? [{ at: isoSeconds(problem.since), run: null, detail: detailOf(problem.detail) }] : []),
      ...rejected.map(({ at, run: rejectedRun, reason }) => ({
        at: isoSeconds(at.getTime()),
        run: isoSeconds(rejectedRun.getTime()),
        detail: detailOf(reason),
      })),
    ],
  }
}

function problemOf(dataset: Dataset, domain: DomainId, stored: StatusRows): SourceProblem | undefined {
  const key = `${dataset.id}/${domain}`
  return sourceProblem(dataset, domain, {
    now: stored.now,
    watchedSince: stored.since.get(key),
    newest: stored.newest.get(key),
    sweep: stored.sweeps.find((sweep) => sweep.dataset === dataset.id),
    expectation: (stage) => stored.expectations(dataset, domain, stage),
  })
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

function feedStatus(feed: FeedDataset, stored: StatusRows, isConfigured: boolean): DatasetStatus {
  const { now, feeds } = stored
  const key = stateKeyOf(feed)
  const ownFeeds = feeds.filter(({ feed: name }) => name.split('/', 1)[0] === key)
  const confirmed = Math.max(...ownFeeds.map(({ confirmed_at }) => confirmed_at?.getTime() ?? Number.NEGATIVE_INFINITY))
  const isConfirmed = Number.isFinite(confirmed)
  const age = isConfirmed ? Math.max(0, Math.round((now - confirmed) / SECOND)) : null
  const next = isConfirmed
    ? {
        run: null,
        expectedAt: confirmed + feed.pollSeconds * SECOND,
        lateAt: confirmed + feed.staleAfterSeconds * SECOND,
        learned: false,
      }
    : undefined
  const failures = ownFeeds
    .flatMap((state) => {
      const old = oldCopyOf(state)
      if (old) return [{ failure: old.why, at: old.at.getTime() }]
      return state.failure && state.failed_at ? [{ failure: state.failure, at: state.failed_at.getTime() }] : []
    })
    .sort((a, b) => b.at - a.at)
  const watched = isConfigured && !isConfirmed ? stored.since.get(`${feed.id}/`) : undefined
  const silentSince = watched !== undefined && now - watched > feed.staleAfterSeconds * SECOND ? watched : undefined
  return {
    ...commonMembers(feed, null, stored),
    // Answers depend on some feeds, which are read even if DATASETS omits them.
    ...stateOf(isConfigured || isConfirmed, age, feed.staleAfterSeconds, next, now),
    ...(silentSince !== undefined && { state: 'late', late_by_seconds: Math.round((now - silentSince) / SECOND) }),
    silent_since: silentSince === undefined ? null : isoSeconds(floorTo(silentSince, SECOND)),
    run: isConfirmed ? isoSeconds(confirmed) : null,
    stage: null,
    available_at: isConfirmed ? isoSeconds(confirmed) : null,
    age_seconds: age,
    last_failures: failures.slice(0, MAX_FEED_FAILURES).map(({ at, failure }) => ({
      at: isoSeconds(at),
      run: null,
      detail: detailOf(failure),
    })),
  }
}

/** The members that runs, frames and feeds have in common. */
function commonMembers(
  dataset: Dataset,
  domain: DomainId | null,
  { now, days, quarantine: rows, seconds }: StatusRows,
) {
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

function stateOf(
  isConfigured: boolean,
  age: number | null,
  staleAfterSeconds: number,
  next: Next | undefined,
  now: Instant,
): Pick<DatasetStatus, 'state' | 'expected_next' | 'late_by_seconds'> {
  if (!isConfigured) return { state: 'not_configured', expected_next: null, late_by_seconds: null }
  const isLate = next !== undefined && next.lateAt <= now
  return {
    state: age === null ? 'nothing_stored' : age > staleAfterSeconds ? 'stale' : isLate ? 'late' : 'on_time',
    expected_next: next
      ? {
          run: next.run === null ? null : isoSeconds(next.run),
          expected_at: isoSeconds(floorTo(next.expectedAt, SECOND)),
          late_at: isoSeconds(floorTo(next.lateAt, SECOND)),
          learned: next.learned,
        }
      : null,
    late_by_seconds: next === undefined ? null : isLate ? Math.round((now - next.expectedAt) / SECOND) : 0,
  }
}

/** Returns a reason, shortened and without hosts, because the address of an internal mirror is not public. */
function detailOf(reason: string | null): string {
  return (reason ?? 'no reason was recorded').replaceAll(/https?:\/\/[^/\s"]+/g, '').slice(0, MAX_DETAIL)
}
