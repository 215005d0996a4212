import type { IncomingMessage } from 'node:http'
import { isLocal } from './client-address.ts'
import { isLoopbackHost } from './exchange.ts'
import { isLoopback } from './origins.ts'

/** Headers that a proxy adds: the caller behind it is not known to be local. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/**
 * Whether a server may answer compatible routes without a key: only if it listens on loopback alone and no proxy before it is configured.
 * @param host the setting HOST
 */
export const listensToItself = (host: string, publicUrl: string | undefined, proxies: readonly string[]): boolean =>
  (isLoopback(host) || host === '::1') && publicUrl === undefined && proxies.length === 0

/**
 * Whether a program of this machine sent a request, rather than a page of another site or a proxy. A page whose name resolves to this
 * machine (DNS rebinding) sends its name in `Host`; a page that loads an image from here sends `Sec-Fetch-Site: cross-site`. Proxies
 * that add no header use HTTP/1.0 by default.
 */
export function isOfThisMachine(request: IncomingMessage): boolean {
  const { host, origin, 'sec-fetch-site': site } = request.headers
  return (
    isLocal(request) &&
    request.httpVersion !== '1.0' &&
    proxyHeaders.every((name) => request.headers[name] === undefined) &&
    host !== undefined &&
    isLoopbackHost(host) &&
    site !== 'cross-site' &&
    (origin === undefined || (URL.canParse(origin) && isLoopback(new URL(origin).hostname)))
  )
}
