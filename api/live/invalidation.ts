import type { DomainId } from '../../ingest/domain/domain.ts'
import type { Suppliers } from '../contract.ts'

/** A source of answers, by the name of its supplier. */
export type SupplierName = keyof Suppliers

/** What an answer was built from. */
export interface AnswerParts {
  readonly domain: DomainId
  /** The coarse cells of its point (`coarseCells`). */
  readonly coarse: readonly string[]
  /** The sources that were asked for it. */
  readonly sources: Iterable<SupplierName>
}

/** Sources whose changes name cells. */
const withCells: ReadonlySet<SupplierName> = new Set(['alerts', 'texts'])
const EVERYTHING = '*'
const cellKey = (source: SupplierName, cell: string) => `${source}@${cell}`
const frameKey = (source: SupplierName, domain: DomainId) => `${source}/${domain}`

/** Returns the keys under which changes of the parts of an answer are noted. */
export function keysOf({ domain, coarse, sources }: AnswerParts): readonly string[] {
  const keys: string[] = [EVERYTHING, domain]
  for (const source of sources) {
    keys.push(source, frameKey(source, domain))
    if (withCells.has(source)) for (const cell of coarse) keys.push(cellKey(source, cell))
  }
  return keys
}

/**
 * Notes what has changed, so that a cached answer is used only while nothing that it contains has changed. Each change has a number; an
 * answer is valid while no key of it has a larger number than the one at the start of its construction.
 */
export class Invalidation {
  #count = 0
  readonly #last = new Map<string, number>()

  /** Number of the last change. Read it before the data of an answer. */
  get mark(): number {
    return this.#count
  }

  /** Whether a part has changed after a mark. @param keys of `keysOf` */
  changedSince(mark: number, keys: readonly string[]): boolean {
    if (mark === this.#count) return false
    return keys.some((key) => (this.#last.get(key) ?? 0) > mark)
  }

  everything(): void {
    this.#note(EVERYTHING)
  }

  /** A model run of a domain. */
  domain(domain: DomainId): void {
    this.#note(domain)
  }

  /** A source, everywhere. */
  source(source: SupplierName): void {
    this.#note(source)
  }

  /** New frames of a domain, for the sources that read them. */
  frames(domain: DomainId, sources: readonly SupplierName[]): void {
    for (const source of sources) this.#note(frameKey(source, domain))
  }

  /** A source in coarse cells, at any resolution up to that of `coarseCells`. */
  cells(source: SupplierName, coarse: readonly string[]): void {
    for (const cell of coarse) this.#note(cellKey(source, cell))
  }

  #note(key: string): void {
    this.#last.set(key, ++this.#count)
  }
}
