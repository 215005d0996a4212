import type { Instant } from '../../../ingest/domain/time.ts'
import type { ToolDeps } from './deps.ts'

/** Context of one tool call. */
export interface ToolContext {
  readonly now: Instant
  /** Who calls: one key or account, or the process of stdio. */
  readonly caller: string
  /** Aborted when the caller disconnects or cancels, or at the timeout. */
  readonly signal: AbortSignal
  /** The answer pipeline, live sources and stores. */
  readonly deps: ToolDeps
  /** Reports the progress of a long call; does nothing where the caller did not ask for it. */
  progress(done: number, total: number, message?: string): Promise<void>
  /** Called for each answer of the pipeline, with whether an earlier call used it. A call that only used such answers is not counted. */
  reused(again: boolean): void
  /** Counts further calls against the caller's limit: a query of many values costs several. */
  count(calls: number): Promise<void>
}
