import { changesAfter, lastChange } from '../../sql/queries/changes.ts'
import type { Queries } from '../../sql/session.ts'
import { coalesced } from '../live/coalesced.ts'
import { type AlertChangeEvent, withPlaces } from './alert-changes.ts'
import { type RunChange, runChangeOf, runTopics } from './run-changes.ts'
import { type TextChangeEvent, textChangeOf } from './text-changes.ts'

const PAGE_SIZE = 50

export type StreamedChange = AlertChangeEvent | TextChangeEvent | RunChange

/** Delivers every change to all open streams, in order and once. A stream that resumes reads the missed changes from the log. */
export class ChangeFeed {
  readonly #streams = new Set<(change: StreamedChange) => void>()
  readonly #database: Queries
  #last = -1

  constructor(database: Queries) {
    this.#database = database
  }

  get count(): number {
    return this.#streams.size
  }

  /** Returns the number to resume from: `after`, or the last change if `after` is absent or larger (from another database). */
  async position(after: number | undefined): Promise<number> {
    await this.read()
    return Math.min(after ?? this.#last, this.#last)
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
    if (this.#last < 0) this.#last = await lastChange(this.#database)
    for (let page = await this.#page(this.#last); page.length > 0; page = await this.#page(this.#last)) {
      this.#last = page.at(-1)?.id ?? this.#last
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
