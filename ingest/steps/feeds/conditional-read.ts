import { createHash } from 'node:crypto'
import { feedState, markUnchanged } from '../../../sql/queries/feeds.ts'
import { Fault } from '../../domain/fault.ts'
import { type Instant, MINUTE, SECOND } from '../../domain/time.ts'
import type { FeedDeps } from './feed.ts'

export interface ConditionalOptions {
  readonly accept?: string
  /** Milliseconds without a byte after which the read has failed; 10 s where absent. */
  readonly idleMs?: number
  /** Milliseconds for the whole body; 60 s where absent. */
  readonly totalMs?: number
  /** Limit of the body; that of a document where absent. */
  readonly maxBytes?: number
}

/** The validators of a read for `markConfirmed`, so that the next one can be conditional. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
  /** SHA-256 of the body: servers without ETag repeat the same bytes. */
  readonly digest: string
  /** A cache on the way has given a copy of this time, which is too old to be the newest. */
  readonly frozenAt?: Date
}

/** A copy that is older than this by its own clock, or by the header Age, does not show what the source has now. */
export const FROZEN_AFTER_MS = 10 * MINUTE

/** The time of a copy that a cache gave, where it is too old to be the newest. */
export function frozenCopy(ageSeconds: number | undefined, now: Instant): Date | undefined {
  const age = (ageSeconds ?? 0) * SECOND
  return age > FROZEN_AFTER_MS ? new Date(now - age) : undefined
}

export type ConditionalRead =
  | { readonly state: 'unchanged' }
  | { readonly state: 'read'; readonly bytes: Uint8Array; readonly validators: Validators }

/**
 * A GET with the validators of the last good read of this feed; none after a failure, so that the whole document is read again.
 * An unchanged document (304, or the same bytes) is marked as confirmed. The caller stores the rest with `markConfirmed`.
 * @throws Fault as the upstream port does; Refused where the body takes longer than `totalMs`
 */
export async function readConditionally(
  { database, upstream }: Pick<FeedDeps, 'database' | 'upstream'>,
  stateKey: string,
  url: string,
  { accept, idleMs = 10_000, totalMs = 60_000, maxBytes }: ConditionalOptions = {},
): Promise<ConditionalRead> {
  const state = await feedState(database, stateKey)
  const trusted = state?.failure ? undefined : state
  const signal = AbortSignal.timeout(totalMs)
  const reply = await upstream
    .get(url, {
      accept,
      attempts: 2,
      idleMs,
      maxBytes,
      noCache: true,
      signal,
      ifNoneMatch: trusted?.etag ?? undefined,
      ifModifiedSince: trusted?.last_modified ?? undefined,
    })
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
      throw new Fault('Refused', `${url}: wanted the whole body within ${totalMs / 1000} s`)
    })
  const frozenAt = frozenCopy(reply.ageSeconds, Date.now())
  if (reply.status === 304) {
    await markUnchanged(database, stateKey, frozenAt)
    return { state: 'unchanged' }
  }
  const digest = digestOf(reply.bytes)
  if (trusted?.digest === digest) {
    await markUnchanged(database, stateKey, frozenAt)
    return { state: 'unchanged' }
  }
  const { etag, lastModified } = reply
  return { state: 'read', bytes: reply.bytes, validators: { etag, lastModified, digest, frozenAt } }
}

export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
}

/**
 * A file may change twice within the second that Last-Modified names: the header is only usable as a condition once that second is well
 * past
 * (RFC 9110, 8.8.2.2).
 */
export function settledTime(lastModified: string | undefined, now: Instant): string | undefined {
  return lastModified && now - Date.parse(lastModified) > 3000 ? lastModified : undefined
}
