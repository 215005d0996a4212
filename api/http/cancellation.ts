/**
 * Ends the work of a request whose client has disconnected or whose time is up. The signal is created when it is first
 * used, because few routes listen to it, and creating and aborting a signal takes 15 µs.
 */
export class Cancellation {
  #controller: AbortController | undefined
  #cancelled = false

  get cancelled(): boolean {
    return this.#cancelled
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#cancelled) this.#controller.abort()
    }
    return this.#controller.signal
  }

  cancel(): void {
    this.#cancelled = true
    this.#controller?.abort()
  }
}
