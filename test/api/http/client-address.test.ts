import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, proxyCheck } from '../../../api/http/client-address.ts'
import { loadConfig } from '../../../ingest/config.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

test('two clients behind a trusted proxy are two, and what a client writes itself is not believed', () => {
  const isProxy = proxyCheck(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'], false)
  const of = (from: string, forwarded?: string) => clientAddress(request(from, forwarded), isProxy)
  expect(of('10.1.2.3', '198.51.100.1')).toBe('198.51.100.1')
  expect(of('10.1.2.3', '198.51.100.2')).toBe('198.51.100.2')
  // A chain of two proxies; the first entry is what the client sent.
  expect(of('::ffff:10.1.2.3', '203.0.113.9, 198.51.100.1, 192.0.2.7')).toBe('198.51.100.1')
  expect(of('2001:db8::5', '2001:db8:1::9, 2600::1')).toBe('2600::1')
  // With ports, as some proxies write them; what is no address is left out.
  expect(of('10.1.2.3', '198.51.100.1:51234, 10.0.0.5:3333')).toBe('198.51.100.1')
  expect(of('10.1.2.3', '[2600::1]:443')).toBe('2600::1')
  expect(of('10.1.2.3', 'unknown')).toBe('10.1.2.3')
  // Not a proxy: the header is ignored.
  expect(of('198.51.100.77', '203.0.113.9')).toBe('198.51.100.77')
  expect(of('127.0.0.1', '203.0.113.9')).toBe('127.0.0.1')
  expect(of('10.1.2.3')).toBe('10.1.2.3')
})

test('with a public URL a proxy of this machine is trusted', () => {
  const isProxy = proxyCheck([], true)
  expect(clientAddress(request('127.0.0.1', '203.0.113.9'), isProxy)).toBe('203.0.113.9')
  expect(clientAddress(request('10.0.0.1', '203.0.113.9'), isProxy)).toBe('10.0.0.1')
  const named = proxyCheck(['127.0.0.1'], false)
  expect(clientAddress(request('127.0.0.1', '203.0.113.9'), named)).toBe('203.0.113.9')
})

test('the setting refuses what is no address or network, and names it', () => {
  const trusted = (text: string) => loadConfig({ TRUSTED_PROXIES: text }).trustedProxies
  expect(trusted('10.0.0.0/8, ::1')).toEqual(['10.0.0.0/8', '::1'])
  for (const text of ['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '2001:db8::/200', '10.0.0.0/'])
    expect(() => trusted(text), text).toThrow(/setting TRUSTED_PROXIES: wanted addresses or networks.*got "/)
})
