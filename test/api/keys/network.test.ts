import { expect, test } from 'vitest'
import { AddressMeter } from '../../../api/keys/meter.ts'
import { networkSubject } from '../../../api/keys/network.ts'

const plan = { minute: 60, burst: 5 }
const NOW = Date.parse('2026-01-30T12:00:00Z')

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['203.0.113.9', '203.0.113.9'],
  ['guess 2001:db8:1:2::9', 'guess 2001:db8:1:2::/64'],
  ['to someone@example.org', 'to someone@example.org'],
])('counts %s as %s', (address, subject) => {
  expect(networkSubject(address)).toBe(subject)
})

test('shares one allowance among all addresses of a /64, and not with another /64', () => {
  const meter = new AddressMeter()
  const results = Array.from({ length: 50 }, (_, i) => meter.take(`2001:db8:1:2::${i.toString(16)}`, plan, NOW))
  expect(results.filter(Boolean).length).toBe(5)
  expect(meter.size).toBe(1)
  expect(meter.take('2001:db8:1:3::1', plan, NOW)).toBe(true)
})

test('remembers an address that returns, however many addresses come once', () => {
  const meter = new AddressMeter()
  const [attacker, idle] = ['203.0.113.9', '203.0.113.10']
  while (meter.take(attacker, plan, NOW));
  while (meter.take(idle, plan, NOW));
  const returns: boolean[] = []
  for (let i = 0; i < 120_000; i++) {
    meter.take(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, plan, NOW)
    if (i % 1000 === 0) returns.push(meter.take(attacker, plan, NOW))
  }
  expect(returns).toEqual(Array(120).fill(false))
  expect(meter.size).toBe(50_000)
  expect(meter.take(attacker, plan, NOW)).toBe(false)
  // The least recently used address is evicted at the limit.
  expect(meter.take(idle, plan, NOW)).toBe(true)
})
