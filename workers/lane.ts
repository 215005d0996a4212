import { nwsAlerts } from '../ingest/datasets/alerts.ts'
import type { WorkflowInput, WorkflowName } from './workflows/flow.ts'

/**
 * A lane has its own task queue and slots. Alerts and the timers of their expirations have a lane, so that they never
 * wait for other work, however much of it hangs.
 */
export type Lane = 'alerts'

/** The workflows that run in the lane of alerts if their dataset is the alerts. */
export const alertWorkflows = ['sweepFeed', 'expireFeed'] as const satisfies readonly WorkflowName[]

/** Returns the lane of a workflow; undefined for the common queues. */
export function laneOf<N extends WorkflowName>(workflow: N, input: WorkflowInput[N]): Lane | undefined {
  if (!alertWorkflows.some((name) => name === workflow)) return undefined
  return 'dataset' in input && input.dataset === nwsAlerts.id ? 'alerts' : undefined
}
