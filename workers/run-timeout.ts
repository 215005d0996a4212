import { type ActivityName, retryPolicies, waitAfter } from './retry.ts'
import type { WorkflowName } from './workflows/flow.ts'

/** The steps of the workflows that have a fixed number of them. */
const steps: Readonly<Record<Exclude<WorkflowName, 'modelRun'>, readonly ActivityName[]>> = {
  watchRuns: ['newRuns'],
  sweepFrames: ['sweepFrames'],
  sweepFeed: ['sweepFeed'],
  expireFeed: ['expireFeed'],
  checkLateness: ['checkLateness'],
  verifyForecasts: ['issueForecasts', 'scoreDays'],
  retire: ['retire'],
}
/** A model run waits for its files until its deadline, which is at most 12 hours after its time. */
const MODEL_RUN_SECONDS = 18 * 3600
/** The schedules with the longest intervals tick once a day. */
const LONGEST_SECONDS = 18 * 3600
/** Time of the engine between the steps of a run. */
const BETWEEN_STEPS_SECONDS = 30
const TICKS = 3

/** Seconds that all attempts of a step take at most, with the pauses between them. */
function stepSeconds(name: ActivityName): number {
  const policy = retryPolicies[name]
  let seconds = policy.attempts * policy.timeout
  for (let attempt = 1; attempt < policy.attempts; attempt++) seconds += waitAfter(policy, attempt)
  return seconds
}

/**
 * Seconds after which a run of a workflow that is still working is ended as failed: three of its ticks, or all attempts of its steps
 * where they may take longer. Waits that an engine suspends a run for do not count.
 */
export function runSecondsOf(workflow: WorkflowName, everySeconds = 0): number {
  if (workflow === 'modelRun') return MODEL_RUN_SECONDS
  const all = steps[workflow].reduce((sum, name) => sum + stepSeconds(name), BETWEEN_STEPS_SECONDS)
  return Math.ceil(Math.max(all, Math.min(TICKS * everySeconds, LONGEST_SECONDS)))
}

/** The error of a run that was ended. */
export const runTimedOut = (seconds?: number): Error =>
  new Error(
    `the run was expected to end within ${seconds === undefined ? 'its timeout' : `${seconds} s`} and did not; it has been ended, and the next tick starts another`,
  )
