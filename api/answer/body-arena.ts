/** A body in memory that may be used again. */
export interface Body {
  readonly bytes: Buffer
  /** Counts one more reader. @throws Error where the memory is no longer this body's */
  retain(): void
  /** One reader fewer: at the last one the memory is free for another body. */
  release(): void
}

/** Bodies begin at multiples of this. */
const PAGE_BYTES = 4096

/**
 * Bodies of cached answers, in one block of memory of a fixed size that is used again and again. As buffers of their own they were what fills
 * the memory outside of the heap, for every 64 MB of which V8 collects the whole heap: every 1,500 cold answers, some hundred of which
 * then took 5 ms in place of 0.7. Where no free pages are left, a body is a buffer of its own.
 */
export class BodyArena {
  /** Allocated at the first body; pages take memory when they are written. */
  #memory: Buffer | undefined
  /** By page: 1 in use. */
  readonly #used: Uint8Array
  /** Where the search for free pages begins: behind the last ones that were found. */
  #next = 0

  constructor(bytes: number) {
    this.#used = new Uint8Array(Math.floor(bytes / PAGE_BYTES))
  }

  /** Copies bytes; the copy is retained once. */
  place(bytes: Uint8Array): Body {
    const pages = Math.ceil(bytes.length / PAGE_BYTES)
    const first = pages > 0 ? (this.#find(this.#next, pages) ?? this.#find(0, pages)) : undefined
    if (first === undefined) return { bytes: Buffer.from(bytes), retain: () => {}, release: () => {} }
    this.#memory ??= Buffer.allocUnsafeSlow(this.#used.length * PAGE_BYTES)
    this.#used.fill(1, first, first + pages)
    this.#next = first + pages
    const at = first * PAGE_BYTES
    const copy = this.#memory.subarray(at, at + bytes.length)
    copy.set(bytes)
    return new PlacedBody(copy, () => this.#used.fill(0, first, first + pages))
  }

  /** Pages in use. */
  get usedPages(): number {
    let sum = 0
    for (const used of this.#used) sum += used
    return sum
  }

  /** The first of so many free pages in a row, from `from` on. */
  #find(from: number, pages: number): number | undefined {
    let at = from
    while (at + pages <= this.#used.length) {
      const used = this.#used.subarray(at, at + pages).lastIndexOf(1)
      if (used < 0) return at
      at += used + 1
    }
    return undefined
  }
}

class PlacedBody implements Body {
  readonly bytes: Buffer
  readonly #free: () => void
  #readers = 1

  constructor(bytes: Buffer, free: () => void) {
    this.bytes = bytes
    this.#free = free
  }

  retain(): void {
    if (this.#readers === 0) throw new Error('a body was read after its memory had been released')
    this.#readers++
  }

  release(): void {
    if (this.#readers === 0) throw new Error('a body was released more often than retained')
    if (--this.#readers === 0) this.#free()
  }
}

/** Bytes that a body takes in the arena. */
export const placedBytes = (length: number): number => Math.ceil(length / PAGE_BYTES) * PAGE_BYTES
