import PQueue from 'p-queue'
import { Problem } from '../problem.ts'

/** Each reads whole tables of the past: so many at once, for all callers together. */
const AT_ONCE = 2
/**
 * Readings that wait while a further request is let in; it opens six at most. 150 instants at once, with 96 let in, kept the embedded
 * database busy for longer than a request may take, also those of others.
 */
const MAX_WAITING = 24

/** Openings of earlier states: a caller who asks for many instants takes turns with the others, and the memory of two states is in use. */
export class Openings {
  readonly #queue = new PQueue({ concurrency: AT_ONCE })

  /** @throws Problem service-unavailable while so many wait that a further request could not be answered in time */
  check(): void {
    if (this.#queue.size < MAX_WAITING) return
    throw new Problem(
      'service-unavailable',
      'as_of: too many earlier instants are being read just now. Retry in a moment.',
      {
        retryAfter: 10,
      },
    )
  }

  /** The first reading of a request. It waits until those that were let in before have all of theirs. @throws Problem as `check` */
  async enter<T>(work: () => Promise<T>): Promise<T> {
    this.check()
    return this.#queue.add(work) as Promise<T>
  }

  add<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.add(work, { priority: 1 }) as Promise<T>
  }
}
