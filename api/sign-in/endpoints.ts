import type { Request, RequestHandler, Response } from 'express'
import type { Instant } from '../../ingest/domain/time.ts'
import type { ApiRequest } from '../http/deps.ts'
import { send } from '../http/exchange.ts'
import type { AddressMeter } from '../keys/meter.ts'
import type { Plan } from '../keys/plan.ts'
import { methodNotAllowed, Problem } from '../problem.ts'
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
/** Limit of client registrations of one address. */
const registrations: Plan = { minute: 1 / 3, burst: 20 }
/** Limit of device codes that one address starts: each is stored until it expires. */
const deviceCodes: Plan = { minute: 10, burst: 20, day: 1000 }
/** Limit of authorization requests: each is stored for an hour, with up to 8 KB of the client's choice. */
const authorizations: Plan = { minute: 30, burst: 60, day: 2000 }
/** Limit of all other requests, including polls for tokens: each needs database queries. */
const requests: Plan = { minute: 300, burst: 300 }
/** Largest body: the library accepts 56 KB and stores it. */
const MAX_FORM_BYTES = 8192
const MAX_REGISTRATION_BYTES = 16_384

export interface EndpointDeps {
  readonly issuer: Issuer
  readonly meter: AddressMeter
  readonly clock: () => Instant
}

/** The endpoints of the authorization server: checks methods, limits by address and sizes of bodies, then calls the library. */
export function endpointsOf({ issuer, meter, clock }: EndpointDeps): RequestHandler {
  return (request, response, next) => {
    const { exchange } = request as unknown as ApiRequest
    const endpoint = Object.entries(endpoints).find(
      ([path]) => request.path === path || (path === '/authorize' && request.path.startsWith('/authorize/')),
    )
    if (!endpoint) return next()
    const [path, methods] = endpoint
    if (request.method !== 'OPTIONS' && !methods.includes(request.method))
      throw methodNotAllowed(request.method, methods)
    if (request.path === '/register' && !meter.take(`register ${exchange.address}`, registrations, clock())) {
      throw new Problem(
        'too-many-requests',
        'This address has registered 20 clients within an hour, the maximum. Use a client ID metadata document instead.',
        { retryAfter: 180 },
      )
    }
    exchange.route = `/auth${path}`
    if (request.path === '/device_authorization' && request.method === 'POST') {
      if (!meter.take(`device ${exchange.address}`, deviceCodes, clock())) {
        throw new Problem(
          'too-many-requests',
          'This address has started too many device codes. Wait a minute and try again.',
          {
            retryAfter: 60,
          },
        )
      }
    }
    const isAuthorization = request.path === '/authorize'
    if (
      !meter.take(
        `${isAuthorization ? 'authorize' : 'oauth'} ${exchange.address}`,
        isAuthorization ? authorizations : requests,
        clock(),
      )
    ) {
      throw new Problem(
        'too-many-requests',
        'This address has sent too many sign-in requests. Wait a minute and try again.',
        {
          retryAfter: 60,
        },
      )
    }
    const maxBytes = request.path === '/register' ? MAX_REGISTRATION_BYTES : MAX_FORM_BYTES
    if (request.method === 'POST' && !(Number(request.headers['content-length']) <= maxBytes)) {
      return oauthError(response, exchange, `Content-Length must be at most ${maxBytes} bytes`)
    }
    passOn(issuer, request, response)
  }
}

/** Sends an error in the form of RFC 6749, 5.2. */
function oauthError(response: Response, exchange: ApiRequest['exchange'], description: string): void {
  send(
    response,
    exchange,
    400,
    { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    JSON.stringify({ error: 'invalid_request', error_description: description }),
  )
}

/** Serves the discovery document at the path of RFC 8414. */
export function serverMetadata(issuer: Issuer): RequestHandler {
  return (request, response) => {
    const methods = ['GET', 'HEAD']
    if (!methods.includes(request.method)) throw methodNotAllowed(request.method, methods)
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
