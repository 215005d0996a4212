import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type NextFunction, type RequestHandler } from 'express'
import { withoutKeys } from '../../ingest/domain/redact.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import { strangers } from '../keys/plan.ts'
import { Problem, problemOf, renderProblem, tooLarge } from '../problem.ts'
import { displayed } from '../query/query.ts'
import type { Answer, Ask, Route } from '../route.ts'
import { accepts } from './accept.ts'
import { authorize, bearer, keyless, overLimit, stranger, unknownKey } from './authenticate.ts'
import type { Edge, Talk } from './deps.ts'
import {
  baseOf,
  type Exchange,
  limitHeaders,
  nextId,
  pathOf,
  plainHeaders,
  readQuery,
  refuseUnsound,
  send,
  sendBeforeBody,
} from './exchange.ts'
import { boundedBody, checkDepth, checkMembers } from './request-body.ts'
import { isSold, type Place, type Sale } from './x402.ts'

const TIME_LIMIT = 10_000
const BODY_LIMIT = 262_144
/** For a look at keys that are not known yet. */
const DOOR_LIMIT = 3000
const keysAway = () =>
  new Problem('service-unavailable', 'Keys cannot be looked up just now. Retry in a moment.', { retryAfter: 5 })

/** Whoever watches the process must hear of it also when it is busy. */
const always: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Opens the exchange: an id, the address the caller uses, the line in the log when it is over; then refuses what is unsound. */
export function open(edge: Edge): RequestHandler {
  const { load } = edge
  return (request, response, next) => {
    const exchange = newExchange(edge, request)
    ;(request as unknown as Talk).exchange = exchange
    load.enter()
    exchange.leave = () => {
      load.leave()
      exchange.leave = undefined
    }
    response.on('close', () => {
      exchange.leave?.()
      edge.note(exchange, response.writableFinished ? response.statusCode : 499, request)
    })
    if (/^\/(v1|developer|mcp)(\/|$)/.test(exchange.instance)) {
      const address = request.ip ?? ''
      exchange.limit = { plan: strangers, standing: () => edge.gate.addresses.peek(address, strangers, edge.clock()) }
    }
    refuseUnsound(request)
    if (load.overloaded && !always.has(exchange.instance)) {
      throw new Problem(
        'service-unavailable',
        'More requests are in work than the server can answer in time. Retry after the pause that Retry-After names.',
        {
          retryAfter: 1,
        },
      )
    }
    next()
  }
}

export function newExchange(edge: Edge, request: IncomingMessage): Exchange {
  return {
    id: nextId(),
    startedAt: edge.clock(),
    ticks: performance.now(),
    instance: withoutKeys(pathOf(request.url ?? '/')).slice(0, 300),
    base: baseOf(request, edge.publicUrl, edge.ownUrl()),
  }
}

/** The steps of one route: who calls, what was asked, is it ready, may it be counted, then the work. */
export function answer(edge: Edge, route: Route): RequestHandler[] {
  const steps: RequestHandler[] = []
  if (!route.open) steps.push(authenticate(edge, route))
  if (['post', 'put', 'patch'].includes(route.method))
    steps.push(jsonOnly, parseJson, (request, _response, next) => {
      checkMembers(request.body)
      next()
    })
  steps.push(async (request, response) => {
    try {
      await work(edge, route, request as unknown as Talk, response)
    } finally {
      await (request as { sale?: Sale }).sale?.release()
    }
  })
  return steps
}

const parseJson = boundedBody(
  BODY_LIMIT,
  express.json({
    limit: BODY_LIMIT,
    type: () => true,
    strict: true,
    verify: (_request, _response, bytes) => checkDepth(bytes),
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
  // Said before it is sent: a client that waits for our word hears it.
  if (Number(request.headers['content-length']) > BODY_LIMIT) throw tooLarge(BODY_LIMIT)
  next()
}

export const hasBody = (request: IncomingMessage) =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0

function authenticate(edge: Edge, route: Route): RequestHandler {
  const { gate } = edge
  return async (request, _response, next) => {
    const talk = request as unknown as Talk
    const { exchange } = talk
    const now = exchange.startedAt
    const address = request.ip ?? ''
    exchange.route = route.path
    if (route.own) {
      stranger(gate, address, now, exchange.base)
      return next()
    }
    const { till } = edge
    if (till && request.headers.authorization === undefined && request.method === 'GET' && isSold(route)) {
      stranger(gate, address, now, exchange.base)
      const place: Place = { base: exchange.base, path: exchange.instance }
      const sale = await till.take(request.headers, place, now)
      if (!sale) throw keyless(till.offer(place, 'Pay for this call, or use an API key.'))
      // What is paid for is given whole.
      delete request.headers['if-none-match']
      ;(request as { sale?: Sale }).sale = sale
      return next()
    }
    let caller: Awaited<ReturnType<typeof gate.ring.find>>
    try {
      caller = await within(DOOR_LIMIT, gate.ring.find(bearer(request, till !== undefined), now), keysAway)
      if (!caller) throw unknownKey()
    } catch (error) {
      if (error instanceof Problem) stranger(gate, address, now, exchange.base)
      throw error
    }
    const plan = gate.plans[caller.plan]
    const { subject } = caller
    exchange.subject = caller.prefix
    exchange.limit = { plan, standing: () => gate.meter.peek(subject, plan, edge.clock()) }
    await gate.meter.know(subject, plan, now)
    authorize(caller, route, gate, exchange.base, now)
    ;(request as { caller?: unknown }).caller = caller
    next()
  }
}

async function work(edge: Edge, route: Route, request: Talk, response: ServerResponse): Promise<void> {
  const { exchange } = request
  const { gate } = edge
  exchange.route ??= route.path
  const caller = (request as { caller?: Ask['caller'] }).caller
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const plan = caller && gate.plans[caller.plan]
  let counted = 0
  const count = async (calls: number): Promise<boolean> => {
    if (!caller || !plan) return true
    for (let i = 0; i < calls; i++) {
      if (!(await gate.meter.take(caller.subject, plan, edge.clock()))) return false
      counted++
    }
    return true
  }
  acceptable(request, route)
  const ask: Ask = {
    url: request.url ?? '/',
    query: readQuery(request.url ?? '/'),
    params: request.params ?? {},
    body: request.body,
    headers: request.headers,
    caller,
    now: exchange.startedAt,
    local: isLocal(request),
    address: (request as { ip?: string }).ip ?? '',
    base: exchange.base,
    id: exchange.id,
    signal: gone.signal,
    count,
  }
  const ready = route.ready?.(ask)
  const { sale } = request as { sale?: Sale }
  if (ready) return deliver(request, response, sale ? await sale.settle(ready) : ready)
  if (caller && plan && !(await count(1)))
    throw overLimit(gate.meter.peek(caller.subject, plan, edge.clock()), caller, gate, exchange.base)
  const refund = () => {
    for (; caller && plan && counted > 0; counted--) gate.meter.giveBack(caller.subject, plan)
  }
  try {
    if (route.stream) {
      exchange.leave?.()
      // Nothing follows the head of a stream.
      if ((request.method as string) === 'HEAD')
        return send(response, exchange, 200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
      return await route.stream(ask, request, response)
    }
    const milliseconds = route.timeLimit ?? TIME_LIMIT
    const given = await within(milliseconds, Promise.resolve(route.handle!(ask)), () => {
      gone.abort()
      return new Problem(
        'timeout',
        `The answer took more than ${milliseconds / 1000} s. Retry in a moment, or ask for less.`,
      )
    })
    // An answer that was made counts, also where the caller then gets 304.
    if (given.counted === false) refund()
    // Who is gone, or got no answer, does not pay.
    const paid = sale && !gone.signal.aborted && (given.status ?? 200) < 400
    deliver(request, response, paid ? await sale.settle(given) : given)
  } catch (error) {
    // A failure of ours is not the caller's to pay.
    if (problemOf(error).status >= 500) refund()
    throw error
  }
}

function isLocal(request: IncomingMessage): boolean {
  const from = request.socket.remoteAddress ?? ''
  return (from === '::1' || /^(::ffff:)?127\./.test(from)) && request.headers['x-forwarded-for'] === undefined
}

/** @throws Problem, status 406 */
function acceptable(request: IncomingMessage, route: Route): void {
  const { accept } = request.headers
  if (!route.path.startsWith('/v1/')) return
  const types = route.stream
    ? ['text/event-stream']
    : ['application/json', 'application/geo+json', 'application/problem+json']
  if (route.contract?.type) types.push(route.contract.type.split(';')[0]!)
  if (accepts(accept, types)) return
  throw new Problem('bad-request', `Accept: this address answers ${types[0]}, which ${displayed(accept)} leaves out.`, {
    status: 406,
  })
}

function unchanged(request: IncomingMessage, given: Answer): boolean {
  const known = request.headers['if-none-match']
  return known !== undefined && given.etag !== undefined && matches(known, given.etag)
}

/** Whether an If-None-Match names the tag, weakly compared as RFC 9110 wants it. */
export function matches(known: string, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return known.trim() === '*' || known.split(',').some((tag) => bare(tag) === bare(etag))
}

function deliver(request: Talk, response: ServerResponse, given: Answer): void {
  const { exchange } = request
  exchange.log = given.log
  if (unchanged(request, given)) {
    const headers: Record<string, string> = { ETag: given.etag! }
    for (const name of ['Cache-Control', 'Vary']) if (given.headers?.[name]) headers[name] = given.headers[name]
    send(response, exchange, 304, headers)
    return
  }
  const body =
    given.body === undefined
      ? undefined
      : Buffer.isBuffer(given.body)
        ? given.body
        : Buffer.from(given.type && typeof given.body === 'string' ? given.body : JSON.stringify(given.body))
  send(
    response,
    exchange,
    given.status ?? 200,
    {
      ...(body && {
        'Content-Type': given.type ?? 'application/json; charset=utf-8',
        'Content-Length': String(body.length),
      }),
      ...(given.etag && { ETag: given.etag }),
      ...given.headers,
    },
    body,
  )
}

/** Every failure ends here. */
export function fail(edge: Edge, error: unknown, request: Talk, response: ServerResponse): void {
  const exchange = request.exchange ?? newExchange(edge, request)
  const problem = problemOf(error)
  if (problem.status >= 500) edge.note(exchange, problem.status, request, problem)
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  exchange.limit = limitOfKey(edge, exchange, request) ?? exchange.limit
  const { status, headers, body } = rendered(edge, exchange, problem)
  if (hasBody(request) && !request.readableEnded) sendBeforeBody(request, response, exchange, status, headers, body)
  else send(response, exchange, status, headers, body)
}

/** A key that is known sees its own limits also where no route asked for it: no such address, another method. */
function limitOfKey({ gate, clock }: Edge, { limit, subject }: Exchange, request: Talk): Exchange['limit'] {
  const key = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!limit || subject !== undefined || key === undefined) return undefined
  const caller = gate.ring.check(key, clock())
  if (!caller) return undefined
  const plan = gate.plans[caller.plan]
  return { plan, standing: () => gate.meter.peek(caller.subject, plan, clock()) }
}

export function rendered(edge: Edge, exchange: Exchange, problem: Problem): ReturnType<typeof renderProblem> {
  return renderProblem(
    problem,
    {
      base: exchange.base,
      realm: new URL(exchange.base).host,
      device: edge.authPlaces(exchange.base),
      x402: edge.till !== undefined,
    },
    exchange.instance,
  )
}

/** A problem as raw bytes, for what the HTTP parser refuses before there is a request. */
export function rawProblem(edge: Edge, problem: Problem): Buffer {
  const exchange: Exchange = {
    id: nextId(),
    startedAt: edge.clock(),
    ticks: 0,
    instance: '/',
    base: edge.publicUrl ?? edge.ownUrl(),
  }
  const { status, headers, body } = rendered(edge, exchange, problem)
  const lines = Object.entries({
    ...plainHeaders,
    ...headers,
    ...limitHeaders(exchange),
    'X-Request-Id': exchange.id,
    Date: new Date(edge.clock()).toUTCString(),
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
