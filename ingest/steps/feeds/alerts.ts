import {
  forgetAlerts,
  lockAlerts,
  nextExpiration,
  putAbsences,
  putAppearances,
  putMessages,
  somethingPending,
  storedAlerts,
} from '../../../sql/queries/alerts.ts'
import {
  feedState,
  isStoodIn,
  type FeedState as KnownFeed,
  markConfirmed,
  markFailed,
  markUnchanged,
  nextVersion,
  setVersion,
  storeRejected,
} from '../../../sql/queries/feeds.ts'
import { databaseNow } from '../../../sql/queries/outbox.ts'
import { endSecondSource } from '../../../sql/queries/second-sources.ts'
import type { Queries } from '../../../sql/session.ts'
import { nwsAlerts } from '../../datasets/alerts.ts'
import { readAlertGeoJson } from '../../decode/alert-geojson.ts'
import { type AlertFeed, disambiguated, MAX_ALERTS, type Rejected } from '../../decode/alert-record.ts'
import { readCap } from '../../decode/cap.ts'
import type { AlertHead, AlertMessage } from '../../domain/alert.ts'
import { decide, type FeedReading, type LifecycleChange, type StoredAlert } from '../../domain/alert-lifecycle.ts'
import { eventKey, tracksOf } from '../../domain/alert-track.ts'
import { coverOf } from '../../domain/cover.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { type Instant, MINUTE } from '../../domain/time.ts'
import { countyOfSame, isMarine } from '../../domain/ugc.ts'
import type { Database } from '../../ports/database.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { enqueueChanges } from './alert-changes.ts'
import { readAlertIndex } from './alert-index.ts'
import { digestOf, settledTime } from './conditional-read.ts'
import type { FeedDeps } from './feed.ts'
import { decoded, quarantineDocument, quarantineRows } from './quarantine-feed.ts'
import { recordSecond } from './second-source.ts'
import { registerZones } from './zones.ts'

export const ALERT_FEED = 'https://api.weather.gov/alerts/active'
/** A replica of upstream may be some minutes behind the one that replied before. A feed that is older than this window is a stale copy. */
const LATE_WINDOW_MS = 10 * MINUTE
/** Of 500 alerts each; 1,600 alerts at once is the maximum observed nationwide. */
const MAX_PAGES = 40
/** Of all pages: as much as one may have. */
const MAX_FEED_BYTES = 128 << 20
/** A feed without a byte for so long has failed: readers must be notified within ten seconds. */
const IDLE_TIMEOUT_MS = 5_000

export interface AlertPorts extends Pick<FeedDeps, 'quarantine' | 'secondSources'> {
  readonly database: Database
  readonly upstream: Upstream
  /** Rows were added to the outbox. */
  readonly notify?: () => void
}

export interface Sweep {
  readonly state: 'changed' | 'unchanged' | 'failed'
  readonly why?: string
  readonly changes: readonly LifecycleChange[]
  /** Number of rejected features. */
  readonly rejected: number
  readonly rejectedFeatures?: readonly Rejected[]
  readonly nextExpiration?: Instant
}

/**
 * One sweep of the alert feed: conditional request, parse, the pure decision, and in one transaction the difference, its
 * events, and the state of the feed. A feed that fails changes only its own state; alerts expire all the same.
 * @param at instead of the database's clock (replays)
 */
export async function sweepAlerts(ports: AlertPorts, at?: Instant): Promise<Sweep> {
  const known = await feedState(ports.database, 'alerts')
  const first = await readConditional(ports.upstream, known, at)
  // Readers see the failure before the second source is asked, which may take as long again. It is counted below. Where that one provides
  // already, its last read stays confirmed meanwhile.
  if (first.state === 'failed' && ports.secondSources?.alerts && !(known && isStoodIn(known)))
    await markFailed(ports.database, 'alerts', first.why, 0)
  const read = first.state === 'failed' ? await readSecond(ports, known, first, at) : first
  const result = await ports.database.transaction(async (tx) => {
    await lockAlerts(tx)
    const now = at ?? (await databaseNow(tx)).getTime()
    if (read.state === 'failed') {
      await markFailed(tx, 'alerts', read.why)
      return { ...(await apply(tx, { kind: 'none' }, [], now)), state: 'failed' as const, why: read.why, rejected: 0 }
    }
    if (read.state === 'same') {
      if (!(await somethingPending(tx, new Date(now)))) {
        await markUnchanged(tx, 'alerts')
        const next = await nextExpiration(tx)
        return { state: 'unchanged' as const, changes: [], rejected: 0, nextExpiration: next?.getTime() }
      }
      const done = await apply(tx, { kind: 'unchanged' }, [], now)
      await markUnchanged(tx, 'alerts')
      return { ...done, state: done.changes.length ? ('changed' as const) : ('unchanged' as const), rejected: 0 }
    }
    const { feed } = read
    // Upstream's clock may be ahead: its time must not make later feeds look late.
    const updated = feed.updated === undefined ? undefined : Math.min(feed.updated, now)
    const behind = known?.updated && updated !== undefined ? known.updated.getTime() - updated : 0
    const late = behind > 0 && behind < LATE_WINDOW_MS
    const unread = feed.rejected.flatMap(({ id, kept }) => (id && !kept ? [id] : []))
    const heads = [...feed.messages.map((message) => message.head), ...(read.standing ?? [])]
    // Of an incomplete read it is unknown what is absent.
    const done = await apply(tx, { kind: 'read', heads, late: late || read.missing, unread }, feed.messages, now)
    await storeRejected(tx, 'alerts', feed.rejected)
    if (read.missing) {
      await markFailed(tx, 'alerts', read.why!)
      return { ...done, state: 'failed' as const, why: read.why, rejected: feed.rejected.length }
    }
    await markConfirmed(tx, 'alerts', {
      etag: read.etag,
      lastModified: settledTime(read.lastModified, (await databaseNow(tx)).getTime()),
      digest: late || read.why ? undefined : read.digest,
      updated: late ? (known?.updated ?? undefined) : updated === undefined ? undefined : new Date(updated),
      suspicious: done.suspicious,
      rejected: countBy(feed.rejected.map(({ reason }) => reason)),
      version: done.version,
      failure: read.why,
    })
    return {
      ...done,
      why: read.why,
      state: done.version ? ('changed' as const) : ('unchanged' as const),
      rejected: feed.rejected.length,
      rejectedFeatures: feed.rejected,
    }
  })
  if (result.changes.length > 0) ports.notify?.()
  if (first.state === 'failed' && read.state === 'read')
    await recordSecond(ports, nwsAlerts, ports.secondSources!.alerts!, first.why)
  else if (first.state !== 'failed' && known?.failure) await endSecondSource(ports.database, nwsAlerts.id)
  if (first.state === 'failed') await quarantineDocument(ports, nwsAlerts.id, at ?? Date.now(), first.fault)
  if (read.state === 'read') await quarantineRows(ports, nwsAlerts.id, at ?? Date.now(), ALERT_FEED, read.feed.rejected)
  return result
}

/** Expires alerts by the database's clock: for the timer at the next expiration. */
export async function expireAlerts(
  ports: Pick<AlertPorts, 'database' | 'notify'>,
  at?: Instant,
): Promise<{ changes: readonly LifecycleChange[]; nextExpiration?: Instant }> {
  const result = await ports.database.transaction(async (tx) => {
    await lockAlerts(tx)
    const now = at ?? (await databaseNow(tx)).getTime()
    const next = await nextExpiration(tx)
    if (next === null || next.getTime() > now) return { changes: [], nextExpiration: next?.getTime() }
    return apply(tx, { kind: 'none' }, [], now)
  })
  if (result.changes.length > 0) ports.notify?.()
  return result
}

type FeedRead =
  | { readonly state: 'failed'; readonly why: string; readonly fault?: unknown }
  | { readonly state: 'same' }
  | {
      readonly state: 'read'
      readonly feed: AlertFeed
      readonly digest: string
      readonly etag?: string
      readonly lastModified?: string
      /** Of the second source: why the first could not be read. */
      readonly why?: string
      /** Of the second source: listed messages that are stored. */
      readonly standing?: readonly AlertHead[]
      /** Of the second source: some listed messages are not read yet. */
      readonly missing?: boolean
    }

/** The second source in place of a first that failed; the failure of the first where the second fails too. */
async function readSecond(
  { database, upstream, secondSources }: AlertPorts,
  known: KnownFeed | undefined,
  first: Extract<FeedRead, { state: 'failed' }>,
  at: Instant | undefined,
): Promise<FeedRead> {
  if (!secondSources?.alerts) return first
  const heads = (await storedAlerts(database)).map(({ head }) => head)
  try {
    const { feed, standing, missing } = await readAlertIndex(upstream, secondSources.alerts, heads)
    const why = `${first.why.slice(0, 300)}; ${missing > 0 ? `${missing} alerts of the second source are to be read` : 'the second source stands in'}`
    return { state: 'read', feed: current(feed, known, at), digest: '', why, standing, missing: missing > 0 }
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: String(error) }
    return { ...first, why: `${first.why.slice(0, 300)}; second source: ${message}`.slice(0, 500) }
  }
}

async function readConditional(upstream: Upstream, known: KnownFeed | undefined, at?: Instant): Promise<FeedRead> {
  const trusted = known?.failure ? undefined : known
  try {
    const how = {
      accept: 'application/geo+json, application/cap+xml;q=0.5',
      attempts: 1,
      idleMs: IDLE_TIMEOUT_MS,
      signal: AbortSignal.timeout(4 * IDLE_TIMEOUT_MS),
    }
    const reply = await upstream.get(ALERT_FEED, {
      ...how,
      ifNoneMatch: trusted?.etag ?? undefined,
      ifModifiedSince: trusted?.last_modified ?? undefined,
    })
    if (reply.status === 304) return { state: 'same' }
    const digests = [digestOf(reply.bytes)]
    if (trusted?.digest === digests[0]) return { state: 'same' }
    let read = reply.bytes.length
    let feed = await decoded(ALERT_FEED, reply.bytes, () => current(readFeed(reply.bytes), known, at))
    while (feed.next !== undefined) {
      if (digests.length >= MAX_PAGES)
        throw new Fault('Corrupt', `alert feed: wanted an end, got more than ${MAX_PAGES} pages`)
      const { bytes } = await upstream.get(feed.next, how)
      read += bytes.length
      if (feed.messages.length > MAX_ALERTS || read > MAX_FEED_BYTES)
        throw new Fault(
          'Corrupt',
          `alert feed: wanted at most ${MAX_ALERTS} alerts in ${MAX_FEED_BYTES} bytes, got more`,
        )
      const digest = digestOf(bytes)
      // A server without pagination returns the first page again.
      feed = digests.includes(digest)
        ? { ...feed, next: undefined }
        : joined(feed, await decoded(ALERT_FEED, bytes, () => readFeed(bytes)))
      digests.push(digest)
    }
    const paged = digests.length > 1
    const digest = paged ? digestOf(digests.join()) : digests[0]!
    if (trusted?.digest === digest) return { state: 'same' }
    // The validators are of the first page only: a feed of several pages is read without them.
    return { state: 'read', feed, digest, ...(!paged && { etag: reply.etag, lastModified: reply.lastModified }) }
  } catch (error) {
    if (isFault(error)) return { state: 'failed', why: error.message, fault: error }
    if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
      return {
        state: 'failed',
        why: `${ALERT_FEED}: wanted a feed within ${(4 * IDLE_TIMEOUT_MS) / 1000} s, got a part of one`,
      }
    }
    // Also a bug in a decoder, or a body too long for a string, counts as a failure of the feed, and readers must see it.
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    return { state: 'failed', why: `${name}: ${message}`.slice(0, 500) }
  }
}

function readFeed(bytes: Uint8Array): AlertFeed {
  const text = new TextDecoder().decode(bytes)
  return text.trimStart().startsWith('<') ? readCap(text) : readAlertGeoJson(text)
}

/** @throws Fault Corrupt where the feed is a copy of an earlier one: its alerts were cancelled or replaced since */
function current(feed: AlertFeed, known: KnownFeed | undefined, at: Instant = Date.now()): AlertFeed {
  const before = known?.updated?.getTime()
  // A clock that was wrong, ours or upstream's, must not refuse the feed until then.
  if (feed.updated === undefined || before === undefined || before > at) return feed
  if (before - feed.updated < LATE_WINDOW_MS) return feed
  const [old, now] = [before, feed.updated].map((time) => new Date(time).toISOString())
  throw new Fault('Corrupt', `alert feed: wanted one after that of ${old}, got a copy of ${now}`, { reason: 'stale' })
}

/** The pages of a feed as one; a message that moved between pages occurs twice. */
function joined(feed: AlertFeed, page: AlertFeed): AlertFeed {
  return {
    messages: disambiguated([...feed.messages, ...page.messages]),
    rejected: [...feed.rejected, ...page.rejected],
    updated: feed.updated ?? page.updated,
    next: page.next,
  }
}

/** Decides, writes the difference, and adds the events to the outbox. */
async function apply(tx: Queries, feed: FeedReading, messages: readonly AlertMessage[], now: Instant) {
  const before = new Map((await storedAlerts(tx)).map((stored) => [stored.head.id, stored]))
  const decision = decide(before.values(), feed, now)
  const byId = new Map(messages.map((message) => [`${message.head.id} ${message.head.fingerprint}`, message]))
  const fresh = [...decision.alerts.values()].filter(({ head }) => !sameHead(before.get(head.id)?.head, head))
  const unchanged = (one: StoredAlert) => {
    const old = before.get(one.head.id)
    return old !== undefined && sameHead(old.head, one.head) && same(old.shown, one.shown)
  }
  const moved = [...decision.alerts.values()].filter((one) => !unchanged(one))
  const settled = new Set(moved)
  const missed = [...decision.alerts.values()].filter(
    (one) => !settled.has(one) && before.get(one.head.id)?.absences !== one.absences,
  )
  const base = { changes: decision.changes, suspicious: decision.suspicious, nextExpiration: decision.nextExpiration }
  if (fresh.length + moved.length + decision.forgotten.length + decision.changes.length === 0) {
    await putAbsences(
      tx,
      missed.map(({ head, absences }) => ({ id: head.id, absences })),
    )
    return { ...base, version: undefined }
  }
  const version = await nextVersion(tx)
  const tracks = tracksOf([...decision.alerts.values()].map(({ head }) => head))
  const added = fresh.flatMap(({ head }) => {
    const message = byId.get(`${head.id} ${head.fingerprint}`)
    return message
      ? [
          {
            message,
            track: eventKey(head, tracks.get(head.id) ?? []),
            cells: message.geometry ? coverOf(message.geometry) : [],
          },
        ]
      : []
  })
  // Build events before deleting rows: they need the previous geometry.
  await putMessages(tx, added, version)
  await registerZones(tx, distinctZones(added.map(({ message }) => message)), version)
  await putAppearances(tx, await appearances(tx, moved), version)
  await putAbsences(
    tx,
    missed.map(({ head, absences }) => ({ id: head.id, absences })),
  )
  await enqueueChanges(tx, decision.changes, now)
  await forgetAlerts(tx, decision.forgotten)
  await setVersion(tx, 'alerts', version)
  return { ...base, version }
}

/** Where each is shown: its current zones, and where one of them has no geometry at all, also the counties of SAME. */
async function appearances(tx: Queries, alerts: readonly StoredAlert[]) {
  const ids = alerts.filter(({ shown }) => shown).map(({ head }) => head.id)
  const rows = await tx.query<{ id: string; zones: AlertMessage['zones']; same: string[]; shapeless: string[] }>(
    `select a.id, a.record->'zones' as zones, a.record->'same' as same,
            array(select z.code from jsonb_to_recordset(a.record->'zones') as n(kind text, code text)
                  join zone z on z.kind = n.kind and z.code = n.code where z.version is null) as shapeless
     from alert a where a.id = any($1)`,
    [ids],
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const counties = rows
    .filter((row) => row.shapeless.length > 0)
    .flatMap((row) => row.same.map(countyOfSame).filter((code) => code !== undefined))
  await registerZones(
    tx,
    [...new Set(counties)].map((code) => ({ kind: 'county' as const, code })),
    0,
  )
  return alerts.map(({ head, absences, shown }) => {
    const row = byId.get(head.id)
    const live = new Set(shown?.areas)
    const zones = (row?.zones ?? []).filter(({ code }) => live.has(code)).map((zone) => ({ ...zone, stand_in: false }))
    const standsIn =
      !head.polygon &&
      zones.some(({ kind, code }) => kind !== 'county' && !isMarine(code) && row?.shapeless.includes(code))
    const counties = standsIn ? (row?.same ?? []).map(countyOfSame).filter((code) => code !== undefined) : []
    return {
      id: head.id,
      absences,
      shown: shown ?? null,
      clipped: head.polygon && live.size < head.areas.length,
      zones: [...zones, ...[...new Set(counties)].map((code) => ({ kind: 'county' as const, code, stand_in: true }))],
    }
  })
}

function distinctZones(messages: readonly AlertMessage[]) {
  const zones = new Map(messages.flatMap((message) => message.zones.map((zone) => [`${zone.kind}/${zone.code}`, zone])))
  return [...zones.values()]
}

function sameHead(a: object | undefined, b: object): boolean {
  return a !== undefined && JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

/** jsonb returns members in another order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a ?? null)) === JSON.stringify(sorted(b ?? null))
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
