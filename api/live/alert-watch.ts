import { datasetOf } from '../../ingest/catalog.ts'
import { topics } from '../../ingest/domain/event.ts'
import { type Instant, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { type AlertRow, alertsSince } from '../../sql/queries/alerts.ts'
import { type FeedState, feedState, pollFeed, usesSecondSource } from '../../sql/queries/feeds.ts'
import { readSnapshot } from '../../sql/queries/versions.ts'
import { shapesSince } from '../../sql/queries/zones.ts'
import type { Queries } from '../../sql/session.ts'
import type { FeedAge } from '../contract.ts'
import { AlertIndex } from './alert-index.ts'
import { coalesced } from './coalesced.ts'
import type { ServedStates } from './served-states.ts'

/** The state of the alert feed, and the reason to doubt it. */
export interface AlertTrust {
  /** Undefined before the first read of the feed. */
  readonly feed: FeedState | undefined
  /** When the database was last read successfully. */
  readonly readAt: Instant
  /** The warning that answers carry; absent while the feed is current. */
  readonly doubt?: {
    readonly code: 'feed_unconfirmed' | 'degraded' | 'stale_source' | 'source_fallback'
    readonly detail: string
  }
}

export interface AlertWatch {
  readonly index: AlertIndex
  /** Converts an instant of this process's clock to the database's clock. */
  now(clock: Instant): Instant
  trust(now: Instant): AlertTrust
  /** When the feed was last confirmed; empty before its first read. */
  age(now: Instant): readonly FeedAge[]
  /** Registers a listener that is called with the coarse cells where answers may have changed, or with undefined if they may have changed everywhere. */
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
  /** Records which state of the database is served; if absent, nothing is recorded. */
  readonly states?: ServedStates
  readonly report?: (error: unknown) => void
}

/** A change must be visible within two seconds even if no event arrives. */
const POLL_INTERVAL_MS = 1000
/** Answers carry a warning if the database has not been read for this long. */
const UNCONFIRMED_AFTER_MS = 10 * SECOND
/** Id of the dataset of alerts. */
export const ALERTS = datasetOf('alerts').id
const GEOMETRY_BATCH_SIZE = 250
/** Name of the feed in the database, and of this source in the records of served states. */
const FEED = 'alerts'

/** Keeps the published alerts in memory: reads the database at every event, and polls every second. */
export async function watchAlerts(deps: AlertWatchDeps): Promise<AlertWatch> {
  const { database, clock } = deps
  const index = new AlertIndex()
  const listeners: ((cells: readonly string[] | undefined) => void)[] = []
  const silentAfterMs = Math.max(3 * deps.pollSeconds, 60) * SECOND
  let feed: FeedState | undefined
  let version = 0
  let skew = 0
  let readAt = 0
  let wasDoubtful = false

  const trust = (now: Instant): AlertTrust => ({
    feed,
    readAt,
    doubt: now - readAt > UNCONFIRMED_AFTER_MS ? UNREACHABLE : feed && doubtOf(feed, now + skew, silentAfterMs),
  })
  const notify = (cells: readonly string[] | undefined) => {
    for (const listener of listeners) listener(cells)
  }
  const notifyOfNewDoubt = () => {
    const isDoubtful = trust(clock()).doubt !== undefined
    if (isDoubtful !== wasDoubtful) notify(undefined)
    wasDoubtful = isDoubtful
  }
  const hasChanged = (state: FeedState | undefined) =>
    state?.born.getTime() !== feed?.born.getTime() || (state !== undefined && state.version > version)
  const readOnce = async () => {
    const before = clock()
    const polled = await pollFeed(database, FEED)
    const lead = skewOf(polled.now.getTime(), before, clock())
    const { state, changes, isReborn, snapshot } = hasChanged(polled.state)
      ? await readSnapshot(database, async (tx, snapshot) => {
          const state = await feedState(tx, FEED)
          const isReborn = state?.born.getTime() !== feed?.born.getTime()
          const since = isReborn ? 0 : version
          const changes =
            state && state.version > since
              ? await loadChanges(tx, index, since)
              : isReborn
                ? { since, rows: [], shapes: [] }
                : undefined
          return { state, snapshot, isReborn, changes }
        })
      : { state: polled.state, snapshot: polled.snapshot, isReborn: false, changes: undefined }
    // Everything is replaced in one turn of the event loop, so that no answer sees part of a change.
    const hasMoved = isOtherSkew(lead, skew)
    if (hasMoved) skew = lead
    const changed = changes !== undefined || hasMoved || shownState(state) !== shownState(feed)
    if (changes?.since === 0 && (version > 0 || feed)) index.clear()
    const cells = changes && applyChanges(index, changes)
    if (changes) version = state?.version ?? 0
    feed = state
    readAt = clock()
    deps.states?.serve(FEED, snapshot, changed, skew)
    if (isReborn || (changes && !cells)) notify(undefined)
    else if (cells) notify(cells)
    notifyOfNewDoubt()
  }
  const read = coalesced(readOnce)
  const subscription = await deps.events?.subscribe(topics.alerts.name, () =>
    read().catch((error) => deps.report?.(error)),
  )
  await read()
  const timer = setInterval(() => {
    read().catch((error) => {
      deps.report?.(error)
      notifyOfNewDoubt()
    })
  }, POLL_INTERVAL_MS)
  timer.unref()
  return {
    index,
    now: (at) => at + skew,
    trust,
    age: (at) => {
      const confirmed = trust(at).feed?.confirmed_at
      return confirmed ? [{ dataset: ALERTS, domain: 'us', at: confirmed.getTime() }] : []
    },
    onChange: (listener) => void listeners.push(listener),
    read,
    async close() {
      clearInterval(timer)
      await subscription?.close()
    },
  }
}

interface Changes {
  /** The version after which the alerts changed; if it is 0, these are all alerts. */
  readonly since: number
  readonly rows: readonly AlertRow[]
  readonly shapes: Awaited<ReturnType<typeof shapesSince>>
}

/** Loads the alerts that changed after a version, with the geometries that are not in the index or have changed. */
async function loadChanges(tx: Queries, index: AlertIndex, since: number): Promise<Changes> {
  const rows = await alertsSince(tx, since)
  const zones = new Map(since === 0 ? [] : index.zones.map((zone) => [`${zone.kind}/${zone.code}`, zone]))
  for (const row of rows)
    for (const { kind, code } of row.shown ? row.zones : [])
      if (!zones.has(`${kind}/${code}`)) zones.set(`${kind}/${code}`, { kind, code, loaded: false })
  const all = [...zones.values()]
  const requests = [
    [-1, all.filter((zone) => !zone.loaded)],
    [since, all.filter((zone) => zone.loaded)],
  ] as const
  const shapes: Awaited<ReturnType<typeof shapesSince>> = []
  for (const [after, list] of requests)
    for (let i = 0; i < list.length; i += GEOMETRY_BATCH_SIZE)
      shapes.push(...(await shapesSince(tx, after, list.slice(i, i + GEOMETRY_BATCH_SIZE))))
  return { since, rows, shapes }
}

/**
 * Puts changes into the index.
 * @returns coarse cells where answers may have changed; undefined if they may have changed everywhere, because an alert without an outline
 * was added or removed
 */
function applyChanges(index: AlertIndex, { rows, shapes }: Changes): string[] | undefined {
  const unplacedIds = () =>
    index
      .unplaced(0)
      .map(({ id }) => id)
      .join()
  const idsBefore = unplacedIds()
  const cells = new Set<string>()
  for (const row of rows) for (const cell of index.put(row)) cells.add(cell)
  for (const { kind, code, wkb, cells: cover } of shapes)
    for (const cell of index.putShape(kind, code, wkb, cover)) cells.add(cell)
  return unplacedIds() === idsBefore ? [...cells] : undefined
}

const UNREACHABLE = {
  code: 'degraded',
  detail: 'the database cannot be reached: the last known alerts are shown',
} as const

/** Why answers from a feed may be incomplete or old; undefined while it is current. @param now by the clock of the database */
function doubtOf(feed: FeedState, now: Instant, silentAfterMs: number): AlertTrust['doubt'] {
  const silentMs = feed.confirmed_at ? now - feed.confirmed_at.getTime() : 0
  const isSilent = silentMs > silentAfterMs
  if (usesSecondSource(feed) && !feed.suspicious && !isSilent) {
    // Of the second sources, the map service cannot show that an alert was cancelled.
    const detail =
      'the NWS alert feed could not be read: a second source is read instead; an alert that was cancelled may be shown until its end'
    return { code: 'source_fallback', detail }
  }
  if (feed.failure) {
    const detail = 'the NWS alert feed could not be read: the last known alerts are shown'
    return { code: 'feed_unconfirmed', detail }
  }
  if (feed.suspicious) {
    const detail =
      'the NWS alert feed was suddenly empty: the previous alerts are shown until a second read confirms it'
    return { code: 'feed_unconfirmed', detail }
  }
  if (!isSilent) return undefined
  const detail = `the NWS alert feed was last confirmed ${Math.round(silentMs / SECOND)} s ago`
  return { code: 'stale_source', detail }
}

/**
 * Returns how far the database's clock is ahead of this process's clock, ms. The database read its clock at some time
 * between `before` and `after`, so only a difference outside that interval counts. A reply that is processed late must
 * not look like a slow clock.
 */
export function skewOf(database: Instant, before: Instant, after: Instant): number {
  const lead = database < before ? database - before : database > after ? database - after : 0
  return Math.abs(lead) > SECOND / 4 ? lead : 0
}

/**
 * Returns true if a measured difference of clocks differs from the current value by more than the error of measurement.
 */
export function isOtherSkew(measured: number, inUse: number): boolean {
  return Math.abs(measured - inUse) > SECOND / 4
}

/** The members of the state of the feed that answers show. */
function shownState(state: FeedState | undefined): string {
  return state ? `${state.confirmed_at?.getTime()} ${state.failure} ${state.suspicious}` : ''
}

/** Notes about alerts for the operator, shown in `/readyz`. */
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
