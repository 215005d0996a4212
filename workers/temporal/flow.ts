/** This module runs inside Temporal's sandbox: it must not use the clock, files or sockets of the process. */
import { WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from '@temporalio/common'
import {
  condition,
  continueAsNew,
  defineSignal,
  ParentClosePolicy,
  proxyActivities,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../activities.ts'
import { laneOf } from '../lane.ts'
import { type ActivityName, type RetryPolicy, retryPolicies } from '../retry.ts'
import { runSecondsOf } from '../run-timeout.ts'
import { type Flow, onceOnly, type WorkflowInput, type WorkflowName } from '../workflows/flow.ts'
import { datasetKey, searchAttributesOf } from './attributes.ts'
import { commonQueue, heavyQueue, heavySteps, nonRetryable, queueOfLane, wakeSignal } from './names.ts'

/** Creates the flow of one workflow on Temporal. */
export function temporalFlow<N extends WorkflowName>(input: WorkflowInput[N]): Flow {
  let priority = priorityOf(input as { readonly urgency?: number })
  let act = activities(workflowInfo().taskQueue, priority)
  // The engine gives attributes only to workflows of a namespace that has them, and a server refuses a child with others.
  const hasAttributes = workflowInfo().typedSearchAttributes.get(datasetKey) !== undefined
  let isWoken = false
  setHandler(defineSignal(wakeSignal), () => {
    isWoken = true
  })
  return {
    now: () => Date.now(),
    async giveWay() {
      priority = Math.min(lowestPriority, priority + 1)
      act = activities(workflowInfo().taskQueue, priority)
    },
    get act() {
      return act
    },
    async until(at) {
      const wait = at - Date.now()
      // A wake-up during the work before this wait ends the wait at once.
      if (wait > 0) await condition(() => isWoken, wait)
      isWoken = false
      // After a wait a workflow may continue as new from its first line (see `Flow`), with an empty history.
      if (workflowInfo().continueAsNewSuggested || workflowInfo().historyLength > longestHistory) {
        await continueAsNew<(input: WorkflowInput[N]) => Promise<void>>(input)
      }
    },
    async start(workflow, workflowId, childInput, at = 0) {
      try {
        await startChild(workflow, {
          workflowId,
          args: [childInput],
          taskQueue: queueOfLane(commonQueue(workflowInfo().taskQueue), laneOf(workflow, childInput)),
          parentClosePolicy: ParentClosePolicy.ABANDON,
          ...(hasAttributes && { typedSearchAttributes: searchAttributesOf(childInput) }),
          // The timeout includes the time that the workflow waits for `at`.
          workflowRunTimeout: runSecondsOf(workflow) * 1000 + Math.max(0, at - Date.now()),
          workflowIdReusePolicy: onceOnly.has(workflow)
            ? WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY
            : WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        })
        return true
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false
        throw error
      }
    },
  }
}

/** Maximum number of events in a history, because a worker that takes a workflow over reads all of them. */
const longestHistory = 2_000

/** Temporal's priorities go from 1, the most urgent, to 5. */
const lowestPriority = 5

/**
 * Converts an urgency to a priority of Temporal. The urgency is 2 for the last dataset of the catalog, and grows by 2
 * for each preceding dataset.
 */
function priorityOf(input: { readonly urgency?: number }): number {
  return Math.max(1, Math.min(lowestPriority, 1 + Math.floor((24 - (input.urgency ?? 24)) / 5)))
}

function activities(queue: string, priorityKey: number): Activities {
  const proxies = Object.entries(retryPolicies).map(([name, policy]) => [
    name,
    proxy(name as ActivityName, policy, queue, priorityKey),
  ])
  return Object.fromEntries(proxies) as Activities
}

function proxy(
  name: ActivityName,
  policy: RetryPolicy,
  queue: string,
  priorityKey: number,
): (input: unknown) => Promise<unknown> {
  const steps = proxyActivities<Record<ActivityName, (input: unknown) => Promise<unknown>>>({
    taskQueue: heavySteps.has(name) ? heavyQueue(commonQueue(queue)) : queue,
    startToCloseTimeout: policy.timeout * 1000,
    heartbeatTimeout: policy.heartbeat === undefined ? undefined : policy.heartbeat * 1000,
    priority: { priorityKey },
    retry: {
      maximumAttempts: policy.attempts,
      initialInterval: policy.firstWait * 1000,
      backoffCoefficient: policy.growth,
      maximumInterval: policy.longestWait * 1000,
      nonRetryableErrorTypes: [...nonRetryable],
    },
  })
  return steps[name]
}
