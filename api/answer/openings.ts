import PQueue from 'p-queue'
import { Problem } from '../problem.ts'

/**
 * Maximum number of states that are opened concurrently, for all callers together, because each reads whole tables of
 * the past.
 */
const AT_ONCE = 2
/**
 * Maximum number of waiting reads with which another request is admitted; a request opens at most six. With 96
 * admitted, 150 concurrent instants kept the embedded database busy for longer than a request may take, including
 * requests of other callers.
 */
const MAX_WAITING = 24

/**
 * Opens earlier states. A caller that requests many instants takes turns with other callers, and at most two states are
 * opened at a time, which bounds memory.
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
   * Adds the first read of a request. It waits until earlier admitted requests have done all their reads.
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
