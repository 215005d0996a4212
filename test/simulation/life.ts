/** A dead process receives no answer. A new promise each time, because one that all shared would hold every awaiter. */
const never = () => new Promise<never>(() => undefined)

/**
 * The life of a simulated process. After its death none of its calls of a port returns and none of its timers fires, so that it stops at
 * the await where it is.
 */
export class Life {
  readonly kind: 'worker' | 'api'
  readonly number: number
  readonly #ends = new Set<() => void>()
  readonly died: Promise<void>
  #die!: () => void
  isDead = false
  /** Number of calls of ports after which the process dies. */
  callsLeft = Number.POSITIVE_INFINITY

  constructor(kind: Life['kind'], number: number) {
    this.kind = kind
    this.number = number
    this.died = new Promise((resolve) => {
      this.#die = resolve
    })
  }

  /**
   * Registers what the machine does when the process dies, such as closing its connections.
   * @returns a function that removes it
   */
  onDeath(end: () => void): () => void {
    this.#ends.add(end)
    return () => void this.#ends.delete(end)
  }

  kill(): void {
    if (this.isDead) return
    this.isDead = true
    for (const end of this.#ends) end()
    this.#die()
  }

  /**
   * Makes a call of a port. The process may die before the call or before its answer.
   */
  async call<T>(work: () => Promise<T>): Promise<T> {
    this.#count()
    if (this.isDead) return never()
    try {
      const value = await work()
      this.#count()
      return this.isDead ? never() : value
    } catch (error) {
      if (this.isDead) return never()
      throw error
    }
  }

  #count(): void {
    if (--this.callsLeft <= 0) this.kill()
  }
}
