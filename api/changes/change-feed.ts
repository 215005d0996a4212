import type { EventId } from '../../ingest/domain/event-id.ts'
import { changeLog, changesAfter } from '../../sql/queries/changes.ts'
import type { Queries } from '../../sql/session.ts'
import { coalesced } from '../live/coalesced.ts'
import { type AlertChangeEvent, withPlaces } from './alert-changes.ts'
import { type RunChange, runChangeOf, runTopics } from './run-changes.ts'
import { type TextChangeEvent, textChangeOf } from './text-changes.ts'

const PAGE_SIZE = 50

export type StreamedChange = AlertChangeEvent | TextChangeEvent | RunChange

/**
 * Why a reader must read again what it shows, because the changes after its last id are not all stored: the database
 * was restored to an earlier point (`restored`), the id is later than the newest one (`ahead`), or changes after it are
 * deleted (`expired`).
 */
export type ReplayReason = 'restored' | 'ahead' | 'expired'

/** Where a stream begins. */
export interface StreamStart {
  /** Number of the last change that is not delivered. */
  readonly position: number
  readonly replay?: ReplayReason
}

/** Delivers every change to all open streams, in order and once. A stream that resumes reads the missed changes from the log. */
export class ChangeFeed {
  readonly #streams = new Set<(change: StreamedChange) => void>()
  readonly #database: Queries
  readonly #onRestored: () => void
  #last = -1
  #oldest = 0
  #incarnation: string | undefined

  /** @param onRestored called when the database was restored to an earlier point: open streams must end */
  constructor(database: Queries, onRestored: () => void = () => {}) {
    this.#database = database
    this.#onRestored = onRestored
  }

  /** The incarnation of the database at the last read. */
  get incarnation(): string | undefined {
    return this.#incarnation
  }

  get count(): number {
    return this.#streams.size
  }

  /** Returns where a stream begins: after `after`, or after the last change. An id without an incarnation counts as one of this database. */
  async position(after: EventId | undefined): Promise<StreamStart> {
    await this.read()
    const position = this.#last
    if (!after) return { position }
    const { incarnation = this.#incarnation, number } = after
    if (incarnation !== this.#incarnation) return { position, replay: 'restored' }
    if (number > position) return { position, replay: 'ahead' }
    const isExpired = number > 0 && number < this.#oldest - 1
    return { position: number, ...(isExpired && { replay: 'expired' as const }) }
  }

  /**
   * Delivers the changes after a number, then new changes, while the stream is open: a week of changes takes thousands of queries.
   * @returns `position`, the number up to which all changes were delivered, and `stop`
   */
  async follow(
    after: number,
    deliver: (change: StreamedChange) => void,
    isOpen: () => boolean,
  ): Promise<{ readonly position: () => number; readonly stop: () => void }> {
    let position = after
    let waiting: StreamedChange[] | undefined = []
    const stream = (change: StreamedChange) => {
      if (waiting) return void waiting.push(change)
      if (change.id > position) deliver(change)
      position = Math.max(position, change.id)
    }
    this.#streams.add(stream)
    try {
      for (let page = await this.#page(position); page.length > 0 && isOpen(); page = await this.#page(position))
        for (const change of page) {
          deliver(change)
          position = change.id
        }
    } catch (error) {
      this.#streams.delete(stream)
      throw error
    }
    const missed = waiting
    waiting = undefined
    for (const change of missed) stream(change)
    return { position: () => position, stop: () => void this.#streams.delete(stream) }
  }

  /** Reads new changes and delivers them. */
  readonly read = coalesced(async () => {
    const { incarnation, last, oldest } = await changeLog(this.#database)
    const isRestored = this.#incarnation !== undefined && incarnation !== this.#incarnation
    if (this.#last < 0 || isRestored) this.#last = last
    this.#incarnation = incarnation
    this.#oldest = oldest
    if (isRestored) this.#onRestored()
    while (this.#last < last) {
      const page = await this.#page(this.#last)
      // Messages of topics without streams have numbers too.
      this.#last = page.at(-1)?.id ?? last
      for (const change of page) for (const stream of this.#streams) stream(change)
    }
  })

  async #page(after: number): Promise<StreamedChange[]> {
    const rows = await changesAfter(this.#database, after, PAGE_SIZE, runTopics)
    const alerts = await withPlaces(
      this.#database,
      rows.filter(({ topic }) => topic === 'alert'),
    )
    const texts = rows.filter(({ topic }) => topic === 'text').map(textChangeOf)
    const runs = rows.flatMap(({ id, source, payload }) => (source && runChangeOf(id, source, payload)) || [])
    return [...alerts, ...texts, ...runs].sort((a, b) => a.id - b.id)
  }
}
