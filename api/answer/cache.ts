import type { Instant } from '../../ingest/domain/time.ts'

/** A ready answer: bytes as they are sent. */
export interface Ready {
  readonly body: Buffer
  readonly etag: string
  /** Until then it may be served. */
  readonly until: Instant
}

interface Entry<T extends Ready> {
  readonly answer: T
  readonly stamp: () => number
  readonly made: number
  readonly names: string[]
  /** Asked for since the last look: it gets a second chance. */
  used: boolean
}

/**
 * Answers as buffers, those that nobody asked for again dropped first once the bytes are used up. An entry is good while its
 * stamp (runs of the domain, alert epoch of the cell) is what it was and its time has not come: nothing is deleted by
 * hand, and a stale one is never given. Several names may lead to one answer: the request's own text, and what it means.
 */
export class AnswerCache<T extends Ready> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #most: number
  #bytes = 0

  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  get(name: string, now: Instant): T | undefined {
    const entry = this.#entries.get(name)
    if (!entry) return undefined
    if (now >= entry.answer.until || entry.stamp() !== entry.made) {
      this.#drop(entry)
      return undefined
    }
    entry.used = true
    return entry.answer
  }

  /** @param stamp read before the answer was made, so that a change during the making makes it stale at once */
  put(name: string, answer: T, stamp: () => number, made: number): void {
    const entry = this.#entries.get(name)
    if (entry) this.#drop(entry)
    this.#entries.set(name, { answer, stamp, made, names: [name], used: false })
    this.#bytes += answer.body.byteLength + 1000
    while (this.#bytes > this.#most) this.#evict()
  }

  /** A second name for what is held under the first. */
  alias(name: string, of: string): void {
    const entry = this.#entries.get(of)
    if (!entry || name === of || this.#entries.has(name) || entry.names.length > 8) return
    entry.names.push(name)
    this.#entries.set(name, entry)
    this.#bytes += 2 * name.length
  }

  get bytes(): number {
    return this.#bytes
  }

  get count(): number {
    return this.#entries.size
  }

  #evict(): void {
    const [name, entry] = this.#entries.entries().next().value!
    if (!entry.used) {
      this.#drop(entry)
      return
    }
    entry.used = false
    this.#entries.delete(name)
    this.#entries.set(name, entry)
  }

  #drop(entry: Entry<T>): void {
    this.#bytes -= entry.answer.body.byteLength + 1000
    for (const [index, name] of entry.names.entries()) {
      if (this.#entries.get(name) === entry) this.#entries.delete(name)
      if (index) this.#bytes -= 2 * name.length
    }
  }
}
