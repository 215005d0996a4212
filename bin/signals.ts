/** A Ctrl-C reaches the process from the terminal and again from npm, which forwards it: signals within this time count as one, ms. */
const DUPLICATE_SIGNAL_WINDOW_MS = 500
/** Maximum time for remaining handles after everything is closed, such as the socket of an abandoned download, ms. */
const LINGER = 250

/** Resolves with the first signal to end. A second Ctrl-C ends the process at once: all work can be restarted. */
export function signalToEnd(): Promise<string> {
  let first: number | undefined
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        const now = performance.now()
        first ??= now
        resolve(signal)
        if (signal !== 'SIGINT' || now - first <= DUPLICATE_SIGNAL_WINDOW_MS) return
        // Without a listener the system ends the process itself; process.exit would wait for every thread.
        process.removeAllListeners('SIGINT')
        process.kill(process.pid, 'SIGINT')
      })
    }
  })
}

/** Everything is closed: the process exits by itself, or is killed. */
export function exitWhenIdle(): void {
  setTimeout(() => process.exit(), LINGER).unref()
}
