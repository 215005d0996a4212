import { collectGarbage } from '../../ports/collect.ts'

/** Of NBM's files 45 MB are fetched. Larger ones, which are rare, get a buffer of their own. */
const MAX_BYTES = 64 * 1024 * 1024
/** Buffers are of whole multiples, so that most fit any file; pages that none has filled take no memory. */
const STEP = 32 * 1024 * 1024
/** A buffer that none of so many last files has needed goes. */
const LAST_FILES = 8
/** After so long without a file the memory is given back, ms. */
const REST_MS = 5000

/**
 * Memory for the messages of files that are being sampled, which threads read where it is: a copy for them would be as large again. It is
 * used again from file to file, since V8 does not count shared buffers, and would collect dropped ones late.
 */
export class MessageMemory {
  readonly #free: SharedArrayBuffer[] = []
  /** Sizes that the last files needed. */
  readonly #last: number[] = []
  #taken = 0
  #rest: NodeJS.Timeout | undefined

  /** @returns undefined for more than fits */
  take(length: number): SharedArrayBuffer | undefined {
    if (length === 0 || length > MAX_BYTES) return undefined
    clearTimeout(this.#rest)
    this.#taken++
    const size = Math.ceil(length / STEP) * STEP
    this.#last.push(size)
    if (this.#last.length > LAST_FILES) this.#last.shift()
    const found = this.#free.findIndex((buffer) => buffer.byteLength >= size)
    if (found >= 0) return this.#free.splice(found, 1)[0]!
    // One that is too small would be too small for the next file as well.
    this.#free.pop()
    return new SharedArrayBuffer(size)
  }

  give(buffer: SharedArrayBuffer): void {
    if (buffer.byteLength <= Math.max(...this.#last)) this.#free.push(buffer)
    else setImmediate(collectGarbage)
    if (--this.#taken > 0) return
    this.#rest = setTimeout(() => {
      this.#free.length = 0
      collectGarbage()
    }, REST_MS).unref()
  }
}
