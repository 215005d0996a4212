import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major' | 'minor'; execution: 'sync'; flavor?: 'last-resort' }) => void

let found: Collect | undefined

function collect(): Collect {
  if (!found) {
    setFlagsFromString('--expose-gc')
    found = runInNewContext('gc') as Collect
  }
  return found
}

/**
 * Collects the garbage of this thread, also compiled code that was used once, and gives the memory back. V8 collects when a program
 * allocates: a thread that comes to rest after its start, or after much work, would keep what it no longer needs for as long as it rests.
 * Takes some 50 ms for a heap of 50 MB.
 */
export function collectGarbage(): void {
  collect()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Collects the garbage of this thread at most once in this many ms: of one that never rests, and whose heap grows between V8's collections. */
export class RareCollection {
  readonly #everyMs: number
  #at = performance.now()

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** To be called between two pieces of work; collects in the next turn, when nothing of the first is referred to. */
  mayCollect(): void {
    if (performance.now() - this.#at < this.#everyMs) return
    this.#at = performance.now()
    setImmediate(collectGarbage)
  }
}

/**
 * Collects what was allocated lately and dropped: the parts of a body, for example, which V8 would collect after 64 MB. Takes a
 * millisecond.
 */
export function collectYoung(): void {
  collect()({ type: 'minor', execution: 'sync' })
}
