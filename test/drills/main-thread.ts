import { createHistogram } from 'node:perf_hooks'

/** A stretch in which the event loop of the watched thread did not turn. */
export interface Block {
  /** Of `performance.now()` of the watched thread, at its end. */
  readonly endedAt: number
  readonly ms: number
}

export interface ThreadBlocks {
  /** Of all stretches between two samples, ms. */
  percentile(percent: number): number
  readonly samples: number
  /** The longest, longest first. */
  readonly longest: readonly Block[]
  reset(): void
  stop(): void
}

const SAMPLE_MS = 1
const LONGEST = 10

/**
 * Samples the calling thread's event loop every millisecond. A stretch counts by the processor time that the thread used in it: one
 * that the system did not run for a while, on a loaded machine, was not busy.
 */
export function watchBlocks(onBlock?: (block: Block) => void): ThreadBlocks {
  const histogram = createHistogram({ highest: 60_000_000, figures: 3 })
  const usage = process.threadCpuUsage()
  let cpu = usage.user + usage.system
  let last = performance.now()
  let longest: Block[] = []
  const sample = () => {
    const { user, system } = process.threadCpuUsage()
    const now = performance.now()
    const ms = Math.min(now - last, (user + system - cpu) / 1000)
    cpu = user + system
    last = now
    histogram.record(Math.max(1, Math.round(ms * 1000)))
    if (longest.length < LONGEST || ms > longest.at(-1)!.ms) {
      const block = { endedAt: now, ms }
      longest = [...longest, block].sort((a, b) => b.ms - a.ms).slice(0, LONGEST)
      onBlock?.(block)
    }
  }
  const timer = setInterval(sample, SAMPLE_MS)
  timer.unref()
  return {
    percentile: (percent) => histogram.percentile(percent) / 1000,
    get samples() {
      return histogram.count
    },
    get longest() {
      return longest
    },
    reset() {
      histogram.reset()
      longest = []
    },
    stop: () => clearInterval(timer),
  }
}
