import { LRUCache } from 'lru-cache'
import { type Instant, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import { addUsage, type UsageChange, type UsageRow, usagesOf } from '../../sql/queries/usage.ts'
import { endOf, freshUsage, grant, refresh, refund, standing, type Usage, type UsageStanding } from './limit.ts'
import type { Meter } from './meter.ts'
import { type Plan, shareOf } from './plan.ts'

export interface SharedMeterDeps {
  readonly database: Pick<Database, 'query' | 'kysely'>
  /** Number of processes that serve the database, this one included. */
  readonly processes: () => number
  /** Returns false while the database is known to be away. */
  readonly isReachable: () => boolean
  readonly clock: () => Instant
  readonly onFailure: (error: unknown) => void
}

interface SharedBucket {
  plan: Plan
  usage: Usage
  /** The part of the plan that `usage` is about: 1, or 1/n while the database is away. */
  share: number
  /** Calls that the database has not counted yet. */
  unsaved: number
  /** When the database was last asked about the subject; -Infinity: never. */
  readAt: Instant
}

/** Time between two reconciliations of the subjects in use. */
const RECONCILE_MS = 500
/** Usage that is older than this is read again within `TICK_MS` when the subject is used. */
const STALE_MS = 2 * SECOND
const TICK_MS = 100
/** The database counts as away when it has not answered for this long. */
const AWAY_AFTER_MS = SECOND
/**
 * Longest wait for an answer, longer than the statement timeout. A statement that is given up earlier may still be committed, and its
 * repetition would count the calls twice.
 */
const DATABASE_TIMEOUT_MS = 15 * SECOND
/** After a failure, the database is not asked for this long. */
const FAILURE_PAUSE_MS = 2 * SECOND
const MAX_SUBJECTS = 50_000
const MAX_SUBJECTS_OF_STATEMENT = 1000
const unavailable = () => new Error(`the database did not answer within ${DATABASE_TIMEOUT_MS} ms`)

/**
 * Counts the calls of keys and accounts in local buckets, which a timer reconciles with the database: no call waits for a statement. Between
 * two reconciliations, processes do not know of each other's calls, so n processes together may grant what is left of the plan up to n times.
 * The excess is a debt of the bucket, which refills before the next call is granted. While the database is away, a process grants 1/n of the
 * plan, and at least single calls.
 */
export class SharedMeter implements Meter {
  readonly #deps: SharedMeterDeps
  readonly #entries: LRUCache<string, SharedBucket>
  /** Uncounted calls of subjects that are no longer in memory. */
  readonly #evicted = new Map<string, UsageChange>()
  /** Subjects that were used since the last reconciliation. */
  readonly #used = new Set<string>()
  readonly #timer: NodeJS.Timeout
  #isAway = false
  #isUrgent = false
  #nextAt = 0
  #reconciling: Promise<void> | undefined

  constructor(deps: SharedMeterDeps) {
    this.#deps = deps
    this.#entries = new LRUCache({
      max: MAX_SUBJECTS,
      dispose: (entry, subject, reason) => {
        if (reason === 'evict' && entry.unsaved !== 0) this.#evicted.set(subject, changeOf(subject, entry))
      },
    })
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
    this.#timer.unref()
  }

  #at(subject: string, plan: Plan, now: Instant): SharedBucket {
    let entry = this.#entries.get(subject)
    if (!entry) {
      entry = { plan, usage: freshUsage(plan, now), share: 1, unsaved: 0, readAt: Number.NEGATIVE_INFINITY }
      this.#entries.set(subject, entry)
    }
    entry.plan = plan
    this.#used.add(subject)
    if (now - entry.readAt > STALE_MS) this.#isUrgent = true
    const share = this.#isAway || !this.#deps.isReachable() ? 1 / this.#deps.processes() : 1
    if (share !== entry.share) rescale(entry, share)
    refresh(entry.usage, shareOf(plan, share), now)
    return entry
  }

  peek(subject: string, plan: Plan, now: Instant): UsageStanding {
    const { usage, share } = this.#at(subject, plan, now)
    return standing(usage, shareOf(plan, share), now)
  }

  take(subject: string, plan: Plan, now: Instant): boolean {
    const entry = this.#at(subject, plan, now)
    if (grant(entry.usage, shareOf(plan, entry.share), 1) === 0) return false
    entry.unsaved++
    return true
  }

  refund(subject: string, plan: Plan): void {
    const entry = this.#entries.peek(subject)
    if (!entry) return
    refund(entry.usage, shareOf(plan, entry.share), 1)
    entry.unsaved--
    this.#used.add(subject)
  }

  /** Reads the usage of subjects with their plans, so that their first call is compared with all calls before it. */
  async read(plans: ReadonlyMap<string, Plan>): Promise<void> {
    const unknown = [...plans.keys()].filter((subject) => !this.#entries.has(subject)).slice(0, MAX_SUBJECTS)
    for (let i = 0; i < unknown.length; i += MAX_SUBJECTS_OF_STATEMENT) {
      const subjects = unknown.slice(i, i + MAX_SUBJECTS_OF_STATEMENT)
      for (const row of await this.#ask(usagesOf(this.#deps.database, subjects))) {
        const plan = plans.get(row.subject)
        if (!plan || this.#entries.has(row.subject)) continue
        const now = this.#deps.clock()
        const entry = { plan, usage: freshUsage(plan, now), share: 1, unsaved: 0, readAt: now }
        adopt(entry, row, now)
        this.#entries.set(row.subject, entry)
      }
    }
  }

  #ask<T>(work: Promise<T>): Promise<T> {
    return within(DATABASE_TIMEOUT_MS, work, unavailable)
  }

  #tick(): void {
    const now = this.#deps.clock()
    if (this.#reconciling || this.#used.size + this.#evicted.size === 0) return
    if (now < this.#nextAt && (this.#isAway || !this.#isUrgent)) return
    void this.#reconcile()
  }

  /** Adds the calls since the last time, and reads what other processes have granted. */
  #reconcile(): Promise<void> {
    this.#reconciling ??= this.#reconcileNow()
      .then(
        () => {
          this.#isAway = false
          this.#nextAt = this.#deps.clock() + RECONCILE_MS
        },
        (error: unknown) => {
          this.#isAway = true
          this.#nextAt = this.#deps.clock() + FAILURE_PAUSE_MS
          this.#deps.onFailure(error)
        },
      )
      .finally(() => {
        this.#reconciling = undefined
      })
    return this.#reconciling
  }

  async #reconcileNow(): Promise<void> {
    this.#isUrgent = false
    const late = setTimeout(() => {
      this.#isAway = true
    }, AWAY_AFTER_MS)
    late.unref()
    await this.#reconcileAll().finally(() => clearTimeout(late))
  }

  async #reconcileAll(): Promise<void> {
    const subjects = [...new Set([...this.#used, ...this.#evicted.keys()])]
    for (let i = 0; i < subjects.length; i += MAX_SUBJECTS_OF_STATEMENT)
      await this.#reconcileSome(subjects.slice(i, i + MAX_SUBJECTS_OF_STATEMENT))
  }

  async #reconcileSome(subjects: readonly string[]): Promise<void> {
    const { database, clock } = this.#deps
    const changes: UsageChange[] = []
    const unchanged: string[] = []
    for (const subject of subjects) {
      const evicted = this.#evicted.get(subject)
      if (evicted) changes.push(evicted)
      const entry = this.#entries.peek(subject)
      if (entry && entry.unsaved !== 0) changes.push(changeOf(subject, entry))
      else if (entry && clock() - entry.readAt > STALE_MS) unchanged.push(subject)
    }
    const sent = merged(changes)
    const rows = await this.#ask(addUsage(database, sent))
    for (const { subject } of sent) this.#evicted.delete(subject)
    const counts = new Map(sent.map(({ subject, calls }) => [subject, calls]))
    const readAt = clock()
    for (const row of [...rows, ...(await this.#ask(usagesOf(database, unchanged)))]) {
      const entry = this.#entries.peek(row.subject)
      if (!entry) continue
      entry.unsaved -= counts.get(row.subject) ?? 0
      adopt(entry, row, readAt)
    }
    for (const subject of unchanged) {
      const entry = this.#entries.peek(subject)
      if (entry) entry.readAt = readAt
    }
    for (const subject of subjects) if (!this.#entries.peek(subject)?.unsaved) this.#used.delete(subject)
  }

  /** Counts what is not counted yet, and stops. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#reconciling
    if (this.#used.size + this.#evicted.size > 0) await this.#reconcile()
  }
}

const changeOf = (subject: string, { plan, usage, unsaved }: SharedBucket): UsageChange => ({
  ...{ subject, calls: unsaved, day: usage.day, month: usage.month },
  ...{ burst: plan.burst, perSecond: plan.minute / 60 },
})

/** Adds up the changes of one subject: a statement may change each row once. */
function merged(changes: readonly UsageChange[]): UsageChange[] {
  const bySubject = new Map<string, UsageChange>()
  for (const change of changes) {
    const before = bySubject.get(change.subject)
    bySubject.set(change.subject, before ? { ...change, calls: before.calls + change.calls } : change)
  }
  return [...bySubject.values()]
}

/** Replaces the usage of a subject by what the database counts, and the calls that it has not counted yet. */
function adopt(entry: SharedBucket, row: UsageRow, now: Instant): void {
  const { plan, unsaved } = entry
  // The bucket refills from now by the local clock, because the clocks may differ.
  const tokens = Math.min(plan.burst, row.tokens + (Math.max(0, row.age) * plan.minute) / 60)
  entry.share = 1
  entry.readAt = now
  entry.usage = {
    ...{ tokens: tokens - unsaved, tokensAt: now, day: row.day, dayEnds: endOf(row.day), month: row.month },
    ...{ dayCount: row.day_count + unsaved, monthCount: row.month_count + unsaved, total: row.total + unsaved },
  }
  refresh(entry.usage, plan, now)
}

/** Makes the usage of one part of a plan that of another part, which has the same fraction left. */
function rescale(entry: SharedBucket, share: number): void {
  const factor = share / entry.share
  const { usage } = entry
  usage.tokens *= factor
  usage.dayCount *= factor
  usage.monthCount *= factor
  usage.total *= factor
  entry.share = share
}
