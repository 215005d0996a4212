import type { Config } from '../ingest/config.ts'
import { isOnTerminal, type Log } from '../ingest/ports/log.ts'

/**
 * Signals within this time count as one, ms: a Ctrl-C arrives from the terminal and again from npm, which forwards it.
 */
const DUPLICATE_SIGNAL_WINDOW_MS = 500
/** Maximum time for remaining handles after everything is closed, such as the socket of an abandoned download, ms. */
const LINGER_MS = 250

/**
 * Resolves with the first termination signal. A second Ctrl-C ends the process at once, because all work can be
 * restarted.
 */
export function signalToEnd(): Promise<string> {
  let first: number | undefined
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        const now = performance.now()
        first ??= now
        resolve(signal)
        if (signal !== 'SIGINT' || now - first <= DUPLICATE_SIGNAL_WINDOW_MS) return
        // Without a listener the signal ends the process at once; process.exit would wait for every thread.
        process.removeAllListeners('SIGINT')
        process.kill(process.pid, 'SIGINT')
      })
    }
  })
}

/** Time after the termination signal during which an API process still answers everything, s. */
const DRAIN_SECONDS = 5

/**
 * Returns the seconds from the termination signal until the API refuses connections. On a terminal it is 0, because a
 * person waits for the end.
 */
export function drainSecondsOf({ drainSeconds }: Pick<Config, 'drainSeconds'>): number {
  return drainSeconds ?? (isOnTerminal() ? 0 : DRAIN_SECONDS)
}

/** Lets the process exit by itself after everything is closed, and ends it if it does not. */
export function exitWhenIdle(): void {
  setTimeout(() => process.exit(), LINGER_MS).unref()
}

/**
 * Ends a process that receives a signal during its start. It serves nothing yet, and the operation that it awaits, such
 * as opening a database that never answers, may take minutes.
 * @returns exit status
 */
export function endEarly(log: Log, signal: string, starting: Promise<unknown>): number {
  starting.catch(() => undefined)
  log.info({ signal }, `${signal}: the process ends before it has started`)
  log.flush()
  exitWhenIdle()
  return 0
}
