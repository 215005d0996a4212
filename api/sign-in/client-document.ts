import { lookup } from 'node:dns/promises'
import { request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Timeout of the whole fetch. */
const FETCH_TIMEOUT_MS = 5000
/** After a failure, a document is not fetched for this long. */
const FAILURE_TTL_MS = 10_000
/** Largest document of a client, bytes. */
export const DOCUMENT_BYTES = 10 * 1024

/** Name resolution and the rule for allowed addresses; tests replace them. */
export interface Web {
  /** Returns every address of a host name. */
  readonly addresses: (host: string) => Promise<readonly string[]>
  /** Whether an address is public: not of this machine or of a private network. */
  readonly isPublic: (address: string) => boolean
  /** Certificates that are trusted instead of the default ones. */
  readonly ca?: string
}

/**
 * Global unicast IPv6 addresses (2000::/3) and IPv4-mapped addresses. Other addresses that contain an IPv4 address, such as `::127.0.0.1` or
 * `::ffff:0:127.0.0.1`, do not match. This is not a rule of the BlockList, because Node would apply it to IPv4 addresses as mapped ones.
 */
const GLOBAL_IPV6 = /^(?:[23][0-9a-f]{3}:|::ffff:[0-9a-f.]+(?::[0-9a-f]+)?$)/i

export const openWeb: Web = {
  addresses: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isPublic: (address) => {
    const family = isIP(address)
    if (family === 6 && !GLOBAL_IPV6.test(address)) return false
    return family !== 0 && !nonPublic.check(address, family === 6 ? 'ipv6' : 'ipv4')
  },
}

/** Whether a URL is https with a host name whose addresses are all public, so that its document may be fetched. */
export async function isPublicHost(url: URL, web: Web): Promise<boolean> {
  const host = url.hostname.replace(/\.$/, '')
  if (url.protocol !== 'https:' || host.startsWith('[') || isIP(host) || !host.includes('.')) return false
  if (/(^|\.)(localhost|local|internal|home|lan|intranet|corp|arpa|onion)$/i.test(host)) return false
  try {
    const addresses = await web.addresses(host)
    return addresses.length > 0 && addresses.every(web.isPublic)
  } catch {
    return false
  }
}

/**
 * Returns a function that fetches a document over https from public addresses only. It connects to the address that was checked, so that
 * DNS rebinding has no effect. It follows no redirect, sends no cookie, and ends after 5 s or 10 KB.
 */
export function documentFetch(web: Web): (url: string | URL, options?: RequestInit) => Promise<Response> {
  const find: LookupFunction = (host, options, done) => {
    web.addresses(host).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every(web.isPublic))
          return done(new Error(`${host} must have public addresses, but has ${addresses.join(', ') || 'none'}`), '')
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
  const load = (to: URL, options?: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const sending = request(
        to,
        {
          agent: false,
          lookup: find,
          ...(web.ca && { ca: web.ca }),
          headers: Object.fromEntries(new Headers(options?.headers)),
          maxHeaderSize: 16_384,
          // The timeout includes the body of the answer.
          signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
        },
        (answer) => {
          const parts: Buffer[] = []
          let bytes = 0
          answer.on('data', (part: Buffer) => {
            parts.push(part)
            bytes += part.length
            if (bytes > DOCUMENT_BYTES)
              answer.destroy(new Error(`the document of ${to.host} has more than ${DOCUMENT_BYTES} bytes`))
          })
          answer.on('error', reject)
          answer.on('end', () => {
            const headers = new Headers()
            for (const name of ['cache-control', 'content-type', 'expires']) {
              const value = answer.headers[name]
              if (typeof value === 'string') headers.set(name, value)
            }
            // Only status 200 is accepted; other codes may be outside the range of Response.
            if (answer.statusCode === 200) resolve(new Response(Buffer.concat(parts), { headers }))
            else reject(new Error(`${to.host} must answer 200, but answered ${answer.statusCode}`))
          })
        },
      )
      sending.on('error', reject)
      sending.end()
    })
  // After a failure, the library fetches again: once for the client and once for its redirect URI.
  const failures = new Map<string, { error: unknown; until: number }>()
  return async (url, options) => {
    const to = new URL(url)
    if (!(await isPublicHost(to, web))) throw new Error(`${to.host} must be a public host name with https`)
    const before = failures.get(to.href)
    if (before && before.until > performance.now()) throw before.error
    try {
      return await load(to, options)
    } catch (error) {
      if (failures.size >= 1000) failures.clear()
      failures.set(to.href, { error, until: performance.now() + FAILURE_TTL_MS })
      throw error
    }
  }
}

/** Special-purpose addresses (IANA registries); an IPv4-mapped IPv6 address counts as IPv4. */
const nonPublic = new BlockList()
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
  nonPublic.addSubnet(net, bits, 'ipv4')
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
  nonPublic.addSubnet(net, bits, 'ipv6')
}
