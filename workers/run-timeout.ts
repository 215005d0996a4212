import { type ActivityName, retryPolicies, waitAfter } from './retry.ts'
import type { WorkflowName } from './workflows/flow.ts'

/** The steps of each workflow whose number of steps is fixed. */
const steps: Readonly<Record<Exclude<WorkflowName, 'modelRun'>, readonly ActivityName[]>> = {
  watchRuns: ['newRuns'],
  sweepFrames: ['sweepFrames'],
  sweepFeed: ['sweepFeed'],
  expireFeed: ['expireFeed'],
  checkLateness: ['checkLateness'],
  checkUpstream: ['checkUpstream'],
  verifyForecasts: ['issueForecasts', 'scoreDays'],
  retire: ['retire'],
}
/** A model run waits for its files until its deadline, which is at most 12 hours after its reference time. */
const MODEL_RUN_SECONDS = 18 * 3600
/** Upper limit of the timeout that follows from a schedule's interval: the longest intervals are a day. */
const LONGEST_SECONDS = 18 * 3600
/** Time that the engine needs between the steps of a run. */
const BETWEEN_STEPS_SECONDS = 30
const TICKS = 3

/** Returns the maximum duration of all attempts of a step, including the pauses between them, s. */
function stepSeconds(name: ActivityName): number {
  const policy = retryPolicies[name]
  let seconds = policy.attempts * policy.timeout
  for (let attempt = 1; attempt < policy.attempts; attempt++) seconds += waitAfter(policy, attempt)
  return seconds
}

/**
 * Returns the seconds after which a running workflow is ended as failed: three of its ticks, or the maximum duration of
 * all attempts of its steps if that is longer. Waits during which the engine suspends the workflow do not count.
 */
export function runSecondsOf(workflow: WorkflowName, everySeconds = 0): number {
  if (workflow === 'modelRun') return MODEL_RUN_SECONDS
  const all = steps[workflow].reduce((sum, name) => sum + stepSeconds(name), BETWEEN_STEPS_SECONDS)
  return Math.ceil(Math.max(all, Math.min(TICKS * everySeconds, LONGEST_SECONDS)))
}

/** Returns the workflow of a name, which may be that of a workflow or of one of its steps. */
export function workflowOf(name: string): WorkflowName | undefined {
  const byStep = Object.entries(steps).find(
    ([workflow, own]) => workflow === name || own.includes(name as ActivityName),
  )
  if (byStep) return byStep[0] as WorkflowName
  return name === 'modelRun' || Object.hasOwn(retryPolicies, name) ? 'modelRun' : undefined
}

/** The error of a run that was ended at its timeout. */
export class RunTimedOut extends Error {
  constructor(seconds?: number) {
    const limit = seconds === undefined ? 'its timeout' : `${seconds} s`
    super(`the run did not end within ${limit} and was cancelled; the next tick starts another run`)
  }
}
