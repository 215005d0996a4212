import { LRUCache } from 'lru-cache'
import type { Instant } from '../../ingest/domain/time.ts'
import { freshUsage, grant, refresh, refund, standing, type Usage, type UsageStanding } from './limit.ts'
import { networkSubject } from './network.ts'
import type { Plan } from './plan.ts'

/** Counts calls without waiting. `now` is milliseconds since the epoch. */
export interface Meter {
  /** Returns the usage. A subject whose usage is not known counts as unused. */
  peek(subject: string, plan: Plan, now: Instant): UsageStanding
  /** Counts one call if the plan allows it. */
  take(subject: string, plan: Plan, now: Instant): boolean
  /** Subtracts one counted call. */
  refund(subject: string, plan: Plan): void
}

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
}

/** The subject is shortened, because a proxy may forward an address of any length. */
const subjectKey = (subject: string) => networkSubject(subject.slice(0, MAX_SUBJECT_LENGTH))
