import { LRUCache } from 'lru-cache'
import type { Instant } from '../../ingest/domain/time.ts'

interface Entry<T> {
  readonly answer: T
  readonly stamp: () => number
  readonly made: number
}

/** Beside the bytes of an answer: its headers, its key, the entry itself. */
const ENTRY_BYTES = 1000
const ALIAS_BYTES = 200

/**
 * Answers, bounded by bytes; those not read for longest are evicted first. An entry is valid while its stamp (runs of the
 * domain, alert epoch of the cell) is unchanged and it has not expired, so no explicit deletion is needed and a stale entry is never
 * returned. Several names may lead to one answer: the text of the request, and its normalized form.
 */
export class AnswerCache<T extends { readonly until: Instant; readonly name: string }> {
  /** An entry, or the name under which it is stored. */
  readonly #items: LRUCache<string, Entry<T> | string>

  /** @param bytesOf of an answer, whenever it is put or has grown */
  constructor(mostBytes: number, bytesOf: (answer: T) => number) {
    this.#items = new LRUCache({
      maxSize: mostBytes,
      sizeCalculation: (item, name) =>
        2 * name.length +
        (typeof item === 'string' ? 2 * item.length + ALIAS_BYTES : bytesOf(item.answer) + ENTRY_BYTES),
    })
  }

  get(name: string, now: Instant): T | undefined {
    const item = this.#items.get(name)
    if (item === undefined) return undefined
    const entry = typeof item === 'string' ? this.#items.get(item) : item
    if (typeof entry === 'object') {
      if (now < entry.answer.until && entry.stamp() === entry.made) return entry.answer
      if (typeof item === 'string') this.#items.delete(item)
    }
    this.#items.delete(name)
    return undefined
  }

  /** @param stamp read before the answer is built: a change while it is built makes the entry stale at once */
  put(answer: T, stamp: () => number, made: number): void {
    this.#items.set(answer.name, { answer, stamp, made })
  }

  /** Changes an answer that is cached, and counts its bytes anew; one that no longer is stays as it is. */
  grow(answer: T, change: () => void): void {
    const entry = this.#items.peek(answer.name)
    if (typeof entry !== 'object' || entry.answer !== answer) return
    change()
    // Another object: the size of one that is set again unchanged is not calculated anew.
    this.#items.set(answer.name, { ...entry })
  }

  /** A second name for the entry stored under `of`. */
  alias(name: string, of: string): void {
    if (name !== of && typeof this.#items.peek(of) === 'object') this.#items.set(name, of)
  }

  get bytes(): number {
    return this.#items.calculatedSize
  }

  get count(): number {
    return this.#items.size
  }
}
