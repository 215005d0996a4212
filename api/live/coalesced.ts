/**
 * One run at a time: calls during a run share one more run after it, which sees what changed meanwhile.
 * The promise ends with the last of them, and is rejected as the first that fails.
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
