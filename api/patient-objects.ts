import { Fault } from '../ingest/domain/fault.ts'
import type { Objects } from '../ingest/ports/objects.ts'
import { within } from './patience.ts'

/** What an answer waits for one read, and for each further one while the store is silent, milliseconds. */
const PATIENCE = 2000
const SILENT_PATIENCE = 250
/** Reads that a silent store is asked for at most; more would only wait behind them. */
const MOST_UNANSWERED = 64

type Reads = Pick<Objects, 'get' | 'range'>

/**
 * A store whose reads an answer waits for only so long: one that says nothing costs an answer some three seconds in all, not
 * the whole of its time, and the section says what it could not read. A read that is late goes on, and who asks for the
 * same again waits for that one.
 */
export function patient<T extends Reads>(objects: T): T {
  const unanswered = new Map<string, Promise<Uint8Array>>()
  let silent = false

  function read(name: string, ask: () => Promise<Uint8Array>): Promise<Uint8Array> {
    let reading = unanswered.get(name)
    if (!reading) {
      if (silent && unanswered.size >= MOST_UNANSWERED) return Promise.reject(late(name))
      reading = ask().finally(() => {
        unanswered.delete(name)
        silent = false
      })
      unanswered.set(name, reading)
    }
    return within(silent ? SILENT_PATIENCE : PATIENCE, reading, () => {
      silent = true
      return late(name)
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
