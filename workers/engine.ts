import type { Instant } from '../ingest/domain/time.ts'
import type { WorkflowInput, WorkflowName } from './workflows/flow.ts'

/** The workflow engine, which is Temporal or the queue in the database. */
export interface Engine {
  readonly kind: 'temporal' | 'embedded'
  /**
   * Starts a workflow with a name (`id`), at once or at an instant. Returns false if a workflow of that name is running
   * or scheduled, or, for the workflows in `onceOnly`, has completed.
   */
  start<N extends WorkflowName>(workflow: N, id: string, input: WorkflowInput[N], at?: Instant): Promise<boolean>
  /**
   * Ends the waits of the running workflows whose names begin with the prefix, because the file that they wait for may
   * have arrived.
   */
  wake(workflow: WorkflowName, prefix: string): Promise<void>
  /** Creates the schedules of `schedules.ts` and deletes the schedules of an older version. */
  schedule(list: readonly Schedule[]): Promise<void>
  /** Runs workflows until `stop` is called. */
  work(): Promise<void>
  /** Waits a short time for running steps, then abandons them. Another process restarts the unfinished steps. */
  stop(): Promise<void>
  /** Resolves with the error after which the engine runs no more workflows; absent if there is no such error. */
  readonly failure?: Promise<unknown>
  counts(): Promise<{ waiting: number; running: number; failed: number }>
  /** Returns the metrics of the engine's own client in Prometheus' text format; absent if it has none. */
  metrics?(): Promise<string>
}

/** A workflow that is started periodically. A tick is skipped while the previous run is still in progress. */
export interface Schedule<N extends WorkflowName = WorkflowName> {
  readonly id: string
  readonly workflow: N
  readonly input: WorkflowInput[N]
  readonly everySeconds: number
  /** Seconds after which a run is ended as failed. By default the limit of its workflow applies (`runSecondsOf`). */
  readonly runSeconds?: number
}
