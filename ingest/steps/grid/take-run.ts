import PQueue from 'p-queue'
import type { GridDataset } from '../../domain/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { type Instant, runName } from '../../domain/time.ts'
import { type Published, planStage, publishStage, type RunOf, type RunPorts } from './grid-run.ts'
import type { PlannedFile, PlanOptions } from './plan.ts'
import { sampleFile } from './sample.ts'

/** Current activity: for a display, and for heartbeats. */
export interface Progress {
  readonly dataset: string
  readonly domains: readonly DomainId[]
  readonly run: Instant
  readonly what: 'sample' | 'weave' | 'published'
  readonly done: number
  readonly total: number
}

export interface TakeOptions extends PlanOptions {
  /** Files processed concurrently. */
  readonly atOnce?: number
  readonly progress?: (progress: Progress) => void
}

export interface TakenStage extends Published {
  readonly stage: number
}

/**
 * A run, stage after stage, from upstream to publication, in this process: workers do the same with a queue between the steps.
 * Finished steps are not repeated, so a run that was killed is resumed by calling this again.
 * @throws Fault NotYet while a stage is incomplete upstream, or a corrupt file may still be replaced; Gone; Refused
 */
export async function takeRun(
  ports: RunPorts,
  dataset: GridDataset,
  of: RunOf,
  clock: () => Instant,
  options: TakeOptions = {},
): Promise<{ stages: TakenStage[]; why: string }> {
  const stages: TakenStage[] = []
  const report = (what: Progress['what'], done: number, total: number) =>
    options.progress?.({ dataset: dataset.id, domains: of.domains, run: of.run, what, done, total })
  for (let number = 0; ; ) {
    const step = await planStage(ports, dataset, of, number, clock(), options)
    if (step.state === 'done') return { stages, why: step.why }
    if (step.state === 'waiting') throw new Fault('NotYet', step.why)
    await sampleAll(ports, dataset, of, step.files, options, (done, total) => report('sample', done, total))
    const progress = (done: number, total: number) => report('weave', done, total)
    const published = await publishStage(ports, dataset, of, step.stage, clock(), { ...options, progress })
    if (published.again) throw new Fault('NotYet', `${dataset.id}/${runName(of.run)}: ${published.again}`)
    report('published', of.domains.length, of.domains.length)
    stages.push({ ...published, stage: step.stage })
    if (published.last) return { stages, why: 'published to its end' }
    number = step.stage + 1
  }
}

/** Samples every file of a stage; those that are lost are noted for {@link publishStage}. */
async function sampleAll(
  ports: RunPorts,
  dataset: GridDataset,
  { domains, run }: RunOf,
  files: readonly PlannedFile[],
  options: TakeOptions,
  report: (done: number, total: number) => void,
): Promise<void> {
  const queue = new PQueue({ concurrency: options.atOnce ?? 3 })
  let done = 0
  report(0, files.length)
  const sample = async (file: PlannedFile) => {
    options.signal?.throwIfAborted()
    try {
      await sampleFile(ports, dataset, run, file, domains, { signal: options.signal, lenient: options.partial })
    } catch (error) {
      if (!isFault(error, 'Corrupt') && !isFault(error, 'NotYet')) {
        queue.clear()
        throw error
      }
    }
    report(++done, files.length)
  }
  await queue.addAll(files.map((file) => () => sample(file)))
}
