import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express, type NextFunction, type RequestHandler } from 'express'
import { Problem } from '../problem.ts'
import type { Route } from '../route.ts'
import type { ApiRequest, HttpDeps } from './deps.ts'
import { isDataPath, send } from './exchange.ts'
import { answer, fail, open } from './pipeline.ts'

/** Middleware, mounted handlers, routes, then 405 and 404. */
export function createApp(
  http: HttpDeps,
  routes: readonly Route[],
  mounts: Readonly<Record<string, RequestHandler>> = {},
): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('case sensitive routing', true)
  if (http.publicUrl) app.set('trust proxy', 'loopback')

  app.use(open(http))
  app.use(crossOrigin(http))
  for (const [path, handler] of Object.entries(mounts)) app.use(path, handler)
  const paths = new Map<string, Route[]>()
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route])
  for (const [path, list] of paths) {
    for (const route of list) app[route.method](path, unlessMatching(route), ...answer(http, route))
    app.all(path, (request, response, next) => {
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
    })
  }
  app.use((request) => {
    throw new Problem(
      'not-found',
      `There is nothing at ${(request as unknown as ApiRequest).exchange.instance}. The interface is described at /openapi.json and /docs.`,
    )
  })
  app.use((error: unknown, request: IncomingMessage, response: ServerResponse, _next: NextFunction) =>
    fail(http, error, request as ApiRequest, response),
  )
  return app
}

/** Skips a route that is not there for the parameters of a path. */
function unlessMatching({ matches }: Route): RequestHandler {
  return (request, _response, next) =>
    matches && !matches(request.params as Record<string, string>) ? next('route') : next()
}

/** CORS for the origins that the operator allows; no cookies are used, so no credentials. */
function crossOrigin(http: HttpDeps) {
  return (request: IncomingMessage, response: ServerResponse, next: NextFunction) => {
    const origin = request.headers.origin
    if (origin === undefined) return next()
    response.setHeader('Vary', 'Origin')
    const data = isDataPath((request as ApiRequest).exchange.instance)
    const open = data && (http.corsOrigins.includes('*') || http.corsOrigins.includes(origin))
    if (!open && !http.allowedOrigins.includes(origin)) return next()
    response.setHeader('Access-Control-Allow-Origin', origin)
    response.setHeader(
      'Access-Control-Expose-Headers',
      'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Retry-After, ETag, Link, X-Warnings, WWW-Authenticate, PAYMENT-REQUIRED, PAYMENT-RESPONSE',
    )
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return next()
    send(response, (request as ApiRequest).exchange, 204, {
      'Access-Control-Allow-Methods': 'GET, POST, DELETE, PATCH',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, If-None-Match, Last-Event-ID, Idempotency-Key, Accept-Payment, PAYMENT-SIGNATURE, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
      'Access-Control-Max-Age': '600',
    })
  }
}
