import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { putServedStates, type ServedState } from '../../sql/queries/versions.ts'

/**
 * Records which state of the database each source of this process serves, and since when, so that answers can be reproduced (`as_of`). The
 * records of one process stand for all: the others serve the same states some milliseconds earlier or later.
 */
export interface ServedStates {
  /**
   * Records that a source serves the state of a snapshot from now on. Call it in the same turn of the event loop in
   * which the new data replace the old data.
   * @param changed whether answers may differ from before; unchanged states are recorded once an hour, so that older
   * versions can be removed
   * @param clockLead how far the database's clock is ahead of this process's clock, ms
   */
  serve(source: string, snapshot: string, changed: boolean, clockLead?: number): void
  /** Number of changes and late reads. If it increases while an answer is being built, the answer mixes two states. */
  readonly changes: number
  /** Time of the last change or late read. */
  readonly changedAt: Instant
  /** Writes the records that are not stored yet. */
  flush(): Promise<void>
  close(): Promise<void>
}

const FLUSH_INTERVAL_MS = 250
/** A read is late after this time. Sources are read every 1 to 5 s, and answers carry a warning after 10 s without a read. */
const LATE_READ_MS = 8000
const RENEW_AFTER_MS = HOUR
/**
 * The others keep their records for this time, ms. The next writer then stores what changed after the last one ended, which it notices
 * after the lease and one renewal.
 */
const KEEP_MS = 15_000
/** Maximum number of records in memory while the database cannot be reached; beyond it the oldest are dropped. */
const MAX_WAITING = 2000

export function recordServedStates(deps: {
  readonly database: Database
  readonly clock: () => Instant
  /** Whether this process writes the records; one of all processes does. */
  readonly writes: () => boolean
  readonly report?: (error: unknown) => void
}): ServedStates {
  const { database, clock } = deps
  const recorded = new Map<string, Instant>()
  const readAt = new Map<string, Instant>()
  let waiting: ServedState[] = []
  let changes = 0
  let changedAt = 0
  let writing: Promise<void> | undefined
  const write = async () => {
    if (!deps.writes()) {
      const from = clock() - KEEP_MS
      waiting = waiting.filter(({ since }) => since >= from)
      return
    }
    const batch = waiting
    if (batch.length === 0) return
    waiting = []
    try {
      // If a source has several records within a millisecond, only the last is stored.
      const bySourceAndTime = new Map(batch.map((state) => [`${state.source} ${state.since}`, state]))
      await putServedStates(database, [...bySourceAndTime.values()])
    } catch (error) {
      waiting = [...batch, ...waiting].slice(-MAX_WAITING)
      deps.report?.(error)
    }
  }
  const flush = (): Promise<void> =>
    (writing = (writing ?? Promise.resolve()).then(write).finally(() => {
      writing = undefined
    }))
  const timer = setInterval(() => void (writing ?? flush()), FLUSH_INTERVAL_MS)
  timer.unref()
  return {
    serve(source, snapshot, changed, clockLead = 0) {
      // The state counts from the next millisecond, because an answer of this millisecond may have been built from the
      // previous state.
      const now = clock() + 1
      const before = readAt.get(source) ?? now
      readAt.set(source, now - 1)
      const unreadSince = now - before > LATE_READ_MS ? before : undefined
      // The first read after a long pause changes answers, because they then lose the warning about the pause.
      if (changed || unreadSince !== undefined) {
        changedAt = now
        changes++
      } else if (now - (recorded.get(source) ?? 0) < RENEW_AFTER_MS) return
      recorded.set(source, now)
      waiting.push({ source, since: now, snapshot, clockLead: Math.round(clockLead), unreadSince })
    },
    get changes() {
      return changes
    },
    get changedAt() {
      return changedAt
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
