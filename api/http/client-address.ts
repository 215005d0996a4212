import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Whether a connection from an address is of a proxy whose X-Forwarded-For is believed. */
export type ProxyCheck = (address: string) => boolean

const isLoopback = (address: string): boolean => address === '::1' || /^(?:::ffff:)?127\./.test(address)
const bareOf = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').split('%', 1)[0]!
/** Some proxies write the port of the connection too. */
const withoutPort = (entry: string): string =>
  /^\[([^\]]+)\](?::\d+)?$|^([^:]+):\d+$/.exec(entry)?.slice(1).find(Boolean) ?? entry

/**
 * @param proxies addresses and networks, as TRUSTED_PROXIES has them
 * @param loopback proxies on this machine are believed too
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

/** Whether the connection is from this machine and not through a proxy. */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
  return isLoopback(socket.remoteAddress ?? '') && headers['x-forwarded-for'] === undefined
}

/**
 * The address of the client: of the connection, or where a trusted proxy connects, the last one in X-Forwarded-For that is of no trusted
 * proxy. What a client writes before it is not believed.
 */
export function clientAddress({ socket, headers }: IncomingMessage, isProxy: ProxyCheck): string {
  const connected = socket.remoteAddress ?? ''
  const forwarded = headers['x-forwarded-for']
  if (forwarded === undefined || !isProxy(connected)) return connected
  const addresses = String(forwarded)
    .split(',')
    .map((one) => withoutPort(one.trim()))
    .filter((one) => isIP(one) !== 0)
  return addresses.findLast((one) => !isProxy(one)) ?? addresses[0] ?? connected
}
