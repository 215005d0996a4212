import type { Instant } from '../../ingest/domain/time.ts'
import type { Activities, RunInput } from '../activities.ts'

/**
 * What a workflow may use: a clock, waiting, and activities. The same functions run on Temporal and on the embedded queue.
 * On the queue a workflow that waits long is put down and begun again from its first line when its time has come,
 * so every activity is idempotent and every loop asks where things stand before it acts.
 */
export interface Flow {
  now(): Instant
  /** Waits until an instant, across restarts of the process. */
  until(at: Instant): Promise<void>
  /** Lets more urgent work go first: what comes now is less needed than what was done. */
  giveWay(): Promise<void>
  /** Each activity with the retryPolicies that `retry.ts` gives it. */
  readonly act: Activities
  /** Starts another workflow under its name; false where one of that name is already running or waiting. */
  start<N extends WorkflowName>(workflow: N, id: string, input: WorkflowInput[N], at?: Instant): Promise<boolean>
}

/** Input of each workflow. Small: keys, never bytes. */
export interface WorkflowInput {
  /** Looks for new runs of a dataset and starts a `modelRun` for each. */
  watchRuns: { dataset: string }
  /** One run of one dataset, from upstream to published tiles. */
  modelRun: RunInput
  /** Newest frames of radar and lightning. */
  sweepFrames: { dataset: string }
  /** One read of a feed: alerts, outlooks, observations, texts. */
  sweepFeed: { dataset: string; urgency?: number }
  /** A timer: what a feed stored and what is over by `at` ends. */
  expireFeed: { dataset: string; at: Instant }
  /** Old runs, frames and messages are let go. */
  retire: Record<string, never>
}

export type WorkflowName = keyof WorkflowInput

export type Workflow<N extends WorkflowName> = (flow: Flow, input: WorkflowInput[N]) => Promise<void>
