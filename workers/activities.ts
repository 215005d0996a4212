import { frameDatasets, gridDatasets, outlookFiles } from '../ingest/catalog.ts'
import type { Config } from '../ingest/config.ts'
import type { DomainId, GridDataset } from '../ingest/domain/dataset.ts'
import { Fault, isFault } from '../ingest/domain/fault.ts'
import { type Instant, parseRun, runName } from '../ingest/domain/time.ts'
import type { Upstream } from '../ingest/ports/upstream.ts'
import { retireFrames } from '../ingest/steps/frame-retire.ts'
import { sweepFrames } from '../ingest/steps/frames.ts'
import { newRuns, planStage, publishStage, type RunPorts, type StageStep } from '../ingest/steps/grid-run.ts'
import { sweepOutlooks } from '../ingest/steps/outlook.ts'
import type { PlannedFile } from '../ingest/steps/plan.ts'
import { expireAlerts, sweepAlerts } from '../ingest/steps/reconcile.ts'
import { retireRuns } from '../ingest/steps/retire.ts'
import { sampleLead } from '../ingest/steps/sample.ts'
import { loadZones } from '../ingest/steps/zones.ts'
import { nextExpiration, sweepChanges } from '../sql/queries/alerts.ts'

export interface RunInput {
  readonly dataset: string
  /** Domains that are taken together: several where one upstream file holds them. */
  readonly domains: readonly DomainId[]
  /** `2026-08-20T12Z` */
  readonly run: string
  /** The higher, the sooner, where a queue has a choice. */
  readonly urgency?: number
}

/** The steps as workflows see them: plain data in, plain data out, each idempotent. */
export interface Activities {
  /** Runs to be worked on now. */
  newRuns(input: { dataset: string }): Promise<readonly Omit<RunInput, 'dataset'>[]>
  planStage(input: RunInput & { stage: number }): Promise<StageStep>
  sampleFile(input: RunInput & { stage: number; file: PlannedFile }): Promise<void>
  /** Weaves, checks and publishes a stage. `again`: a file is corrupt and may still be replaced. */
  publishStage(input: RunInput & { stage: number }): Promise<{ last: boolean; again?: string }>
  sweepFrames(input: { dataset: string }): Promise<void>
  sweepAlerts(): Promise<void>
  expireAlerts(): Promise<void>
  /** When the next alert ends; null where none is held. */
  nextExpiration(): Promise<{ at: Instant | null }>
  sweepOutlooks(): Promise<void>
  loadZones(): Promise<void>
  retire(): Promise<void>
}

/** As long as a reader of `/v1/events` may come back to where it was. */
const CHANGES_KEPT_HOURS = 168

/** What steps stand on, and what a worker wants to be told. */
export interface WorkerDoors extends RunPorts {
  readonly upstream: Upstream
  readonly config: Config
  readonly clock: () => Instant
  /** Something was laid into the outbox: it may be said at once. */
  readonly said?: () => void
  /** A step begins, moves on or ends: for displays, logs and metrics. */
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

/** Binds each step to its doors. */
export function createActivities(doors: WorkerDoors): Activities {
  const of = ({ domains, run }: RunInput) => ({ domains, run: parseRun(run) })
  const about = (input: RunInput) => ({ dataset: input.dataset, domain: input.domains.join('+'), run: input.run })
  return {
    async newRuns({ dataset }) {
      const found = await newRuns(doors, grid(dataset), doors.clock())
      const urgency = urgencyOf(dataset)
      return found.map(({ domains, run }) => ({ domains, run: runName(run), urgency }))
    },
    async planStage(input) {
      const step = await planStage(doors, grid(input.dataset), of(input), input.stage, doors.clock())
      const what = step.state === 'ready' ? `stage ${step.stage}: ${step.files.length} files` : step.why
      doors.note({ step: 'plan', ...about(input), what, total: step.state === 'ready' ? step.files.length : undefined })
      return step
    },
    async sampleFile(input) {
      const { run, domains } = of(input)
      try {
        await sampleLead(inTurn(doors, input), grid(input.dataset), run, input.file, domains)
      } catch (error) {
        // Publishing waits for its replacement, or goes on without it.
        if (!isFault(error, 'Corrupt') && !isFault(error, 'NotYet')) throw error
        doors.note({ step: 'sample', ...about(input), what: error.message })
        return
      }
      doors.note({ step: 'sample', ...about(input), what: `hour ${input.file.leadHours}`, done: 1 })
    },
    async publishStage(input) {
      const { outcomes, last, again } = await publishStage(
        inTurn(doors, input),
        grid(input.dataset),
        of(input),
        input.stage,
        doors.clock(),
      )
      const what = again ?? outcomes.map(({ state, reasons }) => [state, ...reasons].join(': ')).join(', ')
      doors.note({ step: 'publish', ...about(input), what })
      return { last, again }
    },
    async sweepFrames({ dataset }) {
      const mine = frameDatasets.filter(({ id, family }) => (family ?? id) === dataset)
      for (const sweep of await sweepFrames(doors, mine, doors.clock())) {
        const { published, skipped, refused, troubled } = sweep
        for (const { domain, run } of published) doors.note({ step: 'frame', dataset: sweep.dataset, domain, run })
        if (skipped.length > 0)
          doors.note({ step: 'frame', dataset: sweep.dataset, what: `skipped ${skipped.join(', ')}` })
        for (const what of [...refused, ...troubled]) doors.note({ step: 'frame', dataset: sweep.dataset, what })
      }
    },
    async sweepAlerts() {
      const swept = await sweepAlerts(doors)
      const told = `${swept.changes.length} changes${swept.rejected ? `, ${swept.rejected} put aside` : ''}`
      doors.note({ step: 'alerts', what: swept.why ?? told })
      for (const { id, reason, detail } of swept.aside ?? []) {
        doors.note({ step: 'alerts', what: `put aside ${id ?? 'a feature without id'}: ${reason}: ${detail}` })
      }
    },
    async expireAlerts() {
      await expireAlerts(doors)
    },
    nextExpiration: async () => ({ at: (await nextExpiration(doors.database))?.getTime() ?? null }),
    async sweepOutlooks() {
      const { changed, failed } = await sweepOutlooks(doors, outlookFiles)
      const what = [changed.join(', '), ...failed.map(({ product, why }) => `${product}: ${why}`)].filter(Boolean)
      if (what.length > 0) doors.note({ step: 'outlooks', what: what.join('; ') })
    },
    async loadZones() {
      const { changed, unknown } = await loadZones(doors)
      const codes = unknown.map(({ code }) => code).sort()
      if (codes.length > 0) doors.note({ step: 'zones', what: `nobody knows a shape of ${codes.join(', ')}` })
      if (changed > 0) doors.note({ step: 'zones', what: `${changed} shapes` })
    },
    async retire() {
      await sweepChanges(doors.database, CHANGES_KEPT_HOURS)
      const frames = await retireFrames(doors, frameDatasets, doors.clock())
      if (frames > 0) doors.note({ step: 'retire', dataset: 'frames', what: `${frames} frames` })
      for (const dataset of gridDatasets) {
        const gone = await retireRuns(doors, dataset, doors.clock())
        if (gone > 0) doors.note({ step: 'retire', dataset: dataset.id, what: `${gone} runs` })
      }
    },
  }
}

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
const LATER = 5

/** The doors with a pool that takes a more urgent run's files and tiles first: of runs side by side the earlier is whole sooner. */
function inTurn(doors: WorkerDoors, { dataset, domains, stage }: RunInput & { stage: number }): WorkerDoors {
  const { pool } = doors
  // The domain with the most cells first: the others end beside it, not before it.
  const domain = grid(dataset).domains.findIndex(({ id }) => id === domains[0])
  const urgency = urgencyOf(dataset) - (stage > 0 ? LATER : 0) - domain / 4
  return { ...doors, pool: { ...pool, run: (task, transfer) => pool.run(task, transfer, urgency) } }
}

/** What a first answer needs comes first: the catalog's own order. */
function urgencyOf(dataset: string): number {
  return 2 * (gridDatasets.length - gridDatasets.findIndex(({ id }) => id === dataset))
}
