import { setImmediate } from 'node:timers/promises'

/** Longest stretch of work between two turns of the event loop, ms. */
const MAX_STRETCH_MS = 8

/** Await between steps of a long computation: yields to the event loop when the stretch is used up. */
export function pacer(stretchMs = MAX_STRETCH_MS): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < stretchMs) return undefined
    return setImmediate().then(() => {
      begun = performance.now()
    })
  }
}
