import type { Instant } from '../../ingest/domain/time.ts'
import type { Plan } from './plan.ts'

/** Counted calls of a subject: a key, an account or an address. Days and months are UTC. */
export interface Usage {
  tokens: number
  tokensAt: Instant
  day: string
  /** End of `day`; neither day nor month changes before. */
  dayEnds: Instant
  dayCount: number
  month: string
  monthCount: number
  total: number
}

export type Window = 'minute' | 'day' | 'month' | 'total'

/** Usage compared with the plan, in the most restrictive window. */
export interface UsageStanding {
  readonly allowed: boolean
  /** The exhausted window, or the most restrictive one. */
  readonly window: Window
  readonly limit: number
  readonly remaining: number
  /** Seconds until the window is reset. */
  readonly reset: number
  /** Seconds until a call is allowed; 0 if a call is allowed now. */
  readonly wait: number
}

export function freshUsage(plan: Plan, now: Instant): Usage {
  const day = dayOf(now)
  return {
    tokens: plan.burst,
    tokensAt: now,
    day,
    dayEnds: endOf(day),
    dayCount: 0,
    month: monthOf(now),
    monthCount: 0,
    total: 0,
  }
}

/** Advances the windows to `now`: refills the bucket, resets day and month. */
export function refresh(usage: Usage, plan: Plan, now: Instant): void {
  if (now > usage.tokensAt) {
    usage.tokens = Math.min(plan.burst, usage.tokens + ((now - usage.tokensAt) * plan.minute) / 60_000)
    usage.tokensAt = now
  }
  if (now >= usage.dayEnds) {
    const day = dayOf(now)
    if (day > usage.day) {
      usage.day = day
      usage.dayEnds = endOf(day)
      usage.dayCount = 0
    }
    const month = monthOf(now)
    if (month > usage.month) {
      usage.month = month
      usage.monthCount = 0
    }
  }
}

/** Counts up to `calls` calls and returns how many were granted. Call `refresh` first. */
export function grant(usage: Usage, plan: Plan, calls: number): number {
  const granted = Math.max(0, Math.min(calls, Math.floor(allowance(usage, plan))))
  usage.tokens -= granted
  usage.dayCount += granted
  usage.monthCount += granted
  usage.total += granted
  return granted
}

/** Subtracts calls that were granted and not made. */
export function refund(usage: Usage, plan: Plan, count: number): void {
  usage.tokens = Math.min(plan.burst, usage.tokens + count)
  usage.dayCount = Math.max(0, usage.dayCount - count)
  usage.monthCount = Math.max(0, usage.monthCount - count)
  usage.total = Math.max(0, usage.total - count)
}

/** Returns how many calls the plan still allows now. */
function allowance(usage: Usage, plan: Plan): number {
  return Math.min(
    // Rounding of fractional refills may leave the bucket slightly below a whole call.
    Math.floor(usage.tokens + 1e-9),
    plan.day === undefined ? Infinity : plan.day - usage.dayCount,
    plan.month === undefined ? Infinity : plan.month - usage.monthCount,
    plan.total === undefined ? Infinity : plan.total - usage.total,
  )
}

export function standing(usage: Usage, plan: Plan, now: Instant): UsageStanding {
  const rate = plan.minute / 60
  const tokens = Math.max(0, Math.floor(usage.tokens + 1e-9))
  let window: Window = 'minute'
  let limit = plan.burst
  let remaining = tokens
  let reset = Math.ceil((plan.burst - usage.tokens) / rate)
  let wait = tokens > 0 ? 0 : Math.max(1, Math.ceil((1 - usage.tokens) / rate))
  const tighter = (name: Window, size: number | undefined, used: number, ends: () => Instant) => {
    if (size === undefined) return
    // Counts are fractions while a process grants a part of the plan.
    const unused = Math.max(0, Math.floor(size - used + 1e-9))
    // If two windows are exhausted, the window with the longer wait is reported.
    if (unused < remaining || unused === 0) {
      window = name
      limit = size
      remaining = unused
      reset = name === 'total' ? 0 : Math.ceil((ends() - now) / 1000)
      if (unused === 0) wait = reset
    }
  }
  tighter('day', plan.day, usage.dayCount, () => endOf(usage.day))
  tighter('month', plan.month, usage.monthCount, () => nextMonth(usage.month))
  tighter('total', plan.total, usage.total, () => 0)
  return { allowed: remaining > 0, window, limit, remaining, reset: Math.max(0, reset), wait }
}

const dayOf = (now: Instant) => new Date(now).toISOString().slice(0, 10)
const monthOf = (now: Instant) => `${new Date(now).toISOString().slice(0, 7)}-01`
export const endOf = (day: string) => Date.parse(`${day}T00:00:00Z`) + 86_400_000
function nextMonth(month: string): Instant {
  const first = new Date(`${month}T00:00:00Z`)
  return Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1)
}
