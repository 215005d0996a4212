import type { FeedState as KnownFeed } from '../../../sql/queries/feeds.ts'
import { readCap } from '../../decode/alert/cap.ts'
import { disambiguated } from '../../decode/alert/doubled.ts'
import { readAlertGeoJson } from '../../decode/alert/geojson.ts'
import { type AlertFeed, MAX_ALERTS } from '../../decode/alert/record.ts'
import type { AlertHead } from '../../domain/alert/alert.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { type Instant, MINUTE, SECOND } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { digestOf, FROZEN_AFTER_MS } from './conditional-read.ts'
import type { FeedDeps } from './feed.ts'
import { decoded } from './quarantine-feed.ts'

export const ALERT_FEED = 'https://api.weather.gov/alerts/active'
/**
 * A replica of upstream may be some minutes behind the replica that answered before. A feed that is older than this
 * window is a stale copy.
 */
export const LATE_WINDOW_MS = 10 * MINUTE
/** Maximum number of pages with 500 alerts each; at most 1,600 alerts at once were observed nationwide. */
const MAX_PAGES = 40
/** Limit of all pages together, as large as that of a single page. */
const MAX_FEED_BYTES = 128 << 20
/** Alerts of the whole country always change within this time; only a frozen copy does not. */
const UNCHANGED_AFTER_MS = 12 * MINUTE
/** A feed that sends no byte for this time has failed; readers must be notified within ten seconds. */
const IDLE_TIMEOUT_MS = 5_000

export interface AlertPorts extends Pick<FeedDeps, 'quarantine' | 'secondSources'> {
  readonly database: Database
  readonly upstream: Upstream
  /** Called after rows were added to the outbox. */
  readonly notify?: () => void
}

export type FeedRead =
  | { readonly state: 'failed'; readonly why: string; readonly fault?: unknown }
  | { readonly state: 'same'; readonly frozenAt?: Date }
  | {
      readonly state: 'read'
      /** When the source last changed, if the copy is too old to show its current state. */
      readonly frozenAt?: Date
      readonly feed: AlertFeed
      readonly digest: string
      readonly etag?: string
      readonly lastModified?: string
      /** For the second source: why the first could not be read. */
      readonly why?: string
      /** For the second source: listed messages that are stored. */
      readonly standing?: readonly AlertHead[]
      /** For the second source: whether some listed messages are not read yet. */
      readonly doubtful?: boolean
      /** For the second source: whether an alert may still be in force although its message is absent. */
      readonly addsOnly?: boolean
      /** For the second source: its address. */
      readonly url?: string
    }

/** Returns the fault of a first source that failed or whose copy is frozen. */
export function failureOf(first: FeedRead): Extract<FeedRead, { state: 'failed' }> | undefined {
  if (first.state === 'failed') return first
  if (!first.frozenAt) return undefined
  const minutes = UNCHANGED_AFTER_MS / MINUTE
  const why = `${ALERT_FEED}: the copy must be from the last ${minutes} minutes, but is from ${first.frozenAt.toISOString()}`
  return { state: 'failed', why }
}

/**
 * Returns the time of a frozen copy from the document's own timestamp or the Age header. The document's timestamp is
 * the last change of any alert in the country; a quiet day has some two changes a minute.
 */
export function frozenSince(
  updated: Instant | undefined,
  ageSeconds: number | undefined,
  now: Instant,
): Date | undefined {
  const cached = now - (ageSeconds ?? 0) * SECOND
  const isFrozen = now - cached > FROZEN_AFTER_MS || (updated !== undefined && now - updated > UNCHANGED_AFTER_MS)
  return isFrozen ? new Date(Math.min(updated ?? now, cached)) : undefined
}

export async function readConditional(
  upstream: Upstream,
  known: KnownFeed | undefined,
  at?: Instant,
): Promise<FeedRead> {
  const trusted = known?.failure ? undefined : known
  try {
    const how = {
      accept: 'application/geo+json, application/cap+xml;q=0.5',
      attempts: 1,
      urgent: true,
      noCache: true,
      idleMs: IDLE_TIMEOUT_MS,
      signal: AbortSignal.timeout(4 * IDLE_TIMEOUT_MS),
    }
    const reply = await upstream.get(ALERT_FEED, {
      ...how,
      ifNoneMatch: trusted?.etag ?? undefined,
      ifModifiedSince: trusted?.last_modified ?? undefined,
    })
    let ageSeconds = reply.ageSeconds ?? 0
    const frozen = (updated: Instant | undefined) => frozenSince(updated, ageSeconds, at ?? Date.now())
    const same = { state: 'same', frozenAt: frozen(known?.updated?.getTime()) } as const
    if (reply.status === 304) return same
    const digests = [digestOf(reply.bytes)]
    if (trusted?.digest === digests[0]) return same
    let read = reply.bytes.length
    let feed = await decoded(ALERT_FEED, reply.bytes, () => current(readFeed(reply.bytes), known, at))
    while (feed.next !== undefined) {
      if (digests.length >= MAX_PAGES)
        throw new Fault('Corrupt', `alert feed: must have at most ${MAX_PAGES} pages, but has more`)
      const { bytes, ageSeconds: pageAge = 0 } = await upstream.get(feed.next, how)
      // A page from a cache can also hide a new alert.
      ageSeconds = Math.max(ageSeconds, pageAge)
      read += bytes.length
      if (feed.messages.length > MAX_ALERTS || read > MAX_FEED_BYTES)
        throw new Fault(
          'Corrupt',
          `alert feed: must have at most ${MAX_ALERTS} alerts in ${MAX_FEED_BYTES} bytes, but has more`,
        )
      const digest = digestOf(bytes)
      // A server without pagination returns the first page again.
      feed = digests.includes(digest)
        ? { ...feed, next: undefined }
        : joined(feed, await decoded(ALERT_FEED, bytes, () => readFeed(bytes)))
      digests.push(digest)
    }
    const paged = digests.length > 1
    const digest = paged ? digestOf(digests.join()) : nth(digests, 0)
    if (trusted?.digest === digest) return { ...same, frozenAt: frozen(known?.updated?.getTime()) }
    // The validators belong to the first page only, so a feed of several pages is read without validators.
    return {
      state: 'read',
      frozenAt: frozen(feed.updated),
      feed,
      digest,
      ...(!paged && { etag: reply.etag, lastModified: reply.lastModified }),
    }
  } catch (error) {
    if (isFault(error)) return { state: 'failed', why: error.message, fault: error }
    if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
      return {
        state: 'failed',
        why: `${ALERT_FEED}: the feed was incomplete after ${(4 * IDLE_TIMEOUT_MS) / 1000} s`,
      }
    }
    // A bug in a decoder or a body too long for a string also counts as a failure of the feed, which readers must see.
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    return { state: 'failed', why: `${name}: ${message}`.slice(0, 500) }
  }
}

function readFeed(bytes: Uint8Array): AlertFeed {
  const text = new TextDecoder().decode(bytes)
  return text.trimStart().startsWith('<') ? readCap(text) : readAlertGeoJson(text)
}

/** @throws Fault Corrupt if the feed is an earlier copy, whose alerts have since been cancelled or replaced */
export function current(feed: AlertFeed, known: KnownFeed | undefined, at: Instant = Date.now()): AlertFeed {
  const before = known?.updated?.getTime()
  // A wrong clock, ours or upstream's, must not make the feed unreadable until that time.
  if (feed.updated === undefined || before === undefined || before > at) return feed
  if (before - feed.updated < LATE_WINDOW_MS) return feed
  const [old, now] = [before, feed.updated].map((time) => new Date(time).toISOString())
  throw new Fault('Corrupt', `alert feed: must be newer than the copy from ${old}, but is from ${now}`, {
    reason: 'stale',
  })
}

/** Joins the pages of a feed; a message that moved between pages occurs twice. */
function joined(feed: AlertFeed, page: AlertFeed): AlertFeed {
  return {
    messages: disambiguated([...feed.messages, ...page.messages]),
    rejected: [...feed.rejected, ...page.rejected],
    doubled: [...(feed.doubled ?? []), ...(page.doubled ?? [])],
    updated: feed.updated ?? page.updated,
    next: page.next,
  }
}
