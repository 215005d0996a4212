import { MINUTE } from '../../../ingest/domain/time.ts'

/** Bound of tracked callers; the one with the oldest refund is evicted first. */
const MAX_CALLERS = 10_000

/** Calls that failed by a bug are refunded at most once a minute for each caller: a call that always fails is then counted. */
export class BugRefunds {
  readonly #last = new Map<string, number>()

  allow(caller: string, now: number): boolean {
    const last = this.#last.get(caller)
    if (last !== undefined && now - last < MINUTE) return false
    this.#last.delete(caller)
    this.#last.set(caller, now)
    if (this.#last.size > MAX_CALLERS) this.#last.delete(this.#last.keys().next().value as string)
    return true
  }
}
