import { constants, createHistogram, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks'

/** A period in which the event loop of the watched thread did not turn. */
export interface Block {
  /** End of the block, in `performance.now()` of the watched thread. */
  readonly endedAt: number
  readonly ms: number
  /** Garbage collections during the block, such as `scavenge 21` (wall time, ms); empty if none took over a millisecond. */
  readonly collected: string
}

export interface ThreadBlocks {
  /** Durations between two samples, ms. */
  percentile(percent: number): number
  readonly samples: number
  /** The longest blocks, longest first. */
  readonly longest: readonly Block[]
  stop(): void
  /** Discards the samples and begins again. */
  start(): void
}

const SAMPLE_MS = 1
const LONGEST = 10
/** Number of remembered collections, enough to have those of the longest blocks when they are read. */
const COLLECTIONS = 20_000
const collectors: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'scavenge',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'mark-compact',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak callbacks',
}

interface Collection {
  readonly began: number
  readonly ms: number
  readonly name: string
}

/**
 * Samples the event loop of the calling thread every millisecond. A block counts by the processor time that the thread used in it,
 * because a thread that a loaded machine does not schedule is not busy.
 */
export function watchBlocks(): ThreadBlocks {
  const histogram = createHistogram({ highest: 60_000_000, figures: 3 })
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let cpu = 0
  let last = 0
  let longest: (Omit<Block, 'collected'> & { readonly began: number })[] = []
  let collections: Collection[] = []
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { startTime, duration, detail } = entry as typeof entry & { detail: NodeGCPerformanceDetail }
      if (duration < 1) continue
      const name = collectors[detail.kind ?? 0] ?? 'other'
      collections.push({ began: startTime, ms: duration, name })
    }
    if (collections.length > COLLECTIONS) collections = collections.slice(-COLLECTIONS / 2)
  })
  const collectedIn = (began: number, ended: number) =>
    collections
      .filter((collection) => collection.began >= began && collection.began <= ended)
      .map(({ name, ms }) => `${name} ${Math.round(ms)}`)
      .join(', ')
  let timer: NodeJS.Timeout | undefined
  const sample = () => {
    const now = performance.now()
    const cpuNow = used()
    const began = last
    const ms = Math.min(now - began, cpuNow - cpu)
    cpu = cpuNow
    last = now
    histogram.record(Math.max(1, Math.round(ms * 1000)))
    if (longest.length < LONGEST || ms > longest.at(-1)!.ms)
      longest = [...longest, { began, endedAt: now, ms }].sort((a, b) => b.ms - a.ms).slice(0, LONGEST)
  }
  const watched: ThreadBlocks = {
    percentile: (percent) => histogram.percentile(percent) / 1000,
    get samples() {
      return histogram.count
    },
    get longest() {
      return longest.map(({ began, endedAt, ms }) => ({ endedAt, ms, collected: collectedIn(began, endedAt) }))
    },
    stop() {
      clearInterval(timer)
      observer.disconnect()
    },
    start() {
      watched.stop()
      histogram.reset()
      longest = []
      collections = []
      observer.observe({ entryTypes: ['gc'] })
      cpu = used()
      last = performance.now()
      timer = setInterval(sample, SAMPLE_MS)
      timer.unref()
    },
  }
  watched.start()
  return watched
}
