/** A body in memory that may be reused. */
export interface Body {
  readonly bytes: Buffer
  /** Adds a reader. @throws Error if the memory no longer belongs to this body */
  retain(): void
  /** Removes a reader. When no reader is left, the memory may be reused for another body. */
  release(): void
}

/** Bodies begin at multiples of this size. */
const PAGE_BYTES = 4096

/**
 * Bodies of cached answers in one block of memory of a fixed size, whose pages are reused. Separate buffers would fill
 * the memory outside the heap, and V8 collects the whole heap for every 64 MB of it: that happened every 1,500 cold
 * answers, of which some hundred then took 5 ms instead of 0.7. If no free pages are left, a body gets a separate
 * buffer.
 */
export class BodyArena {
  /** Allocated for the first body; pages take memory when they are written. */
  #memory: Buffer | undefined
  /** 1 for each page that is in use. */
  readonly #used: Uint8Array
  /** Page at which the search for free pages begins, which follows the last pages that were allocated. */
  #next = 0

  constructor(bytes: number) {
    this.#used = new Uint8Array(Math.floor(bytes / PAGE_BYTES))
  }

  /** Copies bytes into the arena. The copy has one reader, which is the caller. */
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

  /** Number of pages in use. */
  get usedPages(): number {
    let sum = 0
    for (const used of this.#used) sum += used
    return sum
  }

  /** First page of a range of free pages, from `from` on; undefined if there is no such range. */
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
    if (this.#readers === 0) throw new Error('A body was read after its memory had been released.')
    this.#readers++
  }

  release(): void {
    if (this.#readers === 0) throw new Error('A body was released more often than it was retained.')
    if (--this.#readers === 0) this.#free()
  }
}

/** Bytes that a body takes in the arena. */
export const placedBytes = (length: number): number => Math.ceil(length / PAGE_BYTES) * PAGE_BYTES
