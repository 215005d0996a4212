import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express, type NextFunction, type RequestHandler } from 'express'
import { arrivedAt } from '../../ingest/ports/arrival.ts'
import { methodNotAllowed, Problem } from '../problem.ts'
import type { Route } from '../route.ts'
import type { ApiRequest, HttpDeps } from './deps.ts'
import { pathOf, send } from './exchange.ts'
import { fail } from './failure.ts'
import { mayRead } from './origins.ts'
import { admit, type Handle, handlerOf, open } from './pipeline.ts'

/** Handlers of a path without parameters, by method. */
interface ExactPath {
  readonly probe: boolean
  readonly handlers: Record<string, Handle>
}

/**
 * Returns the handler of every request. A path without parameters is found by one lookup; mounted handlers, paths with parameters,
 * 405 and 404 go through the Express router.
 */
export function createApp(
  http: HttpDeps,
  routes: readonly Route[],
  mounts: Readonly<Record<string, RequestHandler>> = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  const exact = new Map<string, ExactPath>()
  const router = createRouter(mounts)
  const paths = Map.groupBy(routes, ({ path }) => path)
  for (const [path, routesOfPath] of paths) {
    const handlers: Record<string, Handle> = {}
    for (const route of routesOfPath) {
      const handle = handlerOf(http, route)
      router[route.method](path, unlessMatching(route), asMiddleware(handle))
      handlers[route.method.toUpperCase()] = handle
      if (route.method === 'get') handlers['HEAD'] = handle
    }
    if (!path.includes(':')) exact.set(path, { probe: routesOfPath.some(({ probe }) => probe), handlers })
    router.all(path, otherMethod(routesOfPath))
  }
  addEnd(http, router)
  return (incoming, response) => {
    const request = incoming as ApiRequest
    const { startedTicks } = open(http, request, response)
    arrivedAt(startedTicks, () => {
      try {
        const path = exact.get(pathOf(request.url ?? '/'))
        admit(http, request, path?.probe)
        if (answersPreflight(http, request, response)) return
        const handle = path?.handlers[request.method ?? '']
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

/** Answers OPTIONS, and 405 for methods that the path does not support. */
function otherMethod(routes: readonly Route[]): RequestHandler {
  return (request, response, next) => {
    if (routes.every(({ matches }) => matches && !matches(request.params as Record<string, string>))) return next()
    const allow = [
      ...new Set(routes.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))),
    ]
    if (request.method === 'OPTIONS') {
      return send(response, (request as unknown as ApiRequest).exchange, 204, {
        Allow: [...allow, 'OPTIONS'].join(', '),
      })
    }
    throw methodNotAllowed(request.method, allow)
  }
}

/** Adds the 404 handler, and the handler of errors that mounted handlers throw. */
function addEnd(http: HttpDeps, router: Express): void {
  router.use((request) => {
    throw new Problem(
      'not-found',
      `There is nothing at ${(request as unknown as ApiRequest).exchange.instance}. See /openapi.json and /docs for the addresses of this API.`,
    )
  })
  router.use((error: unknown, request: IncomingMessage, response: ServerResponse, _next: NextFunction) =>
    fail(http, error, request as ApiRequest, response),
  )
}

/** Skips a route that does not exist for the parameters of the path. */
function unlessMatching({ matches }: Route): RequestHandler {
  return (request, _response, next) =>
    matches && !matches(request.params as Record<string, string>) ? next('route') : next()
}

/**
 * Sets the CORS headers for origins that the operator allows. Credentials are not allowed, because the API uses no cookies.
 * @returns whether the request was a preflight and has been answered
 */
function answersPreflight(http: HttpDeps, request: ApiRequest, response: ServerResponse): boolean {
  const { origin } = request.headers
  if (origin === undefined) return false
  response.setHeader('Vary', 'Origin')
  const { instance, base } = request.exchange
  if (!mayRead(http, origin, { path: instance, base })) return false
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
