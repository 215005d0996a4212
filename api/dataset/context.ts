import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import type { ValueDeps } from '../answer/values.ts'
import type { Live } from '../live/index.ts'

/** The stores and sources from which datasets are read. */
export interface QueryDeps {
  readonly values: ValueDeps
  readonly database: Database
  readonly objects: Objects
  /** Every live source by name. */
  readonly live: Live
}

/** Context of one query of a dataset, from a tool call or a request. */
export interface QueryContext {
  readonly now: Instant
  /** Aborted when the caller disconnects or cancels, or at the timeout. */
  readonly signal: AbortSignal
  readonly deps: QueryDeps
  /** Reports the progress of a long call; does nothing if the caller did not request progress. */
  progress(done: number, total: number, message?: string): Promise<void>
  /** Counts further calls against the caller's limit, because a query of many values costs several calls. */
  count(calls: number): Promise<void>
}
