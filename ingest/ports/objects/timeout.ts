import { Fault } from '../../domain/fault.ts'
import type { Objects } from '../objects.ts'

/** Longest time that a read waits without any reply from the store, ms: the first limit normally, the second while the store is silent. */
const QUIET_LIMIT_MS = 2000
const SILENT_LIMIT_MS = 250
/** Time limit of a read, ms, even while the store answers other reads. */
const READ_LIMIT_MS = 5000
/** Maximum number of pending reads of a silent store; more reads would only queue behind them. */
const MAX_UNANSWERED = 64

type ReadMethods = Pick<Objects, 'get' | 'range'>

/**
 * Adds a time limit to the reads of a store. A silent store delays an answer by about three seconds in total, and the section reports which
 * data it could not read. A store that replies to other reads is busy, not silent. A late read continues in the background, and the next
 * request for the same key shares its result.
 */
export function withReadTimeout<T extends ReadMethods>(objects: T): T {
  const unanswered = new Map<string, Promise<Uint8Array>>()
  let silent = false
  let lastReply = Number.NEGATIVE_INFINITY
  const onReply = () => {
    silent = false
    lastReply = performance.now()
  }

  function read(name: string, ask: () => Promise<Uint8Array>): Promise<Uint8Array> {
    let reading = unanswered.get(name)
    if (!reading) {
      if (silent && unanswered.size >= MAX_UNANSWERED) return Promise.reject(late(name))
      reading = ask().finally(() => {
        unanswered.delete(name)
        onReply()
      })
      unanswered.set(name, reading)
    }
    return inTime(name, reading)
  }

  function inTime(name: string, reading: Promise<Uint8Array>): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const began = performance.now()
      let timer: NodeJS.Timeout | undefined
      const look = () => {
        const now = performance.now()
        const quiet = (silent ? SILENT_LIMIT_MS : QUIET_LIMIT_MS) - (now - Math.max(began, lastReply))
        const remainingMs = Math.min(quiet, READ_LIMIT_MS - (now - began))
        if (remainingMs > 0) {
          timer = setTimeout(look, Math.ceil(remainingMs))
          return
        }
        if (quiet <= 0) silent = true
        reject(late(name))
      }
      look()
      reading.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }

  return {
    ...objects,
    get: (key) => read(key, () => objects.get(key)),
    range: (key, from, length) => read(`${key} ${from}+${length}`, () => objects.range(key, from, length)),
  }
}

function late(name: string): Fault {
  return new Fault('Refused', `object ${name}: the store did not reply in time. Try again in a moment.`, { name })
}
