import PQueue from 'p-queue'
import { gridDatasets } from '../../ingest/catalog.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault, isFault } from '../../ingest/domain/fault.ts'
import { type Instant, MINUTE, parseRun, runName } from '../../ingest/domain/time.ts'
import { attemptOf } from '../../ingest/steps/grid/attempt.ts'
import { planStage, publishStage } from '../../ingest/steps/grid/grid-run.ts'
import { MessageMemory } from '../../ingest/steps/grid/message-memory.ts'
import { newRuns } from '../../ingest/steps/grid/new-runs.ts'
import { createPastRuns } from '../../ingest/steps/grid/past-runs.ts'
import { servedRun } from '../../ingest/steps/grid/publish.ts'
import { sampleFile } from '../../ingest/steps/grid/sample.ts'
import type { Activities, ActivityDeps, RunInput } from '../activities.ts'
import { runLineage } from './run-lineage.ts'

/** Activities of model runs: find the runs to process, and take each from upstream to published tiles. */
export function gridRunActivities(
  deps: ActivityDeps,
): Pick<Activities, 'newRuns' | 'planStage' | 'sampleFile' | 'publishStage'> {
  const runOf = ({ domains, run }: RunInput) => ({ domains, run: parseRun(run) })
  const nameOf = (input: RunInput) => ({ dataset: input.dataset, domain: input.domains.join('+'), run: input.run })
  const lineage = runLineage(deps)
  // Each file is in memory until a thread has sampled it. One more file than there are threads is fetched ahead.
  const files = new PQueue({ concurrency: deps.pool.size + 1 })
  const memory = new MessageMemory()
  const pastRuns = createPastRuns(deps.database)
  /** When datasets are looked for again that upstream did not have. */
  const nextLooks = new Map<string, Instant>()
  return {
    async newRuns({ dataset, past }) {
      const now = deps.clock()
      if (now < (nextLooks.get(dataset) ?? now)) return []
      const runsToProcess = past ? await pastRuns(grid(dataset), now) : await newRuns(deps, grid(dataset), now)
      if (grid(dataset).provisional && runsToProcess.length === 0 && !(await isServed(deps, grid(dataset))))
        nextLooks.set(dataset, now + NEXT_LOOK_MS)
      const urgency = past ? PAST_URGENCY : urgencyOf(dataset)
      const runs = []
      for (const { domains, run } of runsToProcess) {
        const attempt = await attemptOf(deps.database, grid(dataset), { domains, run }, deps.slabs)
        const unserved = !past && !(await areServed(deps, dataset, domains))
        runs.push({
          domains,
          run: runName(run),
          urgency,
          ...(past && { past }),
          ...(unserved && { unserved }),
          ...(attempt && { attempt }),
        })
      }
      return runs
    },
    async planStage(input) {
      const step = await planStage(deps, grid(input.dataset), runOf(input), input.stage, deps.clock(), optionsOf(input))
      const detail = step.state === 'ready' ? `stage ${step.stage}: ${step.files.length} files` : step.why
      if (step.state === 'ready')
        lineage.note('START', { ...input, stage: step.stage }, { inputs: step.files.map(({ url }) => url) })
      deps.note({
        step: 'plan',
        ...nameOf(input),
        detail,
        total: step.state === 'ready' ? step.files.length : undefined,
      })
      return step
    },
    async sampleFile(input) {
      const { run, domains } = runOf(input)
      try {
        const sample = () =>
          sampleFile(withPriority(deps, input), grid(input.dataset), run, input.file, domains, { memory })
        await files.add(sample, { priority: priorityOf(input) })
      } catch (error) {
        // `publishStage` decides whether to wait until upstream replaces the file, or to publish without it.
        if (!isFault(error, 'Corrupt') && !isFault(error, 'NotYet')) {
          lineage.note('FAIL', input, { inputs: [input.file.url], reason: messageOf(error) })
          throw error
        }
        deps.note({ step: 'sample', ...nameOf(input), detail: error.message })
        return
      }
      deps.note({ step: 'sample', ...nameOf(input), detail: `hour ${input.file.leadHours}`, done: 1 })
    },
    async publishStage(input) {
      const ports = withPriority(deps, input)
      const { outcomes, last, again, inputs } = await publishStage(
        ports,
        grid(input.dataset),
        runOf(input),
        input.stage,
        deps.clock(),
        optionsOf(input),
      ).catch((error: unknown) => {
        lineage.note('FAIL', input, { reason: messageOf(error) })
        throw error
      })
      if (!again) {
        deps.notify?.()
        const rejected = outcomes.filter(({ state }) => state === 'rejected')
        const reason = rejected.flatMap(({ reasons }) => reasons).join('; ')
        const stored = input.domains.filter((_, i) => outcomes[i]?.state !== 'rejected')
        const outputs = await lineage.manifestsOf({ ...input, domains: stored })
        if (rejected.length > 0) lineage.note('FAIL', input, { inputs, outputs, reason })
        else lineage.note('COMPLETE', input, { inputs, outputs })
      }
      const detail = again ?? outcomes.map(({ state, reasons }) => [state, ...reasons].join(': ')).join(', ')
      deps.note({ step: 'publish', ...nameOf(input), stage: input.stage, detail })
      return { last, again }
    },
  }
}

/** Time between two looks for a dataset that upstream may not have: each takes a listing for every run and domain. */
const NEXT_LOOK_MS = 10 * MINUTE

async function isServed({ database }: ActivityDeps, { id, domains }: GridDataset): Promise<boolean> {
  const served = await Promise.all(domains.map((domain) => servedRun(database, id, domain.id)))
  return served.some((run) => run !== undefined)
}

async function areServed({ database }: ActivityDeps, id: string, domains: readonly DomainId[]): Promise<boolean> {
  const served = await Promise.all(domains.map((domain) => servedRun(database, id, domain)))
  return served.every((run) => run !== undefined)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function grid(id: string): GridDataset {
  const dataset = gridDatasets.find((candidate) => candidate.id === id)
  if (dataset) return dataset
  const ids = gridDatasets.map((candidate) => candidate.id).join(', ')
  throw new Fault('Invalid', `"${id}" is not a dataset with model runs; the dataset must be one of ${ids}`)
}

/** A later stage is processed after the first stages of the next two datasets. */
const LATER_STAGE_PENALTY = 5

/**
 * Returns `deps` with a pool that processes the files and tiles of the more urgent run first, so that one of several
 * concurrent runs is finished early.
 */
function withPriority(deps: ActivityDeps, input: RunInput & { stage: number }): ActivityDeps {
  const { pool } = deps
  const urgency = priorityOf(input)
  return { ...deps, pool: { ...pool, run: (task, transfer) => pool.run(task, transfer, urgency) } }
}

/** Past runs are processed after the later stages of every dataset. */
const PAST_URGENCY = -20

const optionsOf = ({ past }: RunInput) => ({ partial: past === true })

function priorityOf({ dataset, domains, stage, past, unserved }: RunInput & { stage: number }): number {
  // The domain with the most cells is first in the list, so that the smaller domains finish while it is processed.
  const domain = grid(dataset).domains.findIndex(({ id }) => id === domains[0])
  const penalty = stage > 0 && !unserved ? LATER_STAGE_PENALTY : 0
  return (past ? PAST_URGENCY : urgencyOf(dataset)) - penalty - domain / 4
}

/** Datasets are processed in the catalog's order, which begins with those that an answer needs first. */
function urgencyOf(dataset: string): number {
  return 2 * (gridDatasets.length - gridDatasets.findIndex(({ id }) => id === dataset))
}
