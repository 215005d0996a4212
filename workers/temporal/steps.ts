import { Context } from '@temporalio/activity'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { isFault } from '../../ingest/domain/fault.ts'
import type { Activities } from '../activities.ts'
import { type ActivityName, retryPolicies } from '../retry.ts'
import { nonRetryable } from './names.ts'
import { heartbeatDetails } from './progress.ts'

type TemporalStep = (input: unknown) => Promise<unknown>

/**
 * Wraps the activities for Temporal: each sends heartbeats while it runs, and throws a fault as an application failure
 * of its kind.
 */
export function temporalSteps(
  activities: Activities,
  report: (step: string, id: string, error: unknown) => void,
): Record<string, TemporalStep> {
  const steps = Object.entries(activities).map(([name, run]) => [
    name,
    wrap(name as ActivityName, run as TemporalStep, report),
  ])
  return Object.fromEntries(steps)
}

function wrap(
  name: ActivityName,
  run: TemporalStep,
  report: (step: string, id: string, error: unknown) => void,
): TemporalStep {
  const policy = retryPolicies[name] as (typeof retryPolicies)[ActivityName] & { heartbeat?: number }
  return async (input) => {
    const context = Context.current()
    // A process that is stuck in a loop sends no heartbeat, so Temporal restarts the step in another process.
    const details = heartbeatDetails(input)
    const beat = () => context.heartbeat(details)
    const heartbeat = policy.heartbeat ? setInterval(beat, (policy.heartbeat * 1000) / 4) : undefined
    if (heartbeat && details) beat()
    try {
      // A cancelled step does not stop by itself, so its promise is rejected at once, and Temporal restarts the step in
      // another process.
      return await Promise.race([run(input), context.cancelled])
    } catch (error) {
      if (error instanceof CancelledFailure) throw error
      const isFinal = isFault(error) && nonRetryable.includes(error.kind)
      const { attempt, workflowExecution } = context.info
      if (isFinal || attempt >= policy.attempts) report(name, workflowExecution?.workflowId ?? '', error)
      if (!isFault(error)) throw error
      throw ApplicationFailure.create({
        type: error.kind,
        message: error.message,
        nonRetryable: isFinal,
        details: [error.details],
        cause: error,
      })
    } finally {
      clearInterval(heartbeat)
    }
  }
}
