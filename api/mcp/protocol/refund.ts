import { MINUTE } from '../../../ingest/domain/time.ts'

/** Largest number of tracked callers; the caller with the oldest refund is evicted first. */
const MAX_CALLERS = 10_000

/** Allows one refund a minute for each caller for calls that failed because of a bug, so that a call that always fails is counted. */
export class BugRefunds {
  readonly #last = new Map<string, number>()

  allow(caller: string, now: number): boolean {
    const last = this.#last.get(caller)
    if (last !== undefined && now - last < MINUTE) return false
    this.#last.delete(caller)
    this.#last.set(caller, now)
    const [oldest] = this.#last.keys()
    if (this.#last.size > MAX_CALLERS && oldest !== undefined) this.#last.delete(oldest)
    return true
  }
}
