import { setTimeout } from 'node:timers/promises'
import type { ThreadBlocks } from './main-thread.ts'

/** What a process has measured of itself. */
export interface Figures {
  readonly pid: number
  /** Blocks of the main thread, ms. */
  readonly longest: readonly number[]
  /** The same with their ends, s from the start of the process, and the collections of garbage in them. */
  readonly described: readonly string[]
  readonly p999: number
  readonly samples: number
  /** Bytes that are resident after a collection of garbage. */
  readonly resident: number
  /** Of these in objects, and outside of the heap: buffers and WebAssembly. */
  readonly heap: number
  readonly external: number
}

/** Since the last call. */
export async function figuresOf(blocks: ThreadBlocks, collect: () => void = () => undefined): Promise<Figures> {
  const { longest: list, samples } = blocks
  const longest = list.map(({ ms }) => ms)
  const described = list.map(
    ({ ms, endedAt, collected }) =>
      `${Math.round(ms)} ms at ${(endedAt / 1000).toFixed(1)} s${collected && ` (${collected})`}`,
  )
  const p999 = blocks.percentile(99.9)
  blocks.stop()
  // Buffers are freed by another thread after a collection, and are counted until the next one.
  collect()
  await setTimeout(100)
  collect()
  const { rss, heapUsed, external } = process.memoryUsage()
  blocks.start()
  return { pid: process.pid, longest, described, p999, samples, resident: rss, heap: heapUsed, external }
}
