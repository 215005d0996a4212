import { setTimeout as pause } from 'node:timers/promises'
import type { EventMessage } from '../events.ts'
import { inSpanAfter } from '../trace.ts'

const tries = 6

/**
 * Calls the handler with a message until it succeeds, at most six times.
 * @returns false if every attempt failed
 */
export async function deliver(
  handler: (message: EventMessage) => Promise<void> | void,
  message: EventMessage,
  stopped: () => boolean,
): Promise<boolean> {
  for (let attempt = 0; attempt < tries; attempt++) {
    try {
      await inSpanAfter(message.trace, 'hear', { 'messaging.destination.name': message.topic }, async () =>
        handler(message),
      )
      return true
    } catch {
      if (stopped()) return false
      await pause(20 * 3 ** attempt, undefined, { ref: false })
    }
  }
  return false
}
