import type { Instant } from '../../ingest/domain/time.ts'

/** A finished answer: the bytes that are sent. */
export interface Ready {
  readonly body: Buffer
  readonly etag: string
  /** Expiry: it may be served until then. */
  readonly until: Instant
}

interface Entry<T extends Ready> {
  readonly answer: T
  readonly stamp: () => number
  readonly made: number
  readonly names: string[]
  /** Read since the last eviction pass: spared once (second-chance eviction). */
  used: boolean
}

/**
 * Answers as buffers, bounded by bytes; entries that were not read again are evicted first. An entry is valid while its stamp (runs
 * of the domain, alert epoch of the cell) is unchanged and it has not expired, so no explicit deletion is needed and a stale entry
 * is never returned. Several names may lead to one answer: the text of the request, and its normalized form.
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

  /** @param stamp read before the answer is built: a change while it is built makes the entry stale at once */
  put(name: string, answer: T, stamp: () => number, made: number): void {
    const entry = this.#entries.get(name)
    if (entry) this.#drop(entry)
    this.#entries.set(name, { answer, stamp, made, names: [name], used: false })
    this.#bytes += answer.body.byteLength + 1000
    while (this.#bytes > this.#most) this.#evict()
  }

  /** A second name for the entry stored under `of`. */
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
