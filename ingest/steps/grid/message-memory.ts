import { nth } from '../../domain/nth.ts'
import { collectGarbage } from '../../ports/collect.ts'

/** Size of a shared buffer; an NBM file needs 45 MB. Larger files, which are rare, get their own buffer. */
const MAX_BYTES = 64 * 1024 * 1024
/** Buffer sizes are multiples of this, so that most buffers fit any file; pages that were never filled take no memory. */
const STEP = 32 * 1024 * 1024
/** A buffer that was not needed for this many consecutive files is dropped. */
const LAST_FILES = 8
/** Time without a file after which the memory is released, ms. */
const REST_MS = 5000

/**
 * Memory for the messages of files that are being sampled. Threads read it in place, because copies would double the memory. The buffers
 * are reused from file to file, because V8 does not count shared buffers and would collect dropped buffers late.
 */
export class MessageMemory {
  readonly #free: SharedArrayBuffer[] = []
  /** Sizes of the most recent files. */
  readonly #last: number[] = []
  #used = 0
  #idleTimer: NodeJS.Timeout | undefined

  /** @returns undefined if the size exceeds a shared buffer */
  take(length: number): SharedArrayBuffer | undefined {
    if (length === 0 || length > MAX_BYTES) return undefined
    clearTimeout(this.#idleTimer)
    this.#used++
    const size = Math.ceil(length / STEP) * STEP
    this.#last.push(size)
    if (this.#last.length > LAST_FILES) this.#last.shift()
    const index = this.#free.findIndex((buffer) => buffer.byteLength >= size)
    if (index >= 0) return nth(this.#free.splice(index, 1), 0)
    // A buffer that is too small for this file would also be too small for the next file.
    this.#free.pop()
    return new SharedArrayBuffer(size)
  }

  give(buffer: SharedArrayBuffer): void {
    if (buffer.byteLength <= Math.max(...this.#last)) this.#free.push(buffer)
    else setImmediate(collectGarbage)
    if (--this.#used > 0) return
    this.#idleTimer = setTimeout(() => {
      this.#free.length = 0
      collectGarbage()
    }, REST_MS).unref()
  }
}
