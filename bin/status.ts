import { setTimeout as pause } from 'node:timers/promises'
import { type DatasetStatus, openServiceStatus } from '../api/live/service-status.ts'
import { frameDatasets, gridDatasets } from '../ingest/catalog.ts'
import { loadConfig } from '../ingest/config.ts'
import { isFault } from '../ingest/domain/fault.ts'
import { plainLine } from '../ingest/domain/plain-line.ts'
import { runName } from '../ingest/domain/time.ts'
import { openDatabase } from '../ingest/ports/database/open.ts'
import type { Database } from '../ingest/ports/database.ts'
import { openEvents } from '../ingest/ports/events/open.ts'
import { openObjects } from '../ingest/ports/objects/open.ts'
import { feedStates } from '../sql/queries/feeds.ts'
import { type RunningScore, runningScores } from '../sql/queries/frames.ts'
import { type JobCounts, jobCounts } from '../sql/queries/jobs.ts'
import { databaseNow, outboxLag } from '../sql/queries/outbox.ts'
import { pointers, storedRuns } from '../sql/queries/runs.ts'
import { tableRow } from './display.ts'
import { type ProgressRow, readProgress } from './progress-file.ts'
import { signalToEnd } from './signals.ts'
import type { CommandLine } from './verb.ts'

interface EngineState {
  readonly engine: 'database' | 'objects' | 'events' | 'work'
  readonly state: 'ok' | 'down'
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
  /** When the next run is usually served. */
  readonly expected_at: string | null
  readonly late_by_seconds: number | null
  /** Why the source of frames gives none. */
  readonly source_failure: string | null
  readonly working_on: string | null
  readonly last_failure: string | null
}

/** Feeds have no runs: their state is when upstream last confirmed them. */
interface FeedLine {
  readonly feed: string
  readonly confirmed: string | null
  readonly age_seconds: number | null
  readonly failure: string | null
}

interface Status {
  readonly at: string
  readonly engines: readonly EngineState[]
  readonly datasets: readonly DatasetState[]
  readonly feeds: readonly FeedLine[]
  /** Stages in work by `hexcast start` on this data folder. */
  readonly progress: readonly ProgressRow[]
  /** `workers`: those that poll; known for Temporal only. */
  readonly work: (JobCounts & { readonly workers?: number }) | null
  readonly outbox: { readonly waiting: number; readonly seconds: number } | null
  readonly clock_off_seconds: number | null
  /** Critical success index of nowcasts over the last 24 hours. */
  readonly nowcast_csi: readonly RunningScore[]
}

/** `hexcast status`: queries every engine once, for at most five seconds each. @returns exit status: 1 where something is down */
export async function status(line: CommandLine): Promise<number> {
  if (!line.flag('watch')) return once(line)
  const ended = new AbortController()
  signalToEnd().then(() => ended.abort())
  for (let last = 0; ; ) {
    const begun = performance.now()
    last = await once(line)
    const left = Math.max(0, WATCH_INTERVAL_MS - (performance.now() - begun))
    await pause(left, undefined, { signal: ended.signal }).catch(() => undefined)
    if (ended.signal.aborted) return last
  }
}

const WATCH_INTERVAL_MS = 5_000
/** Moves to the top left corner and clears from there. */
const CLEAR = '\u001b[H\u001b[2J'

async function once(line: CommandLine): Promise<number> {
  let state: Status
  try {
    state = await look()
  } catch (error) {
    if (!isFault(error)) throw error
    console.error(`hexcast status: ${error.message}`)
    return 1
  }
  const clear = line.flag('watch') && !line.flag('json') && process.stdout.isTTY ? CLEAR : ''
  console.log(clear + (line.flag('json') ? JSON.stringify(state) : screen(state)))
  return state.engines.some((one) => one.state === 'down') ? 1 : 0
}

async function look(): Promise<Status> {
  const config = loadConfig()
  const engines: EngineState[] = []
  let database: Database | undefined
  const ask = async <T>(engine: EngineState['engine'], what: string, act: () => Promise<T>): Promise<T | null> => {
    const begun = performance.now()
    try {
      const result = await within(act())
      engines.push({ engine, state: 'ok', what, ms: Math.round(performance.now() - begun) })
      return result
    } catch (error) {
      engines.push({
        engine,
        state: 'down',
        what: `${what}: ${error instanceof Error ? error.message : String(error)}`,
      })
      return null
    }
  }
  const where = config.databaseUrl ? new URL(config.databaseUrl).host : `embedded in ${config.dataDir}`
  await ask('database', `PostGIS, ${where}`, async () => {
    database = await openDatabase(config, { name: 'status', statementTimeoutMs: 5_000 })
    await database.query('select 1')
  })
  const place = config.objects
  await ask('objects', place.kind === 's3' ? `s3://${place.bucket}/${place.prefix}` : place.folder, async () => {
    const objects = await openObjects({ objects: place.kind === 's3' ? { ...place, cache: undefined } : place })
    await objects.size('health/probe')
    await objects.close()
  })
  await ask(
    'events',
    config.kafkaBrokers.length ? `Kafka, ${config.kafkaBrokers.join(', ')}` : 'in process',
    async () => {
      const events = await openEvents(config)
      const { connected } = events.lag()
      await events.close()
      if (!connected) throw new Error('no broker answers')
    },
  )
  const work = await ask(
    'work',
    config.temporal ? `Temporal, ${config.temporal.address}` : 'queue in the database',
    async (): Promise<Status['work']> => {
      if (!config.temporal) return database ? jobCounts(database).catch(() => null) : null
      const { temporalCounts } = await import('../workers/temporal/counts.ts')
      return temporalCounts(config.temporal)
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
      nowcast_csi: [],
    }
  const now = await databaseNow(database)
  const off = (Date.now() - now.getTime()) / 1000
  const state: Status = {
    at: now.toISOString(),
    engines,
    datasets: await datasetStates(database, now.getTime(), config.datasets),
    feeds: await feedLines(database),
    progress: await readProgress(config.dataDir, Date.now()),
    work,
    outbox: await outboxLag(database),
    clock_off_seconds: Math.abs(off) > 2 ? Math.round(off) : null,
    nowcast_csi: await runningScores(database, 24),
  }
  await database.close()
  return state
}

async function feedLines(database: Database): Promise<FeedLine[]> {
  const { now, feeds } = await feedStates(database, '')
  return feeds.map(({ feed, confirmed_at, failed_at, failure }) => ({
    feed,
    confirmed: confirmed_at?.toISOString() ?? null,
    age_seconds: confirmed_at ? Math.round((now.getTime() - confirmed_at.getTime()) / 1000) : null,
    failure: failed_at && (!confirmed_at || failed_at > confirmed_at) ? failure : null,
  }))
}

async function datasetStates(database: Database, now: number, datasets: readonly string[]): Promise<DatasetState[]> {
  const known = (await openServiceStatus({ database, clock: () => now, datasets })())?.datasets ?? []
  const served = await pointers(database)
  const states: DatasetState[] = []
  for (const dataset of [...gridDatasets, ...frameDatasets]) {
    const runs = await storedRuns(database, dataset.id)
    for (const { id: domain } of dataset.domains) {
      const pointer = served.find((one) => one.dataset === dataset.id && one.domain === domain)
      const mine = runs.filter((run) => run.domain === domain)
      const at = pointer && mine.find((run) => run.run.getTime() === pointer.run.getTime())
      const claimed = mine.find((run) => run.state === 'claimed')
      const rejected = mine.find((run) => run.state === 'rejected' && (!pointer || run.run > pointer.run))
      const age = pointer ? Math.round((now - pointer.run.getTime()) / 1000) : null
      states.push({
        dataset: dataset.id,
        domain,
        served: pointer ? runName(pointer.run.getTime()) : null,
        age_seconds: age,
        stale: age === null || age > dataset.staleAfterSeconds,
        ...lateness(known.find((one) => one.dataset_id === dataset.id && one.domain === domain)),
        to_hour: dataset.kind === 'grid' ? (at?.published_to ?? null) : null,
        working_on: claimed ? runName(claimed.run.getTime()) : null,
        last_failure: rejected ? `${runName(rejected.run.getTime())}: ${rejected.reason}` : null,
      })
    }
  }
  return states
}

function lateness(
  known: DatasetStatus | undefined,
): Pick<DatasetState, 'expected_at' | 'late_by_seconds' | 'source_failure'> {
  return {
    expected_at: known?.expected_next?.expected_at ?? null,
    late_by_seconds: known?.late_by_seconds ?? null,
    source_failure: known?.last_failures.find(({ run }) => run === null)?.detail ?? null,
  }
}

function screen(state: Status): string {
  const lines = [`Hexcast at ${state.at}`, '']
  for (const { engine, state: is, what, ms } of state.engines) {
    lines.push(
      `  ${is === 'ok' ? 'ok  ' : 'DOWN'}  ${engine.padEnd(9)} ${what}${ms === undefined ? '' : ` (${ms} ms)`}`,
    )
  }
  lines.push('', '  dataset                   domain   served run              age   to hour  next at  now working on')
  const frames = new Set(frameDatasets.map(({ id }) => id))
  for (const one of state.datasets.filter(({ dataset }) => !frames.has(dataset))) {
    const age = one.age_seconds === null ? '' : span(one.age_seconds)
    const late = one.late_by_seconds ? ` LATE by ${span(one.late_by_seconds)}` : ''
    const mark = one.served === null ? ' no run' : one.stale ? ` STALE${late}` : late
    const next = one.expected_at ? `${one.expected_at.slice(11, 16)}Z` : ''
    lines.push(
      `  ${one.dataset.padEnd(25)} ${one.domain.padEnd(8)} ${(one.served ?? '-').padEnd(18)} ${age.padStart(8)} ${String(one.to_hour ?? '').padStart(9)}  ${next.padStart(7)}  ${one.working_on ?? ''}${mark}`,
    )
    if (one.last_failure) lines.push(plainLine(`             ! ${one.last_failure}`))
  }
  if (state.progress.length > 0) lines.push('', '  in work', ...state.progress.map((row) => `  ${tableRow(row)}`))
  lines.push('', ...frameLines(state.datasets.filter(({ dataset }) => frames.has(dataset))), '')
  lines.push(...feedScreen(state.feeds))
  const { work, outbox } = state
  lines.push('', ...skill(state.nowcast_csi))
  if (work) {
    const { workers } = work
    const by = workers === undefined ? '' : workers === 0 ? '; NO WORKER asks for work' : `; workers: ${workers}`
    lines.push(`  workflows  ${work.running} running, ${work.waiting} waiting, ${work.failed} failed${by}`)
  }
  if (outbox)
    lines.push(
      `  events     ${outbox.waiting} to be published${outbox.waiting ? `, the oldest for ${Math.round(outbox.seconds)} s` : ''}`,
    )
  if (state.clock_off_seconds !== null)
    lines.push(`  CLOCK      this machine is ${state.clock_off_seconds} s off the database's`)
  return lines.join('\n')
}

/** One line a domain and threshold: the score of each lead. */
function skill(scores: readonly RunningScore[]): string[] {
  const rows = new Map<string, string[]>()
  for (const { domain, threshold, lead, csi } of scores) {
    const name = `${domain} ${Math.round(threshold * 10) / 10} mm/h`
    const cells = rows.get(name) ?? []
    cells.push(`${lead}' ${csi === null ? '-' : csi.toFixed(2)}`)
    rows.set(name, cells)
  }
  return [...rows].map(([name, cells]) => `  nowcast    CSI ${name.padEnd(18)} ${cells.join('  ')}`)
}

/** One line a source: its file that was confirmed longest ago, and its failures. */
function feedScreen(feeds: readonly FeedLine[]): string[] {
  const source = ({ feed }: FeedLine) => feed.split('/')[0]!
  return [...new Set(feeds.map(source))].flatMap((name) => {
    const mine = feeds.filter((one) => source(one) === name)
    const ages = mine.flatMap(({ age_seconds }) => age_seconds ?? [])
    const never = mine.length - ages.length
    const age = ages.length > 0 ? `confirmed ${span(Math.max(...ages))} ago` : 'never confirmed'
    const files = mine.length > 1 ? `, ${mine.length} files${never > 0 ? `, ${never} never confirmed` : ''}` : ''
    const failures = mine
      .filter(({ failure }) => failure)
      .map(({ feed, failure }) => plainLine(`             ! ${feed}: ${failure}`))
    return [`  ${name.padEnd(26)} ${age}${files}`, ...failures.slice(0, 3)]
  })
}

/** One line a product: its oldest frame, and the domains that are behind; a further one with the reason. */
function frameLines(states: readonly DatasetState[]): string[] {
  return [...new Set(states.map(({ dataset }) => dataset))].flatMap((dataset) => {
    const mine = states.filter((one) => one.dataset === dataset)
    const ages = mine.flatMap(({ age_seconds }) => age_seconds ?? [])
    const behind = mine.filter(({ stale }) => stale).map(({ domain }) => domain)
    const age = ages.length > 0 ? span(Math.max(...ages)) : '-'
    const late = mine.filter(({ stale, late_by_seconds }) => !stale && late_by_seconds).map(({ domain }) => domain)
    const marks = [
      behind.length > 0 ? `  STALE: ${behind.join(', ')}` : '',
      late.length > 0 ? `  LATE: ${late.join(', ')}` : '',
    ]
    const reasons = new Set(mine.flatMap(({ source_failure }) => source_failure ?? []))
    return [
      `  ${dataset.padEnd(26)} ${age.padStart(9)}${marks.join('')}`,
      ...[...reasons].map((reason) => plainLine(`             ! ${reason}`)),
    ]
  })
}

function span(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  return hours > 0 ? `${hours} h ${Math.round((seconds % 3600) / 60)} m` : `${Math.round(seconds / 60)} m`
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // The embedded database may take long to open; servers do not.
    timer = setTimeout(() => reject(new Error('no answer within 30 s')), 30_000)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
