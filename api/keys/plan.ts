import type { PlanName } from '../route.ts'

/** Calls that a key may make in each window; an undefined window has no limit. */
export interface Plan {
  readonly minute: number
  readonly burst: number
  readonly day?: number
  readonly month?: number
  /** Calls over the whole life of the key. */
  readonly total?: number
  /** Event streams open at once. */
  readonly streams?: number
}

export const planNames: readonly PlanName[] = ['free', 'developer', 'professional', 'trial']

export function plans(trialCalls: number): Readonly<Record<PlanName, Plan>> {
  const free: Plan = { minute: 60, burst: 30, day: 1000, streams: 3 }
  return {
    free,
    developer: { minute: 600, burst: 100, day: 50_000, month: 500_000, streams: 20 },
    professional: { minute: 6000, burst: 1000, day: 500_000, month: 5_000_000, streams: 20 },
    trial: { minute: 60, burst: 30, total: trialCalls, streams: 3 },
  }
}

/** Limit of calls without a valid key, by address: too few to guess keys. */
export const unauthenticatedPlan: Plan = { minute: 300, burst: 150 }

/** Limit of the requests of the page at `/`, by address. */
export const visitors: Plan = { minute: 600, burst: 200, day: 20_000 }

const shares = new WeakMap<Plan, Map<number, Plan>>()

/**
 * Returns a part of a plan: each limit multiplied by `share`, but a burst of at least one call.
 * @param share more than 0, at most 1
 */
export function shareOf(plan: Plan, share: number): Plan {
  if (share === 1) return plan
  let ofPlan = shares.get(plan)
  if (!ofPlan) shares.set(plan, (ofPlan = new Map()))
  let part = ofPlan.get(share)
  if (!part) {
    // The number of processes changes rarely.
    if (ofPlan.size >= 100) ofPlan.clear()
    part = {
      minute: plan.minute * share,
      burst: Math.max(1, Math.floor(plan.burst * share)),
      ...(plan.day !== undefined && { day: Math.floor(plan.day * share) }),
      ...(plan.month !== undefined && { month: Math.floor(plan.month * share) }),
      ...(plan.total !== undefined && { total: Math.floor(plan.total * share) }),
    }
    ofPlan.set(share, part)
  }
  return part
}

const policies = new WeakMap<Plan, string>()

/** Returns the RateLimit-Policy of a plan, such as `60;w=60;burst=30, 1000;w=86400`. */
export function policyOf(plan: Plan): string {
  let text = policies.get(plan)
  if (text === undefined) policies.set(plan, (text = policyText(plan)))
  return text
}

function policyText(plan: Plan): string {
  const parts = [`${plan.minute};w=60;burst=${plan.burst}`]
  if (plan.day !== undefined) parts.push(`${plan.day};w=86400`)
  if (plan.month !== undefined) parts.push(`${plan.month};w=2592000`)
  return parts.join(', ')
}
