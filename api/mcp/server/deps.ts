import type { Instant } from '../../../ingest/domain/time.ts'
import type { ToolDeps } from '../query/deps.ts'

/** What `tools/list` gives. */
export type ToolSet = 'all' | 'core'

export interface McpDeps {
  readonly deps: ToolDeps
  readonly clock: () => Instant
  readonly version: string
  readonly websiteUrl: string
  /** All tools where absent. */
  readonly toolSet?: ToolSet
  /** Who calls. */
  readonly caller: string
  /** Counts calls of this caller. @throws ToolError where the limit is reached */
  count(calls: number): Promise<void>
  /** Refunds a call: it was answered from the cache, failed by an upstream or a limit of ours, or by a bug (at most once a minute). */
  refund(reason: 'cached' | 'failure' | 'bug'): void
  /** Once a call: name, outcome, milliseconds. */
  note(tool: string, outcome: string, ms: number): void
  /** Writes a bug down; gives the id under which it can be found, if there is one. */
  bug(error: unknown): string | undefined
}
