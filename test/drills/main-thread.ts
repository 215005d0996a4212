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
  /** Longest first. */
  readonly longest: readonly Block[]
  stop(): void
  /** Forgets what was sampled, and begins again. */
  start(): void
}

const SAMPLE_MS = 1
const LONGEST = 10

/**
 * Samples the event loop of the calling thread every millisecond. A stretch counts by the processor time that the thread used in it:
 * one that the system did not run for a while, on a loaded machine, was not busy.
 */
export function watchBlocks(): ThreadBlocks {
  const histogram = createHistogram({ highest: 60_000_000, figures: 3 })
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let cpu = 0
  let last = 0
  let longest: Block[] = []
  let timer: NodeJS.Timeout | undefined
  const sample = () => {
    const now = performance.now()
    const cpuNow = used()
    const ms = Math.min(now - last, cpuNow - cpu)
    cpu = cpuNow
    last = now
    histogram.record(Math.max(1, Math.round(ms * 1000)))
    if (longest.length < LONGEST || ms > longest.at(-1)!.ms)
      longest = [...longest, { endedAt: now, ms }].sort((a, b) => b.ms - a.ms).slice(0, LONGEST)
  }
  const watched: ThreadBlocks = {
    percentile: (percent) => histogram.percentile(percent) / 1000,
    get samples() {
      return histogram.count
    },
    get longest() {
      return longest
    },
    stop: () => clearInterval(timer),
    start() {
      clearInterval(timer)
      histogram.reset()
      longest = []
      cpu = used()
      last = performance.now()
      timer = setInterval(sample, SAMPLE_MS)
      timer.unref()
    },
  }
  watched.start()
  return watched
}
