import type { FaultKind } from '../domain/fault.ts'
import type { ShardTask } from '../tile/write.ts'
import type { SampleRequest } from './grid/sample-request.ts'

export interface SampleTask {
  readonly kind: 'sample'
  readonly request: SampleRequest
}

export interface ShardBuildTask {
  readonly kind: 'weave'
  readonly shard: ShardTask
}

/** Worker threads for CPU work: one pool serves sampling, tile building and radar frames. */
export interface Pool {
  readonly size: number
  /** Number of idle threads for which no task is waiting. */
  idle(): number
  /**
   * Runs a task in any thread; pool-worker.ts lists the kinds. The buffers in `transfer` are transferred.
   * @param urgency more urgent tasks run before waiting tasks of lower urgency
   */
  run<T>(task: { readonly kind: string }, transfer?: readonly ArrayBuffer[], urgency?: number): Promise<T>
  /** Terminates the threads; running tasks are rejected. */
  close(): Promise<void>
}

/** A thread sends this message when it begins a task. */
export interface Begun {
  readonly begun: number
  readonly thread: number
}

/** Result of a task. */
export type PoolAnswer =
  | { readonly value: unknown }
  | { readonly fault: { kind?: FaultKind; message: string; details: Record<string, unknown>; stack?: string } }
