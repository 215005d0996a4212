import { Fault } from '../domain/fault.ts'
import type { Objects } from '../ports/objects.ts'

/** Objects that are gone with the process: for looking, not for keeping. */
export function inMemory(): Pick<Objects, 'get' | 'put' | 'range' | 'size'> {
  const held = new Map<string, Uint8Array>()
  const get = async (key: string): Promise<Uint8Array> => {
    const bytes = held.get(key)
    if (!bytes) throw new Fault('Missing', `object ${key}: not held`)
    return bytes
  }
  return {
    get,
    put: async (key, bytes) => void held.set(key, bytes.slice()),
    range: async (key, from, length) => (await get(key)).subarray(from, from + length),
    size: async (key) => held.get(key)?.length,
  }
}
