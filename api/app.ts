import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type Express, type NextFunction, type RequestHandler } from 'express'
import type { Instant } from '../ingest/domain/time.ts'
import type { Database } from '../ingest/ports/database.ts'
import type { Events } from '../ingest/ports/events.ts'
import type { Objects } from '../ingest/ports/objects.ts'
import type { AlertWatch } from './alerts-watch.ts'
import type { Edge, Talk } from './edge.ts'
import { send } from './exchange.ts'
import type { Identity } from './keys/identity.ts'
import type { Metrics } from './metrics.ts'
import { openApiOf } from './openapi.ts'
import { pageRoutes } from './pages/routes.ts'
import { answer, fail, open } from './pipeline.ts'
import { Problem } from './problem.ts'
import type { RadarHeld } from './radar-held.ts'
import type { Route } from './route.ts'
import { alertsRoute } from './routes/alerts.ts'
import { batchRoutes } from './routes/batch.ts'
import { catalogRoutes } from './routes/catalog.ts'
import { developerRoutes } from './routes/developer.ts'
import { healthRoutes, type Readiness } from './routes/health.ts'
import { homeRoutes } from './routes/page.ts'
import { geocode, reverseGeocode } from './routes/places.ts'
import { pointRoutes } from './routes/points.ts'
import { radarImageRoutes } from './routes/radar-image.ts'
import { radarsRoute, stationsRoute } from './routes/sites.ts'
import { stormTracksRoute } from './routes/storm-tracks.ts'
import { weatherRoute } from './routes/weather.ts'
import { wellKnownRoutes } from './routes/well-known.ts'
import { officesRoute, zonesRoute } from './routes/zones.ts'
import type { ValueParts } from './values.ts'
import type { Weather } from './weather.ts'

/** What routes are made of. */
export interface ApiParts {
  readonly metricsToken: string | undefined
  readonly trialCalls: number
  /** Of the package. */
  readonly version: string
  readonly database: Database
  readonly objects: Objects
  readonly events: Events
  readonly clock: () => Instant
  readonly metrics: Metrics
  readonly readiness: () => Promise<Readiness>
  readonly weather: Weather
  readonly values: ValueParts
  readonly radar: RadarHeld
  readonly identity: Identity
  readonly alerts: AlertWatch
  /** `/v1/events` */
  readonly alertStream: Route
}

/** Every route of the interface, in the order of the documents. */
export function routesOf(parts: ApiParts): readonly Route[] {
  const routes: Route[] = [
    ...healthRoutes(parts.readiness, parts.metrics.registry, parts.metricsToken),
    weatherRoute(parts.weather),
    ...batchRoutes(parts.weather),
    ...pointRoutes(parts.values),
    ...catalogRoutes(parts.values),
    alertsRoute(parts.alerts),
    parts.alertStream,
    stormTracksRoute(parts.radar),
    ...radarImageRoutes({ held: parts.radar, database: parts.database }),
    geocode,
    reverseGeocode,
    stationsRoute,
    radarsRoute,
    officesRoute,
    zonesRoute,
    ...developerRoutes(parts.database, parts.identity),
    ...wellKnownRoutes(parts.identity.issuer),
  ]
  const document = memoised((base) => openApiOf(routes, parts.version, base))
  return [...routes, ...pageRoutes(document, parts.trialCalls), ...homeRoutes(routes, parts.database)]
}

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
    for (const route of list) app[route.method](path, ...answer(edge, route))
    app.all(path, (request, response) => {
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

/** One document an address; a handful of spellings of this machine. */
function memoised(make: (base: string) => object): (base: string) => object {
  const held = new Map<string, object>()
  return (base) => {
    let made = held.get(base)
    if (!made) {
      if (held.size > 16) held.clear()
      held.set(base, (made = make(base)))
    }
    return made
  }
}
