import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { changedKeys, type KeyRow } from '../../sql/queries/keys.ts'
import type { Caller } from '../route.ts'
import { planNames } from './plan.ts'
import { hashOf, isKeyShaped } from './secret.ts'

interface KeyEntry {
  readonly hash: Uint8Array
  readonly caller: Caller
  readonly expiresAt: Instant
  readonly revoked: boolean
}

/** Returns the subject under which all keys of an account, and its access tokens for the tool server, are counted. */
export const accountSubject = (accountId: string): string => `account ${accountId}`

/** Interval between reads of changed keys: a revocation takes effect well within 2 s. */
const REFRESH_INTERVAL_MS = 750
/** Recently used keys are found without hashing; the cache is cleared at any change. */
const MAX_CACHED_KEYS = 10_000

/**
 * All keys in memory, by hash, so that a check needs no query. Changes are read every 0.75 s. An unknown key triggers a read at once, so
 * that a new key works in every process from its first call.
 */
export class KeyRing {
  readonly #database: Pick<Database, 'query' | 'kysely'>
  readonly #byHash = new Map<string, KeyEntry>()
  readonly #byPrefix = new Map<string, KeyEntry>()
  readonly #known = new LRUCache<string, KeyEntry>({ max: MAX_CACHED_KEYS })
  #since: Date | undefined
  #reading: Promise<void> | undefined
  #nextRead: Promise<void> | undefined
  #readAt = 0
  #timer: NodeJS.Timeout | undefined
  #onFailure: ((error: unknown) => void) | undefined

  constructor(database: Pick<Database, 'query' | 'kysely'>, onFailure?: (error: unknown) => void) {
    this.#database = database
    this.#onFailure = onFailure
  }

  async start(): Promise<void> {
    await this.refresh()
    this.#timer = setInterval(() => {
      this.refresh().catch((error) => this.#onFailure?.(error))
    }, REFRESH_INTERVAL_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Reads changed keys; concurrent callers share one read. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<void> {
    const { rows, now } = await changedKeys(this.#database, this.#since)
    this.#since = now
    this.#readAt = performance.now()
    for (const row of rows) this.#store(row)
  }

  #store(row: KeyRow): void {
    const key = Buffer.from(row.hash).toString('base64')
    const before = this.#byHash.get(key)
    const plan = planNames.find((name) => name === row.plan) ?? 'free'
    const expiresAt = row.expires_at?.getTime() ?? Infinity
    const revoked = row.revoked_at !== null
    const unchanged =
      before?.caller.plan === plan &&
      before.caller.accountId === (row.account_id ?? undefined) &&
      before.expiresAt === expiresAt &&
      before.revoked === revoked
    if (unchanged) return
    this.#known.clear()
    const entry: KeyEntry = {
      hash: row.hash,
      caller: {
        // Keys of an account share its limits, so that more keys do not give more calls.
        subject: row.account_id ? accountSubject(row.account_id) : row.prefix,
        prefix: row.prefix,
        plan,
        scopes: row.scopes,
        ...(row.account_id && { accountId: row.account_id }),
      },
      expiresAt,
      revoked,
    }
    this.#byHash.set(key, entry)
    this.#byPrefix.set(row.prefix, entry)
  }

  /** Whether the key of a caller is still valid, for connections that outlive their request. */
  isActive(caller: Caller, now: Instant): boolean {
    const entry = this.#byPrefix.get(caller.prefix)
    return entry !== undefined && !entry.revoked && entry.expiresAt > now
  }

  /** Returns the caller of a key without waiting; undefined if the key is unknown, revoked or expired. */
  check(key: string, now: Instant): Caller | undefined {
    let entry = this.#known.get(key)
    if (!entry) {
      if (!isKeyShaped(key)) return undefined
      const hash = hashOf(key)
      const stored = this.#byHash.get(hash.toString('base64'))
      if (!stored || !timingSafeEqual(hash, stored.hash)) return undefined
      entry = stored
      this.#known.set(key, entry)
    }
    return entry.revoked || entry.expiresAt <= now ? undefined : entry.caller
  }

  /** Returns the hash of the key of a caller that `check` returned. */
  hashOf(caller: Caller): Uint8Array {
    const entry = this.#byPrefix.get(caller.prefix)
    if (entry) return entry.hash
    throw new Error(`key ring: no key with the prefix ${caller.prefix}`)
  }

  /** Like `check`, but reads new keys first if the key is unknown. */
  async find(key: string, now: Instant): Promise<Caller | undefined> {
    const caller = this.check(key, now)
    if (caller || !isKeyShaped(key) || this.#byHash.has(hashOf(key).toString('base64'))) return caller
    await this.#readAfterNow()
    return this.check(key, now)
  }

  /** Resolves after a read that begins after this call. Waiting callers share the read; there are at most ten reads per second. */
  #readAfterNow(): Promise<void> {
    this.#nextRead ??= (async () => {
      await this.#reading
      const pause = 100 - (performance.now() - this.#readAt)
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      this.#nextRead = undefined
      await this.refresh()
    })()
    return this.#nextRead
  }
}
