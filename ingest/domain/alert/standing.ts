import { nth } from '../nth.ts'
import type { Instant } from '../time.ts'
import { type AlertHead, byIssue } from './alert.ts'
import { isEnding, type Track } from './track.ts'

/** The state of a message after all other messages are applied. */
export interface Standing {
  /** Areas in which the message is in effect; `['*']` if it names none. Empty if it ended or was replaced. */
  readonly areas: readonly string[]
  /** Whether a later message states an end in the future, so that absence from the feed does not prove an end. */
  readonly closing: boolean
  /** Newer messages that replaced the message in some of its areas. */
  readonly successors: readonly string[]
}

const ANYWHERE: readonly string[] = ['*']

/**
 * Decides which message is in effect in which area. Within a track, it is the newest message that lists the area; an ending ends only the
 * areas that it lists. Between tracks, `references`, `expiredReferences` and `replacedBy` decide. The order of arrival has no influence.
 * @param absent returns whether the newest feed lacks a message
 */
export function standingOf(
  heads: readonly AlertHead[],
  tracks: ReadonlyMap<string, readonly Track[]>,
  absent: (id: string) => boolean,
  now: Instant,
): Map<string, Standing> {
  const byId = new Map(heads.map((head) => [head.id, head]))
  const byArea = newestByArea(heads, tracks, now)
  const lost = new Map<string, Map<string, string>>()
  const supersede = (from: AlertHead, areas: readonly string[], successor: string) => {
    const mine = lost.get(from.id) ?? new Map<string, string>()
    for (const area of areas) mine.set(area, successor)
    lost.set(from.id, mine)
  }
  for (const head of heads) {
    for (const id of head.references) replace(byId.get(id), head, 'reference')
    for (const id of head.retires) replace(byId.get(id), head, 'retire')
    if (head.replacedBy && (head.replacedAt ?? 0) <= now) {
      const successor = byId.get(head.replacedBy)
      if (successor) replace(head, successor, 'reference')
      else supersede(head, areasOf(head), head.replacedBy)
    }
  }

  function replace(old: AlertHead | undefined, by: AlertHead, how: 'reference' | 'retire'): void {
    if (!old || old.id === by.id || old.status !== by.status || byIssue(old, by) > 0) return
    const own = tracks.get(by.id) ?? []
    if (own.some((track) => track.effect === 'closing' && now < track.end!)) return
    const ending = isEnding(by, own)
    const sameTrack = (tracks.get(old.id) ?? []).some((track) => own.some((mine) => mine.key === track.key))
    const shared = areasOf(old).filter((area) => by.areas.includes(area))
    const nameless = by.areas.length === 0 || old.areas.length === 0
    // A follow-up lists every remaining area in one of its segments. While the feed still has the old message, its other areas stay in
    // effect.
    const isAbsent = how === 'retire' || (!ending && absent(old.id))
    const untracked = !sameTrack && (old.vtec.length === 0 || by.vtec.length === 0)
    // An ending that shares no area with its message (one lists zones, the other counties) ends the whole message.
    const endsWholeMessage = nameless || isAbsent || (untracked && (!ending || shared.length === 0))
    supersede(old, endsWholeMessage ? areasOf(old) : sameTrack ? [] : shared, by.id)
  }

  const result = new Map<string, Standing>()
  for (const head of heads) {
    const own = tracks.get(head.id) ?? []
    const loss = lost.get(head.id)
    const successors = new Set<string>()
    const areas: string[] = []
    let closing = false
    for (const area of areasOf(head)) {
      const successor = loss?.get(area)
      const newestOf = own.map((track) => byArea.get(`${track.key}|${area}`))
      if (newestOf.some((newest) => newest?.closing)) closing = true
      const stands =
        own.length === 0 || own.some((track, i) => track.effect === 'stands' && newestOf[i]?.ids.includes(head.id))
      for (const newest of newestOf)
        for (const id of newest?.ids ?? []) if (id !== head.id && !stands) successors.add(id)
      if (successor) successors.add(successor)
      else if (stands) areas.push(area)
    }
    result.set(head.id, { areas: isEnding(head, own) ? [] : areas, closing, successors: [...successors].sort() })
  }
  return result
}

interface AreaMessages {
  readonly ids: readonly string[]
  readonly closing: boolean
}

/**
 * Maps `track|area` to the newest messages of the track for the area. Without VTEC there may be several, because one product may have
 * several messages.
 */
function newestByArea(
  heads: readonly AlertHead[],
  tracks: ReadonlyMap<string, readonly Track[]>,
  now: Instant,
): Map<string, AreaMessages> {
  const newest = new Map<string, AlertHead[]>()
  const closing = new Set<string>()
  for (const head of heads) {
    for (const track of tracks.get(head.id) ?? []) {
      for (const area of areasOf(head)) {
        const key = `${track.key}|${area}`
        if (track.effect === 'closing' && now < track.end!) {
          closing.add(key)
          continue
        }
        const best = newest.get(key)
        if (!best || head.sent > nth(best, 0).sent) newest.set(key, [head])
        else if (head.sent === nth(best, 0).sent) newest.set(key, concurrentMessages(best, head))
      }
    }
  }
  const newestOf = new Map<string, AreaMessages>()
  for (const [key, best] of newest) newestOf.set(key, { ids: best.map((head) => head.id), closing: closing.has(key) })
  return newestOf
}

/**
 * Resolves messages with the same time. With VTEC, the last message replaces those with overlapping event times. Without VTEC, exact
 * repetitions are dropped.
 */
function concurrentMessages(best: readonly AlertHead[], head: AlertHead): AlertHead[] {
  const all = [...best, head].sort(byIssue)
  if (head.vtec.length > 0)
    return all.filter((message, i) => !all.slice(i + 1).some((later) => overlap(message, later)))
  return all.filter((message, i) => !all.slice(0, i).some((other) => other.fingerprint === message.fingerprint))
}

/** Whether the periods of two events overlap. */
function overlap(a: AlertHead, b: AlertHead): boolean {
  return beginOf(a) < b.expiration && beginOf(b) < a.expiration
}

function beginOf({ vtec }: AlertHead): Instant {
  return Math.min(...vtec.map(({ begin }) => begin ?? -Infinity))
}

function areasOf(head: AlertHead): readonly string[] {
  return head.areas.length > 0 ? head.areas : ANYWHERE
}
