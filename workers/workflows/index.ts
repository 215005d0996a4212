import type { Instant } from '../../ingest/domain/time.ts'
import type { Flow, Workflow, WorkflowName } from './flow.ts'

const MINUTE = 60_000

/** Every run that is newer than the served one, or not complete yet, has a workflow of its own. */
export const watchRuns: Workflow<'watchRuns'> = async (flow, { dataset, past }) => {
  for (const found of await flow.act.newRuns({ dataset, past })) {
    const { attempt, ...run } = found
    const id = ['grid-run', dataset, run.domains.join('+'), run.run, ...(attempt ? [attempt] : [])].join('/')
    await flow.start('modelRun', id, { dataset, ...run })
  }
}

/** Files of a run that are sampled concurrently: enough to keep two cores busy during downloads. */
const CONCURRENCY = 3

/** From upstream to published tiles, stage by stage: each is planned, sampled file by file, built into tiles and published whole. */
export const modelRun: Workflow<'modelRun'> = async (flow, input) => {
  for (let stage = 0; ; ) {
    const step = await flow.act.planStage({ ...input, stage })
    if (step.state === 'done') return
    if (step.state === 'waiting') {
      // What is there already is sampled meanwhile: the last file then costs itself, and the tiles.
      await sideBySide(step.files ?? [], (file) => flow.act.sampleFile({ ...input, stage, file }))
      await flow.until(flow.now() + step.waitSeconds * 1000)
      continue
    }
    stage = step.stage
    await sideBySide(step.files, (file) => flow.act.sampleFile({ ...input, stage, file }))
    const { last, again } = await flow.act.publishStage({ ...input, stage })
    if (last) return
    if (again) {
      await flow.until(flow.now() + MINUTE / 2)
      continue
    }
    stage++
    await flow.giveWay()
  }
}

async function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items]
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
}

export const sweepFrames: Workflow<'sweepFrames'> = async (flow, input) => {
  await flow.act.sweepFrames(input)
}

/** One timer a feed, at the next expiration of its rows; it sets the following one. */
export const sweepFeed: Workflow<'sweepFeed'> = async (flow, { dataset }) => {
  const { expiresAt, sweepNext } = await flow.act.sweepFeed({ dataset })
  await watchExpiration(flow, dataset, expiresAt)
  for (const next of sweepNext) await flow.start('sweepFeed', `sweep-feed/${next}/next`, { dataset: next })
}

export const expireFeed: Workflow<'expireFeed'> = async (flow, { dataset, at }) => {
  await flow.until(at)
  const { expiresAt } = await flow.act.expireFeed({ dataset })
  await watchExpiration(flow, dataset, expiresAt)
}

async function watchExpiration(flow: Flow, dataset: string, at: Instant | null): Promise<void> {
  if (at === null) return
  await flow.start('expireFeed', `expire-feed/${dataset}/${new Date(at).toISOString()}`, { dataset, at }, at)
}

export const checkLateness: Workflow<'checkLateness'> = async (flow) => {
  await flow.act.checkLateness()
}

export const verifyForecasts: Workflow<'verifyForecasts'> = async (flow) => {
  await flow.act.issueForecasts()
  await flow.act.scoreDays()
}

export const retire: Workflow<'retire'> = async (flow) => {
  await flow.act.retire()
}

export const workflows: { readonly [N in WorkflowName]: Workflow<N> } = {
  watchRuns,
  modelRun,
  sweepFrames,
  sweepFeed,
  expireFeed,
  checkLateness,
  verifyForecasts,
  retire,
}
