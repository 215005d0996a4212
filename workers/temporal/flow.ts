/** Runs inside Temporal's sandbox: nothing here may touch a clock, a file or a socket of the process. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import {
  continueAsNew,
  ParentClosePolicy,
  proxyActivities,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../activities.ts'
import { type ActivityName, type Patience, patience } from '../retry.ts'
import type { Flow, WorkflowInput, WorkflowName } from '../workflows/flow.ts'
import { heavyQueue, heavySteps, hopeless } from './names.ts'

/** The flow of one workflow, as Temporal carries it. */
export function temporalFlow<N extends WorkflowName>(input: WorkflowInput[N]): Flow {
  return {
    now: () => Date.now(),
    // The server's queues are fair by themselves.
    giveWay: async () => {},
    act: activities(workflowInfo().taskQueue),
    async until(at) {
      const wait = at - Date.now()
      if (wait > 0) await sleep(wait)
      // After a wait a workflow may begin again from its first line (see Flow): then its history begins anew as well.
      if (workflowInfo().continueAsNewSuggested || workflowInfo().historyLength > longestHistory) {
        await continueAsNew<(input: WorkflowInput[N]) => Promise<void>>(input)
      }
    },
    async start(workflow, workflowId, told) {
      try {
        await startChild(workflow, { workflowId, args: [told], parentClosePolicy: ParentClosePolicy.ABANDON })
        return true
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false
        throw error
      }
    },
  }
}

/** Events; a worker that takes a workflow over reads all of them. */
const longestHistory = 4_000

function activities(queue: string): Activities {
  const each = Object.entries(patience).map(([name, policy]) => [name, proxy(name as ActivityName, policy, queue)])
  return Object.fromEntries(each) as Activities
}

function proxy(name: ActivityName, policy: Patience, queue: string): (input: unknown) => Promise<unknown> {
  const steps = proxyActivities<Record<string, (input: unknown) => Promise<unknown>>>({
    taskQueue: heavySteps.has(name) ? heavyQueue(queue) : queue,
    startToCloseTimeout: policy.timeout * 1000,
    heartbeatTimeout: policy.heartbeat === undefined ? undefined : policy.heartbeat * 1000,
    retry: {
      maximumAttempts: policy.attempts,
      initialInterval: policy.firstWait * 1000,
      backoffCoefficient: policy.growth,
      maximumInterval: policy.longestWait * 1000,
      nonRetryableErrorTypes: [...hopeless],
    },
  })
  return steps[name]!
}
