import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major' | 'minor'; execution: 'sync'; flavor?: 'last-resort' }) => void

let gc: Collect | undefined

function collect(): Collect {
  if (!gc) {
    setFlagsFromString('--expose-gc')
    gc = runInNewContext('gc') as Collect
  }
  return gc
}

/**
 * Collects the garbage of this thread, including compiled code that ran once, and returns the memory to the system. V8 collects only when a
 * program allocates, so a thread that becomes idle after its start or after a large task would hold its garbage while it is idle. A call
 * takes about 50 ms for a heap of 50 MB.
 */
export function collectGarbage(): void {
  collect()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Collects the garbage of a busy thread at most once in `everyMs`, because its heap grows between V8's own collections. */
export class RareCollection {
  readonly #everyMs: number
  #at = performance.now()

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /**
   * Collects the garbage in the next turn of the event loop, if it is time. Call this between two tasks: by then nothing references the
   * first task.
   */
  mayCollect(): void {
    if (performance.now() - this.#at < this.#everyMs) return
    this.#at = performance.now()
    setImmediate(collectGarbage)
  }
}

/**
 * Collects recently allocated garbage, such as the chunks of a body, which V8 would collect only after 64 MB. A call takes about a
 * millisecond.
 */
export function collectYoung(): void {
  collect()({ type: 'minor', execution: 'sync' })
}
