import type { Instant } from '../../ingest/domain/time.ts'
import type { Encoding } from '../contract.ts'

/** A ready answer: bytes as they are sent. */
export interface Ready {
  readonly body: Buffer
  readonly etag: string
  /** Until then it may be served. */
  readonly until: Instant
  /** Compressed forms of the body, by `AnswerCache.keepForm` alone: their bytes count. */
  readonly forms: Partial<Record<Encoding, Buffer>>
}

interface Entry<T extends Ready> {
  readonly answer: T
  readonly stamp: () => number
  readonly made: number
  readonly names: string[]
  /** Of body and forms, without names. */
  bytes: number
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
  readonly #entryOf = new WeakMap<T, Entry<T>>()
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
    const held = this.#entries.get(name)
    if (held) this.#drop(held)
    const bytes = answer.body.byteLength + 1000
    const entry: Entry<T> = { answer, stamp, made, names: [name], bytes, used: false }
    this.#entries.set(name, entry)
    this.#entryOf.set(answer, entry)
    this.#grow(bytes)
  }

  /** Keeps a compressed form beside the body; of an answer that is not cached any more nothing is kept. */
  keepForm(answer: T, encoding: Encoding, form: Buffer): void {
    const entry = this.#entryOf.get(answer)
    if (!entry || answer.forms[encoding] || this.#entries.get(entry.names[0]!) !== entry) return
    answer.forms[encoding] = form
    entry.bytes += form.byteLength
    this.#grow(form.byteLength)
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

  #grow(bytes: number): void {
    this.#bytes += bytes
    while (this.#bytes > this.#most) this.#evict()
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
    this.#bytes -= entry.bytes
    for (const [index, name] of entry.names.entries()) {
      if (this.#entries.get(name) === entry) this.#entries.delete(name)
      if (index) this.#bytes -= 2 * name.length
    }
  }
}
