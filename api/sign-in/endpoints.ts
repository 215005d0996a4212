import type { Request, RequestHandler, Response } from 'express'
import type { Instant } from '../../ingest/domain/time.ts'
import type { ApiRequest } from '../http/deps.ts'
import { send } from '../http/exchange.ts'
import type { AddressMeter } from '../keys/meter.ts'
import type { Plan } from '../keys/plan.ts'
import { Problem } from '../problem.ts'
import type { Issuer } from './issuer.ts'

/** Endpoints of the library and their methods. */
const endpoints: Readonly<Record<string, readonly string[]>> = {
  '/authorize': ['GET', 'POST'],
  '/device_authorization': ['POST'],
  '/jwks': ['GET', 'HEAD'],
  '/register': ['POST'],
  '/revoke': ['POST'],
  '/token': ['POST'],
  '/userinfo': ['GET', 'POST'],
  '/.well-known/openid-configuration': ['GET', 'HEAD'],
}
const registrations: Plan = { minute: 1 / 3, burst: 20 }
/** Device codes that one address may start: each is stored until it expires. */
const deviceCodes: Plan = { minute: 10, burst: 20, day: 1000 }
/** Authorization requests: each is stored for an hour, with up to 8 KB that its client chose. */
const authorizations: Plan = { minute: 30, burst: 60, day: 2000 }
/** Every other request, among them polls for tokens: each costs queries. */
const requests: Plan = { minute: 300, burst: 300 }
/** Largest body: the library accepts 56 KB and stores it. */
const MAX_FORM_BYTES = 8192
const MAX_REGISTRATION_BYTES = 16_384

export interface EndpointDeps {
  readonly issuer: Issuer
  readonly meter: AddressMeter
  readonly clock: () => Instant
}

/** The endpoints of the authorization server: methods, limits by address and bounds of bodies, then the library. */
export function endpointsOf({ issuer, meter, clock }: EndpointDeps): RequestHandler {
  return (request, response, next) => {
    const { exchange } = request as unknown as ApiRequest
    const allowed = Object.entries(endpoints).find(
      ([path]) => request.path === path || (path === '/authorize' && request.path.startsWith('/authorize/')),
    )
    if (!allowed) return next()
    const methods = allowed[1]
    if (request.method !== 'OPTIONS' && !methods.includes(request.method)) {
      throw new Problem('bad-request', `${request.method}: wanted ${methods.join(' or ')} on this address.`, {
        status: 405,
        headers: { Allow: methods.join(', ') },
      })
    }
    if (request.path === '/register' && !meter.take(`register ${exchange.address}`, registrations, clock())) {
      throw new Problem(
        'too-many-requests',
        'This address has registered 20 clients within the hour. Use a client-id metadata document instead.',
        { retryAfter: 180 },
      )
    }
    exchange.route = `/auth${allowed[0]}`
    if (request.path === '/device_authorization' && request.method === 'POST') {
      if (!meter.take(`device ${exchange.address}`, deviceCodes, clock())) {
        throw new Problem('too-many-requests', 'This address has started too many device codes. Wait a minute.', {
          retryAfter: 60,
        })
      }
    }
    const authorizes = request.path === '/authorize'
    if (
      !meter.take(
        `${authorizes ? 'authorize' : 'oauth'} ${exchange.address}`,
        authorizes ? authorizations : requests,
        clock(),
      )
    ) {
      throw new Problem('too-many-requests', 'This address has sent too many sign-in requests. Wait a minute.', {
        retryAfter: 60,
      })
    }
    const most = request.path === '/register' ? MAX_REGISTRATION_BYTES : MAX_FORM_BYTES
    if (request.method === 'POST' && !(Number(request.headers['content-length']) <= most)) {
      return oauthError(response, exchange, `the body: wanted Content-Length of at most ${most} bytes`)
    }
    passOn(issuer, request, response)
  }
}

/** In the form of RFC 6749, 5.2. */
function oauthError(response: Response, exchange: ApiRequest['exchange'], description: string): void {
  send(
    response,
    exchange,
    400,
    { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    JSON.stringify({ error: 'invalid_request', error_description: description }),
  )
}

/** The discovery document at the path of RFC 8414. */
export function serverMetadata(issuer: Issuer): RequestHandler {
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new Problem('bad-request', `${request.method}: wanted GET on this address.`, {
        status: 405,
        headers: { Allow: 'GET, HEAD' },
      })
    }
    request.url = '/.well-known/openid-configuration'
    request.baseUrl = '/auth'
    request.originalUrl = '/auth/.well-known/openid-configuration'
    response.setHeader('Access-Control-Allow-Origin', '*')
    passOn(issuer, request, response)
  }
}

/** Passes a request to the library, with the base URL of the caller. */
export function passOn(issuer: Issuer, request: Request, response: Response): void {
  const { exchange } = request as unknown as ApiRequest
  const { protocol, host } = new URL(exchange.base)
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  request.headers['x-forwarded-host'] = host
  response.setHeader('X-Request-Id', exchange.id)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  void issuer.at(exchange.base).callback()(request, response)
}
