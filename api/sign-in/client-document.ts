import { lookup } from 'node:dns/promises'
import { request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Timeout of the whole fetch. */
const FETCH_TIMEOUT_MS = 5000
/** A failed fetch is not repeated for this long. */
const FAILURE_TTL_MS = 10_000
/** Bytes of a client's document. */
export const DOCUMENT_BYTES = 10 * 1024

/** Name resolution and the rule for allowed addresses; replaced in tests. */
export interface Web {
  /** Every address of a name. */
  readonly addresses: (host: string) => Promise<readonly string[]>
  /** Whether an address lies outside of this machine and its networks. */
  readonly isPublic: (address: string) => boolean
  /** Certificates that are trusted instead of the well-known ones. */
  readonly ca?: string
}

/**
 * Global unicast is 2000::/3; or IPv4-mapped. Other forms with an IPv4 address in them (`::127.0.0.1`, `::ffff:0:127.0.0.1`) are none. Not a
 * rule of the list: Node would apply it to IPv4 addresses, as mapped ones.
 */
const GLOBAL_IPV6 = /^(?:[23][0-9a-f]{3}:|::ffff:[0-9a-f.]+(?::[0-9a-f]+)?$)/i

export const openWeb: Web = {
  addresses: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isPublic: (address) => {
    const family = isIP(address)
    if (family === 6 && !GLOBAL_IPV6.test(address)) return false
    return family !== 0 && !within.check(address, family === 6 ? 'ipv6' : 'ipv4')
  },
}

/** Whether a client's document may be fetched from a host: not from this machine or its networks, by name or by address. */
export async function mayAsk(url: URL, web: Web): Promise<boolean> {
  const host = url.hostname.replace(/\.$/, '')
  if (url.protocol !== 'https:' || host.startsWith('[') || isIP(host) || !host.includes('.')) return false
  if (/(^|\.)(localhost|local|internal|home|lan|intranet|corp|arpa|onion)$/i.test(host)) return false
  try {
    const found = await web.addresses(host)
    return found.length > 0 && found.every(web.isPublic)
  } catch {
    return false
  }
}

/**
 * Fetches a document over https from public addresses only. Connects to the address that was checked, so that DNS rebinding has no
 * effect. Follows no redirect, sends no cookie, ends after 5 s or 10 KB.
 */
export function documentFetch(web: Web): (url: string | URL, options?: RequestInit) => Promise<Response> {
  const find: LookupFunction = (host, options, done) => {
    web.addresses(host).then(
      (found) => {
        const inner = found.find((address) => !web.isPublic(address))
        if (inner !== undefined || found.length === 0) {
          return done(new Error(`${host}: wanted public addresses, got ${inner ?? 'none'}`), '')
        }
        const all = found.map((address) => ({ address, family: isIP(address) }))
        if (options.all) done(null, all)
        else done(null, all[0]!.address, all[0]!.family)
      },
      (error: Error) => done(error as NodeJS.ErrnoException, ''),
    )
  }
  const ask = (to: URL, options?: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const asking = request(
        to,
        {
          agent: false,
          lookup: find,
          ...(web.ca && { ca: web.ca }),
          headers: Object.fromEntries(new Headers(options?.headers)),
          maxHeaderSize: 16_384,
          // Covers the body too.
          signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
        },
        (answer) => {
          const parts: Buffer[] = []
          let bytes = 0
          answer.on('data', (part: Buffer) => {
            parts.push(part)
            bytes += part.length
            if (bytes > DOCUMENT_BYTES) answer.destroy(new Error(`${to.host}: wanted at most ${DOCUMENT_BYTES} bytes`))
          })
          answer.on('error', reject)
          answer.on('end', () => {
            const headers = new Headers()
            for (const name of ['cache-control', 'content-type', 'expires']) {
              const value = answer.headers[name]
              if (typeof value === 'string') headers.set(name, value)
            }
            // Only 200 is accepted; other codes may be outside of the range of Response.
            if (answer.statusCode === 200) resolve(new Response(Buffer.concat(parts), { headers }))
            else reject(new Error(`${to.host}: wanted status 200, got ${answer.statusCode}`))
          })
        },
      )
      asking.on('error', reject)
      asking.end()
    })
  // After a failure the library fetches again: once for the client, once for its redirect URI.
  const failed = new Map<string, { error: unknown; until: number }>()
  return async (url, options) => {
    const to = new URL(url)
    if (!(await mayAsk(to, web))) throw new Error(`${to.host}: wanted https and a public name`)
    const before = failed.get(to.href)
    if (before && before.until > performance.now()) throw before.error
    try {
      return await ask(to, options)
    } catch (error) {
      if (failed.size >= 1000) failed.clear()
      failed.set(to.href, { error, until: performance.now() + FAILURE_TTL_MS })
      throw error
    }
  }
}

/** Special-purpose addresses (IANA registries); an IPv4-mapped IPv6 address counts as IPv4. */
const within = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  within.addSubnet(net, bits, 'ipv4')
}
for (const [net, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  within.addSubnet(net, bits, 'ipv6')
}
