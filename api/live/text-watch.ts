import { topics } from '../../ingest/domain/event.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { coarsened, coverOf } from '../../ingest/domain/shape/cover.ts'
import { isWithinWindow } from '../../ingest/domain/text/choice.ts'
import { officeKinds, type TextKind, type TextList, textListName, textLists } from '../../ingest/domain/text/product.ts'
import { type Instant, MINUTE, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { type FeedState, feedStates } from '../../sql/queries/feeds.ts'
import { currentTexts, type RejectedItem, rejectedItems, type TextRow } from '../../sql/queries/texts.ts'
import { readSnapshot } from '../../sql/queries/versions.ts'
import type { TextDoubt } from '../contract.ts'
import { isOtherSkew, skewOf } from './alert-watch.ts'
import { coalesced } from './coalesced.ts'
import type { ServedStates } from './served-states.ts'

/** The current texts of the database in memory: some 500, 8 MB. */
export interface TextWatch {
  /** Current issues of a kind, newest first. */
  current(kind: TextKind, now: Instant): readonly TextRow[]
  /** Whether every list of a kind was read within 15 minutes. */
  isKnown(kind: TextKind, now: Instant): boolean
  /** Reasons why texts of a kind may be missing or old. @param office ICAO code where the kind is an office's */
  doubts(kind: TextKind, office: string | undefined, now: Instant): readonly TextDoubt[]
  /** When the lists were last confirmed, the oldest of those that were read. */
  confirmedAt(): Instant | undefined
  /** The clock of this process, corrected by the clock of the database. */
  now(clock: Instant): Instant
  /** Called with coarse cells where a discussion begins or changes; undefined: everywhere. */
  onChange(listener: (cells: readonly string[] | undefined) => void): void
  read(): Promise<void>
  close(): Promise<void>
}

/** Prefix of the names of its feeds, and its name where what is served is recorded. */
const FEEDS = 'text/'
/** Poll interval. */
const POLL_INTERVAL_MS = 3000
/** Answers are marked when the database was not read for this long. */
const UNCONFIRMED_AFTER_MS = 10 * SECOND
/** A list that was confirmed longer ago is stale: MCDs and MPDs are then unknown rather than none. */
const STALE_AFTER_MS = 15 * MINUTE

export async function watchTexts(deps: {
  readonly database: Database
  readonly events?: Events
  readonly clock: () => Instant
  readonly states?: ServedStates
  readonly report?: (error: unknown) => void
}): Promise<TextWatch> {
  const { database, clock } = deps
  const bySubject = new Map<string, TextRow>()
  const listeners: ((cells: readonly string[] | undefined) => void)[] = []
  let byKind = new Map<TextKind, TextRow[]>()
  let lists = new Map<string, FeedState>()
  let rejected: readonly RejectedItem[] = []
  let seen = 0
  let born = ''
  let state = ''
  let confirmedTimes = ''
  let skew = 0
  let readAt = 0

  const readOnce = async () => {
    const found = await readSnapshot(database, async (tx, snapshot) => {
      const before = clock()
      const { now, feeds } = await feedStates(tx, FEEDS)
      const lead = skewOf(now.getTime(), before, clock())
      const nextBorn = feeds
        .map((feed) => `${feed.feed} ${feed.born.getTime()}`)
        .sort()
        .join()
      // Other first reads: another database, or a list that was read for the first time. Reload everything.
      const { rows } = await currentTexts(tx, nextBorn === born ? seen : 0)
      return { now, lead, feeds, nextBorn, rows, rejected: await rejectedItems(tx), snapshot }
    })
    const { now, feeds, rows } = found
    const cells = new Set<string>()
    for (const { record } of rows) {
      const ring = record.mesoscale?.ring
      if (!ring) continue
      await pause()
      for (const cell of coarsened(coverOf([[ring]]))) cells.add(cell)
    }
    const moved = isOtherSkew(found.lead, skew)
    if (moved) skew = found.lead
    if (found.nextBorn !== born) {
      bySubject.clear()
      seen = 0
      born = found.nextBorn
    }
    for (const row of rows) {
      bySubject.set(row.record.subject, row)
      seen = Math.max(seen, row.version)
    }
    const at = now.getTime()
    for (const [subject, row] of bySubject) if (row.current_until.getTime() <= at) bySubject.delete(subject)
    byKind = new Map()
    for (const row of bySubject.values()) {
      const list = byKind.get(row.record.kind)
      if (list) list.push(row)
      else byKind.set(row.record.kind, [row])
    }
    for (const list of byKind.values()) list.sort((a, b) => b.record.issuedAt - a.record.issuedAt)
    rejected = found.rejected
    lists = new Map(feeds.map((feed) => [feed.feed, feed]))
    readAt = clock()
    const confirmed = feeds.map(({ confirmed_at }) => confirmed_at?.getTime()).join()
    // A change of the doubts changes answers.
    const nextState = [
      ...feeds.map((feed) => `${feed.feed} ${feed.failure === null} ${feed.confirmed_at !== null}`),
      ...rejected.map((item) => `${item.list} ${item.office} ${item.issued_at.getTime()}`),
    ]
      .sort()
      .join()
    const changed = moved || nextState !== state || rows.length > 0 || confirmed !== confirmedTimes
    confirmedTimes = confirmed
    deps.states?.serve(FEEDS, found.snapshot, changed, skew)
    if (nextState !== state) for (const listener of listeners) listener(undefined)
    else if (cells.size > 0) for (const listener of listeners) listener([...cells])
    state = nextState
  }
  const read = coalesced(readOnce)
  const readQuietly = () => read().catch((error) => deps.report?.(error))
  const subscription = await deps.events?.subscribe(topics.texts.name, readQuietly)
  await read()
  const timer = setInterval(readQuietly, POLL_INTERVAL_MS)
  timer.unref()

  const listsOf = (kind: TextKind) => textLists.filter((list) => list.kind === kind)
  const isStale = (list: TextList, now: Instant) => {
    const confirmed = lists.get(textListName(list))?.confirmed_at
    return !confirmed || now + skew - confirmed.getTime() > STALE_AFTER_MS
  }
  return {
    current: (kind, now) => (byKind.get(kind) ?? []).filter((row) => row.current_until.getTime() > now + skew),
    isKnown: (kind, now) => listsOf(kind).every((list) => !isStale(list, now)),
    doubts(kind, office, now) {
      const doubts: TextDoubt[] = []
      const what = kind.toUpperCase()
      for (const list of listsOf(kind)) {
        const feed = lists.get(textListName(list))
        const add = (code: TextDoubt['code'], detail: string) => doubts.push({ kind, code, detail })
        if (!feed?.confirmed_at) add('stale_source', `${what}: its list has not been read yet`)
        else if (feed.failure !== null) add('stale_source', `${what}: its list could not be read just now`)
        else if (isStale(list, now)) {
          const minutes = Math.round((now + skew - feed.confirmed_at.getTime()) / MINUTE)
          add('stale_source', `${what}: its list was last read ${minutes} minutes ago`)
        }
        for (const item of rejected) {
          if (item.list === textListName(list) && isMissed(list, item, office, now + skew)) {
            add('text_incomplete', `${what} of ${item.office}: the newest text could not be read (${item.reason})`)
          }
        }
      }
      if (now - readAt > UNCONFIRMED_AFTER_MS) {
        doubts.push({
          kind,
          code: 'degraded',
          detail: 'the database cannot be reached: these are the texts known before',
        })
      }
      return doubts.slice(0, 3)
    },
    confirmedAt() {
      const confirmed = [...lists.values()].flatMap(({ confirmed_at }) => confirmed_at?.getTime() ?? [])
      return confirmed.length > 0 ? Math.min(...confirmed) : undefined
    },
    now: (at) => at + skew,
    onChange: (listener) => void listeners.push(listener),
    read,
    async close() {
      clearInterval(timer)
      await subscription?.close()
    },
  }
}

/** Whether a rejected item leaves a gap: it is newer than what was read of its office, and may still be current. */
function isMissed(list: TextList, item: RejectedItem, office: string | undefined, now: Instant): boolean {
  const issuedAt = item.issued_at.getTime()
  if (!isWithinWindow(list, { id: '', office: item.office, issuedAt }, now)) return false
  const newer = item.read_at === null || issuedAt >= item.read_at.getTime()
  if (officeKinds.includes(list.kind)) return item.office === office && newer
  // One product of one center; the lists of MCD, MPD and PMD contain several.
  return list.kind === 'swo' ? newer : true
}
