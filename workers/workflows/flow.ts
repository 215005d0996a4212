import type { Instant } from '../../ingest/domain/time.ts'
import type { Activities, RunInput } from '../activities.ts'

/**
 * The API of workflows: a clock, timers, and activities. The same functions run on Temporal and on the embedded queue.
 * On the queue a workflow with a long wait is suspended and restarted from its first line when the time has come,
 * so every activity is idempotent and every loop reads the current state before it acts.
 */
export interface Flow {
  now(): Instant
  /** Waits until an instant, or until the engine wakes the workflow (`Engine.wake`); across restarts of the process. */
  until(at: Instant): Promise<void>
  /** Lowers the priority of the rest of the workflow: more urgent work goes first. */
  giveWay(): Promise<void>
  /** The activities, each with its `retryPolicies` of `retry.ts`. */
  readonly act: Activities
  /**
   * Starts another workflow under its name; false where one of that name is running or scheduled, and for the workflows of `onceOnly`
   * also where one has completed.
   */
  start<N extends WorkflowName>(workflow: N, id: string, input: WorkflowInput[N], at?: Instant): Promise<boolean>
}

/** Input of each workflow. Small: keys, never bytes. */
export interface WorkflowInput {
  /** Looks for new runs of a dataset, or for past ones that are not stored, and starts a `modelRun` for each. */
  watchRuns: { dataset: string; past?: true }
  /** One run of one dataset, from upstream to published tiles. */
  modelRun: RunInput
  /** Newest frames of radar and lightning. */
  sweepFrames: { dataset: string }
  /** One sweep of a feed: alerts, outlooks, observations, texts. */
  sweepFeed: { dataset: string; urgency?: number }
  /** A timer: expires the stored rows of a feed that end by `at`. */
  expireFeed: { dataset: string; at: Instant }
  /** Finds late runs. */
  checkLateness: Record<string, never>
  /** Keeps what is served for stations, and compares what was with what came. */
  verifyForecasts: Record<string, never>
  /** Removes old runs, frames and messages. */
  retire: Record<string, never>
}

export type WorkflowName = keyof WorkflowInput

/** Workflows that are not started again under a name of which one has completed; one that failed is. */
export const onceOnly: ReadonlySet<WorkflowName> = new Set<WorkflowName>(['modelRun'])

export type Workflow<N extends WorkflowName> = (flow: Flow, input: WorkflowInput[N]) => Promise<void>
