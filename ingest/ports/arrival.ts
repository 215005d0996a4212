import { AsyncLocalStorage } from 'node:async_hooks'
import { nth } from '../domain/nth.ts'

const arrivals = new AsyncLocalStorage<number>()

/** The longest time limit of a route, ms. A request is answered by then, so its remaining work queues like background work. */
const ANSWERED_MS = 20_000

/** Runs the work of a request, and everything that the work awaits, with `at` (of `performance.now()`) as its arrival time. */
export function arrivedAt<T>(at: number, work: () => T): T {
  return arrivals.run(at, work)
}

/** Returns the arrival time of the current request on the clock of `performance.now()`. Outside a request it returns the present time. */
export function arrival(): number {
  const now = performance.now()
  const at = arrivals.getStore()
  return at !== undefined && now - at < ANSWERED_MS ? at : now
}

/**
 * A queue for a resource that only a few callers can hold at once. The caller whose request arrived first is next, so a request with ten
 * consecutive statements waits about as long as a request with one statement. In a first-come queue it would wait ten times as long.
 */
export class ArrivalQueue<T> {
  readonly #waiting: { readonly at: number; readonly value: T }[] = []

  add(value: T): void {
    const at = arrival()
    let place = this.#waiting.length
    while (place > 0 && nth(this.#waiting, place - 1).at > at) place--
    this.#waiting.splice(place, 0, { at, value })
  }

  next(): T | undefined {
    return this.#waiting.shift()?.value
  }
}
