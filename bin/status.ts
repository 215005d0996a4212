import { setTimeout as pause } from 'node:timers/promises'
import { type DatasetStatus, openServiceStatus, type ServiceStatus } from '../api/live/service-status.ts'
import { frameDatasets, gridDatasets } from '../ingest/catalog.ts'
import { loadConfig } from '../ingest/config.ts'
import { isFault } from '../ingest/domain/fault.ts'
import { plainLine } from '../ingest/domain/plain-line.ts'
import { runName } from '../ingest/domain/time.ts'
import { openDatabase } from '../ingest/ports/database/open.ts'
import type { Database } from '../ingest/ports/database.ts'
import { openEvents } from '../ingest/ports/events/open.ts'
import { openObjects } from '../ingest/ports/objects/open.ts'
import { feedStates, oldCopyOf } from '../sql/queries/feeds.ts'
import { type JobCounts, jobCounts } from '../sql/queries/jobs.ts'
import { type RunningScore, runningScores } from '../sql/queries/nowcast-scores.ts'
import { databaseNow, outboxLag } from '../sql/queries/outbox.ts'
import { type RetirementState, retirementStates } from '../sql/queries/retirement.ts'
import { pointers, storedRuns } from '../sql/queries/runs.ts'
import { tableRow } from './display.ts'
import { type ProgressRow, readProgress } from './progress-file.ts'
import { signalToEnd } from './signals.ts'
import type { CommandLine } from './verb.ts'

interface EngineState {
  readonly engine: 'database' | 'objects' | 'events' | 'work'
  readonly state: 'ok' | 'down'
  /** Kind and address of the engine, and its error if it is down. */
  readonly what: string
  readonly ms?: number
}

interface DatasetState {
  readonly dataset: string
  readonly domain: string
  readonly served: string | null
  readonly age_seconds: number | null
  readonly stale: boolean
  readonly to_hour: number | null
  /** When the next run is expected to be served. */
  readonly expected_at: string | null
  readonly late_by_seconds: number | null
  /** Why the source cannot be read, or which prefix lists no new key. */
  readonly source_failure: string | null
  readonly working_on: string | null
  readonly last_failure: string | null
}

/** State of a feed. Feeds have no runs, only the time at which upstream last confirmed them. */
interface FeedSummary {
  readonly feed: string
  readonly confirmed: string | null
  readonly age_seconds: number | null
  readonly failure: string | null
}

interface Status {
  readonly at: string
  readonly engines: readonly EngineState[]
  readonly datasets: readonly DatasetState[]
  readonly feeds: readonly FeedSummary[]
  /** Stages in progress: on Temporal, or that `hexcast start` has on this data folder. */
  readonly progress: readonly ProgressRow[]
  /** `workers` is the number of workers that poll, which only Temporal knows. */
  readonly work: (JobCounts & { readonly workers?: number }) | null
  readonly outbox: { readonly waiting: number; readonly seconds: number } | null
  readonly clock_off_seconds: number | null
  /** Steps of retirement whose last attempt failed. */
  readonly retirement: readonly RetirementFailure[]
  /** Critical success index of nowcasts over the last 24 hours. */
  readonly nowcast_csi: readonly RunningScore[]
  /** The last daily check of upstream; null if there is none. */
  readonly upstream_check: ServiceStatus['upstream_check']
}

/** `hexcast status`: queries every engine once. @returns exit status, which is 1 if an engine is down */
export async function status(line: CommandLine): Promise<number> {
  if (!line.flag('watch')) return printStatus(line)
  const ended = new AbortController()
  signalToEnd().then(() => ended.abort())
  for (let last = 0; ; ) {
    const startedAt = performance.now()
    last = await printStatus(line)
    const remaining = Math.max(0, WATCH_INTERVAL_MS - (performance.now() - startedAt))
    await pause(remaining, undefined, { signal: ended.signal }).catch(() => undefined)
    if (ended.signal.aborted) return last
  }
}

const WATCH_INTERVAL_MS = 5_000
/** Escape sequence that moves the cursor to the top left corner and clears the screen from there. */
const CLEAR = '\u001b[H\u001b[2J'

async function printStatus(line: CommandLine): Promise<number> {
  let state: Status
  try {
    state = await readStatus()
  } catch (error) {
    if (!isFault(error)) throw error
    console.error(`hexcast status: ${error.message}`)
    return 1
  }
  const clear = line.flag('watch') && !line.flag('json') && process.stdout.isTTY ? CLEAR : ''
  console.log(clear + (line.flag('json') ? JSON.stringify(state) : screen(state)))
  return state.engines.some((engine) => engine.state === 'down') ? 1 : 0
}

async function readStatus(): Promise<Status> {
  const config = loadConfig()
  const engines: EngineState[] = []
  let database: Database | undefined
  const check = async <T>(engine: EngineState['engine'], name: string, query: () => Promise<T>): Promise<T | null> => {
    const startedAt = performance.now()
    try {
      const result = await within(query())
      engines.push({ engine, state: 'ok', what: name, ms: Math.round(performance.now() - startedAt) })
      return result
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      engines.push({ engine, state: 'down', what: `${name}: ${message}` })
      return null
    }
  }
  const host = config.databaseUrl ? new URL(config.databaseUrl).host : `embedded in ${config.dataDir}`
  await check('database', `PostGIS, ${host}`, async () => {
    database = await openDatabase(config, { name: 'status', statementTimeoutMs: 5_000 })
    await database.query('select 1')
  })
  const store = config.objects
  await check('objects', store.kind === 's3' ? `s3://${store.bucket}/${store.prefix}` : store.folder, async () => {
    const objects = await openObjects({ objects: store.kind === 's3' ? { ...store, cache: undefined } : store })
    await objects.size('health/probe')
    await objects.close()
  })
  await check(
    'events',
    config.kafkaBrokers.length ? `Kafka, ${config.kafkaBrokers.join(', ')}` : 'in process',
    async () => {
      const events = await openEvents(config)
      const { connected, failure } = events.lag()
      await events.close()
      if (!connected) throw new Error(failure ?? 'no broker answers')
    },
  )
  let runsOnTemporal: readonly ProgressRow[] | undefined
  const work = await check(
    'work',
    config.temporal ? `Temporal, ${config.temporal.address}` : 'queue in the database',
    async (): Promise<Status['work']> => {
      if (!config.temporal) return database ? jobCounts(database).catch(() => null) : null
      const { temporalCounts } = await import('../workers/temporal/counts.ts')
      const { progress, ...counts } = await temporalCounts(config.temporal)
      runsOnTemporal = progress
      return counts
    },
  )
  if (!database)
    return {
      at: new Date().toISOString(),
      engines,
      datasets: [],
      feeds: [],
      progress: [],
      work,
      outbox: null,
      clock_off_seconds: null,
      retirement: [],
      nowcast_csi: [],
      upstream_check: null,
    }
  const now = await databaseNow(database)
  const service = await openServiceStatus({ database, clock: () => now.getTime(), datasets: config.datasets })()
  const clockOffSeconds = (Date.now() - now.getTime()) / 1000
  const state: Status = {
    at: now.toISOString(),
    engines,
    datasets: await datasetStates(database, now.getTime(), service?.datasets ?? []),
    feeds: await readFeeds(database),
    progress: runsOnTemporal ?? (await readProgress(config.dataDir, Date.now())),
    work,
    outbox: await outboxLag(database),
    clock_off_seconds: Math.abs(clockOffSeconds) > 2 ? Math.round(clockOffSeconds) : null,
    retirement: failuresOf(await retirementStates(database), now.getTime()),
    nowcast_csi: await runningScores(database, 24),
    upstream_check: service?.upstream_check ?? null,
  }
  await database.close()
  return state
}

async function readFeeds(database: Database): Promise<FeedSummary[]> {
  const { now, feeds } = await feedStates(database, '')
  return feeds.map((state) => {
    const { feed, confirmed_at, failed_at, failure } = state
    const hasFailed = failed_at !== null && (!confirmed_at || failed_at > confirmed_at)
    return {
      feed,
      confirmed: confirmed_at?.toISOString() ?? null,
      age_seconds: confirmed_at ? Math.round((now.getTime() - confirmed_at.getTime()) / 1000) : null,
      failure: (hasFailed ? failure : null) ?? oldCopyOf(state)?.why ?? null,
    }
  })
}

async function datasetStates(
  database: Database,
  now: number,
  serviceStatus: readonly DatasetStatus[],
): Promise<DatasetState[]> {
  const served = await pointers(database)
  const states: DatasetState[] = []
  for (const dataset of [...gridDatasets, ...frameDatasets]) {
    const runs = await storedRuns(database, dataset.id)
    for (const { id: domain } of dataset.domains) {
      const pointer = served.find((candidate) => candidate.dataset === dataset.id && candidate.domain === domain)
      const domainRuns = runs.filter((run) => run.domain === domain)
      const servedRun = pointer && domainRuns.find((run) => run.run.getTime() === pointer.run.getTime())
      const claimed = domainRuns.find((run) => run.state === 'claimed')
      const rejected = domainRuns.find((run) => run.state === 'rejected' && (!pointer || run.run > pointer.run))
      const age = pointer ? Math.round((now - pointer.run.getTime()) / 1000) : null
      states.push({
        dataset: dataset.id,
        domain,
        served: pointer ? runName(pointer.run.getTime()) : null,
        age_seconds: age,
        stale: age === null || age > dataset.staleAfterSeconds,
        ...latenessOf(serviceStatus.find((entry) => entry.dataset_id === dataset.id && entry.domain === domain)),
        to_hour: dataset.kind === 'grid' ? (servedRun?.published_to ?? null) : null,
        working_on: claimed ? runName(claimed.run.getTime()) : null,
        last_failure: rejected ? `${runName(rejected.run.getTime())}: ${rejected.reason}` : null,
      })
    }
  }
  return states
}

function latenessOf(
  status: DatasetStatus | undefined,
): Pick<DatasetState, 'expected_at' | 'late_by_seconds' | 'source_failure'> {
  return {
    expected_at: status?.expected_next?.expected_at ?? null,
    late_by_seconds: status?.late_by_seconds ?? null,
    source_failure: status?.last_failures.find(({ run }) => run === null)?.detail ?? null,
  }
}

function screen(state: Status): string {
  const lines = [`Hexcast at ${state.at}`, '']
  for (const { engine, state: is, what, ms } of state.engines) {
    lines.push(
      `  ${is === 'ok' ? 'ok  ' : 'DOWN'}  ${engine.padEnd(9)} ${what}${ms === undefined ? '' : ` (${ms} ms)`}`,
    )
  }
  const frames = new Set(frameDatasets.map(({ id }) => id))
  lines.push('', ...gridLines(state.datasets.filter(({ dataset }) => !frames.has(dataset))))
  if (state.progress.length > 0) lines.push('', '  in progress', ...state.progress.map((row) => `  ${tableRow(row)}`))
  lines.push('', ...frameLines(state.datasets.filter(({ dataset }) => frames.has(dataset))), '')
  lines.push(...feedLines(state.feeds))
  const { work, outbox } = state
  lines.push('', ...nowcastLines(state.nowcast_csi))
  lines.push(...upstreamLines(state))
  if (work) {
    const { workers } = work
    const workerText = workers === undefined ? '' : workers === 0 ? '; NO WORKER is running' : `; workers: ${workers}`
    lines.push(`  workflows  ${work.running} running, ${work.waiting} waiting, ${work.failed} failed${workerText}`)
  }
  if (outbox)
    lines.push(
      `  events     ${outbox.waiting} not published yet${outbox.waiting ? `, the oldest for ${Math.round(outbox.seconds)} s` : ''}`,
    )
  for (const { step, age_seconds, failure } of state.retirement) {
    const age = age_seconds === null ? 'has never succeeded' : `succeeded ${durationText(age_seconds)} ago`
    lines.push(plainLine(`  retirement ${step} ${age}: ${failure}`))
  }
  if (state.clock_off_seconds !== null)
    lines.push(`  CLOCK      the clock of this machine differs from the database's by ${state.clock_off_seconds} s`)
  return lines.join('\n')
}

/** A step of retirement whose last attempt failed. */
interface RetirementFailure {
  readonly step: string
  /** Seconds since the last success; null without one. */
  readonly age_seconds: number | null
  readonly failure: string
}

/** Returns a line for each dataset and domain with its served run, and one line for all datasets of which no run was seen. */
function gridLines(grids: readonly DatasetState[]): string[] {
  const lines = ['  dataset                   domain   served run              age   to hour  next at  in progress']
  const unseen = new Set<string>()
  for (const grid of grids) {
    const { dataset, domain, served, stale, expected_at, working_on, source_failure, last_failure } = grid
    if (![served, expected_at, grid.late_by_seconds, working_on, source_failure, last_failure].some(Boolean)) {
      unseen.add(dataset)
      continue
    }
    const age = grid.age_seconds === null ? '' : durationText(grid.age_seconds)
    const late = grid.late_by_seconds ? ` LATE by ${durationText(grid.late_by_seconds)}` : ''
    const mark = served === null ? ` no run${late}` : stale ? ` STALE${late}` : late
    const next = expected_at ? `${expected_at.slice(11, 16)}Z` : ''
    lines.push(
      `  ${dataset.padEnd(25)} ${domain.padEnd(8)} ${(served ?? '-').padEnd(18)} ${age.padStart(8)} ${String(grid.to_hour ?? '').padStart(9)}  ${next.padStart(7)}  ${working_on ?? ''}${mark}`,
    )
    for (const failure of [source_failure, last_failure])
      if (failure) lines.push(plainLine(`             ! ${failure}`))
  }
  return unseen.size > 0 ? [...lines, `  no run seen yet: ${[...unseen].join(', ')}`] : lines
}

function failuresOf(states: readonly RetirementState[], now: number): RetirementFailure[] {
  return states.flatMap(({ step, succeeded_at, failed_at, failure }) =>
    failed_at && failure && !(succeeded_at && succeeded_at > failed_at)
      ? [{ step, age_seconds: succeeded_at && Math.round((now - succeeded_at.getTime()) / 1000), failure }]
      : [],
  )
}

/** Returns a line for each domain and threshold with the score of each lead. */
function nowcastLines(scores: readonly RunningScore[]): string[] {
  const rows = new Map<string, string[]>()
  for (const { domain, threshold, lead, csi } of scores) {
    const name = `${domain} ${Math.round(threshold * 10) / 10} mm/h`
    const cells = rows.get(name) ?? []
    cells.push(`${lead}' ${csi === null ? '-' : csi.toFixed(2)}`)
    rows.set(name, cells)
  }
  return [...rows].map(([name, cells]) => `  nowcast    CSI ${name.padEnd(18)} ${cells.join('  ')}`)
}

/** Returns the result of the last daily check of upstream and its failed checks; nothing if there is none. */
function upstreamLines({ at, upstream_check: check }: Status): string[] {
  if (!check) return []
  const age = durationText(Math.max(0, Date.parse(at) - Date.parse(check.checked_at)) / 1000)
  const counts = `${check.passed} passed, ${check.warnings} warnings, ${check.failed} failed`
  const failed = check.problems.filter(({ state }) => state === 'failed')
  return [
    `  upstream   checked ${age} ago: ${counts}`,
    ...failed.map(({ detail }) => plainLine(`             ! ${detail}`)),
  ]
}

/** Returns a line for each source with the age of its oldest confirmed file, followed by its failures. */
function feedLines(feeds: readonly FeedSummary[]): string[] {
  const bySource = Map.groupBy(feeds, ({ feed }) => feed.replace(/\/.*/, ''))
  return [...bySource].flatMap(([name, states]) => {
    const ages = states.flatMap(({ age_seconds }) => age_seconds ?? [])
    const never = states.length - ages.length
    const age = ages.length > 0 ? `confirmed ${durationText(Math.max(...ages))} ago` : 'never confirmed'
    const files = states.length > 1 ? `, ${states.length} files${never > 0 ? `, ${never} never confirmed` : ''}` : ''
    const failures = states
      .filter(({ failure }) => failure)
      .map(({ feed, failure }) => plainLine(`             ! ${feed}: ${failure}`))
    return [`  ${name.padEnd(26)} ${age}${files}`, ...failures.slice(0, 3)]
  })
}

/**
 * Returns a line for each product with the age of its oldest frame and the stale and late domains, followed by the
 * reasons.
 */
function frameLines(states: readonly DatasetState[]): string[] {
  return [...Map.groupBy(states, ({ dataset }) => dataset)].flatMap(([dataset, domains]) => {
    const ages = domains.flatMap(({ age_seconds }) => age_seconds ?? [])
    const stale = domains.filter((state) => state.stale).map(({ domain }) => domain)
    const age = ages.length > 0 ? durationText(Math.max(...ages)) : '-'
    const late = domains.filter((state) => !state.stale && state.late_by_seconds).map(({ domain }) => domain)
    const marks = [
      stale.length > 0 ? `  STALE: ${stale.join(', ')}` : '',
      late.length > 0 ? `  LATE: ${late.join(', ')}` : '',
    ]
    const reasons = new Set(domains.flatMap(({ source_failure }) => source_failure ?? []))
    return [
      `  ${dataset.padEnd(26)} ${age.padStart(9)}${marks.join('')}`,
      ...[...reasons].map((reason) => plainLine(`             ! ${reason}`)),
    ]
  })
}

function durationText(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  return hours > 0 ? `${hours} h ${Math.round((seconds % 3600) / 60)} m` : `${Math.round(seconds / 60)} m`
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // Opening the embedded database may take this long; a server answers sooner.
    timer = setTimeout(() => reject(new Error('no answer within 30 s')), 30_000)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
