import { topics } from '../../ingest/domain/event.ts'
import { type Instant, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { type AlertRow, alertsSince } from '../../sql/queries/alerts.ts'
import { type FeedState, feedStates, isStoodIn } from '../../sql/queries/feeds.ts'
import { readSnapshot } from '../../sql/queries/versions.ts'
import { shapesSince } from '../../sql/queries/zones.ts'
import type { Queries } from '../../sql/session.ts'
import type { FeedAge } from '../contract.ts'
import { AlertIndex } from './alert-index.ts'
import { coalesced } from './coalesced.ts'
import type { ServedStates } from './served-states.ts'

/** Freshness of the alert feed. */
export interface AlertTrust {
  /** Undefined before the first read of the feed. */
  readonly feed: FeedState | undefined
  /** Time of the last successful read of the database. */
  readonly readAt: Instant
  /** Warning for answers; absent while the feed is current. */
  readonly doubt?: {
    readonly code: 'feed_unconfirmed' | 'degraded' | 'stale_source' | 'source_fallback'
    readonly detail: string
  }
}

export interface AlertWatch {
  readonly index: AlertIndex
  /** The clock of this process, corrected by the clock of the database. */
  now(clock: Instant): Instant
  trust(now: Instant): AlertTrust
  /** When the feed was last confirmed; empty before it was read. */
  age(now: Instant): readonly FeedAge[]
  /** Called with coarse cells where answers may have changed; undefined: everywhere. */
  onChange(listener: (cells: readonly string[] | undefined) => void): void
  /** Reads the database now, without waiting for the next poll. */
  read(): Promise<void>
  close(): Promise<void>
}

export interface AlertWatchDeps {
  readonly database: Database
  readonly events?: Events
  readonly clock: () => Instant
  readonly pollSeconds: number
  /** Absent: what is served is not recorded. */
  readonly states?: ServedStates
  readonly report?: (error: unknown) => void
}

/** Poll interval. Well under the two seconds in which a change must be visible, even when no event arrives. */
const POLL_INTERVAL_MS = 1000
/** Answers are marked when the database was not read for this long. */
const UNCONFIRMED_AFTER_MS = 10 * SECOND
const GEOMETRY_BATCH_SIZE = 250
/** Name of its feed, and its own where what is served is recorded. */
const FEED = 'alerts'

/** Keeps the published alerts in memory: reads the database at every event, and polls every second. */
export async function watchAlerts(deps: AlertWatchDeps): Promise<AlertWatch> {
  const { database, clock } = deps
  const index = new AlertIndex()
  const listeners: ((cells: readonly string[] | undefined) => void)[] = []
  let feed: FeedState | undefined
  let seen = 0
  let skew = 0
  let readAt = 0
  let doubted = false

  const notify = (cells: readonly string[] | undefined) => {
    for (const listener of listeners) listener(cells)
  }
  const readOnce = async () => {
    const { state, lead, load, snapshot } = await readSnapshot(database, async (tx, snapshot) => {
      const before = clock()
      const { now, feeds } = await feedStates(tx, FEED)
      const lead = skewOf(now.getTime(), before, clock())
      const state = feeds[0]
      const reborn = state?.born.getTime() !== feed?.born.getTime()
      const since = reborn ? 0 : seen
      const grown = state !== undefined && state.version > since
      return { state, lead, snapshot, load: reborn || grown ? await loadChanges(tx, since, grown) : undefined }
    })
    // Replaced in one turn: no answer sees a part of a change.
    const moved = isOtherSkew(lead, skew)
    if (moved) skew = lead
    const changed = load !== undefined || moved || shownState(state) !== shownState(feed)
    let cells: string[] | undefined
    let everywhere = false
    if (load) {
      if (load.since === 0 && (seen > 0 || feed)) index.clear()
      cells = put(load)
      everywhere = cells === undefined
      if (load.grown) seen = state!.version
      else seen = 0
    }
    const reborn = state?.born.getTime() !== feed?.born.getTime()
    feed = state
    readAt = clock()
    deps.states?.serve(FEED, snapshot, changed, skew)
    if (reborn || everywhere) notify(undefined)
    else if (cells) notify(cells)
    const doubt = trust(clock()).doubt !== undefined
    if (doubt !== doubted) notify(undefined)
    doubted = doubt
  }
  interface Changes {
    readonly since: number
    readonly grown: boolean
    readonly rows: readonly AlertRow[]
    readonly shapes: Awaited<ReturnType<typeof shapesSince>>
  }
  /** Alerts that changed after a version, with the geometries that are not in the index or that changed. */
  const loadChanges = async (tx: Queries, since: number, grown: boolean): Promise<Changes> => {
    if (!grown) return { since, grown, rows: [], shapes: [] }
    const rows = await alertsSince(tx, since)
    const zones = new Map(since === 0 ? [] : index.zones.map((zone) => [`${zone.kind}/${zone.code}`, zone]))
    for (const row of rows)
      for (const { kind, code } of row.shown ? row.zones : [])
        if (!zones.has(`${kind}/${code}`)) zones.set(`${kind}/${code}`, { kind, code, loaded: false })
    const all = [...zones.values()]
    const wanted = [
      [-1, all.filter((zone) => !zone.loaded)],
      [since, all.filter((zone) => zone.loaded)],
    ] as const
    const shapes: Awaited<ReturnType<typeof shapesSince>> = []
    for (const [after, list] of wanted)
      for (let i = 0; i < list.length; i += GEOMETRY_BATCH_SIZE)
        shapes.push(...(await shapesSince(tx, after, list.slice(i, i + GEOMETRY_BATCH_SIZE))))
    return { since, grown, rows, shapes }
  }
  /** @returns coarse cells where answers may have changed; undefined: everywhere, where alerts without an outline came or went */
  const put = ({ rows, shapes }: Changes): string[] | undefined => {
    const unplaced = () =>
      index
        .unplaced(0)
        .map(({ id }) => id)
        .join()
    const before = unplaced()
    const cells = new Set<string>()
    for (const row of rows) for (const cell of index.put(row)) cells.add(cell)
    for (const { kind, code, wkb, cells: cover } of shapes)
      for (const cell of index.putShape(kind, code, wkb, cover)) cells.add(cell)
    return unplaced() === before ? [...cells] : undefined
  }
  const read = coalesced(readOnce)
  const silentAfterMs = Math.max(3 * deps.pollSeconds, 60) * SECOND
  const silentMs = (now: Instant) => (feed?.confirmed_at ? now + skew - feed.confirmed_at.getTime() : 0)
  const trust = (now: Instant): AlertTrust => {
    const base = { feed, readAt }
    if (now - readAt > UNCONFIRMED_AFTER_MS) {
      return {
        ...base,
        doubt: { code: 'degraded', detail: 'the database cannot be reached: these are the alerts known before' },
      }
    }
    if (feed && isStoodIn(feed) && !feed.suspicious && silentMs(now) <= silentAfterMs) {
      const detail = 'the NWS alert feed could not be read: its index is read instead, with the document of each alert'
      return { ...base, doubt: { code: 'source_fallback', detail } }
    }
    if (feed?.failure) {
      return {
        ...base,
        doubt: {
          code: 'feed_unconfirmed',
          detail: 'the NWS alert feed could not be read: what was known before is shown',
        },
      }
    }
    if (feed?.suspicious) {
      return {
        ...base,
        doubt: {
          code: 'feed_unconfirmed',
          detail: 'the NWS alert feed was suddenly empty: the alerts before are shown until a second read confirms it',
        },
      }
    }
    const silent = silentMs(now)
    if (silent > silentAfterMs) {
      return {
        ...base,
        doubt: {
          code: 'stale_source',
          detail: `the NWS alert feed was last confirmed ${Math.round(silent / 1000)} s ago`,
        },
      }
    }
    return base
  }

  const subscription = await deps.events?.subscribe(topics.alerts.name, () =>
    read().catch((error) => deps.report?.(error)),
  )
  await read()
  const timer = setInterval(() => {
    read().catch((error) => {
      deps.report?.(error)
      const doubt = trust(clock()).doubt !== undefined
      if (doubt !== doubted) notify(undefined)
      doubted = doubt
    })
  }, POLL_INTERVAL_MS)
  timer.unref()
  return {
    index,
    now: (at) => at + skew,
    trust,
    age: (at) => {
      const confirmed = trust(at).feed?.confirmed_at
      return confirmed ? [{ dataset: 'nws-alerts', domain: 'us', at: confirmed.getTime() }] : []
    },
    onChange: (listener) => void listeners.push(listener),
    read,
    async close() {
      clearInterval(timer)
      await subscription?.close()
    },
  }
}

/**
 * Lead of the database's clock. It was read at some time between `before` and `after`, so only a difference outside of that interval
 * counts: a reply that is processed late must not look like a slow clock.
 */
export function skewOf(database: Instant, before: Instant, after: Instant): number {
  const least = database < before ? database - before : database > after ? database - after : 0
  return Math.abs(least) > SECOND / 4 ? least : 0
}

/** Whether a difference of clocks is another than the one in use, and not the same measured again. */
export function isOtherSkew(measured: number, used: number): boolean {
  return Math.abs(measured - used) > SECOND / 4
}

/** The members of the state of the feed that answers show. */
function shownState(state: FeedState | undefined): string {
  return state ? `${state.confirmed_at?.getTime()} ${state.failure} ${state.suspicious}` : ''
}

/** Notes about alerts for `/readyz`. */
export function alertNotes(watch: AlertWatch, now: Instant): string[] {
  const { feed, doubt } = watch.trust(now)
  if (!feed?.confirmed_at) return ['alerts: the feed has not been read yet']
  const shapeless = new Set(
    watch.index
      .all(now)
      .flatMap(({ polygon, zones }) =>
        polygon ? [] : zones.flatMap(({ code, place }) => (place.shape ? [] : [code])),
      ),
  )
  return [
    ...(doubt ? [`alerts: ${doubt.detail}`] : []),
    ...(shapeless.size > 0
      ? [
          `alerts: no geometry for ${shapeless.size} zones (${[...shapeless].sort().slice(0, 20).join(', ')}): their alerts are found by id, zone and area`,
        ]
      : []),
  ]
}
