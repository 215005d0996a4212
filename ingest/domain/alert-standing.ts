import { type AlertHead, byIssue } from './alert.ts'
import { isEnding, type Track } from './alert-track.ts'
import type { Instant } from './time.ts'

/** What is left of a message once all others are heard. */
export interface Standing {
  /** Areas where it still speaks; `['*']` where the message names none. Empty: over or replaced. */
  readonly areas: readonly string[]
  /** Its end is announced for a moment that has not come: absence from the feed proves nothing. */
  readonly closing: boolean
  /** Newer messages that took areas of this one. */
  readonly heirs: readonly string[]
}

const ANYWHERE: readonly string[] = ['*']

/**
 * Who speaks for which area. Within a track the newest message that names an area speaks for it, and an ending ends only the areas that
 * it names. Across tracks `references`, `expiredReferences` and `replacedBy` decide. The order in which messages arrived plays no part.
 *
 * @param absent whether the newest feed lacks the message
 */
export function standingOf(
  heads: readonly AlertHead[],
  tracks: ReadonlyMap<string, readonly Track[]>,
  absent: (id: string) => boolean,
  now: Instant,
): Map<string, Standing> {
  const byId = new Map(heads.map((head) => [head.id, head]))
  const speakers = speakersOf(heads, tracks, now)
  const lost = new Map<string, Map<string, string>>()
  const take = (from: AlertHead, areas: readonly string[], heir: string) => {
    const mine = lost.get(from.id) ?? new Map<string, string>()
    for (const area of areas) mine.set(area, heir)
    lost.set(from.id, mine)
  }
  for (const head of heads) {
    for (const id of head.references) replace(byId.get(id), head, 'reference')
    for (const id of head.retires) replace(byId.get(id), head, 'retire')
    if (head.replacedBy && (head.replacedAt ?? 0) <= now) {
      const heir = byId.get(head.replacedBy)
      if (heir) replace(head, heir, 'reference')
      else take(head, areasOf(head), head.replacedBy)
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
    // Every follow-up speaks of all areas in some segment. While the feed still lists the old message, the others stand.
    const gone = how === 'retire' || (!ending && absent(old.id))
    const untracked = !sameTrack && (old.vtec.length === 0 || by.vtec.length === 0)
    // An ending that names none of the areas of what it ends (zones here, counties there) means all of it.
    const whole = nameless || gone || (untracked && (!ending || shared.length === 0))
    take(old, whole ? areasOf(old) : sameTrack ? [] : shared, by.id)
  }

  const result = new Map<string, Standing>()
  for (const head of heads) {
    const own = tracks.get(head.id) ?? []
    const taken = lost.get(head.id)
    const heirs = new Set<string>()
    const areas: string[] = []
    let closing = false
    for (const area of areasOf(head)) {
      const heir = taken?.get(area)
      const voices = own.map((track) => speakers.get(`${track.key}|${area}`))
      if (voices.some((voice) => voice?.closing)) closing = true
      const stands =
        own.length === 0 || own.some((track, i) => track.effect === 'stands' && voices[i]?.ids.includes(head.id))
      for (const voice of voices) for (const id of voice?.ids ?? []) if (id !== head.id && !stands) heirs.add(id)
      if (heir) heirs.add(heir)
      else if (stands) areas.push(area)
    }
    result.set(head.id, { areas: isEnding(head, own) ? [] : areas, closing, heirs: [...heirs].sort() })
  }
  return result
}

interface Voice {
  readonly ids: readonly string[]
  readonly closing: boolean
}

/** `track|area` → the newest messages of that track for that area. Several only without VTEC, where one product may say several things. */
function speakersOf(
  heads: readonly AlertHead[],
  tracks: ReadonlyMap<string, readonly Track[]>,
  now: Instant,
): Map<string, Voice> {
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
        if (!best || head.sent > best[0]!.sent) newest.set(key, [head])
        else if (head.sent === best[0]!.sent) newest.set(key, settle(best, head))
      }
    }
  }
  const voices = new Map<string, Voice>()
  for (const [key, best] of newest) voices.set(key, { ids: best.map((head) => head.id), closing: closing.has(key) })
  return voices
}

/** Two messages of one moment: with VTEC one is heard, or each where they speak of different times; without, each that says something of its own. */
function settle(best: readonly AlertHead[], head: AlertHead): AlertHead[] {
  const all = [...best, head].sort(byIssue)
  if (head.vtec.length > 0) return all.filter((one, i) => !all.slice(i + 1).some((later) => meet(one, later)))
  return all.filter((one, i) => !all.slice(0, i).some((other) => other.fingerprint === one.fingerprint))
}

/** Whether the times of two events share a moment. */
function meet(a: AlertHead, b: AlertHead): boolean {
  return beginOf(a) < b.expiration && beginOf(b) < a.expiration
}

function beginOf({ vtec }: AlertHead): Instant {
  return Math.min(...vtec.map(({ begin }) => begin ?? -Infinity))
}

function areasOf(head: AlertHead): readonly string[] {
  return head.areas.length > 0 ? head.areas : ANYWHERE
}
