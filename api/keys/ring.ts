import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { changedKeys, type KeyRow, keysByHash, newestKeys } from '../../sql/queries/keys.ts'
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

/** Interval between reads of changed keys: a revocation takes effect within 2 s. */
const REFRESH_INTERVAL_MS = 1000
/** Shortest time between two lookups of unknown keys. */
const LOOKUP_INTERVAL_MS = 100
/** Unknown keys of one lookup; further requests wait for the next one. */
const MAX_LOOKED_UP = 500
/** Keys in memory, of some 700 bytes each. */
const MAX_KEYS = 20_000
/** Recently used keys are found without hashing; the cache is cleared at any change. */
const MAX_CACHED_KEYS = 10_000

export interface KeyRingOptions {
  /** Called with the callers of keys that were read, before they are used. */
  readonly onRead?: (callers: readonly Caller[]) => Promise<void>
  readonly onFailure?: (error: unknown) => void
  /** Default: 20,000. */
  readonly mostKeys?: number
}

/**
 * Keys in memory, by hash, so that a check needs no statement. The start reads the keys that were changed last, up to the bound of the
 * cache, and a timer reads changes every second. A key that is not in memory, because it is new or there are more keys than the cache
 * holds, is looked up once when it is first seen; the lookups of a tenth of a second are one statement.
 */
export class KeyRing {
  readonly #database: Pick<Database, 'query' | 'kysely'>
  readonly #options: KeyRingOptions
  readonly #byHash: LRUCache<string, KeyEntry>
  readonly #byPrefix = new Map<string, KeyEntry>()
  readonly #known = new LRUCache<string, KeyEntry>({ max: MAX_CACHED_KEYS })
  #since: Date | undefined
  #reading: Promise<void> | undefined
  #unknown = new Map<string, Uint8Array>()
  #lookup: Promise<void> | undefined
  #lookedUpAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(database: Pick<Database, 'query' | 'kysely'>, options: KeyRingOptions = {}) {
    this.#database = database
    this.#options = options
    this.#byHash = new LRUCache({
      max: options.mostKeys ?? MAX_KEYS,
      dispose: (entry) => {
        if (this.#byPrefix.get(entry.caller.prefix) === entry) this.#byPrefix.delete(entry.caller.prefix)
      },
    })
  }

  async start(): Promise<void> {
    await this.refresh()
    this.#timer = setInterval(() => {
      this.refresh().catch((error) => this.#options.onFailure?.(error))
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
    const isFirst = this.#since === undefined
    const { rows, now } = this.#since
      ? await changedKeys(this.#database, this.#since)
      : await newestKeys(this.#database, this.#byHash.max)
    // The newest keys are stored last, so that the least recently changed are evicted first.
    await this.#store(isFirst ? rows.reverse() : rows)
    this.#since = now
  }

  async #store(rows: readonly KeyRow[]): Promise<void> {
    const entries = rows.flatMap((row) => {
      const changed = this.#changedEntry(row)
      return changed ? [changed] : []
    })
    if (entries.length === 0) return
    await this.#options.onRead?.(entries.map(([, { caller }]) => caller))
    this.#known.clear()
    for (const [key, entry] of entries) {
      this.#byHash.set(key, entry)
      this.#byPrefix.set(entry.caller.prefix, entry)
    }
  }

  /** Returns the entry of a row, unless it is in memory already. */
  #changedEntry(row: KeyRow): [string, KeyEntry] | undefined {
    const key = keyOf(row.hash)
    const before = this.#byHash.peek(key)
    const plan = planNames.find((name) => name === row.plan) ?? 'free'
    const expiresAt = row.expires_at?.getTime() ?? Infinity
    const revoked = row.revoked_at !== null
    const unchanged =
      before?.caller.plan === plan &&
      before.caller.accountId === (row.account_id ?? undefined) &&
      before.expiresAt === expiresAt &&
      before.revoked === revoked
    if (unchanged) return undefined
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
    return [key, entry]
  }

  /** Whether the key of a caller is still valid, for connections that outlive their request. */
  isActive(caller: Caller, now: Instant): boolean {
    const entry = this.#byPrefix.get(caller.prefix)
    if (!entry) return false
    // Keys of open connections stay in memory.
    this.#byHash.get(keyOf(entry.hash))
    return !entry.revoked && entry.expiresAt > now
  }

  /** Returns the caller of a key without waiting; undefined if the key is unknown, revoked or expired. */
  check(key: string, now: Instant): Caller | undefined {
    let entry = this.#known.get(key)
    if (!entry) {
      if (!isKeyShaped(key)) return undefined
      const hash = hashOf(key)
      const stored = this.#byHash.get(keyOf(hash))
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

  /** Like `check`, but looks the key up if it is not in memory. */
  async find(key: string, now: Instant): Promise<Caller | undefined> {
    const caller = this.check(key, now)
    if (caller || !isKeyShaped(key)) return caller
    const hash = hashOf(key)
    const name = keyOf(hash)
    while (this.#unknown.size >= MAX_LOOKED_UP && !this.#unknown.has(name)) await this.#lookup
    if (this.#byHash.has(name)) return this.check(key, now)
    this.#unknown.set(name, hash)
    await this.#lookUp()
    return this.check(key, now)
  }

  /** Looks up the unknown keys. Requests of a tenth of a second share a statement. */
  #lookUp(): Promise<void> {
    this.#lookup ??= (async () => {
      const pauseMs = LOOKUP_INTERVAL_MS - (performance.now() - this.#lookedUpAt)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, pauseMs)))
      const hashes = [...this.#unknown.values()]
      this.#unknown = new Map()
      this.#lookup = undefined
      this.#lookedUpAt = performance.now()
      await this.#store(await keysByHash(this.#database, hashes))
    })()
    return this.#lookup
  }
}

const keyOf = (hash: Uint8Array): string => Buffer.from(hash).toString('base64')
