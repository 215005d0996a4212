import { Fault } from '../../ingest/domain/fault.ts'
import type { Objects } from '../../ingest/ports/objects.ts'

/** Creates a store of objects in memory, for verbs that publish nothing. */
export function inMemory(): Pick<Objects, 'get' | 'put' | 'range' | 'size'> {
  const stored = new Map<string, Uint8Array>()
  const get = async (key: string): Promise<Uint8Array> => {
    const bytes = stored.get(key)
    if (!bytes) throw new Fault('Missing', `object ${key} is not stored`)
    return bytes
  }
  return {
    get,
    put: async (key, bytes) => void stored.set(key, bytes.slice()),
    range: async (key, from, length) => (await get(key)).subarray(from, from + length),
    size: async (key) => stored.get(key)?.length,
  }
}
