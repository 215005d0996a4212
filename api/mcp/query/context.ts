import type { Instant } from '../../../ingest/domain/time.ts'
import type { ToolDeps } from './deps.ts'

/** What one call of a tool is given: when, for whom, until when, and the doors below. */
export interface ToolContext {
  readonly now: Instant
  /** Who calls: one key or account, or the process of stdio. */
  readonly caller: string
  /** Aborted when the caller has gone, cancels, or the time is up. */
  readonly signal: AbortSignal
  /** The doors of the tools: the pipeline of REST, what is true now, the gazetteer. */
  readonly deps: ToolDeps
  /** Says how far a long call has come; does nothing where the caller did not ask. */
  progress(done: number, total: number, message?: string): Promise<void>
  /** Told of each answer of the pipeline: whether a call was given it before. A call of kept answers alone does not count. */
  reused(again: boolean): void
  /** Counts further calls against the caller's limit: a query of many values costs several. */
  count(calls: number): Promise<void>
}
