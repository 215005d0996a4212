import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Fault } from '../../ingest/domain/fault.ts'
import { checkKey, missingObject, otherBytes } from '../../ingest/ports/objects/key.ts'
import type { Objects, PutOptions, StoredObject } from '../../ingest/ports/objects.ts'
import type { Faults } from './faults.ts'
import type { Life } from './life.ts'

/** An object store in memory, which outlives the processes. */
export class Store {
  readonly objects = new Map<string, Uint8Array>()

  get bytes(): number {
    let sum = 0
    for (const { length } of this.objects.values()) sum += length
    return sum
  }

  put(key: string, bytes: Uint8Array, { ifAbsent = false }: PutOptions = {}): void {
    const old = this.objects.get(checkKey(key))
    if (ifAbsent && old) {
      if (Buffer.compare(old, bytes) !== 0) throw otherBytes(key)
      return
    }
    this.objects.set(key, new Uint8Array(bytes))
  }

  get(key: string): Uint8Array {
    const bytes = this.objects.get(checkKey(key))
    if (!bytes) throw missingObject(key)
    return bytes
  }

  /** Objects with a prefix, in the order of their UTF-8 bytes; keys are ASCII. */
  list(prefix: string): StoredObject[] {
    const listed: StoredObject[] = []
    for (const [key, { length }] of this.objects) if (key.startsWith(prefix)) listed.push({ key, size: length })
    return listed.sort((a, b) => (a.key < b.key ? -1 : 1))
  }
}

/** The store as a process sees it: with latency, and with failures of which it cannot tell whether the write took place. */
export function objectsOf(store: Store, life: Life, faults: Faults): Objects {
  const latency = () => {
    const { random } = faults
    return pause(faults.hits('objects: slow') ? random.between(500, 8000) : random.between(1, 20))
  }
  const refused = (key: string) => new Fault('Refused', `object ${key}: the store is busy (simulated). Try again.`)
  const read = <T>(key: string, work: () => T): Promise<T> =>
    life.call(async () => {
      await latency()
      if (faults.hits('objects: read failed')) throw refused(key)
      return work()
    })
  const write = (key: string, work: () => void): Promise<void> =>
    life.call(async () => {
      await latency()
      if (faults.hits('objects: write failed')) throw refused(key)
      work()
      if (faults.hits('objects: write done, answer lost')) throw refused(key)
    })
  return {
    put(key, bytes, options) {
      // The caller may change its buffer once the put has begun.
      const copy = new Uint8Array(bytes)
      return write(key, () => store.put(key, copy, options))
    },
    putFile: (key, path, options) => write(key, () => store.put(key, readFileSync(path), options)),
    get: (key) => read(key, () => new Uint8Array(store.get(key))),
    range: (key, from, length) => read(key, () => store.get(key).slice(from, from + length)),
    size: (key) => read(key, () => store.objects.get(checkKey(key))?.length),
    async *list(prefix) {
      yield* await read(prefix, () => store.list(prefix))
    },
    remove: (key) => write(key, () => void store.objects.delete(checkKey(key))),
    close: async () => undefined,
  }
}
