import { Context } from '@temporalio/activity'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { isFault } from '../../ingest/domain/fault.ts'
import type { Activities } from '../activities.ts'
import { type ActivityName, retryPolicies } from '../retry.ts'
import { nonRetryable } from './names.ts'

type TemporalStep = (input: unknown) => Promise<unknown>

/** The activities as Temporal runs them: with heartbeats while they run, and faults as application failures of their kind. */
export function temporalSteps(
  activities: Activities,
  report: (step: string, id: string, error: unknown) => void,
): Record<string, TemporalStep> {
  const each = Object.entries(activities).map(([name, run]) => [
    name,
    wrapped(name as ActivityName, run as TemporalStep, report),
  ])
  return Object.fromEntries(each)
}

function wrapped(
  name: ActivityName,
  run: TemporalStep,
  report: (step: string, id: string, error: unknown) => void,
): TemporalStep {
  const policy = retryPolicies[name] as (typeof retryPolicies)[ActivityName] & { heartbeat?: number }
  return async (input) => {
    const context = Context.current()
    // A process that hangs in a loop sends no heartbeat: the step is then restarted elsewhere.
    const beat = policy.heartbeat ? setInterval(() => context.heartbeat(), (policy.heartbeat * 1000) / 4) : undefined
    try {
      // A cancelled step does not stop by itself; its caller is rejected at once and the step restarts elsewhere.
      return await Promise.race([run(input), context.cancelled])
    } catch (error) {
      if (error instanceof CancelledFailure) throw error
      const final = isFault(error) && nonRetryable.includes(error.kind)
      const { attempt, workflowExecution } = context.info
      if (final || attempt >= policy.attempts) report(name, workflowExecution?.workflowId ?? '', error)
      if (!isFault(error)) throw error
      throw ApplicationFailure.create({
        type: error.kind,
        message: error.message,
        nonRetryable: final,
        details: [error.details],
        cause: error,
      })
    } finally {
      clearInterval(beat)
    }
  }
}
