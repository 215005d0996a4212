import type { GridDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { type Instant, runName } from '../../domain/time.ts'
import { type Published, planStage, publishStage, type RunOf, type RunPorts } from './grid-run.ts'
import type { PlanOptions } from './plan.ts'
import { runLoop } from './run-loop.ts'
import { sampleFile } from './sample.ts'

/** Progress for a display and for heartbeats. */
export interface TakeProgress {
  readonly dataset: string
  readonly domains: readonly DomainId[]
  readonly run: Instant
  readonly what: 'sample' | 'weave' | 'published'
  readonly done: number
  readonly total: number
}

export interface TakeOptions extends PlanOptions {
  readonly progress?: (progress: TakeProgress) => void
}

export interface TakenStage extends Published {
  readonly stage: number
}

/**
 * Runs the loop of a run in this process, without waiting. Workers run the same loop with a queue between the steps. A
 * repeated call resumes a run that was interrupted.
 * @throws Fault NotYet while a stage is incomplete upstream or a corrupt file may still be replaced; Gone; Refused
 */
export async function takeRun(
  ports: RunPorts,
  dataset: GridDataset,
  target: RunOf,
  clock: () => Instant,
  options: TakeOptions = {},
): Promise<{ stages: TakenStage[]; why: string }> {
  const stages: TakenStage[] = []
  let done = 0
  let total = 0
  const report = (what: TakeProgress['what'], done: number, total: number) =>
    options.progress?.({ dataset: dataset.id, domains: target.domains, run: target.run, what, done, total })
  const why = await runLoop({
    async planStage(stage) {
      const step = await planStage(ports, dataset, target, stage, clock(), options)
      if (step.state === 'waiting') throw new Fault('NotYet', step.why)
      done = 0
      total = step.state === 'ready' ? step.files.length : 0
      if (step.state === 'ready') report('sample', 0, total)
      return step
    },
    async sampleFile(_, file) {
      options.signal?.throwIfAborted()
      const { signal, partial: lenient } = options
      await sampleFile(ports, dataset, target.run, file, target.domains, { signal, lenient }).catch(
        (error: unknown) => {
          // The lost file is recorded, and publishStage reads the record.
          if (!isFault(error, 'Corrupt') && !isFault(error, 'NotYet')) throw error
        },
      )
      report('sample', ++done, total)
    },
    async publishStage(stage) {
      const progress = (done: number, total: number) => report('weave', done, total)
      const published = await publishStage(ports, dataset, target, stage, clock(), { ...options, progress })
      if (published.again) return published
      report('published', target.domains.length, target.domains.length)
      stages.push({ ...published, stage })
      return published
    },
    wait: (_, why) => Promise.reject(new Fault('NotYet', `${dataset.id}/${runName(target.run)}: ${why}`)),
  })
  return { stages, why }
}
