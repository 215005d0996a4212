import type { Instant } from '../../../ingest/domain/time.ts'
import type { ToolParts } from '../query/deps.ts'

/** What `tools/list` gives. */
export type ToolSet = 'all' | 'core'

export interface McpDoors {
  readonly parts: ToolParts
  readonly clock: () => Instant
  readonly version: string
  readonly websiteUrl: string
  /** All tools where absent. */
  readonly toolSet?: ToolSet
  /** Who calls. */
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
  /** Refunds a call: it was answered from the cache, failed by an upstream or a limit of ours, or by a bug (at most once a minute). */
  giveBack(reason: 'cached' | 'failure' | 'bug'): void
  /** Once a call: name, outcome, milliseconds. */
  note(tool: string, outcome: string, ms: number): void
  /** Writes a bug down; gives the id under which it can be found, if there is one. */
  bug(error: unknown): string | undefined
}
