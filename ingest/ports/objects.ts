import type { RangeRead } from '../domain/range.ts'

export interface StoredObject {
  readonly key: string
  /** Size in bytes. */
  readonly size: number
}

export interface PutOptions {
  /**
   * Writes only if the key is absent, for keys whose content never changes. An existing object stays unchanged: the put succeeds if it has
   * the same bytes, and throws Fault Corrupt if it has other bytes.
   */
  readonly ifAbsent?: boolean
  /** Media type with which a bucket serves the object to browsers; a folder has none. */
  readonly contentType?: string
}

/** The counts of an object cache since the start of the process, and its current size in bytes. */
export interface CacheCounts {
  hits: number
  misses: number
  /** Number of blocks with a wrong checksum; the cache deletes them and reads them again from the store. */
  broken: number
  /** Number of blocks that could not be written, for example to a full disk; the read still succeeds. */
  unwritten: number
  bytes: number
}

/**
 * The object store. Keys are paths of letters, digits and `._=-`, with `/` between the parts, and have no part `.` or `..`. A put is
 * atomic, and it is durable when it resolves: no reader sees a partial object. Reading an absent key is Fault Missing. A store that is
 * busy, unreachable or too slow is Fault Refused. Bytes that differ from the written bytes are Fault Corrupt.
 */
export interface Objects {
  /** Counts of the disk cache; absent if the store has none. */
  readonly counts?: CacheCounts
  put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<void>
  /** Stores a file of any size. */
  putFile(key: string, path: string, options?: PutOptions): Promise<void>
  get(key: string): Promise<Uint8Array>
  /**
   * Reads bytes `from` to `from + length - 1`. The result is shorter if the object ends earlier, and empty if `from` lies beyond its end.
   */
  readonly range: RangeRead
  /** Returns the size in bytes, or undefined if the key is absent. */
  size(key: string): Promise<number | undefined>
  /** Lists the keys with a prefix, in the order of their UTF-8 bytes. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** Removes an object. It also succeeds if the key is absent. */
  remove(key: string): Promise<void>
  close(): Promise<void>
}
