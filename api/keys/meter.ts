import { LRUCache } from 'lru-cache'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import { addUsage, grantCalls, type UsageRow, usageOf } from '../../sql/queries/usage.ts'
import { allowance, giveBack, grant, refresh, rested, type Standing, standing, type Usage } from './limit.ts'
import { networkSubject } from './network.ts'
import type { Plan } from './plan.ts'

/** Counts calls. `now` is milliseconds since the epoch. */
export interface Meter {
  /** Where the subject stands, without waiting; a subject not seen before is taken for rested until it is known. */
  peek(subject: string, plan: Plan, now: Instant): Standing
  /** Makes a subject's past known; resolved at once where it is. */
  know(subject: string, plan: Plan, now: Instant): Promise<void> | undefined
  /** Counts one call if it may be made. */
  take(subject: string, plan: Plan, now: Instant): boolean | Promise<boolean>
  /** The call was not to be counted after all. */
  giveBack(subject: string, plan: Plan): void
  close(): Promise<void>
}

/** What a call may wait for the database's word. */
const PATIENCE = 1000
/** After a failure the database is not asked for so long. */
const REST = 2000
const away = () => new Error(`no answer of the database within ${PATIENCE} ms`)

type Door = Pick<Database, 'query' | 'kysely'>

const MAX_ADDRESSES = 50_000
/** A purpose and the longest email address. */
const MAX_SUBJECT_LENGTH = 300

/**
 * Counts in this process alone, by address or by a purpose, a blank and an address. IPv6 counts by /64: one subscriber has at
 * least that many addresses. The least recently seen is forgotten where there are more than 50,000.
 */
export class AddressMeter implements Meter {
  readonly #usages = new LRUCache<string, Usage>({ max: MAX_ADDRESSES })

  #usage(subject: string, plan: Plan, now: Instant): Usage {
    const key = subjectKey(subject)
    let usage = this.#usages.get(key)
    if (!usage) {
      usage = rested(plan, now)
      this.#usages.set(key, usage)
    }
    refresh(usage, plan, now)
    return usage
  }

  peek(subject: string, plan: Plan, now: Instant): Standing {
    return standing(this.#usage(subject, plan, now), plan, now)
  }
  know(): undefined {}
  take(subject: string, plan: Plan, now: Instant): boolean {
    return grant(this.#usage(subject, plan, now), plan, 1) === 1
  }
  giveBack(subject: string, plan: Plan): void {
    const usage = this.#usages.get(subjectKey(subject))
    if (usage) giveBack(usage, plan, 1)
  }
  get size(): number {
    return this.#usages.size
  }
  async close(): Promise<void> {}
}

/** A proxy may pass on an address of any length. */
const subjectKey = (subject: string) => networkSubject(subject.slice(0, MAX_SUBJECT_LENGTH))

/** The only process that counts: exact in memory, written down every second and at the end. */
export class OwnMeter implements Meter {
  readonly #database: Door
  readonly #onFailure: (error: unknown) => void
  readonly #held = new Map<string, { usage: Usage; unsaved: number; known: boolean; loading?: Promise<void> }>()
  readonly #timer: NodeJS.Timeout
  #saving: Promise<void> = Promise.resolve()

  constructor(database: Door, onFailure: (error: unknown) => void) {
    this.#database = database
    this.#onFailure = onFailure
    this.#timer = setInterval(() => {
      this.#saving = this.#saving.then(() => this.#save())
    }, 1000)
    this.#timer.unref()
  }

  #at(subject: string, plan: Plan, now: Instant) {
    let held = this.#held.get(subject)
    if (!held) {
      held = { usage: rested(plan, now), unsaved: 0, known: false }
      this.#held.set(subject, held)
    }
    refresh(held.usage, plan, now)
    return held
  }

  peek(subject: string, plan: Plan, now: Instant): Standing {
    return standing(this.#at(subject, plan, now).usage, plan, now)
  }

  know(subject: string, plan: Plan, now: Instant): Promise<void> | undefined {
    const held = this.#at(subject, plan, now)
    if (held.known) return undefined
    held.loading ??= within(PATIENCE, usageOf(this.#database, subject), away)
      .then((row) => {
        if (row) Object.assign(held.usage, usageFrom(row))
      })
      .catch((error) => this.#onFailure(error))
      .finally(() => {
        // Without its database a process counts from nought rather than refuse everyone.
        held.known = true
        held.loading = undefined
      })
    return held.loading
  }

  take(subject: string, plan: Plan, now: Instant): boolean {
    const held = this.#at(subject, plan, now)
    if (grant(held.usage, plan, 1) === 0) return false
    held.unsaved++
    return true
  }

  giveBack(subject: string, plan: Plan): void {
    const held = this.#held.get(subject)
    if (!held) return
    giveBack(held.usage, plan, 1)
    held.unsaved--
  }

  async #save(): Promise<void> {
    const entries = [...this.#held].filter(([, held]) => held.unsaved !== 0)
    if (!entries.length) return
    const batch = entries.map(([subject, held]) => ({
      subject,
      tokens: held.usage.tokens,
      at: new Date(held.usage.tokensAt),
      day: held.usage.day,
      month: held.usage.month,
      count: held.unsaved,
    }))
    for (const [, held] of entries) held.unsaved = 0
    try {
      await addUsage(this.#database, batch)
    } catch (error) {
      entries.forEach(([, held], i) => {
        held.unsaved += batch[i]!.count
      })
      this.#onFailure(error)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#saving
    await this.#save()
  }
}

interface Lease {
  usage: Usage
  known: boolean
  /** Granted by the database and not used yet. */
  left: number
  usedAt: Instant
  readAt: Instant
  waiting: ((granted: boolean) => void)[]
  flight?: Promise<void>
}

/** Below this a process holds no calls in advance: two processes then split the rest exactly. */
const PLENTY = 256
const IDLE_MS = 1000

/**
 * Several processes that share a database: it grants, callers that come together share one statement, and where
 * much is left a process takes some in advance. Never more than the plan; what is held in advance comes back within two seconds.
 */
export class SharedMeter implements Meter {
  readonly #database: Door
  readonly #onFailure: (error: unknown) => void
  readonly #clock: () => Instant
  readonly #held = new Map<string, Lease>()
  readonly #plans = new Map<string, Plan>()
  #restsUntil = 0
  readonly #timer: NodeJS.Timeout

  constructor(database: Door, onFailure: (error: unknown) => void, clock: () => Instant) {
    this.#database = database
    this.#onFailure = onFailure
    this.#clock = clock
    this.#timer = setInterval(() => this.#returnIdle(), IDLE_MS)
    this.#timer.unref()
  }

  #at(subject: string, plan: Plan, now: Instant): Lease {
    let held = this.#held.get(subject)
    if (!held) {
      held = { usage: rested(plan, now), known: false, left: 0, usedAt: now, readAt: 0, waiting: [] }
      this.#held.set(subject, held)
    }
    this.#plans.set(subject, plan)
    refresh(held.usage, plan, now)
    return held
  }

  peek(subject: string, plan: Plan, now: Instant): Standing {
    const held = this.#at(subject, plan, now)
    if (held.known && now - held.readAt > 2 * IDLE_MS && now >= this.#restsUntil && !held.flight)
      void this.#ask(subject, plan, held, 0)
    if (!held.left) return standing(held.usage, plan, now)
    // What is held in advance is counted already, and may still be made.
    const usage = { ...held.usage }
    giveBack(usage, plan, held.left)
    return standing(usage, plan, now)
  }

  know(subject: string, plan: Plan, now: Instant): Promise<void> | undefined {
    const held = this.#at(subject, plan, now)
    return held.known || now < this.#restsUntil ? undefined : (held.flight ?? this.#ask(subject, plan, held, 0))
  }

  take(subject: string, plan: Plan, now: Instant): boolean | Promise<boolean> {
    const held = this.#at(subject, plan, now)
    held.usedAt = now
    if (held.left > 0 && held.waiting.length === 0) {
      held.left--
      if (held.left < advance(held, plan) >> 1 && !held.flight) void this.#ask(subject, plan, held, advance(held, plan))
      return true
    }
    if (now < this.#restsUntil) return grant(held.usage, plan, 1) === 1
    return new Promise((resolve) => {
      held.waiting.push(resolve)
      if (!held.flight) queueMicrotask(() => held.flight || this.#serve(subject, plan, held))
    })
  }

  #serve(subject: string, plan: Plan, held: Lease): void {
    void this.#ask(subject, plan, held, held.waiting.length + advance(held, plan))
  }

  #ask(subject: string, plan: Plan, held: Lease, want: number): Promise<void> {
    const asked = held.waiting.length
    held.flight = within(PATIENCE, grantCalls(this.#database, subject, plan, want), away)
      .then((row) => {
        // The database's clock and ours may differ: the bucket goes on filling from when we heard of it.
        held.usage = { ...usageFrom(row), tokensAt: this.#clock() }
        held.known = true
        held.readAt = this.#clock()
        held.left += Math.max(0, row.granted)
        for (const resolve of held.waiting.splice(0, asked)) {
          if (held.left > 0) held.left--
          else {
            resolve(false)
            continue
          }
          resolve(true)
        }
      })
      .catch((error) => {
        // Without its database a process counts by itself rather than refuse everyone.
        this.#onFailure(error)
        this.#restsUntil = this.#clock() + REST
        held.known = true
        for (const resolve of held.waiting.splice(0, asked)) resolve(grant(held.usage, plan, 1) === 1)
      })
      .finally(() => {
        held.flight = undefined
        if (held.waiting.length) this.#serve(subject, plan, held)
      })
    return held.flight
  }

  giveBack(subject: string, _plan: Plan): void {
    const held = this.#held.get(subject)
    if (held) held.left++
  }

  #returnIdle(): void {
    const now = this.#clock()
    for (const [subject, held] of this.#held) {
      if (held.left > 0 && now - held.usedAt > IDLE_MS && !held.flight) {
        const back = held.left
        held.left = 0
        void this.#ask(subject, this.#plans.get(subject)!, held, -back)
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const [subject, held] of this.#held) {
      await held.flight
      if (held.left > 0) await this.#ask(subject, this.#plans.get(subject)!, held, -held.left)
    }
  }
}

function advance(held: Lease, plan: Plan): number {
  const left = allowance(held.usage, plan)
  return held.known && left > PLENTY ? Math.min(64, left >> 5) : 0
}

function usageFrom(row: UsageRow): Usage {
  return {
    tokens: row.tokens,
    tokensAt: row.tokens_at.getTime(),
    day: row.day,
    dayCount: row.day_count,
    month: row.month,
    monthCount: row.month_count,
    total: row.total,
  }
}
