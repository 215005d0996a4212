import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type NextFunction, type RequestHandler } from 'express'
import { withoutKeys } from '../../ingest/domain/redact.ts'
import { arrivedAt } from '../../ingest/ports/arrival.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import type { FormatName } from '../contract.ts'
import { unauthenticatedPlan } from '../keys/plan.ts'
import { Problem, problemOf, renderProblem, tooLarge } from '../problem.ts'
import { isPlainText } from '../query/printable.ts'
import { displayed } from '../query/query.ts'
import type { Answer, Route, RouteRequest } from '../route.ts'
import { accepts, formatOf, names, notAcceptable } from './accept.ts'
import { authorize, bearer, countUnauthenticated, missingKey, overLimit, unknownKey } from './authenticate.ts'
import { Cancellation } from './cancellation.ts'
import { deliver } from './deliver.ts'
import type { ApiRequest, HttpDeps } from './deps.ts'
import {
  baseOf,
  type Exchange,
  isDataPath,
  limitHeaders,
  pathOf,
  plainHeaders,
  readQuery,
  refuseMalformed,
  send,
  sendBeforeBody,
} from './exchange.ts'
import { boundedBody, checkMembers, checkSize } from './request-body.ts'
import { isSold, type Resource, type Sale } from './x402.ts'

const DEFAULT_TIMEOUT_MS = 10_000
const MAX_BODY_BYTES = 262_144
/** Database lookup of a key that is not cached. */
const KEY_LOOKUP_TIMEOUT_MS = 3000
const keysUnavailable = () =>
  new Problem('service-unavailable', 'Keys cannot be checked just now. Retry in a moment.', { retryAfter: 5 })

/** Probes and metrics are answered under overload too. */
const exemptFromShedding: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Opens the exchange (id, base URL, log line at its end), then refuses malformed requests and sheds load. */
export function open(http: HttpDeps): RequestHandler {
  const { load } = http
  return (request, response, next) => {
    const exchange = newExchange(http, request)
    ;(request as unknown as ApiRequest).exchange = exchange
    load.takeSlot()
    exchange.releaseSlot = () => {
      load.releaseSlot()
      exchange.releaseSlot = undefined
    }
    response.on('close', () => {
      exchange.releaseSlot?.()
      http.note(exchange, response.writableFinished ? response.statusCode : 499, request)
    })
    if (isDataPath(exchange.instance) || /^\/(developer|mcp)(\/|$)/.test(exchange.instance)) {
      const address = request.ip ?? ''
      exchange.limit = {
        plan: unauthenticatedPlan,
        standing: () => http.auth.addresses.peek(address, unauthenticatedPlan, http.clock()),
      }
    }
    refuseMalformed(request)
    if (load.overloaded && !exemptFromShedding.has(exchange.instance)) {
      throw new Problem('service-unavailable', 'The server is overloaded. Retry after the seconds of Retry-After.', {
        retryAfter: 1,
      })
    }
    arrivedAt(exchange.startedTicks, next)
  }
}

export function newExchange(http: HttpDeps, request: IncomingMessage): Exchange {
  return {
    id: http.ids.next(),
    startedAt: http.clock(),
    startedTicks: performance.now(),
    instance: withoutKeys(pathOf(request.url ?? '/')).slice(0, 300),
    base: baseOf(request, http.publicUrl, http.ownUrl()),
  }
}

/** The handlers of one route: authentication, body, then the work. */
export function answer(http: HttpDeps, route: Route): RequestHandler[] {
  const steps: RequestHandler[] = []
  if (!route.open) steps.push(authenticate(http, route))
  else if (route.metered) {
    steps.push((request, _response, next) => {
      const { exchange } = request as unknown as ApiRequest
      exchange.route = route.path
      countUnauthenticated(http.auth, request.ip ?? '', exchange.startedAt, exchange.base)
      next()
    })
  }
  if (['post', 'put', 'patch'].includes(route.method))
    steps.push(jsonOnly, parseJson, (request, _response, next) => {
      checkMembers(request.body)
      next()
    })
  steps.push(async (request, response) => {
    try {
      await work(http, route, request as unknown as ApiRequest, response)
    } finally {
      await (request as { sale?: Sale }).sale?.release()
    }
  })
  return steps
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

function jsonOnly(request: IncomingMessage, _response: ServerResponse, next: NextFunction): void {
  const type = request.headers['content-type']
  if (type === undefined ? hasBody(request) : !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new Problem(
      'bad-request',
      `Content-Type: wanted application/json, got ${type ? `"${type.slice(0, 80)}"` : 'none'}.`,
      { status: 415 },
    )
  }
  // JSON is UTF-8 (RFC 8259, 8.1). The parser refuses these names of it and of its subset.
  if (/;\s*charset\s*=\s*"?(?:utf8|us-ascii)"?\s*(?:;|$)/i.test(type ?? ''))
    request.headers['content-type'] = 'application/json'
  // Refused by Content-Length before the body is read: a client that sent Expect: 100-continue does not upload it.
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
  next()
}

export const hasBody = (request: IncomingMessage) =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0

function authenticate(http: HttpDeps, route: Route): RequestHandler {
  const { auth } = http
  return async (request, _response, next) => {
    const apiRequest = request as unknown as ApiRequest
    const { exchange } = apiRequest
    const now = exchange.startedAt
    const address = request.ip ?? ''
    exchange.route = route.path
    if (route.own) {
      countUnauthenticated(auth, address, now, exchange.base)
      return next()
    }
    const { payments } = http
    if (payments && request.headers.authorization === undefined && request.method === 'GET' && isSold(route)) {
      countUnauthenticated(auth, address, now, exchange.base)
      const resource: Resource = { base: exchange.base, path: exchange.instance }
      const sale = await payments.take(request.headers, resource, now)
      if (!sale) throw missingKey(payments.offer(resource, 'Pay for this call, or use an API key.'))
      // A paid call is answered with a body, never 304.
      delete request.headers['if-none-match']
      ;(request as { sale?: Sale }).sale = sale
      return next()
    }
    let caller: ReturnType<typeof auth.ring.check>
    try {
      const key = bearer(request, payments !== undefined)
      caller =
        auth.ring.check(key, now) ?? (await within(KEY_LOOKUP_TIMEOUT_MS, auth.ring.find(key, now), keysUnavailable))
      if (!caller) throw unknownKey()
    } catch (error) {
      if (error instanceof Problem) countUnauthenticated(auth, address, now, exchange.base)
      throw error
    }
    const plan = auth.plans[caller.plan]
    const { subject } = caller
    exchange.subject = caller.prefix
    exchange.limit = { plan, standing: () => auth.meter.peek(subject, plan, http.clock()) }
    const loading = auth.meter.load(subject, plan, now)
    if (loading) await loading
    authorize(caller, route, auth, exchange.base, now)
    ;(request as { caller?: unknown }).caller = caller
    next()
  }
}

async function work(http: HttpDeps, route: Route, request: ApiRequest, response: ServerResponse): Promise<void> {
  const { exchange } = request
  const { auth } = http
  exchange.route ??= route.path
  const caller = (request as { caller?: RouteRequest['caller'] }).caller
  const cancellation = new Cancellation()
  response.once('close', () => cancellation.cancel())
  const plan = caller && auth.plans[caller.plan]
  let counted = 0
  const count = async (calls: number): Promise<boolean> => {
    if (!caller || !plan) return true
    for (let i = 0; i < calls; i++) {
      if (!(await auth.meter.take(caller.subject, plan, http.clock()))) return false
      counted++
    }
    return true
  }
  const query = readQuery(request.url ?? '/')
  const params = request.params ?? {}
  // No id of ours has them, and PostgreSQL refuses a NUL in a text.
  if (!Object.values(params).every(isPlainText))
    throw new Problem('not-found', 'There is nothing at this address: its path has control characters.')
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
    address: (request as { ip?: string }).ip ?? '',
    base: exchange.base,
    id: exchange.id,
    cancellation,
    count,
  }
  const ready = route.ready?.(routeRequest)
  const { sale } = request as { sale?: Sale }
  if (ready) {
    releaseAtClose(response, ready)
    return await deliver(request, response, sale ? await sale.settle(ready) : ready, route)
  }
  if (caller && plan && !(await count(1)))
    throw overLimit(auth.meter.peek(caller.subject, plan, http.clock()), caller, auth, exchange.base)
  const refund = () => {
    for (; caller && plan && counted > 0; counted--) auth.meter.refund(caller.subject, plan)
  }
  try {
    if (route.stream) {
      exchange.releaseSlot?.()
      // HEAD: no body.
      if ((request.method as string) === 'HEAD')
        return send(response, exchange, 200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
      return await route.stream(routeRequest, request, response)
    }
    const milliseconds = route.timeLimit ?? DEFAULT_TIMEOUT_MS
    const handled = Promise.resolve(route.handle!(routeRequest)).then((answer) => releaseAtClose(response, answer))
    const given = await within(milliseconds, handled, () => {
      cancellation.cancel()
      return new Problem(
        'timeout',
        `The answer took more than ${milliseconds / 1000} s. Retry in a moment, or ask for less.`,
      )
    })
    // An answer that was built counts, also where the caller then gets 304.
    if (given.counted === false) refund()
    // A caller that disconnected or got an error does not pay.
    const paid = sale && !cancellation.cancelled && (given.status ?? 200) < 400
    await deliver(request, response, paid ? await sale.settle(given) : given, route)
  } catch (error) {
    // Failures of the server are not counted.
    if (problemOf(error).status >= 500) refund()
    throw error
  }
}

/** Also where the answer came too late and is not sent. */
function releaseAtClose(response: ServerResponse, answer: Answer): Answer {
  if (!answer.release) return answer
  if (response.closed || response.destroyed) answer.release()
  else response.once('close', answer.release)
  return answer
}

function isLocal(request: IncomingMessage): boolean {
  const from = request.socket.remoteAddress ?? ''
  return (from === '::1' || /^(::ffff:)?127\./.test(from)) && request.headers['x-forwarded-for'] === undefined
}

function bodyFormat(body: unknown): string | undefined {
  const named = (body as { format?: unknown } | undefined)?.format
  return typeof named === 'string' ? named : undefined
}

/** @throws Problem, status 406 */
function acceptable(request: IncomingMessage, route: Route, asked: string | undefined): FormatName {
  const { accept } = request.headers
  if (!isDataPath(route.path)) return 'json'
  const type = route.contract?.type?.split(';')[0]
  if (route.formats || !(route.stream || type)) {
    return formatOf(route.formats ?? ['json'], route.formats && asked, accept)
  }
  const types = route.stream ? ['text/event-stream'] : ['application/json', 'application/problem+json', type!]
  if (accepts(accept, types)) return 'json'
  throw notAcceptable(`Accept: this address answers ${types[0]}, which ${displayed(accept)} leaves out`)
}

/** Error handler of all routes. */
export function fail(http: HttpDeps, error: unknown, request: ApiRequest, response: ServerResponse): void {
  const exchange = request.exchange ?? newExchange(http, request)
  const problem = problemOf(error)
  if (problem.status >= 500) http.note(exchange, problem.status, request, problem)
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  exchange.limit = limitOfKey(http, exchange, request) ?? exchange.limit
  const { status, headers, body } = rendered(http, exchange, problem)
  if (wantsPage(request, exchange)) {
    const page = http.problemPage(problem, problem.extra.retryAfter)
    const kept = { ...headers, ...page.headers, 'Cache-Control': 'no-store' }
    for (const name of ['Content-Type', 'Content-Length']) delete (kept as Record<string, string>)[name]
    deliver(request, response, { ...page, status, headers: kept, log: exchange.log }).catch(() => response.destroy())
    return
  }
  if (hasBody(request) && !request.readableEnded) sendBeforeBody(request, response, exchange, status, headers, body)
  else {
    const given = { status, headers, body, type: headers['Content-Type'], log: exchange.log }
    deliver(request, response, given).catch(() => response.destroy())
  }
}

/** Whether a person opened an address that is none of the API: browsers name text/html, and other clients do not. */
function wantsPage(request: ApiRequest, { instance }: Exchange): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (
    /^\/(?:v1|edr|stac|mcp|page|preview|assets|auth|developer\/keys|\.well-known|healthz|readyz|metrics|openapi\.json)(?:\/|$)/.test(
      instance,
    )
  )
    return false
  return !hasBody(request) && names(request.headers.accept?.slice(0, 1000), 'text/html')
}

/** RateLimit headers of a known key where no route has authenticated it: unknown address, wrong method. */
function limitOfKey({ auth, clock }: HttpDeps, { limit, subject }: Exchange, request: ApiRequest): Exchange['limit'] {
  const key = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!limit || subject !== undefined || key === undefined) return undefined
  const caller = auth.ring.check(key, clock())
  if (!caller) return undefined
  const plan = auth.plans[caller.plan]
  return { plan, standing: () => auth.meter.peek(caller.subject, plan, clock()) }
}

export function rendered(http: HttpDeps, exchange: Exchange, problem: Problem): ReturnType<typeof renderProblem> {
  return renderProblem(
    problem,
    {
      base: exchange.base,
      realm: new URL(exchange.base).host,
      device: http.authEndpoints(exchange.base),
      x402: http.payments !== undefined,
    },
    exchange.instance,
  )
}

/** A problem as raw bytes, for errors of the HTTP parser, which come without a request object. */
export function rawProblem(http: HttpDeps, problem: Problem): Buffer {
  const exchange: Exchange = {
    id: http.ids.next(),
    startedAt: http.clock(),
    startedTicks: 0,
    instance: '/',
    base: http.publicUrl ?? http.ownUrl(),
  }
  const { status, headers, body } = rendered(http, exchange, problem)
  const lines = Object.entries({
    ...plainHeaders,
    ...headers,
    ...limitHeaders(exchange),
    'X-Request-Id': exchange.id,
    Date: new Date(http.clock()).toUTCString(),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} ${REASONS[status] ?? 'Bad Request'}\r\n${lines.join('')}\r\n`),
    body,
  ])
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
}
