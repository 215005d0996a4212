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

/** What is counted for an account: all its keys, and the access tokens of the tool server. */
export const accountSubject = (accountId: string): string => `account ${accountId}`

/** Interval of reads of changed keys: a revocation takes effect well within 2 s. */
const REFRESH_INTERVAL_MS = 750
/** Recently used keys are found without hashing; cleared at any change. */
const MAX_CACHED_KEYS = 10_000

/**
 * All keys in memory, by hash: a check costs no query. Changes are read every 0.75 s; an unknown key triggers a read at once, so
 * that a new key works in every process from its first call.
 */
export class KeyRing {
  readonly #database: Pick<Database, 'query' | 'kysely'>
  readonly #byHash = new Map<string, KeyEntry>()
  readonly #byPrefix = new Map<string, KeyEntry>()
  readonly #known = new LRUCache<string, KeyEntry>({ max: MAX_CACHED_KEYS })
  #since: Date | undefined
  #looking: Promise<void> | undefined
  #anew: Promise<void> | undefined
  #lookedAt = 0
  #timer: NodeJS.Timeout | undefined
  #failed: ((error: unknown) => void) | undefined

  constructor(database: Pick<Database, 'query' | 'kysely'>, onFailure?: (error: unknown) => void) {
    this.#database = database
    this.#failed = onFailure
  }

  async start(): Promise<void> {
    await this.look()
    this.#timer = setInterval(() => {
      this.look().catch((error) => this.#failed?.(error))
    }, REFRESH_INTERVAL_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Reads changed keys; concurrent callers share one read. */
  look(): Promise<void> {
    this.#looking ??= this.#read().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #read(): Promise<void> {
    const { rows, now } = await changedKeys(this.#database, this.#since)
    this.#since = now
    this.#lookedAt = performance.now()
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
        // Keys of one account share its limits: more keys give no more calls.
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

  /** The caller of a key, without waiting: undefined for one that is unknown, revoked or expired. */
  check(key: string, now: Instant): Caller | undefined {
    let entry = this.#known.get(key)
    if (!entry) {
      if (!isKeyShaped(key)) return undefined
      const hash = hashOf(key)
      const found = this.#byHash.get(hash.toString('base64'))
      if (!found || !timingSafeEqual(hash, found.hash)) return undefined
      entry = found
      this.#known.set(key, entry)
    }
    return entry.revoked || entry.expiresAt <= now ? undefined : entry.caller
  }

  /** Of a caller that was checked. */
  hashOf(caller: Caller): Uint8Array {
    const entry = this.#byPrefix.get(caller.prefix)
    if (entry) return entry.hash
    throw new Error(`key ring: no key with the prefix ${caller.prefix}`)
  }

  /** As `check`, but reads new keys first where the key is unknown. */
  async find(key: string, now: Instant): Promise<Caller | undefined> {
    const caller = this.check(key, now)
    if (caller || !isKeyShaped(key) || this.#byHash.has(hashOf(key).toString('base64'))) return caller
    await this.#readAfterNow()
    return this.check(key, now)
  }

  /** A read that begins after this call, shared by all waiting callers; at most ten a second. */
  #readAfterNow(): Promise<void> {
    this.#anew ??= (async () => {
      await this.#looking
      const pause = 100 - (performance.now() - this.#lookedAt)
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      this.#anew = undefined
      await this.look()
    })()
    return this.#anew
  }
}
