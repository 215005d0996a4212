/** Load shedding: new requests are rejected above a number of active requests, or above an event loop lag. */
export interface Load {
  takeSlot(): void
  releaseSlot(): void
  readonly overloaded: boolean
  readonly inWork: number
  stop(): void
}

const SAMPLE_MS = 100
/** Event loop lag above which requests are rejected. */
const MAX_LAG_MS = 1000
/** Lag is ignored below this number of active requests. */
const MIN_IN_WORK = 100

export function watchLoad(maxInWork: number): Load {
  let inWork = 0
  let late = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    late = now - last - SAMPLE_MS
    last = now
  }, SAMPLE_MS)
  timer.unref()
  return {
    takeSlot() {
      inWork++
    },
    releaseSlot() {
      inWork--
    },
    get overloaded() {
      return inWork > maxInWork || (late > MAX_LAG_MS && inWork > MIN_IN_WORK)
    },
    get inWork() {
      return inWork
    },
    stop: () => clearInterval(timer),
  }
}
