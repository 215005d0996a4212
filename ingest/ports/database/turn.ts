/** A FIFO queue of callers of the single session. */
export class SessionQueue {
  #tail: Promise<void> = Promise.resolve()
  #waiting = 0

  get waiting(): number {
    return this.#waiting
  }

  /** Waits until the caller may use the session, and returns the function that releases it. */
  async acquire(): Promise<() => void> {
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
