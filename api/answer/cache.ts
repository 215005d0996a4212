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

  readonly #dropped: (answer: T) => void
  /** Set again with another size, which does not end its time in the cache. */
  #growing: T | undefined

  /**
   * @param bytesOf of an answer, whenever it is put or has grown
   * @param dropped called once for each answer that was put, when it is no longer cached
   */
  constructor(mostBytes: number, bytesOf: (answer: T) => number, dropped: (answer: T) => void = () => {}) {
    this.#dropped = dropped
    this.#items = new LRUCache({
      maxSize: mostBytes,
      dispose: (item) => {
        if (typeof item === 'object' && item.answer !== this.#growing) dropped(item.answer)
      },
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
    const entry = { answer, stamp, made }
    this.#items.set(answer.name, entry)
    // One that is larger than the cache is not kept.
    if (this.#items.peek(answer.name) !== entry) this.#dropped(answer)
  }

  /** Changes an answer that is cached, and counts its bytes anew; one that no longer is stays as it is. */
  grow(answer: T, change: () => void): void {
    const entry = this.#items.peek(answer.name)
    if (typeof entry !== 'object' || entry.answer !== answer) return
    change()
    this.#growing = answer
    // Another object: the size of one that is set again unchanged is not calculated anew.
    this.#items.set(answer.name, { ...entry })
    this.#growing = undefined
    if (this.#items.peek(answer.name) === undefined) this.#dropped(answer)
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
