import type { Instant } from '../../../ingest/domain/time.ts'
import type { ToolDeps } from './tool-deps.ts'

/** The tools of `tools/list`. */
export type ToolSet = 'all' | 'core'

export interface McpDeps {
  readonly deps: ToolDeps
  readonly clock: () => Instant
  readonly version: string
  readonly websiteUrl: string
  /** Absent: all tools. */
  readonly toolSet?: ToolSet
  /** Identifies the caller for limits. */
  readonly caller: string
  /** Whether this session can receive notifications of changed resources. */
  readonly notifies?: boolean
  /** Subscriptions to resources in a lasting session of revision 2025-11-25, which is a connection over stdio. */
  readonly subscriptions?: {
    subscribe(uri: string): void
    unsubscribe(uri: string): void
  }
  /** Counts calls of this caller. @throws ToolError when the limit is reached */
  count(calls: number): Promise<void>
  /** Refunds a call that was answered from the cache, or that failed because of upstream, a server limit or a bug (at most once a minute). */
  refund(reason: 'cached' | 'failure' | 'bug'): void
  /** Records the tool, the outcome and the duration in milliseconds, once for each call. */
  note(tool: string, outcome: string, ms: number): void
  /** Logs a bug. Returns the request id in the log entry, if there is one. */
  bug(error: unknown): string | undefined
}
