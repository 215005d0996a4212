import { type AlertHead, byIssue, type Vtec } from './alert.ts'
import { DAY, type Instant, MINUTE } from './time.ts'

/** A track is an event followed through its messages: all messages of a track concern one hazard. */
export interface Track {
  readonly key: string
  /** `over`: ends the listed areas; `closing`: states that they end at `end`, until then they stay in effect. */
  readonly effect: 'stands' | 'over' | 'closing'
  readonly end?: Instant
}

/** An EXP may be issued up to half an hour before the end that it states (Directive 10-1703). */
const CLOSING_MS = 30 * MINUTE
/** No VTEC event is issued further ahead, or lasts longer with a known end. */
const MAX_EVENT_AGE_MS = 180 * DAY

/**
 * The tracks of every message. ETNs restart each year and only NEW determines the year,
 * so the year of a later message is that of the message that it references, or of the newest before it.
 *
 * Without VTEC: the same product with the same event, end and areas is a reissue (air quality alerts come three times a day);
 * storms drawn as polygons are separate tracks, unless their content is identical.
 */
export function tracksOf(heads: readonly AlertHead[]): Map<string, readonly Track[]> {
  const tracks = new Map<string, readonly Track[]>()
  const years = new Map<string, { id: string; year: number }[]>()
  for (const head of heads.toSorted(byIssue)) {
    const own: Track[] = []
    for (const vtec of head.vtec) {
      if (vtec.action === 'ROU' || vtec.etn === 0) continue
      const base = `${head.status}/${vtec.office}.${vtec.phenomenon}.${vtec.significance}.${String(vtec.etn).padStart(4, '0')}`
      const before = years.get(base) ?? []
      const named = before.find((earlier) => head.references.includes(earlier.id))
      const year =
        ownYear(head, vtec) ?? (named ?? (vtec.action === 'NEW' ? undefined : before.at(-1)))?.year ?? yearOf(head.sent)
      years.set(base, [...before, { id: head.id, year }])
      own.push({ key: `${base}.${year}`, ...effectOf(head, vtec) })
    }
    if (own.length === 0 && head.kind !== 'Cancel' && !head.past) {
      const reissued = head.vtec.length === 0 && !head.polygon && head.product
      // A statement may concern any hazard: only one over the same areas is a reissue.
      const scope = head.event === 'Special Weather Statement' ? `/${head.areas.join()}` : ''
      const name = reissued ? `${head.product}/${head.event}/${head.expiration}${scope}` : head.fingerprint
      const over = head.vtec.length > 0 && head.vtec.every(({ action }) => ['CAN', 'UPG', 'EXP'].includes(action))
      own.push({ key: `${head.status}/${name}`, effect: over ? 'over' : 'stands' })
    }
    tracks.set(head.id, own)
  }
  return tracks
}

/** A message far from the times of its own event (a replay with another clock) takes the year of the event. */
function ownYear(head: AlertHead, { begin, end }: Vtec): number | undefined {
  const event = end ?? begin
  return event !== undefined && Math.abs(event - head.sent) > MAX_EVENT_AGE_MS ? yearOf(begin ?? event) : undefined
}

function yearOf(at: Instant): number {
  return new Date(at).getUTCFullYear()
}

function effectOf(head: AlertHead, vtec: Vtec): Pick<Track, 'effect' | 'end'> {
  if (head.kind === 'Cancel' || head.past) return { effect: 'over' }
  if (vtec.action === 'CAN' || vtec.action === 'UPG') return { effect: 'over' }
  if (vtec.action !== 'EXP') return { effect: 'stands' }
  const closing = vtec.end !== undefined && vtec.end > head.sent && vtec.end - head.sent <= CLOSING_MS
  return closing ? { effect: 'closing', end: vtec.end } : { effect: 'over' }
}

/** Whether a message only ends something: it is never shown itself. */
export function isEnding(head: AlertHead, tracks: readonly Track[]): boolean {
  if (head.kind === 'Cancel' || head.past) return true
  return tracks.length > 0 && tracks.every((track) => track.effect !== 'stands')
}

/** Name of the event of a message; the key of its change events. */
export function eventKey(head: AlertHead, tracks: readonly Track[]): string {
  return tracks[0]?.key ?? `${head.status}/${head.id}`
}
