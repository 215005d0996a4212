import type { Instant } from '../../../ingest/domain/time.ts'
import type { ToolDeps } from './tool-deps.ts'

/** The tools of `tools/list`. */
export type ToolSet = 'all' | 'core'

export interface McpDeps {
  readonly deps: ToolDeps
  readonly clock: () => Instant
  readonly version: string
  readonly websiteUrl: string
  /** All tools where absent. */
  readonly toolSet?: ToolSet
  /** Identity for limits per caller. */
  readonly caller: string
  /** Whether this session can be notified of changed resources. */
  readonly notifies?: boolean
  /** Resources of a session of revision 2025-11-25 that lasts: a connection over stdio. */
  readonly subscriptions?: {
    subscribe(uri: string): void
    unsubscribe(uri: string): void
  }
  /** Counts calls of this caller. @throws ToolError where the limit is reached */
  count(calls: number): Promise<void>
  /** Refunds a call that was answered from the cache, failed by an upstream or a server limit, or by a bug (at most once a minute). */
  refund(reason: 'cached' | 'failure' | 'bug'): void
  /** Once a call: name, outcome, milliseconds. */
  note(tool: string, outcome: string, ms: number): void
  /** Logs a bug; returns the request id under which it is logged, if there is one. */
  bug(error: unknown): string | undefined
}
