import { AsyncLocalStorage } from 'node:async_hooks'

const arrivals = new AsyncLocalStorage<number>()

/** After this long, the longest limit of a route, a request has had its answer: what it still does waits like work that nobody waits for. */
const ANSWERED_MS = 20_000

/** Runs the work of a request, with all that it awaits, as having arrived at `at` (of performance.now). */
export function arrivedAt<T>(at: number, work: () => T): T {
  return arrivals.run(at, work)
}

/** When the request that this is done for arrived; now, outside of a request. */
export function arrival(): number {
  const now = performance.now()
  const at = arrivals.getStore()
  return at !== undefined && now - at < ANSWERED_MS ? at : now
}

/**
 * Those who wait for something that a few can have at once. The one whose request arrived first is next: a request with ten statements in
 * turn waits about as long as one with a single statement, where in the order of statements it would wait ten times as long.
 */
export class ArrivalQueue<T> {
  readonly #waiting: { readonly at: number; readonly value: T }[] = []

  add(value: T): void {
    const at = arrival()
    let place = this.#waiting.length
    while (place > 0 && this.#waiting[place - 1]!.at > at) place--
    this.#waiting.splice(place, 0, { at, value })
  }

  next(): T | undefined {
    return this.#waiting.shift()?.value
  }
}
