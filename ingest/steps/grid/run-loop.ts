import type { PlannedFile } from './plan.ts'

/** What a stage of a run needs next. */
export type StageStep =
  /** Everything is published that the run will ever have. */
  | { readonly state: 'done'; readonly why: string }
  | {
      readonly state: 'waiting'
      readonly waitSeconds: number
      readonly why: string
      /** Files of the stage that are there already, and not sampled yet. */
      readonly files?: readonly PlannedFile[]
    }
  | { readonly state: 'ready'; readonly stage: number; readonly files: readonly PlannedFile[] }

/** The steps of a run as the loop calls them: activities of an engine, or functions of this process. */
export interface RunSteps {
  planStage(stage: number): Promise<StageStep>
  sampleFile(stage: number, file: PlannedFile): Promise<void>
  publishStage(stage: number): Promise<{ readonly last: boolean; readonly again?: string }>
  /** Waits for upstream; may end the loop by throwing. */
  wait(seconds: number, why: string): Promise<void>
  /** Called between stages. */
  giveWay?(): Promise<void>
}

/** Files of a run that are sampled concurrently: enough to keep two cores busy during downloads. */
const CONCURRENCY = 3
/** A corrupt file may be replaced: its stage is planned again after so long. */
const AGAIN_SECONDS = 30

/**
 * A run from upstream to published tiles, stage by stage: each is planned, sampled file by file, built into tiles and published whole. It
 * may begin anew at any time: steps that have ended are not repeated.
 * @returns why no work is left
 */
export async function runLoop(steps: RunSteps): Promise<string> {
  for (let stage = 0; ; ) {
    const step = await steps.planStage(stage)
    if (step.state === 'done') return step.why
    if (step.state === 'ready') stage = step.stage
    // What is there while the rest is awaited is sampled meanwhile: the last file then costs itself, and the tiles.
    await sideBySide(step.files ?? [], (file) => steps.sampleFile(stage, file))
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
  const left = [...items]
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await work(item).catch((error: unknown) => {
        left.length = 0
        throw error
      })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
}
