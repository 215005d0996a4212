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
 * Collects the garbage of this thread, including compiled code that was used once, and releases the memory. V8 collects only when a
 * program allocates, so a thread that becomes idle after its start or after much work would keep its garbage while idle.
 * Takes some 50 ms for a heap of 50 MB.
 */
export function collectGarbage(): void {
  collect()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Collects the garbage of this thread at most once in this many ms, for a busy thread whose heap grows between V8's collections. */
export class RareCollection {
  readonly #everyMs: number
  #at = performance.now()

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** Is called between two pieces of work. Collects in the next turn, when the first piece of work is no longer referenced. */
  mayCollect(): void {
    if (performance.now() - this.#at < this.#everyMs) return
    this.#at = performance.now()
    setImmediate(collectGarbage)
  }
}

/**
 * Collects recently allocated garbage, such as the parts of a body, which V8 would collect only after 64 MB. Takes a millisecond.
 */
export function collectYoung(): void {
  collect()({ type: 'minor', execution: 'sync' })
}
