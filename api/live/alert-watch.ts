import { topics } from '../../ingest/domain/event.ts'
import { type Instant, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { alertsSince } from '../../sql/queries/alerts.ts'
import { type FeedState, feedStates } from '../../sql/queries/feeds.ts'
import { shapesSince } from '../../sql/queries/zones.ts'
import type { FeedAge } from '../contract.ts'
import { AlertIndex } from './alert-index.ts'

/** How well what is known can be trusted. */
export interface AlertTrust {
  /** Undefined before the feed was ever looked at. */
  readonly feed: FeedState | undefined
  /** When the database last told us what is true. */
  readonly readAt: Instant
  /** What a reader must be told; absent: nothing. */
  readonly doubt?: { readonly code: 'feed_unconfirmed' | 'degraded' | 'stale_source'; readonly detail: string }
}

export interface AlertWatch {
  readonly index: AlertIndex
  /** A process's clock, set right by the database's. */
  now(clock: Instant): Instant
  trust(now: Instant): AlertTrust
  /** When the feed was last confirmed; empty before it was read. */
  age(now: Instant): readonly FeedAge[]
  /** Called with coarse cells where answers may have changed; undefined: everywhere. */
  onChange(listener: (cells: readonly string[] | undefined) => void): void
  /** Reads what is true now, and not only at the next look. */
  read(): Promise<void>
  close(): Promise<void>
}

export interface AlertWatchDeps {
  readonly database: Database
  readonly events?: Events
  readonly clock: () => Instant
  readonly pollSeconds: number
  readonly report?: (error: unknown) => void
}

/** Between two looks without an event. Well under the two seconds in which a change must be seen, even when no event arrives. */
const POLL_INTERVAL_MS = 1000
/** Without the database for so long, answers are marked. */
const UNCONFIRMED_AFTER_MS = 10 * SECOND
const GEOMETRY_BATCH_SIZE = 250

/** Holds the shown alerts of the database in memory: reads at every event, and looks every second whatever it heard. */
export async function watchAlerts(deps: AlertWatchDeps): Promise<AlertWatch> {
  const { database, clock } = deps
  const index = new AlertIndex()
  const listeners: ((cells: readonly string[] | undefined) => void)[] = []
  let feed: FeedState | undefined
  let seen = 0
  let skew = 0
  let readAt = 0
  let doubted = false
  let reading: Promise<void> | undefined
  let again = false

  const notify = (cells: readonly string[] | undefined) => {
    for (const listener of listeners) listener(cells)
  }
  const readOnce = async () => {
    const before = clock()
    const { now, feeds } = await feedStates(database, 'alerts')
    const after = clock()
    skew = skewOf(now.getTime(), before, after)
    const state = feeds[0]
    if (state?.born.getTime() !== feed?.born.getTime()) {
      index.clear()
      seen = 0
      // Until all is read anew nothing is known, which is not "none".
      feed = undefined
      notify(undefined)
    }
    if (state && state.version > seen) {
      notify(await take())
      seen = state.version
    }
    feed = state
    readAt = clock()
    const doubt = trust(clock()).doubt !== undefined
    if (doubt !== doubted) notify(undefined)
    doubted = doubt
  }
  const take = async (): Promise<string[]> => {
    const cells = new Set<string>()
    const rows = await alertsSince(database, seen)
    for (const row of rows) for (const cell of index.put(row)) cells.add(cell)
    const zones = index.zones
    const wanted = [
      [-1, zones.filter((zone) => !zone.loaded)],
      [seen, zones.filter((zone) => zone.loaded)],
    ] as const
    for (const [since, list] of wanted) {
      for (let i = 0; i < list.length; i += GEOMETRY_BATCH_SIZE) {
        const shapes = await shapesSince(database, since, list.slice(i, i + GEOMETRY_BATCH_SIZE))
        for (const { kind, code, wkb, cells: cover } of shapes) {
          for (const cell of index.putShape(kind, code, wkb, cover)) cells.add(cell)
        }
      }
    }
    return [...cells]
  }
  const read = (): Promise<void> => {
    if (reading) {
      again = true
      return reading
    }
    reading = (async () => {
      do {
        again = false
        await readOnce()
      } while (again)
    })().finally(() => {
      reading = undefined
    })
    return reading
  }
  const trust = (now: Instant): AlertTrust => {
    const base = { feed, readAt }
    if (now - readAt > UNCONFIRMED_AFTER_MS) {
      return {
        ...base,
        doubt: { code: 'degraded', detail: 'the database cannot be reached: these are the alerts known before' },
      }
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
          detail: 'the NWS alert feed was suddenly empty: what was known before is shown until it says so again',
        },
      }
    }
    const silent = feed?.confirmed_at ? now + skew - feed.confirmed_at.getTime() : 0
    if (silent > Math.max(3 * deps.pollSeconds, 60) * SECOND) {
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
 * How far the database's clock is ahead: it was read somewhere between `before` and `after`, so only what lies outside is known.
 * A busy process that hears the answer late is no clock that is slow.
 */
export function skewOf(database: Instant, before: Instant, after: Instant): number {
  const least = database < before ? database - before : database > after ? database - after : 0
  return Math.abs(least) > SECOND / 4 ? least : 0
}

/** What `/readyz` says of alerts. */
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
