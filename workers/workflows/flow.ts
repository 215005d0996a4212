import type { Instant } from '../../ingest/domain/time.ts'
import type { Activities, RunInput } from '../activities.ts'

/**
 * The API of workflows: a clock, timers and activities. The same functions run on Temporal and on the embedded queue.
 * The queue suspends a workflow that waits long and restarts it from its first line when the wait is over. Therefore
 * every activity is idempotent, and every loop reads the current state before it acts.
 */
export interface Flow {
  now(): Instant
  /**
   * Waits until an instant, or until the engine wakes the workflow (`Engine.wake`). The wait survives a restart of the
   * process.
   */
  until(at: Instant): Promise<void>
  /** Lowers the priority of the remaining steps of the workflow, so that more urgent work goes first. */
  giveWay(): Promise<void>
  /** The activities, each with its policy of `retryPolicies`. */
  readonly act: Activities
  /**
   * Starts another workflow with a name (`id`). Returns false if a workflow of that name is running or scheduled, or,
   * for the workflows in `onceOnly`, has completed.
   */
  start<N extends WorkflowName>(workflow: N, id: string, input: WorkflowInput[N], at?: Instant): Promise<boolean>
}

/** Input of each workflow: keys, never file contents. */
export interface WorkflowInput {
  /** Looks for new runs of a dataset, or for past runs that are not stored, and starts a `modelRun` for each. */
  watchRuns: { dataset: string; past?: true }
  /** Takes one run of one dataset from upstream to published tiles. */
  modelRun: RunInput
  /** Fetches and publishes the newest frames of radar or lightning. */
  sweepFrames: { dataset: string }
  /** Reads a feed once: alerts, outlooks, observations, texts. */
  sweepFeed: { dataset: string; urgency?: number }
  /** Waits until `at`, then expires the stored rows of a feed that end by then. */
  expireFeed: { dataset: string; at: Instant }
  /** Finds late runs. */
  checkLateness: Record<string, never>
  /** Checks upstream once a day. */
  checkUpstream: Record<string, never>
  /** Stores the served forecasts at stations, and compares earlier ones with the observations. */
  verifyForecasts: Record<string, never>
  /** Removes old runs, frames and messages. */
  retire: Record<string, never>
}

export type WorkflowName = keyof WorkflowInput

/**
 * Workflows that are not started again under the name of a completed workflow, but only under that of a failed
 * workflow.
 */
export const onceOnly: ReadonlySet<WorkflowName> = new Set<WorkflowName>(['modelRun'])

export type Workflow<N extends WorkflowName> = (flow: Flow, input: WorkflowInput[N]) => Promise<void>
