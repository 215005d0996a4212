import { createHash } from 'node:crypto'
import { feedState, markUnchanged } from '../../../sql/queries/feeds.ts'
import { Fault } from '../../domain/fault.ts'
import { type Instant, MINUTE, SECOND } from '../../domain/time.ts'
import type { FeedDeps } from './feed.ts'

export interface ConditionalOptions {
  readonly accept?: string
  /** Time without a byte after which the read has failed, ms; 10 s by default. */
  readonly idleMs?: number
  /** Time limit for the whole body, ms; 60 s by default. */
  readonly totalMs?: number
  /** Size limit of the body; by default the limit for documents. */
  readonly maxBytes?: number
}

/** The validators of a read for `markConfirmed`, so that the next read can be conditional. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
  /** SHA-256 of the body: servers without ETag repeat the same bytes. */
  readonly digest: string
  /** Time of a copy that a cache returned, which is too old to be current. */
  readonly frozenAt?: Date
}

/**
 * A copy that is older than this, by its own timestamp or the Age header, does not show the current state of the
 * source.
 */
export const FROZEN_AFTER_MS = 10 * MINUTE

/** Returns the time of a copy from a cache if it is too old to be current. */
export function frozenCopy(ageSeconds: number | undefined, now: Instant): Date | undefined {
  const age = (ageSeconds ?? 0) * SECOND
  return age > FROZEN_AFTER_MS ? new Date(now - age) : undefined
}

export type ConditionalRead =
  | { readonly state: 'unchanged'; readonly frozenAt?: Date }
  | { readonly state: 'read'; readonly bytes: Uint8Array; readonly validators: Validators }

/**
 * Sends a GET with the validators of the last good read of this feed. After a failure no validators are sent, so that
 * the whole document is read again. An unchanged document (304 or the same bytes) is marked as confirmed. For a changed
 * document the caller calls `markConfirmed`.
 * @throws Fault as the upstream port does; Refused if the body takes longer than `totalMs`
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
      throw new Fault('Refused', `${url}: the body was incomplete after ${totalMs / 1000} s`)
    })
  const frozenAt = frozenCopy(reply.ageSeconds, Date.now())
  if (reply.status === 304) {
    await markUnchanged(database, stateKey, frozenAt)
    return { state: 'unchanged', frozenAt }
  }
  const digest = digestOf(reply.bytes)
  if (trusted?.digest === digest) {
    await markUnchanged(database, stateKey, frozenAt)
    return { state: 'unchanged', frozenAt }
  }
  const { etag, lastModified } = reply
  return { state: 'read', bytes: reply.bytes, validators: { etag, lastModified, digest, frozenAt } }
}

export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
}

/**
 * Returns Last-Modified only if that second is well past. A file may change twice within a second, so a recent time is
 * no usable condition (RFC 9110, 8.8.2.2).
 */
export function settledTime(lastModified: string | undefined, now: Instant): string | undefined {
  return lastModified && now - Date.parse(lastModified) > 3000 ? lastModified : undefined
}
