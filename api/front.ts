import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Edge } from './edge.ts'
import { nextId, plainHeaders, policyText } from './exchange.ts'
import { holdsKey } from './keys/secret.ts'
import type { Metrics } from './metrics.ts'
import { matches } from './pipeline.ts'
import type { Weather } from './weather.ts'

const fixed = Object.entries(plainHeaders).flat()

/**
 * Sends an answer of /v1/weather that is ready, before any routing: key, scope and limits are looked up in memory.
 * Whatever is not plain sailing is left to the routes, which say what is wrong. @returns whether it was sent
 */
export function front(
  edge: Edge,
  weather: Weather,
  metrics: Pick<Metrics, 'cached'>,
  told?: (request: IncomingMessage, id: string) => void,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { gate, clock } = edge
  return (request, response) => {
    const { url, headers } = request
    if (request.method !== 'GET' || !url?.startsWith('/v1/weather?')) return false
    const { authorization, accept } = headers
    if (!authorization?.startsWith('Bearer ') || !headers.host || headers.origin !== undefined) return false
    if (accept !== undefined && !accept.includes('*/*') && !accept.includes('application/json')) return false
    const now = clock()
    const answer = weather.ready(url, now)
    if (!answer) return false
    const caller = gate.ring.check(authorization.slice(7), now)
    if (!caller?.scopes.includes('weather:read')) return false
    const plan = gate.plans[caller.plan]
    if (gate.meter.know(caller.subject, plan, now) !== undefined) return false
    const standing = gate.meter.peek(caller.subject, plan, now)
    if (!standing.allowed || !soundHeaders(request)) return false
    metrics.cached.inc()
    const id = nextId()
    told?.(request, id)
    const known = headers['if-none-match']
    const unchanged = known !== undefined && matches(known, answer.etag)
    const lines = [
      'ETag',
      answer.etag,
      'Cache-Control',
      answer.cacheControl(now),
      'RateLimit-Limit',
      String(standing.limit),
      'RateLimit-Remaining',
      String(standing.remaining),
      'RateLimit-Reset',
      String(standing.reset),
      'RateLimit-Policy',
      policyText(plan),
      'X-Request-Id',
      id,
      ...fixed,
    ]
    if (unchanged) {
      response.writeHead(304, lines)
      response.end()
      return true
    }
    lines.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(answer.body.length))
    response.writeHead(200, lines)
    response.end(answer.body)
    return true
  }
}

/** The URL was found sound when the answer was made; the headers are new each time. */
function soundHeaders({ rawHeaders }: IncomingMessage): boolean {
  let bytes = 0
  let named = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    const value = rawHeaders[i + 1]!
    bytes += name.length + value.length + 4
    if (value.includes('hx_') && name.length !== 13 && holdsKey(value)) return false
    if ((name.length === 4 || name.length === 13) && /^(host|authorization)$/i.test(name)) named++
  }
  // One Host, one Authorization.
  if (named > 2) return false
  return bytes <= 16_384
}
