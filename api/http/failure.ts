import type { ServerResponse } from 'node:http'
import { withoutKeys } from '../../ingest/domain/redact.ts'
import { displayable, type Problem, problemOf, renderProblem } from '../problem.ts'
import { names } from './accept.ts'
import { isProgramPath } from './addresses.ts'
import { deliver } from './deliver.ts'
import type { ApiRequest, HttpDeps } from './deps.ts'
import { Exchange, limitHeaders, plainHeaders, sendBeforeBody } from './exchange.ts'
import { hasBody } from './request-body.ts'

/**
 * Handles the errors of all routes: sends the problem as JSON, or as a page if a person opened the address in a
 * browser.
 */
export function fail(http: HttpDeps, error: unknown, request: ApiRequest, response: ServerResponse): void {
  const { exchange } = request
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
    const pageHeaders: Record<string, string> = { ...headers, ...page.headers, 'Cache-Control': 'no-store' }
    for (const name of ['Content-Type', 'Content-Length']) delete pageHeaders[name]
    deliver(request, response, { ...page, status, headers: pageHeaders, log: exchange.log }).catch(() =>
      response.destroy(),
    )
    return
  }
  if (hasBody(request) && !request.readableEnded) sendBeforeBody(request, response, exchange, status, headers, body)
  else {
    const answer = { status, headers, body, type: headers['Content-Type'], log: exchange.log }
    deliver(request, response, answer).catch(() => response.destroy())
  }
}

/**
 * Whether a person opened an address outside the API in a browser. Browsers list text/html in Accept; other clients do
 * not.
 */
function wantsPage(request: ApiRequest, { instance }: Exchange): boolean {
  if ((request.method !== 'GET' && request.method !== 'HEAD') || isProgramPath(instance)) return false
  return !hasBody(request) && names(request.headers.accept?.slice(0, 1000), 'text/html')
}

/**
 * Applies the limits of a valid key that no route has authenticated, because the address is unknown or the method is
 * wrong.
 */
function limitOfKey({ auth, clock }: HttpDeps, { limit, subject }: Exchange, request: ApiRequest): Exchange['limit'] {
  const key = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!limit || limit.refused || subject !== undefined || key === undefined) return undefined
  const caller = auth.ring.check(key, clock())
  if (!caller) return undefined
  const plan = auth.plans[caller.plan]
  return { plan, standing: () => auth.meter.peek(caller.subject, plan, clock()) }
}

function rendered(http: HttpDeps, exchange: Exchange, problem: Problem): ReturnType<typeof renderProblem> {
  const { compatibility, id, instance } = exchange
  const own = ownForm(http, exchange, problem)
  if (!compatibility?.failure) return own
  const detail = displayable(withoutKeys(problem.message))
  const { status, type, body } = compatibility.failure({ status: own.status, slug: problem.slug, detail, id, instance })
  const bytes = Buffer.from(JSON.stringify(body))
  return {
    status,
    headers: { ...own.headers, 'Content-Type': type, 'Content-Length': String(bytes.length) },
    body: bytes,
  }
}

function ownForm(http: HttpDeps, exchange: Exchange, problem: Problem): ReturnType<typeof renderProblem> {
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

/** Returns a problem as a raw HTTP response, for errors of the HTTP parser, which have no request object. */
export function rawProblem(http: HttpDeps, problem: Problem): Buffer {
  const exchange = new Exchange(http)
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
