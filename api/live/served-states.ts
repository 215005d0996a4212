import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { putServedStates, type ServedState } from '../../sql/queries/versions.ts'

/** Records since when each source of this process serves which state of the database, so that answers can be made again (`as_of`). */
export interface ServedStates {
  /**
   * A source serves the state of a snapshot from now on. Call it in the same turn in which the new data replace the old.
   * @param changed whether answers may differ from before; unchanged states are recorded once an hour, so that versions before can go
   */
  serve(source: string, snapshot: string, changed: boolean, clockLead?: number): void
  /** Number of changes and late reads, and when the last was: an answer that was begun before a change and ended after it is of no single moment. */
  readonly changes: number
  readonly changedAt: Instant
  /** Writes what is recorded and not yet stored. */
  flush(): Promise<void>
  close(): Promise<void>
}

const FLUSH_INTERVAL_MS = 250
/** Sources are read every 1 to 5 s; answers carry a warning from 10 s without a read. */
const LATE_READ_MS = 8000
const RENEW_AFTER_MS = HOUR
/** States that wait while the database cannot be reached; the oldest are dropped. */
const MAX_WAITING = 2000

export function recordServedStates(deps: {
  readonly database: Database
  readonly clock: () => Instant
  readonly report?: (error: unknown) => void
}): ServedStates {
  const { database, clock } = deps
  const recorded = new Map<string, Instant>()
  const read = new Map<string, Instant>()
  let waiting: ServedState[] = []
  let changes = 0
  let changedAt = 0
  let writing: Promise<void> | undefined
  const write = async () => {
    const part = waiting
    if (part.length === 0) return
    waiting = []
    try {
      // One row a source and millisecond: the last.
      await putServedStates(database, [...new Map(part.map((one) => [`${one.source} ${one.since}`, one])).values()])
    } catch (error) {
      waiting = [...part, ...waiting].slice(-MAX_WAITING)
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
      // The next millisecond: an answer of this one was made before.
      const now = clock() + 1
      const before = read.get(source) ?? now
      read.set(source, now - 1)
      const unreadSince = now - before > LATE_READ_MS ? before : undefined
      // After a late read answers lose the warning that it was late.
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
