import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Weather } from '../answer/weather.ts'
import { weatherForms } from '../query/format.ts'
import { preferredForm } from './accept.ts'
import { type Authorized, authorize, bearer } from './authenticate.ts'
import { matches } from './deliver.ts'
import type { HttpDeps } from './deps.ts'
import { encodingOf, MIN_BYTES, weakened } from './encoding.ts'
import { refuseMalformed, send } from './exchange.ts'
import type { Metrics } from './metrics.ts'

const route = {}

/**
 * Sends a cached answer of /v1/weather before Express routes the request: no routing, exchange or log line. Request checks, key, scope, limits, media type and headers are those of the pipeline, by the same functions.
 * Requests that are refused here go on to the pipeline, which produces the error. @returns whether a response was sent
 */
export function cachedWeather(
  http: HttpDeps,
  weather: Weather,
  metrics: Pick<Metrics, 'cached'>,
  onSent?: (request: IncomingMessage, id: string) => void,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { auth, clock } = http
  const authorized = (request: IncomingMessage, now: number): Authorized | undefined => {
    try {
      refuseMalformed(request)
      const caller = auth.ring.check(bearer(request), now)
      // A caller whose usage is not loaded yet waits for it in the pipeline.
      if (!caller || auth.meter.load(caller.subject, auth.plans[caller.plan], now)) return undefined
      return authorize(caller, route, auth, '', now)
    } catch {
      return undefined
    }
  }
  return (request, response) => {
    const { url, headers } = request
    if (request.method !== 'GET' || !url?.startsWith('/v1/weather?')) return false
    if (headers.authorization === undefined || headers.origin !== undefined) return false
    const now = clock()
    const answer = weather.ready(url, now)
    // The pipeline makes the other forms, and refuses.
    if (!answer || preferredForm(weatherForms, headers.accept) !== 'json') return false
    const encoding = answer.body.length < MIN_BYTES ? undefined : encodingOf(headers['accept-encoding'])
    const body = encoding ? answer.forms[encoding] : answer.body
    // The pipeline compresses it and keeps that form.
    if (!body) return false
    const allowed = authorized(request, now)
    if (!allowed) return false
    metrics.cached.inc()
    const id = http.ids.next()
    onSent?.(request, id)
    const exchange = { id, limit: { plan: allowed.plan, standing: () => allowed.standing } }
    const known = headers['if-none-match']
    const validators = {
      ETag: encoding ? weakened(answer.etag) : answer.etag,
      'Cache-Control': answer.cacheControl(now),
      Vary: 'Accept, Accept-Encoding',
    }
    if (known !== undefined && matches(known, answer.etag)) send(response, exchange, 304, validators)
    else {
      const content = {
        ...validators,
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': String(body.length),
        ...(encoding && { 'Content-Encoding': encoding }),
      }
      answer.reading.retain()
      response.once('close', () => answer.reading.release())
      send(response, exchange, 200, content, body)
    }
    return true
  }
}
