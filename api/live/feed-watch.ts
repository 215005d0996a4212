import { topics } from '../../ingest/domain/event.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { type FeedState, feedState, pollFeed } from '../../sql/queries/feeds.ts'
import { readSnapshot } from '../../sql/queries/versions.ts'
import type { Queries } from '../../sql/session.ts'
import type { MetaWarning } from '../contract.ts'
import type { ServedStates } from './served-states.ts'

const POLL_INTERVAL_MS = 5000
/** Answers carry a warning if the database has not been read for this long. */
const UNCONFIRMED_AFTER_MS = 15_000
/** Consecutive failed reads of upstream after which answers carry a warning. */
const MAX_FAILED_READS = 2

export interface FeedWatch {
  /** The state at the last read of the database; undefined before the feed was read for the first time. */
  readonly state: FeedState | undefined
  /** True if the last two reads of upstream failed. */
  readonly failed: boolean
  /** Warnings that answers carry about the feed. */
  warnings(section: string, now: Instant, fields?: readonly string[]): readonly MetaWarning[]
  read(): Promise<void>
  close(): Promise<void>
}

/**
 * Watches the state of one feed. It calls `load` at the start and whenever the version of the feed has increased, and
 * `changed` when the feed starts or stops failing.
 */
export async function watchFeed(deps: {
  readonly database: Database
  readonly events?: Events
  readonly clock: () => Instant
  readonly feed: string
  readonly title: string
  /** Reads the changed data. @returns a function that replaces the served data, within one turn of the event loop */
  load(tx: Queries, state: FeedState | undefined): Promise<() => void>
  readonly states?: ServedStates
  changed?(failing: boolean): void
  report?(error: unknown): void
}): Promise<FeedWatch> {
  const { database, clock, feed, title } = deps
  let state: FeedState | undefined
  let loadedVersion: string | undefined
  let failed = false
  let readAt = 0
  let reading: Promise<void> | undefined
  const readOnce = async () => {
    const polled = await pollFeed(database, feed)
    const isLoaded = versionOf(polled.state) === loadedVersion
    const { next, replace, snapshot } = isLoaded
      ? { next: polled.state, snapshot: polled.snapshot }
      : await readSnapshot(database, async (tx, snapshot) => {
          const next = await feedState(tx, feed)
          return { next, snapshot, replace: await deps.load(tx, next) }
        })
    replace?.()
    loadedVersion = versionOf(next)
    const changed = replace !== undefined || shownState(next) !== shownState(state)
    state = next
    readAt = clock()
    deps.states?.serve(feed, snapshot, changed)
    const hasFailed = (next?.failures ?? 0) >= MAX_FAILED_READS
    if (hasFailed !== failed) deps.changed?.(hasFailed)
    failed = hasFailed
  }
  const read = () => (reading ??= readOnce().finally(() => (reading = undefined)))
  const readQuietly = () => read().catch((error: unknown) => deps.report?.(error))
  const subscription = await deps.events?.subscribe(topics.runs.name, ({ payload }) =>
    (payload as { dataset?: string }).dataset === feed ? readQuietly() : undefined,
  )
  await read()
  const timer = setInterval(readQuietly, POLL_INTERVAL_MS)
  timer.unref()
  return {
    get state() {
      return state
    },
    get failed() {
      return failed
    },
    warnings(section, now, fields) {
      const list: MetaWarning[] = []
      if (failed) {
        const since = state?.confirmed_at ? ` since ${state.confirmed_at.toISOString().slice(0, 16)}Z` : ''
        list.push({
          code: 'source_failed',
          section,
          product_id: feed,
          detail: `${title} could not be read${since}: the stored data are shown with their age`,
          ...(fields ? { fields } : {}),
        })
      }
      if (now - readAt > UNCONFIRMED_AFTER_MS)
        list.push({
          code: 'degraded',
          section,
          detail: `the database cannot be reached: the last known data of ${title} are shown`,
        })
      return list
    },
    read,
    async close() {
      clearInterval(timer)
      await subscription?.close()
      await reading?.catch(() => undefined)
    },
  }
}

/** Tells whether the data of a feed may have changed: its version, and its first read, which changes if the database was replaced. */
function versionOf(state: FeedState | undefined): string {
  return state ? `${state.version} ${state.born.getTime()}` : ''
}

/** The members of the state of a feed that answers show. */
function shownState(state: FeedState | undefined): string {
  return state ? `${state.confirmed_at?.getTime()} ${state.failures} ${state.updated?.getTime()}` : ''
}
