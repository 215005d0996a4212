import {
  hasPendingChange,
  lockAlerts,
  nextExpiration,
  putAbsences,
  putAppearances,
  putMessages,
  removeAlerts,
  storedAlerts,
} from '../../../sql/queries/alerts.ts'
import {
  feedState,
  markConfirmed,
  markFailed,
  markUnchanged,
  nextVersion,
  setVersion,
  storeRejected,
  usesSecondSource,
} from '../../../sql/queries/feeds.ts'
import { databaseNow } from '../../../sql/queries/outbox.ts'
import { endSecondSource } from '../../../sql/queries/second-sources.ts'
import type { Queries } from '../../../sql/session.ts'
import { nwsAlerts } from '../../datasets/alerts.ts'
import type { Rejected } from '../../decode/alert/record.ts'
import type { AlertMessage } from '../../domain/alert/alert.ts'
import { decide, type FeedReading, type LifecycleChange, type StoredAlert } from '../../domain/alert/lifecycle.ts'
import { eventKey, tracksOf } from '../../domain/alert/track.ts'
import { countyOfSame, isMarine } from '../../domain/alert/ugc.ts'
import { coverOf } from '../../domain/shape/cover.ts'
import type { Instant } from '../../domain/time.ts'
import { enqueueChanges } from './alert-changes.ts'
import { ALERT_FEED, type AlertPorts, failureOf, LATE_WINDOW_MS, readConditional } from './alert-read.ts'
import { readSecond } from './alert-second.ts'
import { settledTime } from './conditional-read.ts'
import { quarantineDocument, quarantineRows } from './quarantine-feed.ts'
import { recordSecond } from './second-source.ts'
import { registerZones } from './zones.ts'

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
 * Sweeps the alert feed: makes a conditional request, parses the feed, decides the changes, and writes the difference, its events and the
 * state of the feed in one transaction. A failed feed changes only its own state; alerts still expire.
 * @param at replaces the database's clock (replays)
 */
export async function sweepAlerts(ports: AlertPorts, at?: Instant): Promise<Sweep> {
  const known = await feedState(ports.database, 'alerts')
  // The clock of the database is used, because a worker whose own clock is ahead would treat every copy as old.
  const startedAt = at ?? (await databaseNow(ports.database)).getTime()
  const first = await readConditional(ports.upstream, known, startedAt)
  const refused = failureOf(first)
  // Readers see the failure before the second source is read, which may take just as long. The failure is counted
  // below. If the second source is already in use, its last read stays confirmed.
  if (first.state === 'failed' && ports.secondSources?.alerts?.length && !(known && usesSecondSource(known)))
    await markFailed(ports.database, 'alerts', first.why, 0)
  const second = refused && (await readSecond(ports, known, refused, startedAt))
  // A frozen copy is better than nothing, and is confirmed only as of its own time.
  const read = second && !(second.state === 'failed' && first.state !== 'failed') ? second : first
  const result = await ports.database.transaction(async (tx) => {
    await lockAlerts(tx)
    const now = at ?? (await databaseNow(tx)).getTime()
    if (read.state === 'failed') {
      await markFailed(tx, 'alerts', read.why)
      return { ...(await apply(tx, { kind: 'none' }, [], now)), state: 'failed' as const, why: read.why, rejected: 0 }
    }
    if (read.state === 'same') {
      if (!(await hasPendingChange(tx, new Date(now)))) {
        await markUnchanged(tx, 'alerts', read.frozenAt)
        const next = await nextExpiration(tx)
        return { state: 'unchanged' as const, changes: [], rejected: 0, nextExpiration: next?.getTime() }
      }
      const done = await apply(tx, { kind: read.frozenAt ? 'none' : 'unchanged' }, [], now)
      await markUnchanged(tx, 'alerts', read.frozenAt)
      return { ...done, state: done.changes.length ? ('changed' as const) : ('unchanged' as const), rejected: 0 }
    }
    const { feed } = read
    // Upstream's clock may be ahead, and its time must not make later feeds look late.
    const updated = feed.updated === undefined ? undefined : Math.min(feed.updated, now)
    const behind = known?.updated && updated !== undefined ? known.updated.getTime() - updated : 0
    const late = behind > 0 && behind < LATE_WINDOW_MS
    const unread = feed.rejected.flatMap(({ id, isAccepted }) => (id && !isAccepted ? [id] : []))
    const heads = [...feed.messages.map((message) => message.head), ...(read.standing ?? [])]
    // An incomplete read or a frozen copy does not show which alerts have ended.
    const isPartial = late || read.doubtful || read.addsOnly || read.frozenAt !== undefined
    const done = await apply(tx, { kind: 'read', heads, late: isPartial, unread }, feed.messages, now)
    await storeRejected(tx, 'alerts', feed.rejected)
    if (read.doubtful) {
      await markFailed(tx, 'alerts', read.why!)
      return { ...done, state: 'failed' as const, why: read.why, rejected: feed.rejected.length }
    }
    await markConfirmed(tx, 'alerts', {
      etag: read.etag,
      lastModified: settledTime(read.lastModified, (await databaseNow(tx)).getTime()),
      digest: late || read.why ? undefined : read.digest,
      // The timestamp of a source that only adds alerts is not that of the feed.
      updated:
        late || read.addsOnly ? (known?.updated ?? undefined) : updated === undefined ? undefined : new Date(updated),
      suspicious: done.suspicious,
      rejected: countBy(feed.rejected.map(({ reason }) => reason)),
      version: done.version,
      failure: read.why,
      frozenAt: read.frozenAt,
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
  if (refused && read === second && read.state === 'read' && read.url !== undefined)
    await recordSecond(ports, nwsAlerts, read.url, refused.why)
  else if (first.state !== 'failed' && known?.failure) await endSecondSource(ports.database, nwsAlerts.id)
  if (first.state === 'failed') await quarantineDocument(ports, nwsAlerts.id, at ?? Date.now(), first.fault)
  if (read.state === 'read') {
    const { rejected, doubled = [] } = read.feed
    await quarantineRows(ports, nwsAlerts.id, at ?? Date.now(), ALERT_FEED, [...rejected, ...doubled])
  }
  return result
}

/** Expires alerts by the database's clock; the timer calls it at the next expiration. */
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

/** Decides the changes, writes the difference, and adds the events to the outbox. */
async function apply(tx: Queries, feed: FeedReading, messages: readonly AlertMessage[], now: Instant) {
  const before = new Map((await storedAlerts(tx)).map((stored) => [stored.head.id, stored]))
  const decision = decide(before.values(), feed, now)
  const byId = new Map(messages.map((message) => [`${message.head.id} ${message.head.fingerprint}`, message]))
  const fresh = [...decision.alerts.values()].filter(({ head }) => !sameHead(before.get(head.id)?.head, head))
  const unchanged = (alert: StoredAlert) => {
    const old = before.get(alert.head.id)
    return old !== undefined && sameHead(old.head, alert.head) && same(old.shown, alert.shown)
  }
  const moved = [...decision.alerts.values()].filter((alert) => !unchanged(alert))
  const settled = new Set(moved)
  const missed = [...decision.alerts.values()].filter(
    (alert) => !settled.has(alert) && before.get(alert.head.id)?.absences !== alert.absences,
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
  await removeAlerts(tx, decision.forgotten)
  await setVersion(tx, 'alerts', version)
  return { ...base, version }
}

/** Returns the areas of each alert: its current zones, and the counties of its SAME codes if a zone has no geometry. */
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
  return a === b || (a !== undefined && JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)))
}

/** Compares independently of the order of members, which jsonb does not preserve. */
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
  return a === b || JSON.stringify(sorted(a ?? null)) === JSON.stringify(sorted(b ?? null))
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
