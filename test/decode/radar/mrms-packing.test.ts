import { expect, test } from 'vitest'
import { gribMessage } from '../../../infra/simulator/grib.ts'
import type { SimulatedGrid } from '../../../infra/simulator/grids.ts'
import { readMrms } from '../../../ingest/decode/radar/mrms.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { craft, craftPng, pack, scales } from '../../../ingest/grib2-wasm/test/craft.ts'

const [NX, NY] = [60, 40]
const points = NX * NY

/** Returns the values of a file through the samples of which a frame is made. */
function read(file: Uint8Array): number[] {
  const { read: rows, each, meaning } = readMrms(file, 'a file')
  const values: number[] = []
  rows((octets) => {
    for (let at = 0; at < octets.length; at += each)
      values.push(meaning(each === 1 ? nth(octets, at) : nth(octets, at) * 256 + nth(octets, at + 1)))
  })
  return values
}

interface Scales {
  readonly reference?: number
  readonly binary?: number
  readonly decimal?: number
}

const exactly = (samples: readonly number[], { reference = 0, binary = 0, decimal = 0 }: Scales) =>
  samples.map((sample) => (Math.fround(reference) + sample * 2 ** binary) / 10 ** decimal)

function simple(samples: readonly number[], bits: number, { reference = 0, binary = 0, decimal = 0 }: Scales) {
  const packing = [0, 0, ...scales(reference, binary, decimal), bits, 0]
  return craft({ nx: NX, ny: NY, packing, values: samples.length, data: pack(samples, bits) })
}

function picture(samples: readonly number[], bits: number, { reference = 0, binary = 0, decimal = 0 }: Scales) {
  return craftPng([NX, NY], samples, bits, { packing: [0, 41, ...scales(reference, binary, decimal), bits, 0] })
}

/** Returns samples over the whole range of `bits`, with the least and the greatest, at most 4096 different ones, evenly spaced. */
function spread(bits: number): number[] {
  const spacing = 2 ** Math.max(0, bits - 12)
  return Array.from({ length: points }, (_, k) => ((k * 1789) % Math.min(2 ** bits, 4096)) * spacing)
}

const bitsAndDecimals = [0, 1, 2, 3, 4, 5, 6].flatMap((decimal) =>
  Array.from({ length: 23 }, (_, k) => [k + 1, decimal] as const),
)

test.each(bitsAndDecimals)('reads %i bits with %i decimals exactly', (bits, decimal) => {
  const samples = spread(bits)
  const expected = exactly(samples, { decimal })
  for (const [k, value] of read(simple(samples, bits, { decimal })).entries())
    expect(value).toBeCloseTo(nth(expected, k), 9)
})

test.each([8, 16, 24, 32])('reads a PNG of %i bits exactly, whatever its decimals', (bits) => {
  for (const decimal of [0, 2, 4, 6]) {
    const samples = spread(bits)
    const expected = exactly(samples, { decimal })
    for (const [k, value] of read(picture(samples, bits, { decimal })).entries())
      expect(Math.abs(value - nth(expected, k))).toBeLessThanOrEqual(1e-12 * Math.abs(nth(expected, k)))
  }
})

test.each([24, 28, 32])('rounds %i bits to within half of a 60,000th of their range', (bits) => {
  const samples = Array.from({ length: points }, (_, k) => Math.floor((2 ** bits - 1) * ((k * 0.618_034) % 1)))
  for (const decimal of [0, 4, 6]) {
    const expected = exactly(samples, { decimal })
    const range = Math.max(...expected) - Math.min(...expected)
    for (const file of [
      simple(samples, bits, { decimal }),
      ...(bits === 28 ? [] : [picture(samples, bits, { decimal })]),
    ])
      for (const [k, value] of read(file).entries())
        expect(Math.abs(value - nth(expected, k))).toBeLessThan(range / 60_000 / 2)
  }
})

test.each([
  { reference: 0.3 },
  { reference: -7.25, decimal: 1 },
  { reference: 1.7, binary: -3 },
  { reference: -300.5, binary: 2, decimal: 2 },
])('reads values whose reference is not a whole step: %o', (by) => {
  const samples = Array.from({ length: points }, (_, k) => (k * 7) % 4096)
  const expected = exactly(samples, by)
  for (const [k, value] of read(simple(samples, 12, by)).entries()) expect(value).toBeCloseTo(nth(expected, k), 5)
})

test('reads 24-bit weak echoes, zero, and the marks of no echo and no coverage exactly', () => {
  const dbz = Array.from({ length: points }, (_, k) => nth([-999, -99, 0, -30 + ((k * 0.618_034) % 1) * 100], k % 4))
  const samples = dbz.map((value) => Math.round((value + 999) * 1e4))
  const values = read(simple(samples, 24, { reference: -9_990_000, decimal: 4 }))
  for (const [k, value] of values.entries()) {
    if (k % 4 < 3) expect(value).toBe(dbz[k])
    else expect(Math.abs(value - nth(dbz, k))).toBeLessThan(0.001)
  }
})

test('reads complex packing with differences as simple packing', () => {
  const grid: SimulatedGrid = {
    name: 'small',
    nx: NX,
    ny: NY,
    la1: 54.5,
    lo1: 230.5,
    scan: 0,
    earth: 6,
    windAlongGrid: false,
    projection: { kind: 'latlon', di: 1, dj: 1, radius: 6_371_229 },
  }
  const values = Float32Array.from({ length: points }, (_, k) => ((k * 37) % 10_001) / 100)
  const product = { discipline: 209, category: 3, number: 0, surface: { type: 1, value: 0 }, leadHours: 0 }
  const origin = { centre: 161, subcentre: 0, run: Date.UTC(2026, 7, 20) }
  const file = (template: 0 | 3) => gribMessage(origin, grid, product, { template, decimal: 2 }, values)
  expect(read(file(3))).toEqual(read(file(0)))
  for (const [k, value] of read(file(3)).entries()) expect(value).toBeCloseTo(nth(values, k), 5)
})

test('returns all values if the scale is so large that steps round to 0', () => {
  const samples = Array.from({ length: points }, (_, k) => k % 256)
  for (const binary of [121, 127, -127, 1000, -1000])
    for (const decimal of [0, 6, -30, 300]) expect(read(simple(samples, 8, { binary, decimal }))).toHaveLength(points)
})
