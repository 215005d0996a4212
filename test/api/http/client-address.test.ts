import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, proxyCheck } from '../../../api/http/client-address.ts'
import { loadConfig } from '../../../ingest/config.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

test('distinguishes clients behind a trusted proxy, and ignores addresses that a client forges', () => {
  const isProxy = proxyCheck(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'], false)
  const addressOf = (from: string, forwarded?: string) => clientAddress(request(from, forwarded), isProxy)
  expect(addressOf('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1')
  expect(addressOf('10.1.2.3', '198.51.100.2')).toBe('198.51.100.2')
  // With two proxies in a chain, the client sent the first entry.
  expect(addressOf('::ffff:10.1.2.3', '203.0.113.9, 198.51.100.1, 192.0.2.7')).toBe('198.51.100.1')
  expect(addressOf('2001:db8::5', '2001:db8:1::9, 2600::1')).toBe('2600::1')
  // Some proxies add ports; entries that are not addresses are ignored.
  expect(addressOf('10.1.2.3', '198.51.100.1:51234, 10.0.0.5:3333')).toBe('198.51.100.1')
  expect(addressOf('10.1.2.3', '[2600::1]:443')).toBe('2600::1')
  expect(addressOf('10.1.2.3', 'unknown')).toBe('10.1.2.3')
  // The header is ignored if the connection does not come from a proxy.
  expect(addressOf('198.51.100.77', '203.0.113.9')).toBe('198.51.100.77')
  expect(addressOf('127.0.0.1', '203.0.113.9')).toBe('127.0.0.1')
  expect(addressOf('10.1.2.3')).toBe('10.1.2.3')
})

test('trusts a proxy on this machine with a public URL', () => {
  const isProxy = proxyCheck([], true)
  expect(clientAddress(request('127.0.0.1', '203.0.113.9'), isProxy)).toBe('203.0.113.9')
  expect(clientAddress(request('10.0.0.1', '203.0.113.9'), isProxy)).toBe('10.0.0.1')
  const named = proxyCheck(['127.0.0.1'], false)
  expect(clientAddress(request('127.0.0.1', '203.0.113.9'), named)).toBe('203.0.113.9')
})

test('rejects and names a setting that is not an address or network', () => {
  const trusted = (text: string) => loadConfig({ TRUSTED_PROXIES: text }).trustedProxies
  expect(trusted('10.0.0.0/8, ::1')).toEqual(['10.0.0.0/8', '::1'])
  for (const text of ['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '2001:db8::/200', '10.0.0.0/'])
    expect(() => trusted(text), text).toThrow(/setting TRUSTED_PROXIES is ".*, but must be addresses or networks/)
})
