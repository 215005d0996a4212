import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express, type NextFunction, type RequestHandler } from 'express'
import { Problem } from '../problem.ts'
import type { Route } from '../route.ts'
import type { Edge, Talk } from './deps.ts'
import { send } from './exchange.ts'
import { answer, fail, open } from './pipeline.ts'

/** The middleware in its order, then the routes of the table, then what is left: another method, or no such address. */
export function createApp(
  edge: Edge,
  routes: readonly Route[],
  rooms: Readonly<Record<string, RequestHandler>> = {},
): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('case sensitive routing', true)
  if (edge.publicUrl) app.set('trust proxy', 'loopback')

  app.use(open(edge))
  app.use(crossOrigin(edge))
  for (const [path, room] of Object.entries(rooms)) app.use(path, room)
  const paths = new Map<string, Route[]>()
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route])
  for (const [path, list] of paths) {
    for (const route of list) app[route.method](path, unlessMatching(route), ...answer(edge, route))
    app.all(path, (request, response, next) => {
      if (list.every(({ matches }) => matches && !matches(request.params as Record<string, string>))) return next()
      const allow = [
        ...new Set(list.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))),
      ]
      if (request.method === 'OPTIONS') {
        return send(response, (request as unknown as Talk).exchange, 204, { Allow: [...allow, 'OPTIONS'].join(', ') })
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
      `There is nothing at ${(request as unknown as Talk).exchange.instance}. The interface is described at /openapi.json and /docs.`,
    )
  })
  app.use((error: unknown, request: IncomingMessage, response: ServerResponse, _next: NextFunction) =>
    fail(edge, error, request as Talk, response),
  )
  return app
}

/** Skips a route that is not there for the parameters of a path. */
function unlessMatching({ matches }: Route): RequestHandler {
  return (request, _response, next) =>
    matches && !matches(request.params as Record<string, string>) ? next('route') : next()
}

/** Answers to browsers of other sites only where the operator named them; no cookies, so no credentials. */
function crossOrigin(edge: Edge) {
  return (request: IncomingMessage, response: ServerResponse, next: NextFunction) => {
    const origin = request.headers.origin
    if (origin === undefined) return next()
    response.setHeader('Vary', 'Origin')
    if (!edge.allowedOrigins.includes(origin)) return next()
    response.setHeader('Access-Control-Allow-Origin', origin)
    response.setHeader(
      'Access-Control-Expose-Headers',
      'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Retry-After, ETag, WWW-Authenticate, PAYMENT-REQUIRED, PAYMENT-RESPONSE',
    )
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return next()
    send(response, (request as Talk).exchange, 204, {
      'Access-Control-Allow-Methods': 'GET, POST, DELETE, PATCH',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, If-None-Match, Idempotency-Key, Accept-Payment, PAYMENT-SIGNATURE, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
      'Access-Control-Max-Age': '600',
    })
  }
}
