import type { QueryContext } from '../../dataset/context.ts'
import type { ToolDeps } from './tool-deps.ts'

/** Context of one tool call. */
export interface ToolContext extends QueryContext {
  /** Identifies the caller: a key, an account, or the process of stdio. */
  readonly caller: string
  /** The answer pipeline, live sources and stores. */
  readonly deps: ToolDeps
  /**
   * Reports that the call uses an answer of the pipeline, and whether an earlier call used the same answer. A call that only uses such
   * answers is refunded.
   */
  reused(isReused: boolean): void
}
