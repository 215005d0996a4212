import { describe, expect, test } from 'vitest'
import { type Product, readMessages } from '../src/index.ts'
import { craftSimple, octets } from './craft.ts'

/** A time as sections write it. */
const time = (...[year, ...rest]: number[]) => [...octets(year!, 2), ...rest]
const surface = (type: number, factor = 0, value = 0) => [type, ...octets(factor, 1), ...octets(value, 4)]
const NONE = surface(255)

/** Section 4 from octet 6: template, category, number, hours of lead, surfaces, and what follows octet 34. */
function productOf(
  template: number,
  [category, number]: readonly [number, number],
  [unit, lead]: readonly [number, number],
  surfaces: readonly number[],
  rest: readonly number[] = [],
): Product {
  const head = [0, 0, ...octets(template, 2), category, number, 2, 255, 104, 0, 0, 0, unit, ...octets(lead, 4)]
  const [message] = [...readMessages(craftSimple(1, 1, [0], 1, { product: [...head, ...surfaces, ...rest] }))]
  return message!.product
}

const hourlyRange = (process: number, length: number) => [
  1,
  0,
  0,
  0,
  0,
  process,
  2,
  1,
  ...octets(length, 4),
  1,
  ...octets(0, 4),
]
const iso = (date: Date | undefined) => date?.toISOString().replace('.000Z', 'Z')

describe('templates (the craft’s reference time is 2026-08-20 12:00)', () => {
  test('4.0: a point in time', () => {
    const product = productOf(0, [0, 0], [1, 6], [...surface(103, 0, 2), ...NONE])
    expect(product).toMatchObject({
      name: 'TMP',
      title: 'Temperature',
      unit: 'K',
      lead: 6,
      interval: '6 hour fcst',
      qualifier: '',
    })
    expect(product.level?.name).toBe('2 m above ground')
    expect([iso(product.start), iso(product.end)]).toEqual(['2026-08-20T18:00:00Z', '2026-08-20T18:00:00Z'])
  })

  test('4.0: minutes, seconds, and leads before the reference time', () => {
    expect(iso(productOf(0, [0, 0], [0, 90], [...surface(1), ...NONE]).end)).toBe('2026-08-20T13:30:00Z')
    expect(iso(productOf(0, [0, 0], [13, 45], [...surface(1), ...NONE]).end)).toBe('2026-08-20T12:00:45Z')
    const before = productOf(0, [0, 0], [1, -7], [...surface(1), ...NONE])
    expect([iso(before.end), before.lead]).toEqual(['2026-08-20T05:00:00Z', -7])
    // Two's complement, as NCEP's air quality model writes it.
    expect(productOf(0, [0, 0], [1, 2 ** 32 - 7], [...surface(1), ...NONE]).lead).toBe(-7)
  })

  test('4.1 and 4.11: an ensemble member', () => {
    expect(productOf(1, [3, 1], [1, 6], [...surface(101), ...NONE], [3, 5, 20])).toMatchObject({
      ensemble: { type: 3, number: 5, members: 20 },
      qualifier: 'ENS=+5',
    })
    const interval = [3, 5, 20, ...time(2026, 8, 21, 0, 0, 0), ...hourlyRange(1, 6)]
    expect(productOf(11, [1, 8], [1, 6], [...surface(1), ...NONE], interval)).toMatchObject({
      interval: '6-12 hour acc fcst',
      qualifier: 'ENS=+5',
    })
  })

  test('4.2 and 4.12: derived from an ensemble', () => {
    expect(productOf(2, [0, 0], [1, 6], [...surface(103, 0, 2), ...NONE], [2, 255])).toMatchObject({
      derived: { type: 2 },
      qualifier: 'ens std dev',
    })
    const interval = [0, 30, ...time(2026, 8, 21, 12, 0, 0), ...hourlyRange(3, 24)]
    const product = productOf(12, [0, 0], [1, 0], [...surface(103, 0, 2), ...NONE], interval)
    expect(product).toMatchObject({ interval: '0-1 day min fcst', qualifier: 'ens mean', derived: { members: 30 } })
  })

  test('4.5: NBM ceiling below 1000 ft', () => {
    const limits = [3, 7, 0, 2, ...octets(30480, 4), 0xff, ...octets(2 ** 32 - 1, 4)]
    const product = productOf(5, [6, 13], [1, 1], [...surface(215), ...NONE], limits)
    expect(product).toMatchObject({
      name: 'CEIL',
      qualifier: 'prob <304.8',
      probability: { number: 3, total: 7, type: 0, lower: 304.8, upper: null },
    })
    expect(product.level?.name).toBe('cloud ceiling')
  })

  test('4.5: NBM precipitation type between two codes', () => {
    const limits = [1, 1, 2, 0, ...octets(5, 4), 0, ...octets(7, 4)]
    expect(productOf(5, [1, 19], [1, 1], [...surface(1), ...NONE], limits).qualifier).toBe('prob >=5 <7')
  })

  test('4.6 and 4.10: percentiles', () => {
    expect(productOf(6, [2, 1], [1, 6], [...surface(103, 0, 10), ...NONE], [90])).toMatchObject({
      percentile: 90,
      qualifier: '90% level',
    })
    const interval = [50, ...time(2026, 8, 20, 18, 0, 0), ...hourlyRange(1, 6)]
    expect(productOf(10, [1, 29], [1, 0], [...surface(1), ...NONE], interval)).toMatchObject({
      name: 'ASNOW',
      percentile: 50,
      interval: '0-6 hour acc fcst',
    })
  })

  test('4.8: hourly accumulation', () => {
    const product = productOf(
      8,
      [1, 8],
      [1, 11],
      [...surface(1), ...NONE],
      [...time(2026, 8, 21, 0, 0, 0), ...hourlyRange(1, 1)],
    )
    expect(product).toMatchObject({
      name: 'APCP',
      interval: '11-12 hour acc fcst',
      ranges: [{ process: 1, unit: 1, length: 1 }],
    })
    expect([iso(product.start), iso(product.end)]).toEqual(['2026-08-20T23:00:00Z', '2026-08-21T00:00:00Z'])
  })

  test('4.8: without a date at its end, the length tells it', () => {
    const product = productOf(
      8,
      [1, 8],
      [1, 11],
      [...surface(1), ...NONE],
      [...time(0, 0, 0, 0, 0, 0), ...hourlyRange(1, 3)],
    )
    expect(iso(product.end)).toBe('2026-08-21T02:00:00Z')
  })

  test('4.9: NBM probability of precipitation', () => {
    const limits = [255, 255, 1, 0xff, ...octets(255, 4), 3, ...octets(254, 4)]
    const product = productOf(
      9,
      [1, 8],
      [1, 0],
      [...surface(1), ...NONE],
      [...limits, ...time(2026, 8, 20, 13, 0, 0), ...hourlyRange(1, 1)],
    )
    expect(product).toMatchObject({
      interval: '0-1 hour acc fcst',
      qualifier: 'prob >0.254',
      probability: { lower: null, upper: 0.254 },
    })
  })

  test('4.15: a spatial statistic', () => {
    const product = productOf(15, [2, 0], [1, 1], [...surface(103, 0, 610), ...surface(100, 0, 40000)], [241, 241, 241])
    expect(product).toMatchObject({ name: 'WDIR', spatial: { process: 241, type: 241, points: 241 } })
    expect(product.level?.name).toBe('610 m above ground - 400 mb')
  })

  test('a template it does not know keeps its octets and is not guessed at', () => {
    const product = productOf(53, [20, 102], [1, 1], [...surface(1), ...NONE], [1, 2, 3])
    expect(product).toMatchObject({
      template: 53,
      templateName: 'template 4.53',
      category: 20,
      number: 102,
      level: undefined,
      end: undefined,
    })
    expect([...product.templateOctets.slice(-3)]).toEqual([1, 2, 3])
  })
})

describe('names', () => {
  test('unknown parameters keep their numbers', () => {
    expect(productOf(0, [99, 7], [1, 0], [...surface(1), ...NONE])).toMatchObject({
      name: 'var0-99-7',
      unit: 'unknown',
      interval: 'anl',
    })
  })

  test.each([
    [surface(100, 0, 50000), NONE, '500 mb'],
    [surface(108, 0, 3000), surface(108), '30-0 mb above ground'],
    [surface(106), surface(106, 1, 1), '0-0.1 m below ground'],
    [surface(106), NONE, '0 m underground'],
    [surface(103), surface(103, 0, 3000), '0-3000 m above ground'],
    [surface(104, 2, 33), surface(104, 0, 1), '0.33-1 sigma layer'],
    [surface(104, 3, 995), NONE, '0.995 sigma level'],
    [surface(109, 9, -2000), NONE, 'PV=-2e-06 (Km^2/kg/s) surface'],
    [surface(20, 0, 263), NONE, '263 K level'],
    [surface(20, 0, 261), surface(20, 0, 256), '261 K level - 256 K level'],
    [surface(200), NONE, 'entire atmosphere (considered as a single layer)'],
    [surface(4), NONE, '0C isotherm'],
    [surface(195), NONE, 'level type 195 0'],
  ])('level %#', (first, second, name) => {
    expect(productOf(0, [0, 0], [1, 0], [...first, ...second]).level?.name).toBe(name)
  })
})
