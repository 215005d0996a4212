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
  extra: readonly number[] = [],
  source: readonly [centre: number, subcentre: number] = [7, 0],
): Product {
  const parts = [2, 255, 104, 0, 0, 0, unit, ...octets(lead, 4), ...surfaces, ...extra]
  return productFrom(template, [category, number], parts, source)
}

/** Section 4 with its octets from octet 12 on. */
function productFrom(
  template: number,
  parameter: readonly [number, number],
  parts: readonly number[],
  [centre, subcentre]: readonly [number, number] = [7, 0],
): Product {
  const product = [0, 0, ...octets(template, 2), ...parameter, ...parts]
  const octetsOfMessage = craftSimple(1, 1, [0], 1, { product })
  octetsOfMessage.set([...octets(centre, 2), ...octets(subcentre, 2)], 16 + 5)
  const [message] = [...readMessages(octetsOfMessage)]
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

  test('4.8 without an end date: uses the length', () => {
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

  const range = (process: number, length: number, count = 1) => [count, ...hourlyRange(process, length).slice(1)]
  const UNSET = 2 ** 32 - 1

  test('4.8 without a time range: returns an unknown time, and reads the rest of the field', () => {
    const extra = [...time(2026, 8, 20, 12, 0, 0), ...range(2, 0, 0).slice(0, 5)]
    const product = productOf(8, [2, 222], [1, UNSET], [...surface(103, 0, 10), ...NONE], extra)
    expect(product).toMatchObject({ name: 'MAXUW', lead: undefined, start: undefined, end: undefined, ranges: [] })
    expect([product.level?.name, product.interval]).toEqual(['10 m above ground', undefined])
  })

  test.each([
    ['cut before its first range', [...time(2026, 8, 20, 12, 0, 0), 1, 0, 0, 0, 0]],
    ['cut before its end', [7, 234]],
  ])('4.8 %s: only the time is unknown', (_name, extra) => {
    const product = productOf(8, [1, 8], [1, 6], [...surface(1), ...NONE], extra)
    expect(product).toMatchObject({ name: 'APCP', lead: 6, end: undefined, ranges: [] })
    expect(product.level?.name).toBe('surface')
  })

  test('4.8 with an invalid end date: uses the length', () => {
    const extra = [...time(2026, 2, 30, 12, 0, 0), ...hourlyRange(1, 3)]
    expect(iso(productOf(8, [1, 8], [1, 11], [...surface(1), ...NONE], extra).end)).toBe('2026-08-21T02:00:00Z')
  })

  test('4.0 without a lead: returns an unknown time', () => {
    expect(productOf(0, [0, 0], [1, UNSET], [...surface(1), ...NONE])).toMatchObject({
      lead: undefined,
      end: undefined,
    })
  })

  test.each([
    [8, [8, 0], 'NDFD'],
    [8, [7, 14], 'NBM'],
    [12, [7, 14], 'NBM'],
  ] as const)(
    '4.%i of centre %j: the length tells the start, because %s writes no negative lead',
    (template, source, _) => {
      const derived = template === 12 ? [0, 30] : []
      const extra = [...derived, ...time(2026, 8, 20, 18, 0, 0), ...hourlyRange(2, 12)]
      const product = productOf(template, [0, 4], [0, 0], [...surface(103, 0, 2), ...NONE], extra, source)
      expect([iso(product.start), iso(product.end), product.interval]).toEqual([
        '2026-08-20T06:00:00Z',
        '2026-08-20T18:00:00Z',
        '-6-6 hour max fcst',
      ])
    },
  )

  test('4.8 of another center: keeps the coded start', () => {
    const extra = [...time(2026, 8, 20, 18, 0, 0), ...hourlyRange(2, 12)]
    expect(iso(productOf(8, [0, 4], [0, 0], [...surface(103, 0, 2), ...NONE], extra).start)).toBe(
      '2026-08-20T12:00:00Z',
    )
  })

  const AEROSOL = [...octets(62010, 2), 0, 6, ...octets(3, 4), 0, ...octets(0, 4)]
  const WAVELENGTH = [255, 255, ...octets(UNSET, 4), 255, ...octets(UNSET, 4)]

  test.each([
    [40, octets(0, 2), 4, 'chemical=Ozone'],
    [44, AEROSOL, 2, 'aerosol=Particulate organic matter dry aerosol_size <3e-06'],
    [45, AEROSOL, 4, 'aerosol=Particulate organic matter dry aerosol_size <3e-06 ENS=+5'],
    [48, [...AEROSOL, ...WAVELENGTH], 4, 'aerosol=Particulate organic matter dry aerosol_size <3e-06'],
  ])(
    '4.%i: reads level, lead and constituent at their shifted positions',
    (template, before, leadOctets, qualifier) => {
      const parts = [
        ...before,
        2,
        0,
        96,
        0,
        0,
        0,
        1,
        ...octets(6, leadOctets),
        ...surface(103, 0, 8),
        ...NONE,
        3,
        5,
        20,
      ]
      const product = productFrom(template, [20, 0], parts)
      expect(product).toMatchObject({ name: 'MASSDEN', lead: 6, interval: '6 hour fcst', qualifier, processId: 96 })
      expect([product.level?.name, iso(product.end)]).toEqual(['8 m above ground', '2026-08-20T18:00:00Z'])
    },
  )

  test('4.46: an aerosol over an interval', () => {
    const interval = [...time(2026, 8, 21, 12, 0, 0), ...hourlyRange(0, 1)]
    const parts = [...AEROSOL, 2, 0, 96, 0, 0, 0, 1, ...octets(23, 4), ...surface(103, 0, 8), ...NONE, ...interval]
    const product = productFrom(46, [20, 0], parts)
    expect(product).toMatchObject({
      interval: '23-24 hour ave fcst',
      constituent: { type: 62010 },
      ranges: [{ length: 1 }],
    })
    expect(product.level?.name).toBe('8 m above ground')
  })

  test('reads second 60 of a minute as the first second of the next', () => {
    const leap = craftSimple(1, 1, [0], 1)
    const at = 16 + 12
    leap.set([...octets(2016, 2), 12, 31, 23, 59, 60], at)
    expect(iso([...readMessages(leap)][0]!.product.referenceTime)).toBe('2017-01-01T00:00:00Z')
    leap.set([61], at + 6)
    expect(() => [...readMessages(leap)][0]!.product).toThrow('expected a date and time, but found 2016-12-31 23:59:61')
    expect([...[...readMessages(leap)][0]!.values()]).toEqual([0])
  })

  test('keeps the octets of an unknown template and does not interpret them', () => {
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
  test('keeps the numbers of unknown parameters', () => {
    expect(productOf(0, [99, 7], [1, 0], [...surface(1), ...NONE])).toMatchObject({
      name: 'var0-99-7',
      unit: 'unknown',
      interval: 'anl',
    })
  })

  test.each([
    [0, [1, 22], 'CLMR'],
    [2, [0, 3], 'SOILM'],
  ] as const)('NCEP’s name of discipline %i, parameter %j', (discipline, parameter, name) => {
    const message = craftSimple(1, 1, [0], 1, {
      product: [0, 0, 0, 0, ...parameter, 2, 0, 96, 0, 0, 0, 1, ...octets(6, 4), ...surface(1), ...NONE],
    })
    message.set([discipline], 6)
    expect([...readMessages(message)][0]!.product.name).toBe(name)
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
