import { MINUTE } from '../../../ingest/domain/time.ts'

/** Callers that are remembered; the one that was refunded longest ago is forgotten first. */
const MAX_CALLERS = 10_000

/** A call that failed by a bug of ours is refunded at most once a minute and caller: a call that always fails costs its caller. */
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
