import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Whether an address is that of a proxy whose X-Forwarded-For header is trusted. */
export type ProxyCheck = (address: string) => boolean

const isLoopback = (address: string): boolean => address === '::1' || /^(?:::ffff:)?127\./.test(address)
const bareOf = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '')
/** Removes the port of the connection, which some proxies add. */
const withoutPort = (entry: string): string =>
  /^\[([^\]]+)\](?::\d+)?$|^([^:]+):\d+$/.exec(entry)?.slice(1).find(Boolean) ?? entry

/**
 * @param proxies addresses and networks, as in TRUSTED_PROXIES
 * @param loopback whether proxies on this machine are trusted too
 */
export function proxyCheck(proxies: readonly string[], loopback: boolean): ProxyCheck {
  const list = new BlockList()
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => {
    if (loopback && isLoopback(address)) return true
    const bare = bareOf(address)
    const family = isIP(bare)
    return family !== 0 && list.check(bare, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Whether the connection comes from this machine directly, without a proxy. */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
  return isLoopback(socket.remoteAddress ?? '') && headers['x-forwarded-for'] === undefined
}

/**
 * Returns the client's address: that of the connection or, behind a trusted proxy, the last address in X-Forwarded-For that is not a
 * trusted proxy. Addresses before it may be forged by the client.
 */
export function clientAddress({ socket, headers }: IncomingMessage, isProxy: ProxyCheck): string {
  const connected = socket.remoteAddress ?? ''
  const forwarded = headers['x-forwarded-for']
  if (forwarded === undefined || !isProxy(connected)) return connected
  const addresses = String(forwarded)
    .split(',')
    .map((entry) => withoutPort(entry.trim()))
    .filter((address) => isIP(address) !== 0)
  return addresses.findLast((address) => !isProxy(address)) ?? addresses[0] ?? connected
}
