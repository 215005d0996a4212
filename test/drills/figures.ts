import { setTimeout } from 'node:timers/promises'
import type { ThreadBlocks } from './main-thread.ts'

/** Figures that a process measured about itself. */
export interface Figures {
  readonly pid: number
  /** Durations for which the main thread was blocked, ms. */
  readonly longest: readonly number[]
  /** The same blocks with their ends, s after the start of the process, and the garbage collections in them. */
  readonly described: readonly string[]
  readonly p999: number
  readonly samples: number
  /** Resident bytes after a garbage collection. */
  readonly resident: number
  /** Bytes of these in objects, and outside the heap in buffers and WebAssembly. */
  readonly heap: number
  readonly external: number
}

/** The figures since the last call. */
export async function figuresOf(blocks: ThreadBlocks, collect: () => void = () => undefined): Promise<Figures> {
  const { longest: list, samples } = blocks
  const longest = list.map(({ ms }) => ms)
  const described = list.map(
    ({ ms, endedAt, collected }) =>
      `${Math.round(ms)} ms at ${(endedAt / 1000).toFixed(1)} s${collected && ` (${collected})`}`,
  )
  const p999 = blocks.percentile(99.9)
  blocks.stop()
  // Another thread frees buffers after a collection, so they are counted until the next collection.
  collect()
  await setTimeout(100)
  collect()
  const { rss, heapUsed, external } = process.memoryUsage()
  blocks.start()
  return { pid: process.pid, longest, described, p999, samples, resident: rss, heap: heapUsed, external }
}
