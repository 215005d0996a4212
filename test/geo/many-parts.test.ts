import { expect, test } from 'vitest'
import { resolvePlace } from '../../ingest/geo/resolve.ts'

test('suggests the place at the end of a long address', () => {
  const reading = resolvePlace('Room 7, Floor 2, Suite 5, 350 5th Ave, Midtown East, New York, NY')
  expect(reading.kind === 'unknown' && reading.nearest[0]).toMatchObject({ name: 'New York City', state: 'NY' })
})

test('reads a text of many commas in little time', () => {
  resolvePlace('zz, zz')
  const before = process.cpuUsage()
  for (const part of ['a,', 'zz,', 'xq zzyt,']) expect(resolvePlace(part.repeat(100)).kind).toBe('unknown')
  const { user } = process.cpuUsage(before)
  // Without a bound of the parts it took 600 ms.
  expect(user / 1000).toBeLessThan(200)
})
