import type { Instant } from '../ingest/domain/time.ts'
import type { WorkflowInput, WorkflowName } from './workflows/flow.ts'

/** What carries workflows: Temporal, or the queue in the database. */
export interface Engine {
  readonly kind: 'temporal' | 'embedded'
  /** Starts a workflow under its name, at once or at an instant; false where one of that name is running or waiting. */
  start<N extends WorkflowName>(workflow: N, id: string, input: WorkflowInput[N], at?: Instant): Promise<boolean>
  /** Creates the schedules of `schedules.ts`; those of an older version are deleted. */
  schedule(list: readonly Schedule[]): Promise<void>
  /** Takes work until `stop`. */
  work(): Promise<void>
  /** Lets running steps come to an end for a while, then lets go: what was not finished is begun again elsewhere. */
  stop(): Promise<void>
  counts(): Promise<{ waiting: number; running: number; failed: number }>
}

/** A workflow that is started again and again. A tick is left out while the one before still runs. */
export interface Schedule<N extends WorkflowName = WorkflowName> {
  readonly id: string
  readonly workflow: N
  readonly input: WorkflowInput[N]
  readonly everySeconds: number
}
