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
import type { Queries } from '../../sql/session.ts'
import type { TextDoubt } from '../contract.ts'
import { isOtherSkew, skewOf } from './alert-watch.ts'
import { coalesced } from './coalesced.ts'
import type { ServedStates } from './served-states.ts'

/** The current texts of the database, kept in memory: about 500, 8 MB. */
export interface TextWatch {
  /** Current issues of a kind, newest first. */
  current(kind: TextKind, now: Instant): readonly TextRow[]
  /** Returns true if every list of a kind was read within the last 15 minutes. */
  isKnown(kind: TextKind, now: Instant): boolean
  /** Reasons why texts of a kind may be missing or old. @param office ICAO code, for kinds that are issued by offices */
  doubts(kind: TextKind, office: string | undefined, now: Instant): readonly TextDoubt[]
  /** When the lists were last confirmed: the earliest time of the lists that were read. */
  confirmedAt(): Instant | undefined
  /** Converts an instant of this process's clock to the database's clock. */
  now(clock: Instant): Instant
  /** Registers a listener that is called with the coarse cells where a discussion begins or changes, or with undefined for everywhere. */
  onChange(listener: (cells: readonly string[] | undefined) => void): void
  read(): Promise<void>
  close(): Promise<void>
}

/** Prefix of the names of the feeds of texts, and the name of this source in the records of served states. */
const FEEDS = 'text/'
const POLL_INTERVAL_MS = 3000
/** Answers carry a warning if the database has not been read for this long. */
const UNCONFIRMED_AFTER_MS = 10 * SECOND
/** A list that was confirmed longer ago is stale: whether MCDs and MPDs are in effect is then unknown. */
const STALE_AFTER_MS = 15 * MINUTE
const MAX_DOUBTS = 3

export async function watchTexts(deps: {
  readonly database: Database
  readonly events?: Events
  readonly clock: () => Instant
  readonly states?: ServedStates
  readonly report?: (error: unknown) => void
}): Promise<TextWatch> {
  const { database, clock } = deps
  const listeners: ((cells: readonly string[] | undefined) => void)[] = []
  const texts = new CurrentTexts()
  let lists: TextLists = new TextLists([], [])
  let born = ''
  let skew = 0
  let readAt = 0

  const readOnce = async () => {
    const next = await readSnapshot(database, async (tx, snapshot) => {
      const before = clock()
      const { now, feeds } = await feedStates(tx, FEEDS)
      const lead = skewOf(now.getTime(), before, clock())
      const born = bornText(feeds)
      return { now, lead, feeds, born, snapshot, ...(await loadTexts(tx, born)) }
    })
    const cells = await cellsOf(next.rows)
    const hasMoved = isOtherSkew(next.lead, skew)
    if (hasMoved) skew = next.lead
    if (next.born !== born) texts.clear()
    born = next.born
    texts.put(next.rows, next.now.getTime())
    const before = lists
    lists = new TextLists(next.feeds, next.rejected)
    readAt = clock()
    const hasNewDoubts = lists.doubtText !== before.doubtText
    const changed = hasMoved || hasNewDoubts || next.rows.length > 0 || lists.confirmedText !== before.confirmedText
    deps.states?.serve(FEEDS, next.snapshot, changed, skew)
    if (hasNewDoubts) for (const listener of listeners) listener(undefined)
    else if (cells.length > 0) for (const listener of listeners) listener(cells)
  }
  /**
   * Loads the texts that have changed. If the time of the first read of a list has changed, the database was replaced
   * or the list is new, so all texts are loaded.
   */
  const loadTexts = async (tx: Queries, nextBorn: string) => {
    const { rows } = await currentTexts(tx, nextBorn === born ? texts.version : 0)
    return { rows, rejected: await rejectedItems(tx) }
  }
  const read = coalesced(readOnce)
  const readQuietly = () => read().catch((error) => deps.report?.(error))
  const subscription = await deps.events?.subscribe(topics.texts.name, readQuietly)
  await read()
  const timer = setInterval(readQuietly, POLL_INTERVAL_MS)
  timer.unref()
  return {
    current: (kind, now) => texts.ofKind(kind).filter((row) => row.current_until.getTime() > now + skew),
    isKnown: (kind, now) => listsOf(kind).every((list) => !lists.isStale(list, now + skew)),
    doubts(kind, office, now) {
      const doubts = lists.doubts(kind, office, now + skew)
      if (now - readAt > UNCONFIRMED_AFTER_MS) {
        const detail = 'the database cannot be reached: the last known texts are shown'
        doubts.push({ kind, code: 'degraded', detail })
      }
      return doubts.slice(0, MAX_DOUBTS)
    },
    confirmedAt: () => lists.confirmedAt(),
    now: (at) => at + skew,
    onChange: (listener) => void listeners.push(listener),
    read,
    async close() {
      clearInterval(timer)
      await subscription?.close()
    },
  }
}

const listsOf = (kind: TextKind) => textLists.filter((list) => list.kind === kind)

/** Times of the first read of each list, which differ after a change of the database. */
function bornText(feeds: readonly FeedState[]): string {
  return feeds
    .map((feed) => `${feed.feed} ${feed.born.getTime()}`)
    .sort()
    .join()
}

/** Returns the coarse cells that the discussions among some texts touch. */
async function cellsOf(rows: readonly TextRow[]): Promise<string[]> {
  const cells = new Set<string>()
  for (const { record } of rows) {
    const ring = record.mesoscale?.ring
    if (!ring) continue
    await pause()
    for (const cell of coarsened(coverOf([[ring]]))) cells.add(cell)
  }
  return [...cells]
}

/** Current texts, by subject and by kind. */
class CurrentTexts {
  readonly #bySubject = new Map<string, TextRow>()
  #byKind = new Map<TextKind, TextRow[]>()
  /** The newest version among the texts. */
  version = 0

  ofKind(kind: TextKind): readonly TextRow[] {
    return this.#byKind.get(kind) ?? []
  }

  clear(): void {
    this.#bySubject.clear()
    this.version = 0
  }

  /** Adds texts, and removes all that have expired at `now`. */
  put(rows: readonly TextRow[], now: Instant): void {
    for (const row of rows) {
      this.#bySubject.set(row.record.subject, row)
      this.version = Math.max(this.version, row.version)
    }
    for (const [subject, row] of this.#bySubject)
      if (row.current_until.getTime() <= now) this.#bySubject.delete(subject)
    this.#byKind = Map.groupBy(this.#bySubject.values(), ({ record }) => record.kind)
    for (const list of this.#byKind.values()) list.sort((a, b) => b.record.issuedAt - a.record.issuedAt)
  }
}

/** The states of the lists of texts, and the items that were rejected. */
class TextLists {
  readonly #states: ReadonlyMap<string, FeedState>
  readonly #rejected: readonly RejectedItem[]
  /** Times of the last confirmations. */
  readonly confirmedText: string
  /** The members of the states that can lead to warnings. */
  readonly doubtText: string

  constructor(feeds: readonly FeedState[], rejected: readonly RejectedItem[]) {
    this.#states = new Map(feeds.map((feed) => [feed.feed, feed]))
    this.#rejected = rejected
    this.confirmedText = feeds.map(({ confirmed_at }) => confirmed_at?.getTime()).join()
    this.doubtText = [
      ...feeds.map((feed) => `${feed.feed} ${feed.failure === null} ${feed.confirmed_at !== null}`),
      ...rejected.map((item) => `${item.list} ${item.office} ${item.issued_at.getTime()}`),
    ]
      .sort()
      .join()
  }

  confirmedAt(): Instant | undefined {
    const times = [...this.#states.values()].flatMap(({ confirmed_at }) => confirmed_at?.getTime() ?? [])
    return times.length > 0 ? Math.min(...times) : undefined
  }

  /** @param now by the clock of the database */
  isStale(list: TextList, now: Instant): boolean {
    const confirmed = this.#states.get(textListName(list))?.confirmed_at
    return !confirmed || now - confirmed.getTime() > STALE_AFTER_MS
  }

  /** @param now by the clock of the database */
  doubts(kind: TextKind, office: string | undefined, now: Instant): TextDoubt[] {
    const doubts: TextDoubt[] = []
    const name = kind.toUpperCase()
    for (const list of listsOf(kind)) {
      const state = this.#states.get(textListName(list))
      const add = (code: TextDoubt['code'], detail: string) => doubts.push({ kind, code, detail })
      if (!state?.confirmed_at) add('stale_source', `${name}: its list has not been read yet`)
      else if (state.failure !== null) add('stale_source', `${name}: its list could not be read just now`)
      else if (this.isStale(list, now)) {
        const minutes = Math.round((now - state.confirmed_at.getTime()) / MINUTE)
        add('stale_source', `${name}: its list was last read ${minutes} minutes ago`)
      }
      for (const item of this.#rejected) {
        if (item.list === textListName(list) && leavesGap(list, item, office, now)) {
          add('text_incomplete', `${name} of ${item.office}: the newest text could not be read (${item.reason})`)
        }
      }
    }
    return doubts
  }
}

/**
 * Returns true if a rejected item leaves a gap, because it is newer than the newest text that was read from its office
 * and may still be current.
 */
function leavesGap(list: TextList, item: RejectedItem, office: string | undefined, now: Instant): boolean {
  const issuedAt = item.issued_at.getTime()
  if (!isWithinWindow(list, { id: '', office: item.office, issuedAt }, now)) return false
  const isNewer = item.read_at === null || issuedAt >= item.read_at.getTime()
  if (officeKinds.includes(list.kind)) return item.office === office && isNewer
  // The list of SWO contains products of one center that replace each other; the lists of MCD, MPD and PMD contain
  // several independent products.
  return list.kind === 'swo' ? isNewer : true
}
