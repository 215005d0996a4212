import type { Instant } from '../../ingest/domain/time.ts'
import { within } from '../../ingest/ports/time-limit.ts'

/** Time limits of a shared read, milliseconds. */
export interface SharedReadLimits {
  /** A value is returned without another read until this long after the last read began, whether or not that read failed. */
  readonly fresh: number
  /** Up to this age the last value is returned at once while the next read runs in the background. */
  readonly usable: number
  /** Longest wait for a read when the last value is older than `usable`. */
  readonly wait: number
  /** Longest wait for the first read. */
  readonly first: number
  /** A read that takes longer counts as failed. */
  readonly read: number
}

export interface SharedValue<T> {
  readonly value: T
  /** When the read began. */
  readonly at: Instant
  /**
   * False if the last read failed, or if the value is older than `usable` and the next read takes longer than `wait`.
   */
  readonly current: boolean
  /** True if the last read failed; false if a read merely takes long. */
  readonly failed: boolean
}

/**
 * A value that is read when it is requested. One read at a time serves all callers, and no caller waits longer than the
 * limits.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>
  readonly #clock: () => Instant
  readonly #limits: SharedReadLimits
  #last: { readonly value: T; readonly at: Instant } | undefined
  #reading: Promise<void> | undefined
  #begunAt = Number.NEGATIVE_INFINITY
  #failed = false

  constructor(read: () => Promise<T>, clock: () => Instant, limits: SharedReadLimits) {
    this.#read = read
    this.#clock = clock
    this.#limits = limits
  }

  /** The last value; undefined before the first successful read. */
  async get(): Promise<SharedValue<T> | undefined> {
    const { fresh, usable, wait, first } = this.#limits
    if (!this.#isWithin(fresh, this.#begunAt)) this.#refresh()
    if (this.#reading && !(this.#last && this.#isWithin(usable, this.#last.at)))
      await within(this.#last ? wait : first, this.#reading, () => new Error('late')).catch(() => undefined)
    const last = this.#last
    return last && { ...last, current: !this.#failed && this.#isWithin(usable, last.at), failed: this.#failed }
  }

  /** Returns false if the clock has been set back to before `at`. */
  #isWithin(milliseconds: number, at: Instant): boolean {
    const age = this.#clock() - at
    return age >= 0 && age < milliseconds
  }

  #refresh(): void {
    if (this.#reading) return
    const at = this.#clock()
    this.#begunAt = at
    const late = () => new Error(`no answer within ${this.#limits.read} ms`)
    this.#reading = within(this.#limits.read, this.#read(), late)
      .then(
        (value) => {
          this.#last = { value, at }
          this.#failed = false
        },
        () => {
          this.#failed = true
        },
      )
      .finally(() => {
        this.#reading = undefined
      })
  }
}
