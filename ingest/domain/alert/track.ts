import { DAY, type Instant, MINUTE } from '../time.ts'
import { type AlertHead, byIssue, type Vtec } from './alert.ts'

/** A track is an event with all its messages; all of them concern one hazard. */
export interface Track {
  readonly key: string
  /** `over` ends the listed areas. `closing` states that they end at `end`; until then they stay in effect. */
  readonly effect: 'stands' | 'over' | 'closing'
  readonly end?: Instant
}

/** Maximum time by which an EXP may precede the end that it states (Instruction 10-1703). */
const CLOSING_MS = 30 * MINUTE
/** Maximum time by which a VTEC event is issued ahead, and maximum length of an event with a known end. */
const MAX_EVENT_AGE_MS = 180 * DAY

/** A message of an event with its office, kind and number, and the year that was derived for it. */
interface Numbered {
  readonly id: string
  readonly sent: Instant
  readonly vtec: Vtec
  readonly year: number
}

/**
 * Returns the tracks of all messages. With VTEC: ETNs restart each year, and only NEW determines the year. A later message has the year of
 * the message that it references, or of an earlier message with the same event times. In January, events of two years may have the same
 * number. Without VTEC: the same product with the same event, end and areas is a reissue (air quality alerts are issued three times a day).
 * Storms with polygons are separate tracks, unless their content is identical.
 */
export function tracksOf(heads: readonly AlertHead[]): Map<string, readonly Track[]> {
  const tracks = new Map<string, readonly Track[]>()
  const numbered = new Map<string, Numbered[]>()
  const begun = firstOfYears(heads)
  for (const head of heads.toSorted(byIssue)) {
    const own: Track[] = []
    for (const vtec of head.vtec) {
      if (!isNumbered(vtec)) continue
      const base = baseOf(head, vtec)
      const before = numbered.get(base) ?? []
      const year = yearOfEvent(head, vtec, before, (candidate) => begun.get(`${base}.${candidate}`))
      numbered.set(base, [...before, { id: head.id, sent: head.sent, vtec, year }])
      own.push({ key: `${base}.${year}`, ...effectOf(head, vtec) })
    }
    if (own.length === 0 && head.kind !== 'Cancel' && !head.past) {
      const reissued = head.vtec.length === 0 && !head.polygon && head.product
      // A statement may concern any hazard, so only a statement for the same areas is a reissue.
      const scope = head.event === 'Special Weather Statement' ? `/${head.areas.join()}` : ''
      const name = reissued ? `${head.product}/${head.event}/${head.expiration}${scope}` : head.fingerprint
      const over = head.vtec.length > 0 && head.vtec.every(({ action }) => ['CAN', 'UPG', 'EXP'].includes(action))
      own.push({ key: `${head.status}/${name}`, effect: over ? 'over' : 'stands' })
    }
    tracks.set(head.id, own)
  }
  return tracks
}

function isNumbered({ action, etn }: Vtec): boolean {
  return action !== 'ROU' && etn !== 0
}

function baseOf(head: AlertHead, { office, phenomenon, significance, etn }: Vtec): string {
  return `${head.status}/${office}.${phenomenon}.${significance}.${String(etn).padStart(4, '0')}`
}

/** Returns when the first known NEW of each event was sent, by track. A NEW that references a message with its number is a correction. */
function firstOfYears(heads: readonly AlertHead[]): Map<string, Instant> {
  const first = new Map<string, Instant>()
  const byId = new Map(heads.map((head) => [head.id, head]))
  for (const head of heads) {
    const referenced = head.references.flatMap((id) => byId.get(id) ?? [])
    for (const vtec of head.vtec) {
      if (vtec.action !== 'NEW' || !isNumbered(vtec)) continue
      const base = baseOf(head, vtec)
      if (
        referenced.some((referencedHead) => referencedHead.vtec.some((other) => baseOf(referencedHead, other) === base))
      )
        continue
      const key = `${base}.${ownYear(head, vtec) ?? yearOf(head.sent)}`
      first.set(key, Math.min(head.sent, first.get(key) ?? Infinity))
    }
  }
  return first
}

/**
 * Returns the year of an event.
 * @param before earlier messages with the same office, kind and number
 * @param begun returns when the NEW of a year was sent, if it is known
 */
function yearOfEvent(
  head: AlertHead,
  vtec: Vtec,
  before: readonly Numbered[],
  begun: (year: number) => Instant | undefined,
): number {
  const sentIn = yearOf(head.sent)
  const named = before.find(({ id }) => head.references.includes(id))
  const known = ownYear(head, vtec) ?? named?.year ?? (vtec.action === 'NEW' ? sentIn : undefined)
  if (known !== undefined) return known
  // A message cannot continue an event that had not begun.
  const possible = before.filter(({ year }) => (begun(year) ?? -Infinity) < head.sent)
  const follows =
    possible.findLast((event) => hasTimes(event, vtec)) ?? possible.findLast((event) => mayFollow(head, vtec, event))
  if (follows) return follows.year
  const year = Math.min(sentIn, yearOf(vtec.begin ?? head.sent))
  const isTaken = begun(year) !== undefined || before.some((event) => event.year === year)
  if (!isTaken) return year
  const isLast = head.sent - Date.UTC(sentIn, 0) > MAX_EVENT_AGE_MS || before.some((event) => event.year === year - 1)
  return isLast ? (possible.at(-1)?.year ?? year) : year - 1
}

function hasTimes({ vtec }: Numbered, { begin, end }: Vtec): boolean {
  return vtec.end === end && (vtec.begin === begin || vtec.begin === undefined || begin === undefined)
}

/** Returns whether a message may follow an earlier message with other event times: only EXT, EXB and corrections change both times. */
function mayFollow(head: AlertHead, vtec: Vtec, earlier: Numbered): boolean {
  if (['EXT', 'EXB', 'COR'].includes(vtec.action) && head.references.length === 0) return true
  // Without a begin time, the event had begun when the message was sent.
  const [begin, otherBegin] = [vtec.begin ?? head.sent, earlier.vtec.begin ?? earlier.sent]
  const isOtherBegin =
    vtec.begin === undefined
      ? otherBegin > head.sent
      : earlier.vtec.begin === undefined
        ? begin > earlier.sent
        : begin !== otherBegin
  if (isOtherBegin && vtec.end !== earlier.vtec.end) return false
  return begin < (earlier.vtec.end ?? Infinity) && otherBegin < (vtec.end ?? Infinity)
}

/** Returns the year of the event itself, if the message was sent far from the event's times (in a replay with another clock). */
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

/** Returns whether a message only ends other messages and is never published itself. */
export function isEnding(head: AlertHead, tracks: readonly Track[]): boolean {
  if (head.kind === 'Cancel' || head.past) return true
  return tracks.length > 0 && tracks.every((track) => track.effect !== 'stands')
}

/** Returns the name of the event of a message, which is the key of its change events. */
export function eventKey(head: AlertHead, tracks: readonly Track[]): string {
  return tracks[0]?.key ?? `${head.status}/${head.id}`
}
