import { LRUCache } from 'lru-cache'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Encoding } from '../contract.ts'

/** A finished answer: the bytes that are sent. */
export interface Ready {
  readonly body: Buffer
  readonly etag: string
  /** Expiry: it may be served until then. */
  readonly until: Instant
  /** Compressed forms of the body, set by `AnswerCache.keepForm` alone: their bytes count. */
  readonly forms: Partial<Record<Encoding, Buffer>>
}

interface Entry<T extends Ready> {
  readonly answer: T
  readonly stamp: () => number
  readonly made: number
}

/** Beside the bytes of an answer: its headers, its key, the entry itself. */
const ENTRY_BYTES = 1000
const ALIAS_BYTES = 200

/**
 * Answers as buffers, bounded by bytes; those not read for longest are evicted first. An entry is valid while its stamp (runs of the
 * domain, alert epoch of the cell) is unchanged and it has not expired, so no explicit deletion is needed and a stale entry is never
 * returned. Several names may lead to one answer: the text of the request, and its normalized form.
 */
export class AnswerCache<T extends Ready> {
  /** An entry, or the name under which it is stored. */
  readonly #items: LRUCache<string, Entry<T> | string>
  readonly #names = new WeakMap<T, string>()

  constructor(mostBytes: number) {
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
  put(name: string, answer: T, stamp: () => number, made: number): void {
    this.#items.set(name, { answer, stamp, made })
    this.#names.set(answer, name)
  }

  /** Keeps a compressed form beside the body; nothing is kept of an answer that is no longer cached. */
  keepForm(answer: T, encoding: Encoding, form: Buffer): void {
    const name = this.#names.get(answer)
    const entry = name === undefined ? undefined : this.#items.peek(name)
    if (typeof entry !== 'object' || entry.answer !== answer || answer.forms[encoding]) return
    answer.forms[encoding] = form
    // Another object: the size of one that is set again unchanged is not calculated anew.
    this.#items.set(name!, { ...entry })
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

function bytesOf({ body, forms }: Ready): number {
  return Object.values(forms).reduce((sum, form) => sum + form.byteLength, body.byteLength)
}
