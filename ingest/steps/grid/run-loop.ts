import type { PlannedFile } from './plan.ts'

/** The next work of a stage. */
export type StageStep =
  /** Everything that the run will have is published. */
  | { readonly state: 'done'; readonly why: string }
  | {
      readonly state: 'waiting'
      readonly waitSeconds: number
      readonly why: string
      /** Files of the stage that exist already and are not sampled yet. */
      readonly files?: readonly PlannedFile[]
    }
  | { readonly state: 'ready'; readonly stage: number; readonly files: readonly PlannedFile[] }

/** Number of files that are sampled, of those that were planned. */
export interface FilesDone {
  readonly done: number
  readonly planned: number
}

/** The steps that the loop calls: activities of an engine, or functions of this process. */
export interface RunSteps {
  planStage(stage: number): Promise<StageStep>
  /** @param progress files of this plan that are done when the step begins, of those that were planned */
  sampleFile(stage: number, file: PlannedFile, progress: FilesDone): Promise<void>
  publishStage(stage: number): Promise<{ readonly last: boolean; readonly again?: string }>
  /** Waits for upstream; if it throws, the loop ends. */
  wait(seconds: number, why: string): Promise<void>
  /** Called between stages. */
  giveWay?(): Promise<void>
}

/** Number of files of a run that are sampled concurrently, enough to keep two cores busy during downloads. */
const CONCURRENCY = 3
/** Pause after which a stage with a corrupt file is planned again, because upstream may replace the file. */
const AGAIN_SECONDS = 30

/**
 * Takes a run from upstream to published tiles, stage by stage: each stage is planned, sampled file by file, built into
 * tiles and published. The loop may be restarted at any time; completed steps are not repeated.
 * @returns why no work is left
 */
export async function runLoop(steps: RunSteps): Promise<string> {
  for (let stage = 0; ; ) {
    const step = await steps.planStage(stage)
    if (step.state === 'done') return step.why
    if (step.state === 'ready') stage = step.stage
    // Existing files are sampled while the others are awaited, so that only the last file and the tiles remain when the
    // last file arrives.
    const files = step.files ?? []
    let done = 0
    await sideBySide(files, async (file) => {
      await steps.sampleFile(stage, file, { done, planned: files.length })
      done++
    })
    if (step.state === 'waiting') {
      await steps.wait(step.waitSeconds, step.why)
      continue
    }
    const { last, again } = await steps.publishStage(stage)
    if (last) return 'published to its end'
    if (again) {
      await steps.wait(AGAIN_SECONDS, again)
      continue
    }
    stage++
    await steps.giveWay?.()
  }
}

async function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const lane = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await work(item).catch((error: unknown) => {
        queue.length = 0
        throw error
      })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
}
