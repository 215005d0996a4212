import { LRUCache } from 'lru-cache'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import { addUsage, grantCalls, type UsageRow, usageOf } from '../../sql/queries/usage.ts'
import {
  allowance,
  endOf,
  freshUsage,
  grant,
  refresh,
  refund,
  standing,
  type Usage,
  type UsageStanding,
} from './limit.ts'
import { networkSubject } from './network.ts'
import type { Plan } from './plan.ts'

/** Counts calls. `now` is milliseconds since the epoch. */
export interface Meter {
  /** Returns the usage without waiting; a subject whose usage is not loaded counts as unused. */
  peek(subject: string, plan: Plan, now: Instant): UsageStanding
  /** Loads the usage of a subject; returns undefined if it is loaded already. */
  load(subject: string, plan: Plan, now: Instant): Promise<void> | undefined
  /** Counts one call if the plan allows it. */
  take(subject: string, plan: Plan, now: Instant): boolean | Promise<boolean>
  /** Subtracts one counted call. */
  refund(subject: string, plan: Plan): void
  close(): Promise<void>
}

/** Longest time that a call waits for the database. */
const DATABASE_TIMEOUT_MS = 1000
/** After a failure, the database is not read for this long. */
const FAILURE_PAUSE_MS = 2000
const unavailable = () => new Error(`the database did not answer within ${DATABASE_TIMEOUT_MS} ms`)

type UsageDatabase = Pick<Database, 'query' | 'kysely'>

const MAX_ADDRESSES = 50_000
/** A purpose and the longest email address. */
const MAX_SUBJECT_LENGTH = 300

/**
 * Counts in this process only, by address, or by a purpose and an address separated by a space. IPv6 addresses count by /64, the smallest
 * block of one subscriber. Above 50,000 entries, the least recently used entry is evicted.
 */
export class AddressMeter implements Meter {
  readonly #usages = new LRUCache<string, Usage>({ max: MAX_ADDRESSES })

  #usage(subject: string, plan: Plan, now: Instant): Usage {
    const key = subjectKey(subject)
    let usage = this.#usages.get(key)
    if (!usage) {
      usage = freshUsage(plan, now)
      this.#usages.set(key, usage)
    }
    refresh(usage, plan, now)
    return usage
  }

  peek(subject: string, plan: Plan, now: Instant): UsageStanding {
    return standing(this.#usage(subject, plan, now), plan, now)
  }
  load(): undefined {}
  take(subject: string, plan: Plan, now: Instant): boolean {
    return grant(this.#usage(subject, plan, now), plan, 1) === 1
  }
  refund(subject: string, plan: Plan): void {
    const usage = this.#usages.get(subjectKey(subject))
    if (usage) refund(usage, plan, 1)
  }
  get size(): number {
    return this.#usages.size
  }
  async close(): Promise<void> {}
}

/** The subject is shortened, because a proxy may forward an address of any length. */
const subjectKey = (subject: string) => networkSubject(subject.slice(0, MAX_SUBJECT_LENGTH))

/** Counts calls in memory for the only process at a database. Counts are saved every second and at shutdown. */
export class OwnMeter implements Meter {
  readonly #database: UsageDatabase
  readonly #onFailure: (error: unknown) => void
  readonly #entries = new Map<string, { usage: Usage; unsaved: number; known: boolean; loading?: Promise<void> }>()
  readonly #timer: NodeJS.Timeout
  #saving: Promise<void> = Promise.resolve()

  constructor(database: UsageDatabase, onFailure: (error: unknown) => void) {
    this.#database = database
    this.#onFailure = onFailure
    this.#timer = setInterval(() => {
      this.#saving = this.#saving.then(() => this.#save())
    }, 1000)
    this.#timer.unref()
  }

  #at(subject: string, plan: Plan, now: Instant) {
    let entry = this.#entries.get(subject)
    if (!entry) {
      entry = { usage: freshUsage(plan, now), unsaved: 0, known: false }
      this.#entries.set(subject, entry)
    }
    refresh(entry.usage, plan, now)
    return entry
  }

  peek(subject: string, plan: Plan, now: Instant): UsageStanding {
    return standing(this.#at(subject, plan, now).usage, plan, now)
  }

  load(subject: string, plan: Plan, now: Instant): Promise<void> | undefined {
    const entry = this.#at(subject, plan, now)
    if (entry.known) return undefined
    entry.loading ??= within(DATABASE_TIMEOUT_MS, usageOf(this.#database, subject), unavailable)
      .then((row) => {
        if (row) Object.assign(entry.usage, usageFrom(row))
      })
      .catch((error) => this.#onFailure(error))
      .finally(() => {
        // Without the database, a process counts from zero rather than reject every call.
        entry.known = true
        entry.loading = undefined
      })
    return entry.loading
  }

  take(subject: string, plan: Plan, now: Instant): boolean {
    const entry = this.#at(subject, plan, now)
    if (grant(entry.usage, plan, 1) === 0) return false
    entry.unsaved++
    return true
  }

  refund(subject: string, plan: Plan): void {
    const entry = this.#entries.get(subject)
    if (!entry) return
    refund(entry.usage, plan, 1)
    entry.unsaved--
  }

  async #save(): Promise<void> {
    const entries = [...this.#entries].filter(([, entry]) => entry.unsaved !== 0)
    if (!entries.length) return
    const batch = entries.map(([subject, entry]) => ({
      entry,
      subject,
      tokens: entry.usage.tokens,
      at: new Date(entry.usage.tokensAt),
      day: entry.usage.day,
      month: entry.usage.month,
      count: entry.unsaved,
    }))
    for (const [, entry] of entries) entry.unsaved = 0
    try {
      await addUsage(
        this.#database,
        batch.map(({ entry: _, ...usage }) => usage),
      )
    } catch (error) {
      for (const { entry, count } of batch) entry.unsaved += count
      this.#onFailure(error)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#saving
    await this.#save()
  }
}

interface UsageLease {
  plan: Plan
  usage: Usage
  known: boolean
  /** Calls that the database has granted and that are not used yet. */
  remaining: number
  usedAt: Instant
  readAt: Instant
  waiting: ((granted: boolean) => void)[]
  flight?: Promise<void>
}

/** Below this allowance, a process leases no calls in advance, so that processes share the remaining calls exactly. */
const MIN_ALLOWANCE_FOR_LEASE = 256
const IDLE_MS = 1000

/**
 * Counts calls of several processes in a shared database, which grants the calls. Concurrent calls of a subject share one statement. While
 * many calls remain, a process leases some in advance, never more than the plan allows; unused leases are returned within two seconds.
 */
export class SharedMeter implements Meter {
  readonly #database: UsageDatabase
  readonly #onFailure: (error: unknown) => void
  readonly #clock: () => Instant
  readonly #entries = new Map<string, UsageLease>()
  #pausedUntil = 0
  readonly #timer: NodeJS.Timeout

  constructor(database: UsageDatabase, onFailure: (error: unknown) => void, clock: () => Instant) {
    this.#database = database
    this.#onFailure = onFailure
    this.#clock = clock
    this.#timer = setInterval(() => this.#returnIdle(), IDLE_MS)
    this.#timer.unref()
  }

  #at(subject: string, plan: Plan, now: Instant): UsageLease {
    let entry = this.#entries.get(subject)
    if (!entry) {
      entry = { plan, usage: freshUsage(plan, now), known: false, remaining: 0, usedAt: now, readAt: 0, waiting: [] }
      this.#entries.set(subject, entry)
    }
    entry.plan = plan
    refresh(entry.usage, plan, now)
    return entry
  }

  peek(subject: string, plan: Plan, now: Instant): UsageStanding {
    const entry = this.#at(subject, plan, now)
    if (entry.known && now - entry.readAt > 2 * IDLE_MS && now >= this.#pausedUntil && !entry.flight)
      void this.#request(subject, plan, entry, 0)
    if (!entry.remaining) return standing(entry.usage, plan, now)
    // The database has counted the leased calls, which are still available.
    const usage = { ...entry.usage }
    refund(usage, plan, entry.remaining)
    return standing(usage, plan, now)
  }

  load(subject: string, plan: Plan, now: Instant): Promise<void> | undefined {
    const entry = this.#at(subject, plan, now)
    return entry.known || now < this.#pausedUntil ? undefined : (entry.flight ?? this.#request(subject, plan, entry, 0))
  }

  take(subject: string, plan: Plan, now: Instant): boolean | Promise<boolean> {
    const entry = this.#at(subject, plan, now)
    entry.usedAt = now
    if (entry.remaining > 0 && entry.waiting.length === 0) {
      entry.remaining--
      if (entry.remaining < advance(entry, plan) >> 1 && !entry.flight)
        void this.#request(subject, plan, entry, advance(entry, plan))
      return true
    }
    if (now < this.#pausedUntil) return grant(entry.usage, plan, 1) === 1
    return new Promise((resolve) => {
      entry.waiting.push(resolve)
      if (!entry.flight) queueMicrotask(() => entry.flight || this.#serve(subject, plan, entry))
    })
  }

  #serve(subject: string, plan: Plan, entry: UsageLease): void {
    void this.#request(subject, plan, entry, entry.waiting.length + advance(entry, plan))
  }

  #request(subject: string, plan: Plan, entry: UsageLease, calls: number): Promise<void> {
    const waitingCalls = entry.waiting.length
    entry.flight = within(DATABASE_TIMEOUT_MS, grantCalls(this.#database, subject, plan, calls), unavailable)
      .then((row) => {
        // The bucket refills from the local time of the reply, because the clocks may differ.
        entry.usage = { ...usageFrom(row), tokensAt: this.#clock() }
        entry.known = true
        entry.readAt = this.#clock()
        entry.remaining += Math.max(0, row.granted)
        for (const resolve of entry.waiting.splice(0, waitingCalls)) {
          if (entry.remaining > 0) entry.remaining--
          else {
            resolve(false)
            continue
          }
          resolve(true)
        }
      })
      .catch((error) => {
        // Without the database, a process counts alone rather than reject every call.
        this.#onFailure(error)
        this.#pausedUntil = this.#clock() + FAILURE_PAUSE_MS
        entry.known = true
        for (const resolve of entry.waiting.splice(0, waitingCalls)) resolve(grant(entry.usage, plan, 1) === 1)
      })
      .finally(() => {
        entry.flight = undefined
        if (entry.waiting.length) this.#serve(subject, plan, entry)
      })
    return entry.flight
  }

  refund(subject: string, _plan: Plan): void {
    const entry = this.#entries.get(subject)
    if (entry) entry.remaining++
  }

  #returnIdle(): void {
    const now = this.#clock()
    for (const [subject, entry] of this.#entries) {
      if (entry.remaining > 0 && now - entry.usedAt > IDLE_MS && !entry.flight) {
        const unused = entry.remaining
        entry.remaining = 0
        void this.#request(subject, entry.plan, entry, -unused)
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const [subject, entry] of this.#entries) {
      await entry.flight
      if (entry.remaining > 0) await this.#request(subject, entry.plan, entry, -entry.remaining)
    }
  }
}

function advance(entry: UsageLease, plan: Plan): number {
  const remaining = allowance(entry.usage, plan)
  return entry.known && remaining > MIN_ALLOWANCE_FOR_LEASE ? Math.min(64, remaining >> 5) : 0
}

function usageFrom(row: UsageRow): Usage {
  return {
    tokens: row.tokens,
    tokensAt: row.tokens_at.getTime(),
    day: row.day,
    dayEnds: endOf(row.day),
    dayCount: row.day_count,
    month: row.month,
    monthCount: row.month_count,
    total: row.total,
  }
}
