import { Fault } from '../../ingest/domain/fault.ts'

/** Objects in memory that count their reads, for tests of cost, which must not depend on a store. */
export class KeptObjects {
  readonly stored = new Map<string, Uint8Array>()
  ranges = 0
  rangeBytes = 0
  gets = 0

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.stored.set(key, new Uint8Array(bytes))
  }

  async get(key: string): Promise<Uint8Array> {
    this.gets++
    return this.#find(key)
  }

  async range(key: string, from: number, length: number): Promise<Uint8Array> {
    this.ranges++
    const bytes = this.#find(key).slice(from, from + length)
    this.rangeBytes += bytes.length
    return bytes
  }

  #find(key: string): Uint8Array {
    const bytes = this.stored.get(key)
    if (!bytes) throw new Fault('Missing', `object ${key}: no bytes are stored`)
    return bytes
  }
}
