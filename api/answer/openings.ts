import PQueue from 'p-queue'
import { Problem } from '../problem.ts'

/** Most states that are opened at once, for all callers together, since each reads whole tables of the past. */
const AT_ONCE = 2
/**
 * Most waiting reads while another request is admitted; a request opens six at most. 150 instants at once, with 96
 * admitted, kept the embedded database busy for longer than a request may take, requests of other callers included.
 */
const MAX_WAITING = 24

/**
 * Opens earlier states. A caller that requests many instants takes turns with the others, and memory for two states is
 * in use.
 */
export class Openings {
  readonly #queue = new PQueue({ concurrency: AT_ONCE })

  /** @throws Problem service-unavailable while so many reads wait that another request could not be answered in time */
  check(): void {
    if (this.#queue.size < MAX_WAITING) return
    throw new Problem(
      'service-unavailable',
      'as_of: too many earlier instants are being read at this time. Retry in 10 seconds.',
      {
        retryAfter: 10,
      },
    )
  }

  /**
   * Adds the first read of a request. It waits until the requests that were admitted before have done all their reads.
   * @throws Problem as `check`
   */
  async enter<T>(work: () => Promise<T>): Promise<T> {
    this.check()
    return this.#queue.add(work) as Promise<T>
  }

  add<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.add(work, { priority: 1 }) as Promise<T>
  }
}
