import type { QueryContext } from '../../dataset/context.ts'
import type { ToolDeps } from './tool-deps.ts'

/** Context of one tool call. */
export interface ToolContext extends QueryContext {
  /** Who calls: one key or account, or the process of stdio. */
  readonly caller: string
  /** The answer pipeline, live sources and stores. */
  readonly deps: ToolDeps
  /** Called for each answer of the pipeline, with whether an earlier call used it. A call that only used such answers is not counted. */
  reused(again: boolean): void
}
