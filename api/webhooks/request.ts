import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Problem } from '../problem.ts'
import type { Web } from '../sign-in/client-document.ts'

/** Milliseconds for a whole call, including the answer. */
export const CALL_TIMEOUT_MS = 10_000
/** Largest answer that is read. */
const MAX_ANSWER_BYTES = 65_536

export interface Receivers {
  readonly web: Web
  /** Whether receivers on this machine may be called, also by http. */
  readonly loopback: boolean
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const isLoopback = ({ hostname }: URL) => loopbackNames.has(hostname)

/** Checks the URL of a receiver and returns its stored form. @throws Problem that says what is wrong with the URL */
export function checkUrl(text: string, { loopback }: Pick<Receivers, 'loopback'>): string {
  const wrong = (fault: string) =>
    new Problem(
      'bad-request',
      `\`url\` must be https with a public host name, such as https://example.org/hooks/weather, but ${fault}. Change \`url\` and try again.`,
      { members: { field: 'url' } },
    )
  if (!URL.canParse(text)) throw wrong('is not a URL')
  const url = new URL(text)
  if (url.username || url.password) throw wrong('contains credentials')
  url.hash = ''
  if (loopback && isLoopback(url) && /^https?:$/.test(url.protocol)) return url.href
  if (url.protocol !== 'https:') throw wrong(`begins with ${url.protocol}//`)
  const host = url.hostname.replace(/\.$/, '')
  if (host.startsWith('[') || isIP(host)) throw wrong('has an IP address as host')
  if (!host.includes('.') || /\.(localhost|local|internal|home|lan|intranet|corp|arpa|onion)$/i.test(host))
    throw wrong('has a host name that is not public')
  return url.href
}

/** The answer of a receiver, or why there is none. */
export type CallResult =
  | {
      readonly status: number
      /** Milliseconds of Retry-After. */
      readonly retryAfterMs?: number
    }
  | { readonly error: string }

/**
 * Sends one POST. The host name is looked up once: every address must be public, and the connection uses the checked addresses, so that
 * DNS rebinding has no effect. Redirects are not followed. The call ends after 10 s or 64 KB of answer.
 */
export function call(
  { web, loopback }: Receivers,
  to: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<CallResult> {
  const url = new URL(to)
  const isLocal = isLoopback(url)
  if (isLocal && !loopback) return Promise.resolve({ error: 'the receiver is on this machine, which is not allowed' })
  const find: LookupFunction = (host, options, done) => {
    const looking = isLocal ? Promise.resolve([host === '[::1]' ? '::1' : '127.0.0.1']) : web.addresses(host)
    looking.then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined) return done(new Error(`${host} has no address`), '')
        if (!isLocal && !addresses.every(web.isPublic))
          return done(new Error(`${host} must have public addresses only, but has a private one`), '')
        if (options.all)
          done(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          )
        else done(null, first, isIP(first))
      },
      (error: Error) => done(error as NodeJS.ErrnoException, ''),
    )
  }
  return new Promise((resolve) => {
    const failed = (error: Error) =>
      resolve({
        error: ['TimeoutError', 'AbortError'].includes(error.name)
          ? `no answer within ${timeoutMs / 1000} s`
          : error.message.slice(0, 300),
      })
    const send = url.protocol === 'http:' ? httpRequest : httpsRequest
    const sending = send(
      url,
      {
        method: 'POST',
        agent: false,
        lookup: find,
        ...(web.ca && { ca: web.ca }),
        headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
        maxHeaderSize: 16_384,
        // The timeout includes the body of the answer.
        signal: AbortSignal.timeout(timeoutMs),
      },
      (answer) => {
        let bytes = 0
        answer.on('data', (part: Buffer) => {
          bytes += part.length
          if (bytes > MAX_ANSWER_BYTES) answer.destroy(new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`))
        })
        answer.on('error', failed)
        const retryAfterMs = retryAfterOf(answer.headers['retry-after'], Date.now())
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, ...(retryAfterMs !== undefined && { retryAfterMs }) }),
        )
      },
    )
    sending.on('error', failed)
    sending.end(body)
  })
}

/** Returns the milliseconds of a Retry-After header in seconds or as an HTTP date; undefined if it is neither. */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const at = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(header)
    ? Date.parse(header)
    : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
