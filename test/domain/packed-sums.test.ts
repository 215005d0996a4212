import { expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { packSums, unpackSlot } from '../../ingest/domain/verification/packed-sums.ts'
import { STATISTICS, slotsOf, sumsLength, VARIABLES } from '../../ingest/domain/verification/statistics.ts'
import { dice } from '../bench/storms.ts'

const COUNT = 30
const places = Array.from({ length: COUNT }, (_, i) => i)

test.each(VARIABLES)('returns sums of %s unchanged, also each area and slot alone', (variable) => {
  const random = dice(11)
  const names = STATISTICS[variable]
  const list = places.map((area) =>
    Float64Array.from({ length: sumsLength(variable) }, (_, i) => {
      const name = nth(names, i % names.length)
      const slot = Math.floor(i / names.length)
      // One slot has no pairs, and one area has sums that are a million times as large.
      if (slot === 2) return 0
      const size = area === 7 && slot === 1 ? 1e6 : 24
      if (/^(?:error|absolute|squared|probability)/.test(name)) return Math.round((random() - 0.5) * size * 100) / 100
      return name === 'brier' || name === 'reference' ? random() * size : Math.round(random() * size)
    }),
  )
  const { bytes, ends } = packSums(variable, list)
  expect(ends).toHaveLength(slotsOf(variable).length)
  for (const [slot, end] of ends.entries()) {
    const piece = bytes.subarray(ends[slot - 1] ?? 0, end)
    expect(piece.length === 0).toBe(slot === 2)
    const all = unpackSlot(variable, piece, COUNT, places)
    for (const [i, value] of all.entries()) {
      const [area, statistic] = [Math.floor(i / names.length), i % names.length]
      const expected = nth(nth(list, area), slot * names.length + statistic)
      if (names[statistic] === 'brier' || names[statistic] === 'reference')
        expect(Math.abs(value - expected)).toBeLessThanOrEqual(0.000_051)
      else expect(value).toBe(expected + 0)
    }
    expect(unpackSlot(variable, piece, COUNT, [7])).toEqual(all.subarray(7 * names.length, 8 * names.length))
  }
})

test('rejects a truncated piece instead of reading other numbers', () => {
  const sums = new Float64Array(sumsLength('temperature')).fill(12)
  const { bytes, ends } = packSums('temperature', [sums, sums])
  const piece = bytes.subarray(0, ends[0])
  expect(() => unpackSlot('temperature', piece.subarray(0, -3), 2, [0])).toThrow()
  // This requests more areas than exist.
  expect(() => unpackSlot('temperature', piece, 60, [0])).toThrow('too few for 4 statistics of 60 areas')
})
