/** A Ctrl-C reaches the process from the terminal and again from npm, which passes it on: signals within this time count as one, ms. */
const DUPLICATE_SIGNAL_WINDOW_MS = 500
/** What may still keep the process alive when all is closed, such as the socket of a download that was left alone, gets this long, ms. */
const LINGER = 250

/** Resolves with the first signal to end. A second Ctrl-C ends the process at once, whatever is in work: all of it can be begun again. */
export function signalToEnd(): Promise<string> {
  let first: number | undefined
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        const now = performance.now()
        first ??= now
        resolve(signal)
        if (signal !== 'SIGINT' || now - first <= DUPLICATE_SIGNAL_WINDOW_MS) return
        // Without a listener the system itself ends the process; process.exit would wait for every thread.
        process.removeAllListeners('SIGINT')
        process.kill(process.pid, 'SIGINT')
      })
    }
  })
}

/** Everything is closed: the process ends by itself, or is ended. */
export function exitWhenIdle(): void {
  setTimeout(() => process.exit(), LINGER).unref()
}
