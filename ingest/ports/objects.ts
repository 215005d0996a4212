import type { RangeRead } from '../domain/range.ts'

export interface StoredObject {
  readonly key: string
  /** Bytes. */
  readonly size: number
}

export interface PutOptions {
  /**
   * Write only where the key is absent: for keys whose content must never change. An existing key is left unchanged and the
   * put succeeds when it has the same bytes; with other bytes it is a Fault Corrupt.
   */
  readonly ifAbsent?: boolean
}

/**
 * The object store. Keys are paths of letters, digits and `._=-`, parts separated by `/`, without `.` or `..` parts.
 * A put is atomic, and durable when it resolves: no reader ever sees a part of an object.
 * Reading an absent key is Fault Missing; a store that is busy, unreachable or too slow is Fault Refused;
 * bytes that differ from those that were put are Fault Corrupt.
 */
export interface Objects {
  put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<void>
  /** Puts a file of any size. */
  putFile(key: string, path: string, options?: PutOptions): Promise<void>
  get(key: string): Promise<Uint8Array>
  /** Bytes `from` to `from + length - 1`; past the end the result is shorter, wholly past it empty. */
  readonly range: RangeRead
  /** Bytes, or undefined where there is no such key. */
  size(key: string): Promise<number | undefined>
  /** Keys that begin with the prefix, in the order of their UTF-8 bytes. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** Removing an absent key succeeds. */
  remove(key: string): Promise<void>
  close(): Promise<void>
}
