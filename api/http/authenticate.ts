import type { IncomingMessage } from 'node:http'
import type { UsageStanding } from '../keys/limit.ts'
import type { Meter } from '../keys/meter.ts'
import { type Plan, unauthenticatedPlan } from '../keys/plan.ts'
import type { KeyRing } from '../keys/ring.ts'
import { Problem, type ProblemExtra } from '../problem.ts'
import type { Caller, PlanName, Route } from '../route.ts'
import type { Exchange } from './exchange.ts'

/** Keys, counters of calls, and plans. */
export interface AuthDeps {
  readonly ring: KeyRing
  readonly meter: Meter
  readonly addresses: Meter
  readonly plans: Readonly<Record<PlanName, Plan>>
  /** URL at which the owner of a trial key claims it, with its ticket. */
  readonly claim: (caller: Caller, base: string) => string
}

/**
 * Returns the API key of the request.
 * @param acceptsPayment whether single calls of other routes can be paid for
 * @throws Problem `unauthorized` if no key was sent or the header is malformed; `flag-disabled` for a payment while payments are off
 */
export function bearer({ headers }: Pick<IncomingMessage, 'headers'>, acceptsPayment = false): string {
  const header = headers.authorization
  if (header === undefined) {
    const pays = headers['x-payment'] !== undefined || headers['payment-signature'] !== undefined
    if (pays && !acceptsPayment) {
      throw new Problem(
        'flag-disabled',
        'Payment for single calls without a key (x402) is switched off on this server. Send an API key.',
      )
    }
    if (pays) {
      throw new Problem(
        'unauthorized',
        'Single calls of this route cannot be paid for. Nothing was charged. Send `Authorization: Bearer` with an API key.',
      )
    }
    throw missingKey()
  }
  const [, key] = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(header) ?? []
  if (!key) {
    throw new Problem(
      'unauthorized',
      '`Authorization` must be `Bearer`, a space and an API key, but has another scheme or form. Change it and try again.',
      { challenge: { error: 'invalid_request' } },
    )
  }
  return key
}

/** The problem for a request without credentials. */
export function missingKey(headers: Readonly<Record<string, string>> = {}): Problem {
  const detail = 'The `Authorization` header is missing. Send `Authorization: Bearer` with an API key.'
  return new Problem('unauthorized', detail, { headers })
}

/**
 * Returns the problem for a key that is not valid. Unknown, revoked and expired keys get the same detail, so that the
 * answer reveals nothing about the key.
 */
export function unknownKey(
  detail = 'The API key is not valid: it is unknown, revoked or expired. Use another key.',
): Problem {
  return new Problem('unauthorized', detail, {
    challenge: { error: 'invalid_token' },
  })
}

/** Checks that the caller has the scope of the route, and that a trial key may use it. @throws Problem forbidden, trial-route-not-allowed */
export function requireScope(
  caller: Caller,
  route: Pick<Route, 'scope' | 'trial'>,
  auth: AuthDeps,
  exchange: Pick<Exchange, 'base'>,
): void {
  const scope = route.scope ?? 'weather:read'
  if (!caller.scopes.includes(scope)) {
    throw new Problem(
      'forbidden',
      `This route needs the scope ${scope}, which the key does not have. Use a key with this scope.`,
      {
        challenge: { error: 'insufficient_scope', scope },
      },
    )
  }
  if (caller.plan === 'trial' && route.trial === false) {
    throw new Problem('trial-route-not-allowed', 'This route is not open to trial keys. Claim the key to use it.', {
      challenge: { error: 'insufficient_scope', scope },
      claim: auth.claim(caller, exchange.base),
    })
  }
}

/**
 * Checks the scope, trial status and limits of a caller.
 * @throws Problem forbidden, trial-route-not-allowed, too-many-requests, rate-limit-exceeded, trial-ended
 */
export function authorize(
  caller: Caller,
  route: Pick<Route, 'scope' | 'trial'>,
  auth: AuthDeps,
  exchange: Pick<Exchange, 'base' | 'limit' | 'startedAt'>,
): void {
  requireScope(caller, route, auth, exchange)
  const standing = auth.meter.peek(caller.subject, auth.plans[caller.plan], exchange.startedAt)
  if (!standing.allowed) throw overLimit(standing, caller, auth, exchange)
}

/** The problem for an exhausted limit. */
export function overLimit(
  standing: UsageStanding,
  caller: Caller | undefined,
  auth: AuthDeps,
  exchange: Pick<Exchange, 'base' | 'limit'>,
): Problem {
  // The RateLimit headers must describe the moment of the refusal, because a moment later another call may be allowed.
  if (exchange.limit)
    exchange.limit = { ...exchange.limit, standing: () => ({ ...standing, remaining: 0 }), refused: true }
  if (standing.window === 'total' && caller) {
    return new Problem(
      'trial-ended',
      `The ${standing.limit} free calls of this trial key are used up. Claim the key to continue.`,
      { claim: auth.claim(caller, exchange.base) },
    )
  }
  const extra: ProblemExtra = { retryAfter: standing.wait }
  if (standing.window === 'minute') {
    return new Problem(
      'too-many-requests',
      `The limit per minute of this ${caller ? 'key' : 'address'} is used up. Wait ${standing.wait} s and try again.`,
      extra,
    )
  }
  return new Problem(
    'rate-limit-exceeded',
    `The ${standing.limit} calls of the ${standing.window} are used up. Wait ${standing.wait} s and try again.`,
    extra,
  )
}

/** Counts a call without a valid key against the client's address. @throws Problem too-many-requests */
export function countUnauthenticated(
  auth: AuthDeps,
  exchange: Pick<Exchange, 'address' | 'base' | 'limit' | 'startedAt'>,
): void {
  const { address, startedAt } = exchange
  if (!auth.addresses.take(address, unauthenticatedPlan, startedAt)) {
    throw overLimit(auth.addresses.peek(address, unauthenticatedPlan, startedAt), undefined, auth, exchange)
  }
}
