/**
 * The workflows under their Temporal names. A change of a workflow's commands must be guarded by
 * `patched('what-changed')` until all workflows that started before the change have ended; otherwise
 * test/contracts/replay.test.ts fails.
 */
import type { WorkflowInput, WorkflowName } from '../workflows/flow.ts'
import { workflows } from '../workflows/index.ts'
import { temporalFlow } from './flow.ts'

function onTemporal<N extends WorkflowName>(name: N): (input: WorkflowInput[N]) => Promise<void> {
  return (input) => workflows[name](temporalFlow<N>(input), input)
}

export const watchRuns = onTemporal('watchRuns')
export const modelRun = onTemporal('modelRun')
export const sweepFrames = onTemporal('sweepFrames')
export const sweepFeed = onTemporal('sweepFeed')
export const expireFeed = onTemporal('expireFeed')
export const checkLateness = onTemporal('checkLateness')
export const checkUpstream = onTemporal('checkUpstream')
export const verifyForecasts = onTemporal('verifyForecasts')
export const retire = onTemporal('retire')
