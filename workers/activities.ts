import PQueue from 'p-queue'
import { feedDatasets, frameDatasets, gridDatasets, stateKeyOf, sweepNameOf } from '../ingest/catalog.ts'
import { type Config, takes } from '../ingest/config.ts'
import type { GridDataset } from '../ingest/domain/dataset.ts'
import type { DomainId } from '../ingest/domain/domain.ts'
import { Fault, isFault } from '../ingest/domain/fault.ts'
import { TIMING_DAYS } from '../ingest/domain/lateness.ts'
import type { LineageNote } from '../ingest/domain/lineage.ts'
import { PAST_HOURS, PAST_HOURS_KEPT_SECONDS } from '../ingest/domain/past-hours.ts'
import { DAY, type Instant, parseRun, runName, SECOND } from '../ingest/domain/time.ts'
import type { ForecastReader } from '../ingest/domain/verification/forecast.ts'
import type { Lineage } from '../ingest/ports/lineage.ts'
import type { Upstream } from '../ingest/ports/upstream.ts'
import type { SecondSources } from '../ingest/steps/feeds/feed.ts'
import { expireFeed, retireFeeds, sweepFeed } from '../ingest/steps/feeds/sweep.ts'
import { frameSources } from '../ingest/steps/frames/index.ts'
import { retireFrames } from '../ingest/steps/frames/retire.ts'
import { sweepFrames } from '../ingest/steps/frames/sweep.ts'
import { attemptOf } from '../ingest/steps/grid/attempt.ts'
import { recordBuckets } from '../ingest/steps/grid/bucket-sources.ts'
import { newRuns, planStage, publishStage, type RunPorts } from '../ingest/steps/grid/grid-run.ts'
import { MessageMemory } from '../ingest/steps/grid/message-memory.ts'
import { createPastRuns } from '../ingest/steps/grid/past-runs.ts'
import type { PlannedFile } from '../ingest/steps/grid/plan.ts'
import { retireRuns } from '../ingest/steps/grid/retire.ts'
import type { StageStep } from '../ingest/steps/grid/run-loop.ts'
import { sampleFile } from '../ingest/steps/grid/sample.ts'
import { historySecondsOf } from '../ingest/steps/history.ts'
import { latenessCheck } from '../ingest/steps/lateness.ts'
import { isOrphanTime, removeOrphans } from '../ingest/steps/orphans.ts'
import { retireSeason } from '../ingest/steps/season/retire.ts'
import { issueForecasts } from '../ingest/steps/verification/issue.ts'
import { packDays, retireVerification, scoreDays } from '../ingest/steps/verification/score-day.ts'
import { removeTimings } from '../sql/queries/lateness.ts'
import { sweepOutbox } from '../sql/queries/outbox.ts'
import { runOf } from '../sql/queries/runs.ts'
import { removeUsageDays } from '../sql/queries/usage.ts'
import { forgetVersions, mendVersions } from '../sql/queries/versions.ts'

export interface RunInput {
  readonly dataset: string
  /** Domains that are processed together: several where one upstream file contains them. */
  readonly domains: readonly DomainId[]
  /** `2026-08-20T12Z` */
  readonly run: string
  /** Higher values run first, where the engine has priorities. */
  readonly urgency?: number
  /** A run before the served one: stored beside it, with what upstream has of it, after all newer work. */
  readonly past?: true
}

/** The activities as workflows see them: plain data in, plain data out, each idempotent. */
export interface Activities {
  /** Runs to work on now. `attempt` distinguishes further work on a run whose first workflow has ended. */
  newRuns(input: {
    dataset: string
    past?: true
  }): Promise<readonly (Omit<RunInput, 'dataset'> & { attempt?: string })[]>
  planStage(input: RunInput & { stage: number }): Promise<StageStep>
  sampleFile(input: RunInput & { stage: number; file: PlannedFile }): Promise<void>
  /** Builds the tiles of a stage, validates and publishes it. `again`: a file is corrupt and may still be replaced. */
  publishStage(input: RunInput & { stage: number }): Promise<{ last: boolean; again?: string }>
  sweepFrames(input: { dataset: string }): Promise<void>
  /** One sweep of a feed. `expiresAt`: when stored rows next expire by themselves. */
  sweepFeed(input: { dataset: string }): Promise<{ expiresAt: Instant | null; sweepNext: readonly string[] }>
  /** Expires rows, without reading upstream. */
  expireFeed(input: { dataset: string }): Promise<{ expiresAt: Instant | null }>
  /** Finds late runs, and counts the minutes in which each dataset is fresh. */
  checkLateness(): Promise<void>
  /** Keeps what is served at this hour at the stations, once an hour. */
  issueForecasts(): Promise<void>
  /** Compares the kept forecasts of days that have ended with what came. */
  scoreDays(): Promise<void>
  retire(): Promise<void>
}

/** Dependencies of the activities, and the callbacks of a worker. */
export interface ActivityDeps extends RunPorts {
  readonly upstream: Upstream
  readonly config: Config
  readonly clock: () => Instant
  readonly secondSources?: SecondSources
  /** Absent: none is sent. */
  readonly lineage?: Lineage
  /** Reads the served answers for verification; absent: none are kept. */
  readonly forecasts?: ForecastReader
  /** A step begins, progresses or ends: for displays, logs and metrics. */
  note(step: StepNote): void
}

export interface StepNote {
  readonly step: string
  readonly dataset?: string
  readonly domain?: string
  readonly run?: string
  readonly what?: string
  readonly done?: number
  readonly total?: number
}

/** Streams of runs resume as far back, as those of alerts and texts do. */
const OUTBOX_KEPT_HOURS = 7 * 24

/** Binds each step to its deps. */
export function createActivities(deps: ActivityDeps): Activities {
  const of = ({ domains, run }: RunInput) => ({ domains, run: parseRun(run) })
  const about = (input: RunInput) => ({ dataset: input.dataset, domain: input.domains.join('+'), run: input.run })
  const lineage = (
    type: LineageNote['type'],
    input: RunInput & { stage: number },
    rest: Partial<Pick<LineageNote, 'inputs' | 'outputs' | 'reason'>>,
  ) => {
    const { dataset, stage } = input
    deps.lineage?.note({ type, at: deps.clock(), dataset, stage, ...of(input), inputs: [], ...rest })
  }
  /** Keys of the manifests of a run: read only where lineage is sent. */
  const manifestsOf = async ({ dataset, domains, run }: RunInput): Promise<string[]> => {
    if (!deps.lineage) return []
    const keys = domains.map((domain) => ({ dataset, domain, run: new Date(parseRun(run)) }))
    // What is published is not done again for want of its names.
    const rows = await Promise.all(keys.map((key) => runOf(deps.database, key).catch(() => undefined)))
    return rows.flatMap((row) => row?.manifest_key ?? [])
  }
  const taken = ({ id }: { id: string }) => takes(deps.config, id)
  const checkLateness = latenessCheck(deps.database, {
    grids: gridDatasets.filter(taken),
    frames: frameDatasets.filter(taken),
    // Normals do not age.
    feeds: feedDatasets
      .filter((feed) => taken(feed) && feed.kind !== 'climatology')
      .map((feed) => ({ ...feed, stateKey: stateKeyOf(feed) })),
  })
  // Each has its bytes in memory until threads have sampled them: one more than threads is fetched meanwhile.
  const files = new PQueue({ concurrency: deps.pool.size + 1 })
  const memory = new MessageMemory()
  const pastRuns = createPastRuns(deps.database)
  return {
    async newRuns({ dataset, past }) {
      const now = deps.clock()
      const found = past ? await pastRuns(grid(dataset), now) : await newRuns(deps, grid(dataset), now)
      const urgency = past ? PAST_URGENCY : urgencyOf(dataset)
      const runs = []
      for (const { domains, run } of found) {
        const attempt = await attemptOf(deps.database, grid(dataset), { domains, run }, deps.slabs)
        runs.push({ domains, run: runName(run), urgency, ...(past && { past }), ...(attempt && { attempt }) })
      }
      return runs
    },
    async planStage(input) {
      const step = await planStage(deps, grid(input.dataset), of(input), input.stage, deps.clock(), optionsOf(input))
      const what = step.state === 'ready' ? `stage ${step.stage}: ${step.files.length} files` : step.why
      if (step.state === 'ready')
        lineage('START', { ...input, stage: step.stage }, { inputs: step.files.map(({ url }) => url) })
      deps.note({ step: 'plan', ...about(input), what, total: step.state === 'ready' ? step.files.length : undefined })
      return step
    },
    async sampleFile(input) {
      const { run, domains } = of(input)
      try {
        const sample = () => sampleFile(inTurn(deps, input), grid(input.dataset), run, input.file, domains, { memory })
        await files.add(sample, { priority: priorityOf(input) })
      } catch (error) {
        // Publishing waits for a replacement of the file, or continues without it.
        if (!isFault(error, 'Corrupt') && !isFault(error, 'NotYet')) {
          lineage('FAIL', input, { inputs: [input.file.url], reason: messageOf(error) })
          throw error
        }
        deps.note({ step: 'sample', ...about(input), what: error.message })
        return
      }
      deps.note({ step: 'sample', ...about(input), what: `hour ${input.file.leadHours}`, done: 1 })
    },
    async publishStage(input) {
      const ports = inTurn(deps, input)
      const { outcomes, last, again, inputs } = await publishStage(
        ports,
        grid(input.dataset),
        of(input),
        input.stage,
        deps.clock(),
        optionsOf(input),
      ).catch((error: unknown) => {
        lineage('FAIL', input, { reason: messageOf(error) })
        throw error
      })
      if (!again) {
        deps.notify?.()
        const rejected = outcomes.filter(({ state }) => state === 'rejected')
        const reason = rejected.flatMap(({ reasons }) => reasons).join('; ')
        const stored = input.domains.filter((_, i) => outcomes[i]?.state !== 'rejected')
        const outputs = await manifestsOf({ ...input, domains: stored })
        if (rejected.length > 0) lineage('FAIL', input, { inputs, outputs, reason })
        else lineage('COMPLETE', input, { inputs, outputs })
      }
      const what = again ?? outcomes.map(({ state, reasons }) => [state, ...reasons].join(': ')).join(', ')
      deps.note({ step: 'publish', ...about(input), what })
      return { last, again }
    },
    async sweepFrames({ dataset }) {
      const mine = frameSources.filter((source) => sweepNameOf(source.dataset) === dataset)
      for (const sweep of await sweepFrames(deps, mine, deps.clock())) {
        const { published, superseded, rejected, troubled } = sweep
        if (published.length > 0) deps.notify?.()
        for (const { domain, time } of published)
          deps.note({ step: 'frame', dataset: sweep.dataset, domain, run: runName(time) })
        if (superseded.length > 0)
          deps.note({
            step: 'frame',
            dataset: sweep.dataset,
            what: `superseded: ${superseded.length > 2 ? `${superseded.length} files, ${superseded[0]} the newest` : superseded.join(', ')}`,
          })
        for (const what of [...rejected, ...troubled]) deps.note({ step: 'frame', dataset: sweep.dataset, what })
      }
    },
    async sweepFeed({ dataset }) {
      const { notes, nextExpiration, sweepNext = [] } = await sweepFeed(deps, dataset)
      for (const what of notes) deps.note({ step: 'feed', dataset, what })
      return { expiresAt: nextExpiration ?? null, sweepNext }
    },
    async expireFeed({ dataset }) {
      const { nextExpiration } = await expireFeed(deps, dataset)
      return { expiresAt: nextExpiration ?? null }
    },
    async checkLateness() {
      await recordBuckets(deps, gridDatasets.filter(taken))
      const late = await checkLateness(deps.clock())
      for (const { dataset, domain, run, due_at } of late) {
        const what = `late since ${due_at.toISOString().slice(0, 16)}Z`
        deps.note({ step: 'late', dataset, domain, run: runName(run.getTime()), what })
      }
      if (late.length > 0) deps.notify?.()
    },
    async issueForecasts() {
      if (!deps.forecasts) return
      const kept = await issueForecasts(deps, deps.forecasts, deps.clock())
      if (kept)
        deps.note({
          step: 'verify',
          what: `kept the forecasts of ${kept.stations} stations, ${Math.round(kept.bytes / 1000)} kB`,
        })
    },
    async scoreDays() {
      const packed = await packDays(deps)
      if (packed > 0) deps.note({ step: 'verify', what: `packed the sums of ${packed} days` })
      for (const { day, pairs } of await scoreDays(deps, deps.clock()))
        deps.note({ step: 'verify', what: `${day}: compared ${pairs} temperatures` })
    },
    async retire() {
      const timings = await removeTimings(deps.database, new Date(deps.clock() - TIMING_DAYS * DAY))
      if (timings > 0) deps.note({ step: 'retire', dataset: 'timings', what: `${timings} rows` })
      const messages = await sweepOutbox(deps.database, OUTBOX_KEPT_HOURS)
      if (messages > 0) deps.note({ step: 'retire', dataset: 'outbox', what: `${messages} rows` })
      const usage = await removeUsageDays(deps.database)
      if (usage > 0) deps.note({ step: 'retire', dataset: 'usage', what: `${usage} rows` })
      for (const [dataset, rows] of await retireFeeds(deps))
        deps.note({ step: 'retire', dataset, what: `${rows} rows` })
      const season = await retireSeason(deps, deps.clock())
      if (season > 0) deps.note({ step: 'retire', dataset: 'season', what: `${season} objects` })
      const verified = await retireVerification(deps, deps.clock())
      if (verified > 0) deps.note({ step: 'retire', dataset: 'verification', what: `${verified} rows and objects` })
      const historySeconds = await historySecondsOf(
        deps.config.historyDays,
        deps.config.objects.kind === 'folder' ? deps.config.objects.folder : undefined,
      )
      if (await mendVersions(deps.database)) deps.note({ step: 'retire', dataset: 'versions', what: 'begun anew' })
      const versions = await forgetVersions(deps.database, new Date(deps.clock() - historySeconds * SECOND))
      if (versions > 0) deps.note({ step: 'retire', dataset: 'versions', what: `${versions} rows` })
      const frames = await retireFrames(deps, frameDatasets, deps.clock(), historySeconds)
      if (frames > 0) deps.note({ step: 'retire', dataset: 'frames', what: `${frames} frames` })
      const grids = [...gridDatasets, { id: PAST_HOURS, keepSeconds: PAST_HOURS_KEPT_SECONDS }]
      for (const dataset of grids) {
        const gone = await retireRuns(deps, dataset, deps.clock(), historySeconds)
        if (gone > 0) deps.note({ step: 'retire', dataset: dataset.id, what: `${gone} runs` })
      }
      if (!isOrphanTime(deps.clock())) return
      const orphans = await removeOrphans(deps, { grids, frames: frameDatasets }, deps.clock(), historySeconds)
      if (orphans > 0) deps.note({ step: 'retire', dataset: 'orphans', what: `${orphans} objects that no row named` })
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function grid(id: string): GridDataset {
  const found = gridDatasets.find((dataset) => dataset.id === id)
  if (!found)
    throw new Fault(
      'Invalid',
      `wanted a dataset of model runs (${gridDatasets.map((dataset) => dataset.id).join(', ')}), got "${id}"`,
    )
  return found
}

/** A later stage comes after the first stages of the next two datasets. */
const LATER_STAGE_PENALTY = 5

/** The deps with a pool that gives priority to a more urgent run's files and tiles: of concurrent runs the earlier completes sooner. */
function inTurn(deps: ActivityDeps, input: RunInput & { stage: number }): ActivityDeps {
  const { pool } = deps
  const urgency = priorityOf(input)
  return { ...deps, pool: { ...pool, run: (task, transfer) => pool.run(task, transfer, urgency) } }
}

/** Below the later stages of every dataset. */
const PAST_URGENCY = -20

const optionsOf = ({ past }: RunInput) => ({ partial: past === true })

function priorityOf({ dataset, domains, stage, past }: RunInput & { stage: number }): number {
  // The domain with the most cells first: the others finish during its work.
  const domain = grid(dataset).domains.findIndex(({ id }) => id === domains[0])
  return (past ? PAST_URGENCY : urgencyOf(dataset)) - (stage > 0 ? LATER_STAGE_PENALTY : 0) - domain / 4
}

/** Datasets of a first answer come first: the catalog's own order. */
function urgencyOf(dataset: string): number {
  return 2 * (gridDatasets.length - gridDatasets.findIndex(({ id }) => id === dataset))
}
