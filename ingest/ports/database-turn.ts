/** A queue of callers for the one session: first come, first served. */
export class Turn {
  #tail: Promise<void> = Promise.resolve()
  #waiting = 0

  get waiting(): number {
    return this.#waiting
  }

  /** Resolves when it is the caller's turn, with the function that ends it. */
  async take(): Promise<() => void> {
    const before = this.#tail
    let end!: () => void
    this.#tail = new Promise((resolve) => {
      end = resolve
    })
    this.#waiting++
    await before
    this.#waiting--
    return end
  }
}
