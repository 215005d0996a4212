import { LRUCache } from 'lru-cache'
import type { Instant } from '../../ingest/domain/time.ts'

interface Entry<T> {
  readonly answer: T
  readonly isCurrent: () => boolean
}

/** Bytes of an entry in addition to its answer: headers, key, keys of its parts, the entry itself. */
const ENTRY_BYTES = 2000
const ALIAS_BYTES = 200

/**
 * A cache of answers bounded by bytes; the least recently read answers are evicted first. An entry is valid while none of
 * its parts (runs of the domain, frames and alerts that it contains) has changed and it has not expired. Entries therefore need no
 * explicit deletion, and a stale entry is never returned. An answer may have two names: the text of the request, and
 * its normalized form.
 */
export class AnswerCache<T extends { readonly until: Instant; readonly name: string }> {
  /** An entry, or the name under which the entry is stored. */
  readonly #items: LRUCache<string, Entry<T> | string>

  readonly #onDropped: (answer: T) => void
  /** The answer that is being stored again with another size. The removal of its old entry is not an eviction. */
  #growing: T | undefined

  /**
   * @param bytesOf size of an answer; called whenever it is stored or has grown
   * @param onDropped called once for each stored answer, when it is no longer cached
   */
  constructor(mostBytes: number, bytesOf: (answer: T) => number, onDropped: (answer: T) => void = () => {}) {
    this.#onDropped = onDropped
    this.#items = new LRUCache({
      maxSize: mostBytes,
      dispose: (item) => {
        if (typeof item === 'object' && item.answer !== this.#growing) onDropped(item.answer)
      },
      sizeCalculation: (item, name) =>
        2 * name.length +
        (typeof item === 'string' ? 2 * item.length + ALIAS_BYTES : bytesOf(item.answer) + ENTRY_BYTES),
    })
  }

  /** Returns the answer with a name; undefined if there is no valid answer. */
  get(name: string, now: Instant): T | undefined {
    const item = this.#items.get(name)
    if (item === undefined) return undefined
    const entry = typeof item === 'string' ? this.#items.get(item) : item
    if (typeof entry === 'object') {
      if (now < entry.answer.until && entry.isCurrent()) return entry.answer
      if (typeof item === 'string') this.#items.delete(item)
    }
    this.#items.delete(name)
    return undefined
  }

  /**
   * Stores an answer.
   * @param isCurrent whether its data are unchanged since before it was built
   */
  put(answer: T, isCurrent: () => boolean): void {
    const entry = { answer, isCurrent }
    this.#items.set(answer.name, entry)
    // An answer that is larger than the cache is not stored.
    if (this.#items.peek(answer.name) !== entry) this.#onDropped(answer)
  }

  /** Changes a cached answer and counts its bytes again. An answer that is no longer cached is not changed. */
  grow(answer: T, change: () => void): void {
    const entry = this.#items.peek(answer.name)
    if (typeof entry !== 'object' || entry.answer !== answer) return
    change()
    this.#growing = answer
    // The entry must be a new object, because the size of an object that is set again is not recalculated.
    this.#items.set(answer.name, { ...entry })
    this.#growing = undefined
    if (this.#items.peek(answer.name) === undefined) this.#onDropped(answer)
  }

  /** Adds a second name for the entry stored under `original`. */
  alias(name: string, original: string): void {
    if (name !== original && typeof this.#items.peek(original) === 'object') this.#items.set(name, original)
  }

  get bytes(): number {
    return this.#items.calculatedSize
  }

  get count(): number {
    return this.#items.size
  }
}
