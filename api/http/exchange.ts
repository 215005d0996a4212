import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '../../ingest/domain/fault.ts'
import { containsKey, withoutKeys } from '../../ingest/domain/redact.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { UsageStanding } from '../keys/limit.ts'
import { type Plan, policyOf } from '../keys/plan.ts'
import { Problem } from '../problem.ts'
import type { Caller } from '../route.ts'
import { Cancellation } from './cancellation.ts'
import { clientAddress, type ProxyCheck } from './client-address.ts'
import type { Load } from './load-shedding.ts'
import type { Sale } from './x402.ts'

/** What exchanges are made with. */
interface ExchangeDeps {
  readonly ids: RequestIds
  readonly clock: () => Instant
  readonly publicUrl: string | undefined
  readonly isProxy: ProxyCheck
  /** Base URL of this process, for requests whose Host is not loopback. */
  readonly ownUrl: () => string
}

/** One request and its answer, from the entrance to the log line. */
export class Exchange {
  readonly id: string
  readonly startedAt: Instant
  /** `performance.now()` at the start, for the duration. */
  readonly startedTicks = performance.now()
  /** Path without query, API keys redacted. */
  readonly instance: string
  /** Network address of the client; with PUBLIC_URL the one that the proxy on this machine names. */
  readonly address: string
  readonly cancellation = new Cancellation()
  route?: string
  /** Absent on open routes. */
  caller?: Caller
  /** The payment for this call; absent where a key was sent. */
  sale?: Sale
  subject?: string
  /** The answer came from the cache. */
  cached = false
  log?: Readonly<Record<string, unknown>>
  limit?: { readonly plan: Plan; readonly standing: () => UsageStanding }
  readonly #deps: ExchangeDeps
  readonly #request: IncomingMessage | undefined
  #load: Load | undefined
  #closed = false
  #release: (() => void) | undefined

  /** @param request undefined where the parser refused it */
  constructor(deps: ExchangeDeps, request?: IncomingMessage) {
    this.id = deps.ids.next()
    this.startedAt = deps.clock()
    this.instance = withoutKeys(pathOf(request?.url ?? '/')).slice(0, 300)
    this.address = request ? clientAddress(request, deps.isProxy) : ''
    this.#deps = deps
    this.#request = request
  }

  /** Base URL for links in the response. */
  get base(): string {
    return baseOf(this.#request, this.#deps.publicUrl, this.#deps.ownUrl())
  }

  takeSlot(load: Load): void {
    this.#load = load
    load.takeSlot()
  }

  /** Frees the load-shedding slot: the request is over, or it is a stream. */
  releaseSlot(): void {
    this.#load?.releaseSlot()
    this.#load = undefined
  }

  /** Calls `release` when the response is closed, at once where it is closed already. */
  releaseAtClose(release: (() => void) | undefined): void {
    if (this.#closed) release?.()
    else this.#release = release
  }

  /** The response was sent, or the client has disconnected. */
  close(): void {
    this.#closed = true
    this.releaseSlot()
    this.cancellation.cancel()
    this.#release?.()
  }
}

/** Request ids, unique among all processes: a random prefix of the process, then a counter. */
export class RequestIds {
  readonly #prefix = randomBytes(6).toString('base64url').replace(/[-_]/g, 'x')
  #count = 0

  next(): string {
    this.#count = (this.#count + 1) % Number.MAX_SAFE_INTEGER
    return `${this.#prefix}-${this.#count.toString(36)}`
  }
}

export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i

/** A loopback host of which an address can be made: not `127.999.0.1`, nor `localhost:99999`. */
const isLoopbackHost = (host: string): boolean => loopback.test(host) && URL.canParse(`http://${host}`)

/** PUBLIC_URL, else the Host of the request where it is loopback, else the base URL of this process. */
function baseOf(request: IncomingMessage | undefined, publicUrl: string | undefined, own: string): string {
  if (publicUrl) return publicUrl
  const host = request?.headers.host
  return host && isLoopbackHost(host) ? `http://${host.toLowerCase()}` : own
}

/** Of Accept and its relatives; browsers send 200. */
const MAX_ACCEPT_LENGTH = 2048

/**
 * Refuses requests that no route accepts: no Host, too long, or an API key outside of Authorization.
 * @throws Problem
 */
export function refuseMalformed(request: IncomingMessage): void {
  const url = request.url ?? '/'
  if (url.length > 8192) {
    throw new Problem(
      'bad-request',
      `URL: wanted at most 8192 characters, got ${url.length}. Send points in the body of a POST instead.`,
      {
        status: 414,
      },
    )
  }
  if (!request.headers.host && request.httpVersion !== '1.0') {
    throw new Problem('bad-request', 'Host: wanted one header that names the server, got none.')
  }
  if (url[0] !== '/' && url !== '*' && !namesHost(url, request.headers.host)) {
    throw new Problem('bad-request', 'request target: wanted a path, or an address of the host that Host names.')
  }
  let bytes = 0
  let hosts = 0
  let credentials = 0
  const raw = request.rawHeaders
  for (let i = 0; i < raw.length; i += 2) {
    const value = raw[i + 1]!
    const name = raw[i]!.toLowerCase()
    bytes += name.length + value.length + 4
    if (name === 'host') hosts++
    // Lists that are compared with each other: 16 KB of them take 3 ms.
    if (value.length > MAX_ACCEPT_LENGTH && name.startsWith('accept')) {
      throw new Problem(
        'bad-request',
        `${name}: wanted at most ${MAX_ACCEPT_LENGTH} characters, got ${value.length}.`,
        {
          status: 431,
        },
      )
    }
    if (name === 'authorization') credentials++
    else if (value.includes('hx_') && containsKey(value)) {
      throw new Problem(
        'bad-request',
        `header ${raw[i]!.slice(0, 40)}: an API key does not belong there. Send it as Authorization: Bearer, and replace this key: it may have been logged on its way.`,
      )
    }
  }
  // A proxy in front may have routed by the other one.
  if (hosts > 1) throw new Problem('bad-request', `Host: wanted one header that names the server, got ${hosts}.`)
  if (credentials > 1) {
    throw new Problem('unauthorized', `Authorization: wanted one header, got ${credentials}.`, {
      challenge: { error: 'invalid_request' },
    })
  }
  if (bytes > 16_384) {
    throw new Problem('bad-request', `headers: wanted at most 16384 bytes, got ${bytes}.`, { status: 431 })
  }
  if (url.includes('%') && !readablePath(url)) {
    throw new Problem('bad-request', 'path: wanted percent-encoded UTF-8, got an invalid sequence.')
  }
  if (url.includes('hx_') || url.includes('%')) {
    if (containsKey(url) || containsKey(decodedLoosely(url))) {
      throw new Problem(
        'bad-request',
        'URL: an API key does not belong there. Send it as Authorization: Bearer, and replace this key: it may have been logged on its way.',
      )
    }
  }
}

/** Of a target in absolute form (RFC 9112, 3.2.2): what stands between may have gone by the one or by the other. */
function namesHost(url: string, host: string | undefined): boolean {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]
  return authority !== undefined && authority.toLowerCase() === host?.toLowerCase()
}

function readablePath(url: string): boolean {
  try {
    decodeURIComponent(pathOf(url))
    return true
  } catch {
    return false
  }
}

function decodedLoosely(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => {
    const byte = Number.parseInt(code.slice(1), 16)
    return byte < 128 ? String.fromCharCode(byte) : code
  })
}

/** Query parameters; a repeated one is refused. @throws Fault Invalid */
export function readQuery(url: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null)
  const at = url.indexOf('?')
  if (at < 0) return values
  const end = url.indexOf('#', at)
  const text = end < 0 ? url.slice(at + 1) : url.slice(at + 1, end)
  if (!text) return values
  for (const part of text.split('&')) {
    if (!part) continue
    const equals = part.indexOf('=')
    const name = decoded(equals < 0 ? part : part.slice(0, equals), 'name')
    const value = equals < 0 ? '' : decoded(part.slice(equals + 1), name)
    if (name in values) {
      throw new Fault(
        'Invalid',
        `${withoutKeys(name).slice(0, 60)}: wanted once, got it more than once. Lists are written with commas in one parameter.`,
        {
          field: name,
        },
      )
    }
    values[name] = value
  }
  return values
}

function decoded(text: string, name: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return checked(spaced, name)
  try {
    return checked(decodeURIComponent(spaced), name)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault(
      'Invalid',
      `${name.slice(0, 60)}: wanted percent-encoded UTF-8, such as Denver%2C%20CO; got an invalid sequence.`,
      { field: name },
    )
  }
}

function checked(text: string, name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text)) {
    throw new Fault('Invalid', `${name.slice(0, 60)}: wanted text without control characters.`, { field: name })
  }
  return text
}

/** RateLimit headers, from the current usage of the subject. */
export function limitHeaders(exchange: Exchange): Record<string, string> {
  const { limit } = exchange
  if (!limit) return {}
  const standing = limit.standing()
  return {
    'RateLimit-Limit': String(standing.limit),
    'RateLimit-Remaining': String(standing.remaining),
    'RateLimit-Reset': String(standing.reset),
    'RateLimit-Policy': policyOf(limit.plan),
  }
}

/** Security headers of every response: browsers must not execute, frame or embed it. */
export const plainHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export function send(
  response: ServerResponse,
  exchange: Exchange,
  status: number,
  headers: Readonly<Record<string, string>>,
  body?: Buffer | string,
): void {
  if (response.headersSent || response.destroyed) return
  head(response, exchange, status, headers)
  response.end(body)
  // Released before the response is flushed: one that waits in the queue of its connection takes no slot from other requests.
  exchange.releaseSlot()
}

/** A client may go on sending its body this long after a refusal: when reset at once, it might not read the response. */
export const UNREAD_BODY_LINGER_MS = 1000

/** Answers a request whose body was not read: sends the response at once, closes the connection at the end of the body or after a second. */
export function sendBeforeBody(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): void {
  head(response, exchange, status, { ...headers, Connection: 'close' })
  if (request.method !== 'HEAD') response.write(body)
  exchange.releaseSlot()
  const end = () => {
    clearTimeout(timer)
    // A chunked body without an end would keep the connection open.
    response.end(() => request.destroy())
  }
  const timer = setTimeout(end, UNREAD_BODY_LINGER_MS)
  request.once('end', end)
  request.once('close', end)
  request.resume()
}

function head(
  response: ServerResponse,
  exchange: Exchange,
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  const vary = response.getHeader('Vary')
  // A flat list: from an object, Node takes 3 µs more, a tenth of a cached answer.
  const lines: string[] = []
  for (const name in plainHeaders) if (!(name in headers)) lines.push(name, plainHeaders[name]!)
  for (const name in headers)
    lines.push(name, vary !== undefined && name === 'Vary' ? `${vary}, ${headers[name]}` : headers[name]!)
  const limits = limitHeaders(exchange)
  for (const name in limits) lines.push(name, limits[name]!)
  lines.push('X-Request-Id', exchange.id)
  response.writeHead(status, lines)
}

/** Whether a path is of the data interface: described, limited by address, open to the origins of CORS_ORIGINS. */
export const isDataPath = (path: string): boolean => /^\/(v1|edr|stac)(\/|$)/.test(path)
