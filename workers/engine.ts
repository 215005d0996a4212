import type { Instant } from '../ingest/domain/time.ts'
import type { WorkflowInput, WorkflowName } from './workflows/flow.ts'

/** The workflow engine: Temporal, or the queue in the database. */
export interface Engine {
  readonly kind: 'temporal' | 'embedded'
  /**
   * Starts a workflow under its name, at once or at an instant; false where one of that name is running or scheduled, and for the
   * workflows of `onceOnly` also where one has completed.
   */
  start<N extends WorkflowName>(workflow: N, id: string, input: WorkflowInput[N], at?: Instant): Promise<boolean>
  /** Creates the schedules of `schedules.ts`; those of an older version are deleted. */
  schedule(list: readonly Schedule[]): Promise<void>
  /** Works until `stop`. */
  work(): Promise<void>
  /** Waits for running steps for a while, then abandons them: unfinished ones are restarted elsewhere. */
  stop(): Promise<void>
  counts(): Promise<{ waiting: number; running: number; failed: number }>
}

/** A workflow that is started periodically. A tick is skipped while the previous one still runs. */
export interface Schedule<N extends WorkflowName = WorkflowName> {
  readonly id: string
  readonly workflow: N
  readonly input: WorkflowInput[N]
  readonly everySeconds: number
}
