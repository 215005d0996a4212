import { expect, test } from 'vitest'
import { readMrms } from '../../../ingest/decode/radar/mrms.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { craft, pack, scales } from '../../../ingest/grib2-wasm/test/craft.ts'

/** Returns the values of a file through the samples of which a frame is made. */
function valuesOf(file: Uint8Array): number[] {
  const { read, each, meaning } = readMrms(file, 'a file')
  const values: number[] = []
  read((rows) => {
    for (let at = 0; at < rows.length; at += each)
      values.push(meaning(each === 1 ? nth(rows, at) : nth(rows, at) * 256 + nth(rows, at + 1)))
  })
  return values
}

/** Returns a file of samples from a reference value on, in steps of 10^-decimals. */
function simple(nx: number, ny: number, samples: readonly number[], bits: number, reference: number, decimals: number) {
  const packing = [0, 0, ...scales(reference * 10 ** decimals, 0, decimals), bits, 0]
  return craft({ nx, ny, packing, values: samples.length, data: pack(samples, bits) })
}

const points = 30 * 20

test.each([4, 8, 12, 16, 17, 20, 24])('reads evenly spaced values of %i bits exactly', (bits) => {
  // At most 32,767 spacings lie between the least and the greatest value, which stay within the 24 bits of a float.
  const spacing = 2 ** Math.max(0, Math.min(bits, 22) - 15)
  const samples = Array.from({ length: points }, (_, k) => ((k * 7919) % (2 ** Math.min(bits, 15) - 1)) * spacing)
  const values = valuesOf(simple(30, 20, samples, bits, 0, 2))
  for (const [k, value] of values.entries()) expect(value).toBeCloseTo(nth(samples, k) / 100, 4)
})

test('reads percentages in 24 bits with four decimals, beside the mark of no data', () => {
  // The reference is -999, so that 0 % is 9,990,000 steps above it.
  const percents = Array.from({ length: points }, (_, k) => (k % 5 === 0 ? -999 : ((k * 1_618_033) % 1_000_001) / 1e4))
  const samples = percents.map((percent) => Math.round((percent + 999) * 1e4))
  const values = valuesOf(simple(30, 20, samples, 24, -999, 4))
  for (const [k, value] of values.entries()) {
    if (percents[k] === -999) expect(value).toBe(-999)
    else expect(Math.abs(value - nth(percents, k))).toBeLessThan(0.001)
  }
})

test('reads a probability of four decimals whose values repeat exactly', () => {
  const percents = Array.from({ length: points }, (_, k) => nth([-999, -3, 0, 12.5, 99.75, 100], k % 6))
  const samples = percents.map((percent) => Math.round((percent + 999) * 1e4))
  expect(valuesOf(simple(30, 20, samples, 24, -999, 4))).toEqual(percents)
})

test('does not take longer for a pixel if all values differ', () => {
  const file = (distinct: number) => {
    const samples = Array.from({ length: 400 * 400 }, (_, k) => 9_990_000 + ((k * 7919) % distinct))
    return simple(400, 400, samples, 24, -999, 4)
  }
  const [few, many] = [file(50), file(1_000_000)]
  const time = (bytes: Uint8Array) => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now()
      valuesOf(bytes)
      return performance.now() - start
    })
    return Math.min(...times)
  }
  // A search for each pixel took thousands of times as long.
  expect(time(many)).toBeLessThan(20 * time(few))
})

test('rejects a file with a thousand different values far below all measurements', () => {
  const samples = Array.from({ length: 60 * 40 }, (_, k) => (k % 2 ? 9_990_000 : k))
  expect(() => valuesOf(simple(60, 40, samples, 24, -999, 4))).toThrow(expect.objectContaining({ kind: 'Corrupt' }))
})
