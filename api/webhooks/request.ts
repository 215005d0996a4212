import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Problem } from '../problem.ts'
import type { Web } from '../sign-in/client-document.ts'

/** Milliseconds for the whole of a call. */
export const CALL_TIMEOUT_MS = 10_000
/** Bytes of an answer that are read. */
const MAX_ANSWER_BYTES = 65_536

export interface Receivers {
  readonly web: Web
  /** Whether receivers on this machine may be called, by http too. */
  readonly loopback: boolean
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const isLoopback = ({ hostname }: URL) => loopbackNames.has(hostname)

/** The address of a receiver as it is stored. @throws Problem: what is wrong with it */
export function checkUrl(text: string, { loopback }: Pick<Receivers, 'loopback'>): string {
  const wrong = (why: string) =>
    new Problem(
      'bad-request',
      `url: ${why}. Wanted https and a public name, such as https://example.org/hooks/weather.`,
      {
        members: { field: 'url' },
      },
    )
  if (!URL.canParse(text)) throw wrong('it is no address')
  const url = new URL(text)
  if (url.username || url.password) throw wrong('it has credentials in it')
  url.hash = ''
  if (loopback && isLoopback(url) && /^https?:$/.test(url.protocol)) return url.href
  if (url.protocol !== 'https:') throw wrong(`it begins with ${url.protocol}//`)
  const host = url.hostname.replace(/\.$/, '')
  if (host.startsWith('[') || isIP(host)) throw wrong('it names an IP address')
  if (!host.includes('.') || /\.(localhost|local|internal|home|lan|intranet|corp|arpa|onion)$/i.test(host))
    throw wrong('its name is not a public one')
  return url.href
}

/** A receiver's answer, or why there is none. */
export type CallResult =
  | {
      readonly status: number
      /** Milliseconds that the receiver asks to wait. */
      readonly retryAfterMs?: number
    }
  | { readonly error: string }

/**
 * Makes one POST. The name is looked up once: every address must be a public one, and the connection goes to those that were
 * checked, so that a name which changes in between leads nowhere. No redirect is followed; an answer ends after 10 s or 64 KB.
 */
export function call(
  { web, loopback }: Receivers,
  to: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<CallResult> {
  const url = new URL(to)
  const own = isLoopback(url)
  if (own && !loopback) return Promise.resolve({ error: 'the address is on this machine' })
  const find: LookupFunction = (host, options, done) => {
    const found = own ? Promise.resolve([host === '[::1]' ? '::1' : '127.0.0.1']) : web.addresses(host)
    found.then(
      (addresses) => {
        const inner = own ? undefined : addresses.find((address) => !web.isPublic(address))
        if (inner !== undefined || addresses.length === 0)
          return done(
            new Error(`${host}: wanted public addresses, got ${inner === undefined ? 'none' : 'a private one'}`),
            '',
          )
        const all = addresses.map((address) => ({ address, family: isIP(address) }))
        if (options.all) done(null, all)
        else done(null, all[0]!.address, all[0]!.family)
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
        // Over the whole of it, the body of the answer too.
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

/** Retry-After, in seconds or as a date of HTTP. @returns undefined where it is neither */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const at = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(header)
    ? Date.parse(header)
    : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
