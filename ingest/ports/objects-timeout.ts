import { Fault } from '../domain/fault.ts'
import type { Objects } from './objects.ts'

/** Milliseconds that an answer waits while nothing at all comes from the store: at first, and once it is known to be silent. */
const QUIET_LIMIT_MS = 2000
const SILENT_LIMIT_MS = 250
/** What one read may take, however much else is answered. */
const READ_LIMIT_MS = 5000
/** Reads that a silent store is asked for at most; more would only wait behind them. */
const MAX_UNANSWERED = 64

type Reads = Pick<Objects, 'get' | 'range'>

/**
 * A store that an answer waits for only so long: one that says nothing costs an answer some three seconds in all, not the
 * whole of its time, and the section says what it could not read. A store that is busy answering others is not silent. A
 * read that is late goes on, and who asks for the same again waits for that one.
 */
export function withReadTimeout<T extends Reads>(objects: T): T {
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
        const left = Math.min(quiet, READ_LIMIT_MS - (now - began))
        if (left > 0) {
          timer = setTimeout(look, Math.ceil(left))
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
  return new Fault('Refused', `object ${name}: the store said nothing in time; ask again in a moment`, { name })
}
