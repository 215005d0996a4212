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
  /** Ends the waits of the running workflows whose names begin so: what they wait for may be there. */
  wake(workflow: WorkflowName, prefix: string): Promise<void>
  /** Creates the schedules of `schedules.ts`; those of an older version are deleted. */
  schedule(list: readonly Schedule[]): Promise<void>
  /** Works until `stop`. */
  work(): Promise<void>
  /** Waits for running steps for a while, then abandons them: unfinished ones are restarted elsewhere. */
  stop(): Promise<void>
  counts(): Promise<{ waiting: number; running: number; failed: number }>
  /** Metrics of the engine's own client in Prometheus' text format; absent: it has none. */
  metrics?(): Promise<string>
}

/** A workflow that is started periodically. A tick is skipped while the previous one still runs. */
export interface Schedule<N extends WorkflowName = WorkflowName> {
  readonly id: string
  readonly workflow: N
  readonly input: WorkflowInput[N]
  readonly everySeconds: number
  /** A run that works longer is ended as failed; unset: that of its workflow (`runSecondsOf`). */
  readonly runSeconds?: number
}
