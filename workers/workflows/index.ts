import type { Instant } from '../../ingest/domain/time.ts'
import { runLoop } from '../../ingest/steps/grid/run-loop.ts'
import type { Flow, Workflow, WorkflowName } from './flow.ts'

/** Starts a workflow for each run that is newer than the served run or is not complete yet. */
export const watchRuns: Workflow<'watchRuns'> = async (flow, { dataset, past }) => {
  for (const { attempt, ...run } of await flow.act.newRuns({ dataset, past })) {
    const id = ['grid-run', dataset, run.domains.join('+'), run.run, ...(attempt ? [attempt] : [])].join('/')
    await flow.start('modelRun', id, { dataset, ...run })
  }
}

/** Runs the loop of a model run, in which each step is an activity. */
export const modelRun: Workflow<'modelRun'> = async (flow, input) => {
  await runLoop({
    planStage: (stage) => flow.act.planStage({ ...input, stage }),
    sampleFile: (stage, file, progress) => flow.act.sampleFile({ ...input, stage, file, progress }),
    publishStage: (stage) => flow.act.publishStage({ ...input, stage }),
    wait: (seconds) => flow.until(flow.now() + seconds * 1000),
    giveWay: () => (input.unserved ? Promise.resolve() : flow.giveWay()),
  })
}

export const sweepFrames: Workflow<'sweepFrames'> = async (flow, input) => {
  await flow.act.sweepFrames(input)
}

/** Reads a feed, sets the timer for the next expiration of its rows, and starts the feeds that follow. */
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

export const checkUpstream: Workflow<'checkUpstream'> = async (flow) => {
  await flow.act.checkUpstream()
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
  checkUpstream,
  verifyForecasts,
  retire,
}
