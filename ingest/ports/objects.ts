import type { RangeRead } from '../domain/range.ts'

export interface StoredObject {
  readonly key: string
  /** Size in bytes. */
  readonly size: number
}

export interface PutOptions {
  /**
   * Write only if the key is absent, for keys whose content must never change. An existing key stays unchanged. The put succeeds if it has
   * the same bytes, and fails with Fault Corrupt if it has other bytes.
   */
  readonly ifAbsent?: boolean
}

/** What a cache of objects has done since the start of the process, and the bytes that it holds. */
export interface CacheCounts {
  hits: number
  misses: number
  /** Number of blocks with a wrong checksum, which were deleted and read again. */
  broken: number
  /** Number of blocks that could not be written, as on a full disk; the read still succeeds. */
  unwritten: number
  bytes: number
}

/**
 * The object store. Keys are paths of letters, digits and `._=-`, parts separated by `/`, without `.` or `..` parts.
 * A put is atomic, and durable when it resolves: no reader ever sees a part of an object.
 * Reading an absent key is Fault Missing; a store that is busy, unreachable or too slow is Fault Refused;
 * bytes that differ from those that were put are Fault Corrupt.
 */
export interface Objects {
  /** Counts of the disk cache before the store; absent if it has none. */
  readonly counts?: CacheCounts
  put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<void>
  /** Stores a file of any size. */
  putFile(key: string, path: string, options?: PutOptions): Promise<void>
  get(key: string): Promise<Uint8Array>
  /** Reads bytes `from` to `from + length - 1`. The result is shorter if the object ends earlier, and empty beyond its end. */
  readonly range: RangeRead
  /** Returns the size in bytes, or undefined if the key is absent. */
  size(key: string): Promise<number | undefined>
  /** Lists the keys with a prefix, in the order of their UTF-8 bytes. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** Removing an absent key succeeds. */
  remove(key: string): Promise<void>
  close(): Promise<void>
}
