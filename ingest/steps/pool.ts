/** Worker threads for the heavy steps. One pool serves both sampling and weaving. */
export interface Pool {
  readonly size: number
  /** @internal Runs one task; tasks of one kind are answered in any order. */
  run(task: { kind: string }, transfer?: readonly ArrayBuffer[]): Promise<unknown>
  /** Ends the threads; tasks under way are refused. */
  close(): Promise<void>
}

/** @param threads at most this many worker threads; they start when they are first needed */
export function openPool(_options: { threads: number }): Pool {
  throw new Error('being built')
}
