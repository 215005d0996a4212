import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { within } from '../../ingest/ports/time-limit.ts'
import type { FormatName } from '../contract.ts'
import { unauthenticatedPlan } from '../keys/plan.ts'
import { Problem, problemOf, tooLarge } from '../problem.ts'
import { isPlainText } from '../query/printable.ts'
import { displayed, mismatchText } from '../query/query.ts'
import type { Caller, Route, RouteRequest } from '../route.ts'
import { accepts, formatOf, notAcceptable } from './accept.ts'
import { isDataPath, isLimitedPath } from './addresses.ts'
import {
  type AuthDeps,
  authorize,
  bearer,
  countUnauthenticated,
  missingKey,
  overLimit,
  unknownKey,
} from './authenticate.ts'
import { isLocal } from './client-address.ts'
import { deliver } from './deliver.ts'
import type { ApiRequest, HttpDeps } from './deps.ts'
import { Exchange, readQuery, refuseMalformed, send } from './exchange.ts'
import { fail } from './failure.ts'
import { isOfThisMachine } from './keyless.ts'
import { boundedBody, checkMembers, checkSize, hasBody } from './request-body.ts'
import type { Payments, Resource } from './x402.ts'

const DEFAULT_TIMEOUT_MS = 10_000
const MAX_BODY_BYTES = 262_144
/** Time limit of the database lookup of a key that is not cached. It is shorter than the time limit of an answer. */
const KEY_LOOKUP_TIMEOUT_MS = 8000
const keysUnavailable = () =>
  new Problem(
    'service-unavailable',
    'Keys cannot be checked because the database does not answer. Retry in a moment.',
    { retryAfter: 5 },
  )

/** Answers a request, or sends the problem if it fails. */
export type Handle = (request: ApiRequest, response: ServerResponse) => Promise<void>

/** Opens the exchange of a request: assigns its id, takes a slot, and writes the log line at its end. */
export function open(http: HttpDeps, request: ApiRequest, response: ServerResponse): Exchange {
  const exchange = new Exchange(http, request)
  request.exchange = exchange
  exchange.takeSlot(http.load)
  response.on('close', () => {
    exchange.close()
    http.note(exchange, response.writableFinished ? response.statusCode : 499, request)
  })
  if (isLimitedPath(exchange.instance)) {
    exchange.limit = {
      plan: unauthenticatedPlan,
      standing: () => http.auth.addresses.peek(exchange.address, unauthenticatedPlan, http.clock()),
    }
  }
  return exchange
}

/**
 * @param probe whether the route is answered even under overload
 * @throws Problem if the request is malformed or the server overloaded
 */
export function admit({ load }: HttpDeps, request: ApiRequest, probe: boolean | undefined): void {
  refuseMalformed(request)
  if (!load.overloaded || probe) return
  throw new Problem(
    'service-unavailable',
    'The server is overloaded. Retry after the number of seconds in `Retry-After`.',
    {
      retryAfter: 1,
    },
  )
}

/**
 * Returns the handler of one route. It checks key, scope and limits, then looks in the cache, then reads the body and
 * computes the answer. If the key is known, a cached answer is sent without any await, because one more promise turn
 * would make it a quarter slower.
 */
export function handlerOf(http: HttpDeps, route: Route): Handle {
  return async (request, response) => {
    const { exchange } = request
    exchange.route = route.path
    exchange.compatibility = route.compatibility
    try {
      const authenticating = route.open ? undefined : authenticate(http, route, request)
      if (authenticating) await authenticating
      if (route.open && route.metered) countUnauthenticated(http.auth, exchange)
      await (sendCached(route, request, response) ?? work(http, route, request, response))
      if (exchange.sale) await exchange.sale.release()
    } catch (error) {
      // The payment is released before the problem is sent, so that the caller can use it again at once.
      if (exchange.sale) await exchange.sale.release()
      fail(http, error, request, response)
    }
  }
}

/** @returns undefined if no cached answer matches */
function sendCached(route: Route, request: ApiRequest, response: ServerResponse): Promise<void> | undefined {
  const { exchange, headers, url } = request
  const cached = route.ready?.({ url: url ?? '/', accept: headers.accept, now: exchange.startedAt })
  if (!cached) return undefined
  exchange.cached = true
  exchange.releaseAtClose(cached.release)
  if (!exchange.sale) return deliver(request, response, cached, route)
  return exchange.sale.settle(cached).then((paid) => deliver(request, response, paid, route))
}

const parseJson = boundedBody(
  MAX_BODY_BYTES,
  express.json({
    limit: MAX_BODY_BYTES,
    type: () => true,
    strict: true,
    verify: (_request, _response, bytes) => checkSize(bytes),
  }),
)

async function readBody(request: ApiRequest, response: ServerResponse): Promise<void> {
  requireJson(request)
  await new Promise<void>((resolve, reject) =>
    parseJson(request, response, (error) => (error === undefined ? resolve() : reject(error))),
  )
  checkMembers(request.body)
}

/** @throws Problem for another content type, or a body that is too large */
function requireJson(request: IncomingMessage): void {
  const type = request.headers['content-type']
  if (type === undefined ? hasBody(request) : !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new Problem(
      'bad-request',
      mismatchText('Content-Type', 'application/json', type ? `"${type.slice(0, 80)}"` : 'absent'),
      { status: 415 },
    )
  }
  // JSON is UTF-8 (RFC 8259, 8.1). The body parser rejects these names of UTF-8 and of its subset ASCII.
  if (/;\s*charset\s*=\s*"?(?:utf8|us-ascii)"?\s*(?:;|$)/i.test(type ?? ''))
    request.headers['content-type'] = 'application/json'
  // A large Content-Length is rejected before the body is read, so that a client that sent Expect: 100-continue does
  // not upload it.
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
}

/**
 * Sets the caller of the exchange, or its payment.
 * @returns undefined if no lookup was needed
 * @throws Problem if there is no valid key, or `authorize` rejects the caller
 */
function authenticate(http: HttpDeps, route: Route, request: ApiRequest): Promise<void> | undefined {
  const { auth, payments } = http
  const { exchange, headers } = request
  if (route.own) return void countUnauthenticated(auth, exchange)
  if (payments && headers.authorization === undefined && request.method === 'GET' && route.sold)
    return takePayment(auth, payments, request)
  const sent = urlKey(route, request)
  if (http.keylessHere && needsNoKey(route, request, sent)) {
    delete exchange.limit
    return undefined
  }
  let key: string
  try {
    key = sent ?? bearer(request, payments !== undefined)
  } catch (error) {
    countUnauthenticated(auth, exchange)
    throw error
  }
  const caller = auth.ring.check(key, exchange.startedAt)
  if (!caller) return findCaller(http, route, exchange, key)
  accept(http, route, exchange, caller)
  return undefined
}

/** Returns the key that a compatible route accepts in the URL; undefined if there is none, or if a header has a key. */
function urlKey({ compatibility }: Route, { headers, url }: ApiRequest): string | undefined {
  return headers.authorization === undefined ? compatibility?.keyOf?.(url ?? '/') : undefined
}

/**
 * Whether a program of this machine uses a compatible route without a key. Clients send the key of the other service, or any text where the
 * path has one; only a key of ours is checked.
 */
const needsNoKey = ({ compatibility }: Route, request: ApiRequest, sent: string | undefined): boolean =>
  compatibility !== undefined &&
  request.headers.authorization === undefined &&
  !sent?.startsWith('hx_') &&
  isOfThisMachine(request)

async function takePayment(auth: AuthDeps, payments: Payments, { exchange, headers }: ApiRequest): Promise<void> {
  countUnauthenticated(auth, exchange)
  const resource: Resource = { base: exchange.base, path: exchange.instance }
  exchange.sale = await payments.take(headers, resource, exchange.startedAt)
  if (!exchange.sale) throw missingKey(payments.offer(resource, 'Pay for this call, or send an API key.'))
  // A paid call is answered with a body, never 304.
  delete headers['if-none-match']
}

async function findCaller(http: HttpDeps, route: Route, exchange: Exchange, key: string): Promise<void> {
  const { ring } = http.auth
  const caller = await within(KEY_LOOKUP_TIMEOUT_MS, ring.find(key, exchange.startedAt), keysUnavailable).catch(
    (error) => {
      if (error instanceof Problem) countUnauthenticated(http.auth, exchange)
      throw error
    },
  )
  if (!caller) {
    countUnauthenticated(http.auth, exchange)
    throw unknownKey()
  }
  accept(http, route, exchange, caller)
}

function accept({ auth, clock }: HttpDeps, route: Route, exchange: Exchange, caller: Caller): void {
  const plan = auth.plans[caller.plan]
  const { subject, prefix } = caller
  exchange.subject = prefix
  exchange.limit = { plan, standing: () => auth.meter.peek(subject, plan, clock()) }
  authorize(caller, route, auth, exchange)
  exchange.caller = caller
}

async function work(http: HttpDeps, route: Route, request: ApiRequest, response: ServerResponse): Promise<void> {
  if (['post', 'put', 'patch'].includes(route.method)) await readBody(request, response)
  const { exchange } = request
  const { auth } = http
  const { caller, sale, cancellation } = exchange
  const plan = caller && auth.plans[caller.plan]
  let counted = 0
  const count = (calls: number): boolean => {
    if (!caller || !plan) return true
    for (let i = 0; i < calls; i++) {
      if (!auth.meter.take(caller.subject, plan, http.clock())) return false
      counted++
    }
    return true
  }
  const query = readQuery(request.url ?? '/', route.compatibility?.joinsParameters)
  const params = request.params ?? {}
  // No id has control characters, and PostgreSQL rejects a NUL in a text.
  if (!Object.values(params).every(isPlainText))
    throw new Problem(
      'not-found',
      'There is nothing at this address: its path has control characters. Remove them and try again.',
    )
  const routeRequest: RouteRequest = {
    url: request.url ?? '/',
    query,
    format: acceptable(request, route, query[route.formatParameter ?? 'format'] ?? bodyFormat(request.body)),
    params,
    body: request.body,
    headers: request.headers,
    caller,
    now: exchange.startedAt,
    local: isLocal(request),
    address: exchange.address,
    base: exchange.base,
    id: exchange.id,
    cancellation,
    count,
  }
  if (caller && plan && !count(1))
    throw overLimit(auth.meter.peek(caller.subject, plan, http.clock()), caller, auth, exchange)
  const refund = () => {
    for (; caller && plan && counted > 0; counted--) auth.meter.refund(caller.subject, plan)
  }
  try {
    if (route.stream) {
      exchange.releaseSlot()
      if ((request.method as string) === 'HEAD')
        return send(response, exchange, 200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
      return await route.stream(routeRequest, request, response)
    }
    if (!route.handle) throw new Error(`route ${route.path} has neither a handler nor a stream`)
    const milliseconds = route.timeLimit ?? DEFAULT_TIMEOUT_MS
    const handled = Promise.resolve(route.handle(routeRequest)).then((answer) => {
      // An answer that comes after the time limit is released too.
      exchange.releaseAtClose(answer.release)
      return answer
    })
    const answer = await within(milliseconds, handled, () => {
      cancellation.cancel()
      return new Problem(
        'timeout',
        `The answer took more than ${milliseconds / 1000} s. Retry in a moment, or request less.`,
      )
    })
    // A computed answer counts even if the caller gets 304.
    if (answer.counted === false) refund()
    // A caller that has disconnected or gets an error does not pay.
    const paid = sale && !cancellation.cancelled && (answer.status ?? 200) < 400
    await deliver(request, response, paid ? await sale.settle(answer) : answer, route)
  } catch (error) {
    // Failures of the server are not counted.
    if (problemOf(error).status >= 500) refund()
    throw error
  }
}

function bodyFormat(body: unknown): string | undefined {
  const format = (body as { format?: unknown } | undefined)?.format
  return typeof format === 'string' ? format : undefined
}

/** Returns the format of the answer. @throws Problem with status 406 */
function acceptable(request: IncomingMessage, route: Route, requested: string | undefined): FormatName {
  const { accept } = request.headers
  // The services that these routes imitate choose the format only by a parameter.
  if (!isDataPath(route.path) || route.compatibility) return 'json'
  const type = route.contract?.type?.split(';')[0]
  if (route.formats || !(route.stream || type)) {
    return formatOf(route.formats ?? ['json'], route.formats && requested, accept)
  }
  const types = route.stream ? ['text/event-stream'] : ['application/json', 'application/problem+json', type ?? '']
  if (accepts(accept, types)) return 'json'
  throw notAcceptable('Accept', `a list that allows ${types[0]}`, displayed(accept))
}
