import { describe, expect, test } from 'vitest'
import { GribError, readMessages } from '../src/index.ts'
import { craft, craftPng, craftSimple, octets, pack, scales } from './craft.ts'

function fieldOf(message: Uint8Array): number[] {
  const [first] = [...readMessages(message)]
  const values = first!.values()
  // The values must be the same in every way of reading them.
  expect([...first!.decode()]).toEqual([...values])
  const buffer = new Float32Array(values.length + 3).fill(7)
  expect([...first!.values(buffer)]).toEqual([...values])
  expect([...buffer.subarray(values.length)]).toEqual([7, 7, 7])
  return [...values]
}

const range = <T>(length: number, value: (k: number) => T): T[] => Array.from({ length }, (_, k) => value(k))
const bumpy = (limit: number) => (k: number) =>
  Math.floor(((Math.sin(k * 12.9898) * 43758.5453) % 1) * limit + limit) % limit

describe('simple packing (5.0)', () => {
  test.each(range(32, (k) => k + 1))('%i bits', (bits) => {
    const values = range(13 * 7, bumpy(2 ** bits))
    expect(fieldOf(craftSimple(13, 7, values, bits))).toEqual(values.map(Math.fround))
  })

  test('scales: (reference + value × 2^E) / 10^D', () => {
    const packing = [0, 0, ...scales(-50, -2, 1), 8, 0]
    expect(fieldOf(craftSimple(2, 2, [0, 1, 200, 255], 8, { packing }))).toEqual(
      [-5, -4.975, 0, 1.375].map(Math.fround),
    )
  })

  test('0 bits: the reference value everywhere, without the decimal scale', () => {
    const packing = [0, 0, ...scales(42, 3, 2), 0, 0]
    expect(fieldOf(craft({ nx: 3, ny: 2, packing, values: 6, data: [] }))).toEqual([42, 42, 42, 42, 42, 42])
  })

  test('reads a field longer than a portion of the stream', () => {
    const values = range(300 * 250, bumpy(2 ** 11))
    expect(fieldOf(craftSimple(300, 250, values, 11))).toEqual(values)
  })
})

test('IEEE floats (5.4), of 32 and 64 bits', () => {
  const numbers = [1.5, -2.25, 3e30, 0]
  for (const precision of [1, 2]) {
    const octetsOf = (n: number) =>
      new Uint8Array((precision === 1 ? new Float32Array([n]) : new Float64Array([n])).buffer)
    const data = numbers.flatMap((n) => [...octetsOf(n)].reverse())
    const message = craft({ nx: 2, ny: 2, packing: [0, 4, precision], values: 4, data })
    expect(fieldOf(message)).toEqual(numbers.map(Math.fround))
  }
})

describe('bitmaps', () => {
  test('returns NaN for points without a value, whatever their octets are', () => {
    const points = 37 * 5
    const present = range(points, (k) => (k < 64 || (k >= 80 && k % 5 !== 0) ? 1 : 0))
    const count = present.reduce<number>((sum, bit) => sum + bit, 0)
    const values = range(count, bumpy(500))
    let next = 0
    const expected = present.map((bit) => (bit ? values[next++] : Number.NaN))
    expect(fieldOf(craftSimple(37, 5, values, 9, { bitmap: pack(present, 1) }))).toEqual(expected)
  })

  test('rejects a bitmap whose number of points differs from the number of values', () => {
    const read = () => fieldOf(craftSimple(4, 2, [1, 2, 3], 8, { bitmap: [0xf0] }))
    expect(read).toThrow('GRIB2 section 5, octet 6: expected 4 values, one for each bit of the bitmap, but found 3')
  })
})

describe('scanning', () => {
  const values = range(6, (k) => k + 1)

  test('reverses alternating rows', () => {
    expect(fieldOf(craftSimple(3, 2, values, 8, { scan: 0x10 }))).toEqual([1, 2, 3, 6, 5, 4])
  })

  test('returns rows for a scan by columns', () => {
    expect(fieldOf(craftSimple(3, 2, values, 8, { scan: 0x20 }))).toEqual([1, 3, 5, 2, 4, 6])
  })

  test('alternating columns', () => {
    expect(fieldOf(craftSimple(3, 2, values, 8, { scan: 0x30 }))).toEqual([1, 4, 5, 2, 3, 6])
  })

  test('alternating rows under a bitmap: the bitmap is in the order of the stream', () => {
    const message = craftSimple(3, 2, [1, 2, 3, 4], 8, { scan: 0x10, bitmap: pack([1, 1, 0, 1, 0, 1], 1) })
    expect(fieldOf(message)).toEqual([1, 2, Number.NaN, 4, Number.NaN, 3])
  })
})

describe('PNG (5.41)', () => {
  test.each([1, 2, 4, 8, 16, 24, 32])('%i bits, every row filter', (bits) => {
    const values = range(61 * 23, (k) => (k % 400 < 150 ? 0 : bumpy(2 ** bits)(k)))
    expect(fieldOf(craftPng([61, 23], values, bits))).toEqual(values.map(Math.fround))
  })

  test.each([0, 1, 2, 3, 4])('filter %i alone, with long constant stretches', (filter) => {
    for (const bits of [8, 16, 24, 32]) {
      const values = range(
        200 * 40,
        (k) => (k % 1000 < 700 ? Math.floor(k / 2000) * 257 : bumpy(2 ** bits)(k)) % 2 ** bits,
      )
      expect(fieldOf(craftPng([200, 40], values, bits, { filters: [filter] }))).toEqual(values.map(Math.fround))
    }
  })

  test.each([0, 1, 9])('deflate level %i, larger than the window', (level) => {
    const values = range(500 * 300, (k) => (k % 9000 < 6000 ? 3 : bumpy(65536)(k)))
    expect(fieldOf(craftPng([500, 300], values, 16, { level }))).toEqual(values)
  })

  test('accepts an image of another shape than the grid', () => {
    const values = range(60, bumpy(256))
    expect(fieldOf(craftPng([12, 5], values, 8, { width: 60 }))).toEqual(values)
    expect(fieldOf(craftPng([12, 5], values, 8, { width: 4 }))).toEqual(values)
  })

  test.each([8, 16, 24, 32])('%i bits as whole numbers, row by row, before they are scaled', (bits) => {
    const values = range(700 * 90, (k) => (k % 400 < 150 ? 0 : bumpy(2 ** bits)(k)))
    const [message] = [...readMessages(craftPng([700, 90], values, bits))]
    const samples = message!.samples()!
    const each = bits / 8
    expect(samples.octets).toBe(each)
    const read: number[] = []
    let calls = 0
    samples.read((rows) => {
      expect(rows.length % (700 * each)).toBe(0)
      calls++
      for (let at = 0; at < rows.length; at += each) {
        read.push(rows.subarray(at, at + each).reduce((sum, octet) => sum * 256 + octet, 0))
      }
    })
    expect(read).toEqual(values)
    expect(calls).toBe(bits === 8 ? 1 : Math.ceil((values.length * each) / 131_072))
    expect([...message!.values()]).toEqual(values.map(Math.fround))
  })

  test('returns no integers for another packing, for partial octets, or for another shape', () => {
    const samplesOf = (message: Uint8Array) => [...readMessages(message)][0]!.samples()
    expect(samplesOf(craftSimple(12, 5, range(60, bumpy(256)), 8))).toBeUndefined()
    expect(samplesOf(craftPng([12, 5], range(60, bumpy(16)), 4))).toBeUndefined()
    expect(samplesOf(craftPng([12, 5], range(60, bumpy(256)), 8, { width: 60 }))).toBeUndefined()
  })

  test('alternating rows are those of the grid, not of the image', () => {
    expect(fieldOf(craftPng([3, 2], [1, 2, 3, 4, 5, 6], 8, { width: 2, scan: 0x10 }))).toEqual([1, 2, 3, 6, 5, 4])
  })

  test('a pixel has the bits of a value, or those up to the next octet', () => {
    const values = [0, 1, 2, 3, 9, 15]
    const packing = (bits: number) => [0, 41, ...scales(0, 0, 0), bits, 0]
    expect(fieldOf(craftPng([3, 2], values, 8, { packing: packing(4) }))).toEqual(values)
    expect(fieldOf(craftPng([3, 2], values, 16, { packing: packing(12) }))).toEqual(values)
    for (const [pixel, bits] of [
      [24, 8],
      [8, 12],
      [2, 4],
      [16, 7],
    ]) {
      const field = craftPng(
        [3, 2],
        values.map((value) => value % 4),
        pixel!,
        { packing: packing(bits!) },
      )
      expect(() => fieldOf(field)).toThrow(
        `expected pixels for the ${bits} bits a value of section 5, but found ${pixel} bits a pixel`,
      )
    }
  })

  test('rejects a changed chunk', () => {
    const message = craftPng([12, 5], range(60, bumpy(256)), 8)
    const at = message.length - 30
    message[at]! ^= 1
    expect(() => fieldOf(message)).toThrow(/a chunk with CRC/)
  })
})

/** Groups of complex packing: each has a reference, a width and its fields. */
interface Group {
  readonly reference: number
  readonly width: number
  readonly fields: readonly number[]
}

function craftComplex(
  nx: number,
  ny: number,
  groups: readonly Group[],
  management: number,
  differences: readonly number[] = [],
  reference = 0,
): Uint8Array {
  const bits = (list: readonly number[], width: number) => pack(list, width)
  const all: number[] = []
  for (const { width, fields } of groups)
    for (const field of fields) for (let b = width - 1; b >= 0; b--) all.push((field >> b) & 1)
  const lengths = groups.map(({ fields }) => fields.length)
  const packing = [
    ...[
      0,
      differences.length ? 3 : 2,
      ...scales(reference, 0, 0),
      10,
      0,
      1,
      management,
      ...octets(0, 8),
      ...octets(groups.length, 4),
    ],
    ...[0, 4, ...octets(0, 4), 1, ...octets(lengths.at(-1) ?? 0, 4), 8],
    ...(differences.length ? [differences.length - 1, 2] : []),
  ]
  const data = [
    ...differences.flatMap((value) => octets(value, 2)),
    ...bits(
      groups.map(({ reference }) => reference),
      10,
    ),
    ...bits(
      groups.map(({ width }) => width),
      4,
    ),
    ...bits(lengths, 8),
    ...pack(all, 1),
  ]
  return craft({ nx, ny, packing, values: nx * ny, data })
}

describe('complex packing (5.2, 5.3)', () => {
  test('reads groups of many widths, including width 0', () => {
    const groups = range(14, (k) => ({
      reference: 3 * k,
      width: k % 14,
      fields: range(5 + k, (i) => (k ? bumpy(2 ** k)(i) : 0)),
    }))
    const values = groups.flatMap(({ reference, fields }) => fields.map((field) => field + reference))
    expect(fieldOf(craftComplex(values.length, 1, groups, 0))).toEqual(values)
  })

  test.each([1, 2])('missing-value management %i', (management) => {
    const groups = [
      { reference: 5, width: 3, fields: [0, 7, 6, 1] },
      { reference: 1023, width: 0, fields: [0, 0] },
      { reference: 1022, width: 0, fields: [0] },
      { reference: 9, width: 0, fields: [0] },
    ]
    const second = management === 2 ? Number.NaN : undefined
    expect(fieldOf(craftComplex(8, 1, groups, management))).toEqual([
      5,
      Number.NaN,
      second ?? 11,
      6,
      Number.NaN,
      Number.NaN,
      second ?? 1022,
      9,
    ])
  })

  /** Encodes as NCEP does: the first values, the least difference, then differences above it; holes in between. */
  function differenced(values: readonly number[], order: 1 | 2, nx: number): Uint8Array {
    const present = values.filter((value) => !Number.isNaN(value))
    const raw = present.map((value, k) => {
      if (k < order) return 0
      return order === 1 ? value - present[k - 1]! : value - 2 * present[k - 1]! + present[k - 2]!
    })
    const least = Math.min(...raw.slice(order))
    let next = 0
    const fields = values.map((value) =>
      Number.isNaN(value) ? 1023 : next < order ? raw[next++]! * 0 : raw[next++]! - least,
    )
    const groups: Group[] = []
    for (let k = 0; k < fields.length; k += 37) {
      const part = fields.slice(k, k + 37)
      const empty = part.every((field) => field === 1023)
      groups.push({ reference: empty ? 1023 : 0, width: empty ? 0 : 10, fields: part })
    }
    return craftComplex(nx, values.length / nx, groups, 1, [...present.slice(0, order), least])
  }

  test.each([1, 2] as const)('spatial differencing of order %i, with holes anywhere', (order) => {
    const hole = bumpy(10)
    const smooth = range(50 * 240, (k) => Math.round(500 + 200 * Math.sin(k / 40)))
    const cases = [smooth, smooth.map((value, k) => (hole(k) < 2 || (k > 900 && k < 1400) ? Number.NaN : value))]
    cases.push(smooth.map((value, k) => (k < 3 || k > 7000 ? Number.NaN : value)))
    for (const values of cases) expect(fieldOf(differenced(values, order, 50))).toEqual(values)
  })

  test('scales integers too large for single precision in double precision', () => {
    const groups = range(100, () => ({ reference: 0, width: 0, fields: range(200, () => 0) }))
    // Differences of 1001 each: up to 20 million, above a reference of −20 million.
    const expected = range(20_000, (k) => -20_000_000 + 1001 * k)
    expect(fieldOf(craftComplex(200, 100, groups, 0, [0, 1001], -20_000_000))).toEqual(expected.map(Math.fround))
  })

  test.each([1, 2] as const)('first values have no sign: order %i', (order) => {
    const values = [40_000, 40_003, 39_990, 39_998].map((value, k) => value + 7 * k)
    expect(fieldOf(differenced(values, order, 4))).toEqual(values)
  })

  test('rejects lengths whose sum is wrong', () => {
    const message = craftComplex(4, 1, [{ reference: 0, width: 1, fields: [0, 1, 1] }], 0)
    expect(() => fieldOf(message)).toThrow(
      'GRIB2 section 5, octet 43: expected group lengths that add up to 4 values, but found 3',
    )
  })
})

test('rejects unsupported packings with a reason', () => {
  const message = craft({ nx: 2, ny: 1, packing: [0, 200, 8], values: 2, data: [1] })
  expect(() => fieldOf(message)).toThrow(GribError)
  expect(() => fieldOf(message)).toThrow(/^GRIB2 section 5, octet 10: expected data template 5.0, .*, but found 5.200$/)
})

test('rejects a buffer that is too small', () => {
  const [message] = [...readMessages(craftSimple(3, 2, [1, 2, 3, 4, 5, 6], 8))]
  expect(() => message!.values(new Float32Array(5))).toThrow('expected a buffer of at least 6 floats, but found 5')
})
