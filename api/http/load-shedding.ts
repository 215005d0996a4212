/** How much is in work, and how late the event loop runs: above either bound new requests are refused at once. */
export interface Load {
  enter(): void
  leave(): void
  readonly overloaded: boolean
  readonly inWork: number
  stop(): void
}

const SAMPLE = 100
/** Milliseconds that a timer may be late before the process counts as behind. */
const LATE = 1000
/** Fewer requests than this are never the reason. */
const SOME = 100

export function watchLoad(mostInWork: number): Load {
  let inWork = 0
  let late = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    late = now - last - SAMPLE
    last = now
  }, SAMPLE)
  timer.unref()
  return {
    enter() {
      inWork++
    },
    leave() {
      inWork--
    },
    get overloaded() {
      return inWork > mostInWork || (late > LATE && inWork > SOME)
    },
    get inWork() {
      return inWork
    },
    stop: () => clearInterval(timer),
  }
}
