import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express, type NextFunction, type RequestHandler } from 'express'
import { arrivedAt } from '../../ingest/ports/arrival.ts'
import { Problem } from '../problem.ts'
import type { Route } from '../route.ts'
import type { ApiRequest, HttpDeps } from './deps.ts'
import { isDataPath, pathOf, send } from './exchange.ts'
import { fail } from './failure.ts'
import { admit, type Handle, handlerOf, open } from './pipeline.ts'

/** A path without parameters: its handlers by method. */
interface ExactPath {
  readonly probe: boolean | undefined
  readonly handlers: Record<string, Handle>
}

/**
 * The entrance of every request. A path without parameters leads to its handler by one look-up; mounted handlers, paths with parameters,
 * 405 and 404 go through the router of Express.
 */
export function createApp(
  http: HttpDeps,
  routes: readonly Route[],
  mounts: Readonly<Record<string, RequestHandler>> = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  const exact = new Map<string, ExactPath>()
  const router = createRouter(mounts)
  const paths = Map.groupBy(routes, ({ path }) => path)
  for (const [path, list] of paths) {
    const handlers: Record<string, Handle> = {}
    for (const route of list) {
      const handle = handlerOf(http, route)
      router[route.method](path, unlessMatching(route), asMiddleware(handle))
      handlers[route.method.toUpperCase()] = handle
      if (route.method === 'get') handlers['HEAD'] = handle
    }
    if (!path.includes(':')) exact.set(path, { probe: list[0]!.probe, handlers })
    router.all(path, otherMethod(list))
  }
  addEnd(http, router)
  return (incoming, response) => {
    const request = incoming as ApiRequest
    const { startedTicks } = open(http, request, response)
    arrivedAt(startedTicks, () => {
      try {
        const found = exact.get(pathOf(request.url!))
        admit(http, request, found?.probe)
        if (answersPreflight(http, request, response)) return
        const handle = found?.handlers[request.method!]
        if (handle) handle(request, response).catch(() => response.destroy())
        else router(request, response)
      } catch (error) {
        fail(http, error, request, response)
      }
    })
  }
}

function createRouter(mounts: Readonly<Record<string, RequestHandler>>): Express {
  const router = express()
  router.disable('x-powered-by')
  router.disable('etag')
  router.set('query parser', false)
  router.set('case sensitive routing', true)
  for (const [path, handler] of Object.entries(mounts)) router.use(path, handler)
  return router
}

const asMiddleware =
  (handle: Handle): RequestHandler =>
  (request, response) =>
    handle(request as unknown as ApiRequest, response)

/** 405 for the methods that a path does not have, and the answer to OPTIONS. */
function otherMethod(list: readonly Route[]): RequestHandler {
  return (request, response, next) => {
    if (list.every(({ matches }) => matches && !matches(request.params as Record<string, string>))) return next()
    const allow = [
      ...new Set(list.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))),
    ]
    if (request.method === 'OPTIONS') {
      return send(response, (request as unknown as ApiRequest).exchange, 204, {
        Allow: [...allow, 'OPTIONS'].join(', '),
      })
    }
    throw new Problem('bad-request', `${request.method}: wanted ${allow.join(' or ')} on this address.`, {
      status: 405,
      headers: { Allow: allow.join(', ') },
    })
  }
}

/** 404, and the problems that mounted handlers throw. */
function addEnd(http: HttpDeps, router: Express): void {
  router.use((request) => {
    throw new Problem(
      'not-found',
      `There is nothing at ${(request as unknown as ApiRequest).exchange.instance}. The interface is described at /openapi.json and /docs.`,
    )
  })
  router.use((error: unknown, request: IncomingMessage, response: ServerResponse, _next: NextFunction) =>
    fail(http, error, request as ApiRequest, response),
  )
}

/** Skips a route that is not there for the parameters of a path. */
function unlessMatching({ matches }: Route): RequestHandler {
  return (request, _response, next) =>
    matches && !matches(request.params as Record<string, string>) ? next('route') : next()
}

/**
 * CORS for the origins that the operator allows; no cookies are used, so no credentials.
 * @returns whether the request was a preflight and is answered
 */
function answersPreflight(http: HttpDeps, request: ApiRequest, response: ServerResponse): boolean {
  const { origin } = request.headers
  if (origin === undefined) return false
  response.setHeader('Vary', 'Origin')
  const data = isDataPath(request.exchange.instance)
  const open = data && (http.corsOrigins.includes('*') || http.corsOrigins.includes(origin))
  if (!open && !http.allowedOrigins.includes(origin)) return false
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader(
    'Access-Control-Expose-Headers',
    'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Retry-After, ETag, Link, X-Warnings, WWW-Authenticate, PAYMENT-REQUIRED, PAYMENT-RESPONSE',
  )
  if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return false
  send(response, request.exchange, 204, {
    'Access-Control-Allow-Methods': 'GET, POST, DELETE, PATCH',
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, If-None-Match, Last-Event-ID, Idempotency-Key, Accept-Payment, PAYMENT-SIGNATURE, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
    'Access-Control-Max-Age': '600',
  })
  return true
}
