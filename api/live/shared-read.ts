import type { Instant } from '../../ingest/domain/time.ts'
import { within } from '../../ingest/ports/time-limit.ts'

/** Milliseconds. */
export interface SharedReadLimits {
  /** What was read is given without another read for so long; a failed read is repeated after as long. */
  readonly fresh: number
  /** Up to this age the last value is given at once, and the next read runs behind it. */
  readonly given: number
  /** Longest wait for a read where the last value is older. */
  readonly wait: number
  /** Longest wait for the first read. */
  readonly first: number
  /** A read that takes longer has failed. */
  readonly read: number
}

export interface Known<T> {
  readonly value: T
  /** Begin of the read. */
  readonly at: Instant
  /** False: the last read failed, or the value is older than `given` and the next read takes longer than `wait`. */
  readonly current: boolean
  /** The last read failed; false where it only takes long. */
  readonly failed: boolean
}

/** A value that is read again as it is asked for: one read at a time, shared by all who ask, and none of them waits long. */
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

  /** @returns undefined while nothing was read */
  async get(): Promise<Known<T> | undefined> {
    const { fresh, given, wait, first } = this.#limits
    if (!this.#isWithin(fresh, this.#begunAt)) this.#refresh()
    if (this.#reading && !(this.#last && this.#isWithin(given, this.#last.at)))
      await within(this.#last ? wait : first, this.#reading, () => new Error('late')).catch(() => undefined)
    const last = this.#last
    return last && { ...last, current: !this.#failed && this.#isWithin(given, last.at), failed: this.#failed }
  }

  /** A clock that was set back makes everything old. */
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
