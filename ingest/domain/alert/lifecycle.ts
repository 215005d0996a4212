import type { AlertChanged } from '../event.ts'
import { DAY, type Instant, MINUTE } from '../time.ts'
import { type AlertHead, byIssue } from './alert.ts'
import { type Standing, standingOf } from './standing.ts'
import { eventKey, type Track, tracksOf } from './track.ts'

/** The last published state of an alert. */
export interface Shown {
  readonly areas: readonly string[]
  readonly fingerprint: string
  readonly expiration: Instant
}

/** A message in the database, whether it is published or only ends other messages. */
export interface StoredAlert {
  readonly head: AlertHead
  /** Number of consecutive confirmed feeds that lacked the message. */
  readonly absences: number
  /** Absent if the message is not published. */
  readonly shown?: Shown
}

/** Result of reading the feed. */
export type FeedReading =
  | {
      readonly kind: 'read'
      readonly heads: readonly AlertHead[]
      /** Whether the feed is older than a feed that was already read, so that it does not prove that a message is gone. */
      readonly late?: boolean
      /** Ids of messages that could not be read; these messages count as present. */
      readonly unread?: readonly string[]
    }
  /** Confirmed unchanged since the last read (304 or the same bytes). */
  | { readonly kind: 'unchanged' }
  /** Not read or not trusted, so only time passes. */
  | { readonly kind: 'none' }

export interface LifecycleChange {
  readonly change: AlertChanged['change']
  readonly head: AlertHead
  /** The event that the message belongs to. */
  readonly key: string
  /** Areas before and after the change; subscribers of all these areas are notified. */
  readonly areas: readonly string[]
  /** Ids of published messages that this message replaces. */
  readonly replaces: readonly string[]
}

export interface Decision {
  /** All known messages by id, without messages that ended long ago. */
  readonly alerts: ReadonlyMap<string, StoredAlert>
  readonly changes: readonly LifecycleChange[]
  /** Ids of messages that are dropped from the known messages. */
  readonly forgotten: readonly string[]
  /** Whether the feed has none of the published alerts. It is trusted only if the next feed agrees. */
  readonly suspicious: boolean
  /** When the next published alert expires. */
  readonly nextExpiration?: Instant
}

/** Number of consecutive absences that end an alert. A single absence may be a fault of the feed. */
const MAX_ABSENCES = 2
/** Messages are remembered this long after they expire, so that a feed that falls back to an old state does not revive them. */
const MEMORY_MS = DAY
/** A clock that is set back by less than this does not revive an alert that was published as expired. */
const CLOCK_SETBACK_MS = MINUTE

/**
 * Decides which alerts begin, change, are cancelled and expire, from the stored messages and the feed at `now`. It does no I/O. The
 * published set depends only on the known messages, on which of them are absent from the newest feeds, and on `now`. It never depends on
 * the order in which messages arrived.
 */
export function decide(stored: Iterable<StoredAlert>, feed: FeedReading, now: Instant): Decision {
  const before = new Map<string, StoredAlert>()
  for (const alert of stored) before.set(alert.head.id, alert)
  const known = mergeFeed(before, feed)
  const heads = [...known.values()].map((alert) => alert.head)
  const tracks = tracksOf(heads)
  const standing = standingOf(heads, tracks, (id) => known.get(id)!.absences > 0, now)

  const silences = silencing(heads, tracks, now)

  const after = new Map<string, StoredAlert>()
  for (const [id, alert] of known) {
    const back = before.has(id) && !before.get(id)!.shown && alert.head.expiration - now < CLOCK_SETBACK_MS
    const shown = back ? undefined : shownOf(alert, standing.get(id)!, now)
    if (!shown && alert.absences > 0 && isLongOver(alert.head, now) && !silences(alert.head)) continue
    after.set(id, { head: alert.head, absences: alert.absences, shown })
  }
  const shownBefore = [...before.values()].filter((alert) => alert.shown)
  return {
    alerts: after,
    changes: difference(before, after, standing, tracks, now),
    forgotten: [...before.keys()].filter((id) => !after.has(id)),
    suspicious:
      feed.kind === 'read' && feed.heads.length === 0 && shownBefore.some((alert) => after.get(alert.head.id)?.shown),
    nextExpiration: [...after.values()].reduce<Instant | undefined>(
      (first, alert) => (alert.shown ? Math.min(first ?? Infinity, alert.shown.expiration) : first),
      undefined,
    ),
  }
}

function isLongOver(head: AlertHead, now: Instant): boolean {
  return head.expiration + MEMORY_MS < now
}

/** Returns whether a message supersedes a recently ended message that would otherwise be published again. */
function silencing(
  heads: readonly AlertHead[],
  tracks: ReadonlyMap<string, readonly Track[]>,
  now: Instant,
): (head: AlertHead) => boolean {
  const lasting = new Set<string>()
  const oldest = new Map<string, Instant>()
  for (const head of heads) {
    if (isLongOver(head, now)) continue
    lasting.add(head.id)
    for (const { key } of tracks.get(head.id) ?? []) oldest.set(key, Math.min(head.sent, oldest.get(key) ?? Infinity))
  }
  return (head) =>
    (tracks.get(head.id) ?? []).some(({ key }) => (oldest.get(key) ?? Infinity) <= head.sent) ||
    [...head.references, ...head.retires].some((id) => lasting.has(id))
}

/** Returns the known messages after merging a feed. If a feed has an id twice, the newer message counts, then the larger fingerprint. */
function mergeFeed(before: ReadonlyMap<string, StoredAlert>, feed: FeedReading): Map<string, StoredAlert> {
  const known = new Map(before)
  if (feed.kind === 'none') return known
  if (feed.kind === 'unchanged') {
    for (const [id, alert] of before) if (alert.absences > 0) known.set(id, absentAgain(alert))
    return known
  }
  const incoming = new Map<string, AlertHead>()
  for (const head of feed.heads) {
    const other = incoming.get(head.id)
    if (!other || prefer(head, other)) incoming.set(head.id, head)
  }
  for (const [id, alert] of before) {
    if (!incoming.has(id) && !feed.late && !feed.unread?.includes(id)) known.set(id, absentAgain(alert))
  }
  for (const [id, head] of incoming) {
    const old = before.get(id)
    // A late feed may have an older version of a message, but never a newer version. A complete message always replaces a limited one.
    const current = old && feed.late && !(old.head.limited && !head.limited) ? old.head : head
    known.set(id, { head: current, absences: feed.late ? (old?.absences ?? 0) : 0, shown: old?.shown })
  }
  return known
}

/** Absences beyond the last that counts are not counted, because each would write the row of every ended alert once more. */
const absentAgain = (alert: StoredAlert): StoredAlert => ({
  ...alert,
  absences: Math.min(alert.absences + 1, MAX_ABSENCES),
})

function prefer(a: AlertHead, b: AlertHead): boolean {
  return a.sent - b.sent > 0 || (a.sent === b.sent && a.fingerprint > b.fingerprint)
}

function shownOf(alert: StoredAlert, standing: Standing, now: Instant): Shown | undefined {
  const isAbsent = alert.absences >= MAX_ABSENCES && !standing.closing
  if (isAbsent || standing.areas.length === 0 || now >= alert.head.expiration) return undefined
  return {
    areas: standing.areas.filter((area) => area !== '*'),
    fingerprint: alert.head.fingerprint,
    expiration: alert.head.expiration,
  }
}

function difference(
  before: ReadonlyMap<string, StoredAlert>,
  after: ReadonlyMap<string, StoredAlert>,
  standing: ReadonlyMap<string, Standing>,
  tracks: ReadonlyMap<string, readonly Track[]>,
  now: Instant,
): LifecycleChange[] {
  const changes: LifecycleChange[] = []
  const passedOn = new Set<string>()
  const inherits = new Map<string, string[]>()
  for (const [id, old] of before) {
    if (!old.shown) continue
    const shown = after.get(id)?.shown
    if (shown && same(shown.areas, old.shown.areas)) continue
    for (const successor of shownSuccessors(id, after, standing)) {
      if (before.get(successor)?.shown) continue
      inherits.set(successor, [...(inherits.get(successor) ?? []), id])
      if (!shown) passedOn.add(id)
    }
  }
  for (const alert of [...after.values()].sort((a, b) => byIssue(a.head, b.head))) {
    const { head, shown } = alert
    const old = before.get(head.id)?.shown
    if (!shown || (old && old.fingerprint === shown.fingerprint && same(old.areas, shown.areas))) continue
    const replaced = inherits.get(head.id) ?? []
    const areas = union(shown.areas, old?.areas ?? [], ...replaced.map((id) => before.get(id)!.shown!.areas))
    const replaces = replaced.filter((id) => passedOn.has(id)).sort()
    changes.push({ change: old || replaced.length ? 'updated' : 'issued', head, key: key(head), areas, replaces })
  }
  for (const [id, { head, shown }] of before) {
    if (!shown || after.get(id)?.shown || passedOn.has(id)) continue
    changes.push({
      change: now >= shown.expiration ? 'expired' : 'cancelled',
      head,
      key: key(head),
      areas: shown.areas,
      replaces: [],
    })
  }
  return changes

  function key(head: AlertHead): string {
    return eventKey(head, tracks.get(head.id) ?? [])
  }
}

/** Returns the messages that are now published in place of a message, even if messages in between were never published. */
function shownSuccessors(
  id: string,
  after: ReadonlyMap<string, StoredAlert>,
  standing: ReadonlyMap<string, Standing>,
): Set<string> {
  const retired = new Set<string>()
  const visited = new Set([id])
  const waiting = [id]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const successor of standing.get(next)?.successors ?? []) {
      if (visited.has(successor)) continue
      visited.add(successor)
      if (after.get(successor)?.shown) retired.add(successor)
      else waiting.push(successor)
    }
  }
  return retired
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((area, i) => area === b[i])
}

function union(...lists: (readonly string[])[]): string[] {
  return [...new Set(lists.flat())].sort()
}
