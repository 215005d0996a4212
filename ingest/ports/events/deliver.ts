import { setTimeout as pause } from 'node:timers/promises'
import type { EventMessage } from '../events.ts'
import { inSpanAfter } from '../trace.ts'

const tries = 6

/**
 * Calls the handler with a message until it succeeds, at most six times.
 * @returns the last error if every attempt failed
 */
export async function deliver(
  handler: (message: EventMessage) => Promise<void> | void,
  message: EventMessage,
  stopped: () => boolean,
): Promise<Error | undefined> {
  let last: Error | undefined
  for (let attempt = 0; attempt < tries; attempt++) {
    try {
      await inSpanAfter(message.trace, 'hear', { 'messaging.destination.name': message.topic }, async () =>
        handler(message),
      )
      return undefined
    } catch (error) {
      last = error instanceof Error ? error : new Error(String(error))
      if (stopped()) return last
      await pause(20 * 3 ** attempt, undefined, { ref: false })
    }
  }
  return last
}
