/**
 * Returns a function that runs `run`, but never twice at once. All calls during a run share one more run after it,
 * which sees every change that was made in the meantime. The promise resolves after the last run, and is rejected by
 * the first run that fails.
 */
export function coalesced(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let again = false
  return () => {
    if (running) {
      again = true
      return running
    }
    running = (async () => {
      do {
        again = false
        await run()
      } while (again)
    })().finally(() => {
      running = undefined
    })
    return running
  }
}
