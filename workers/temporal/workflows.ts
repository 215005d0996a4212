/**
 * The workflows under their Temporal names. A change of the commands of a running workflow needs
 * `patched('what-changed')` around it until the old ones have ended: test/contracts/replay.test.ts fails otherwise.
 */
import type { WorkflowInput, WorkflowName } from '../workflows/flow.ts'
import { workflows } from '../workflows/index.ts'
import { temporalFlow } from './flow.ts'

function carried<N extends WorkflowName>(name: N): (input: WorkflowInput[N]) => Promise<void> {
  return (input) => workflows[name](temporalFlow<N>(input), input)
}

export const watchRuns = carried('watchRuns')
export const modelRun = carried('modelRun')
export const sweepFrames = carried('sweepFrames')
export const sweepFeed = carried('sweepFeed')
export const expireFeed = carried('expireFeed')
export const checkLateness = carried('checkLateness')
export const verifyForecasts = carried('verifyForecasts')
export const retire = carried('retire')
