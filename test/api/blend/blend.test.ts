import { describe, expect, test } from 'vitest'
import { Blender } from '../../../api/blend/blend.ts'
import { RowFiller, runTimes } from '../../../api/blend/row-filler.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { skyAt } from '../../../ingest/domain/sky/sky.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { relativeHumidity } from '../../../ingest/domain/weather/derive.ts'
import { FREEZING_RAIN, NONE, RAIN } from '../../../ingest/domain/weather/precip-type.ts'
import type { PointSeries, Series } from '../../../ingest/tile/read.ts'

const blender = new Blender()
const filler = new RowFiller()
const START = Date.parse('2026-11-21T12:00:00Z')
/** Begins an answer and returns its first row, empty. */
function emptyRow(count: number, start = START): Float64Array {
  filler.begin({ start, count }, skyAt(40, -100))
  const row = new Float64Array(count)
  filler.open(row)
  return row
}
/** @param at hours from the start of the axis */
const series = (...at: (readonly [number, number])[]): Series => ({
  times: Float64Array.from(at, ([hour]) => START + hour * HOUR),
  values: Float32Array.from(at, ([, value]) => value),
  quantum: 0,
})
const valuesOf = ({ times, values }: Series) => [runTimes(times), values, 0] as const
const run = (dataset: string, variables: Record<string, Series>): PointSeries => ({
  dataset,
  domain: 'conus',
  run: START - HOUR,
  variables: new Map(Object.entries(variables)),
})
const every = (hours: readonly number[], value: (hour: number) => number) =>
  series(...hours.map((hour) => [hour, value(hour)] as const))
const upTo = (last: number, step = 1) => Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step)

function blended(sources: PointSeries[], count = 24, nowHour = 0) {
  return blender.blend({
    start: START,
    count,
    now: START + nowHour * HOUR,
    sources: new Map(sources.map((source) => [source.dataset, [source]])),
    sky: skyAt(40, -100),
    uncertainty: false,
  })
}

test('gives each hour the same value however long the answer is, even if an interval of 6 hours reaches beyond its end', () => {
  const ends = upTo(60, 6).slice(1)
  const sources = () => [
    run('nbm', {
      temperature: every(upTo(60), (h) => 275 + (h % 7)),
      precip_amount_6h: every(ends, (h) => 1 + (h % 5)),
      snow_amount_6h: every(ends, (h) => 3 + (h % 4)),
    }),
    run('hrrr', { precip_amount: every(upTo(60), (h) => (h % 6) / 10) }),
  ]
  const full = blended(sources(), 60).columns
  expect(full.precip_amount[41]).toBeGreaterThan(0)
  for (let count = 20; count < 44; count++) {
    const { columns, count: hours } = blended(sources(), count)
    expect(hours).toBe(count)
    for (const field of ['precip_amount', 'snow_amount'] as const) {
      expect(columns[field].length).toBe(count)
      const close = (value: number) => value.toFixed(9)
      expect(Array.from(columns[field], close), `${field} of ${count}`).toEqual(
        Array.from(full[field].slice(0, count), close),
      )
    }
  }
})

test('does not warn about hours that are not shown', () => {
  const hourly = upTo(24).slice(1)
  const warningCodes = (count: number) =>
    blended(
      [
        run('nbm', {
          temperature: every(upTo(60), () => 280),
          precip_amount: every(hourly, () => 1),
          precip_amount_6h: every([30, 36], () => 6),
          precip_probability: every(hourly, () => 60),
          precip_probability_6h: every([30, 36], () => 60),
        }),
      ],
      count,
    ).warnings.map(({ code }) => code)
  expect(warningCodes(25)).toEqual([])
  expect(warningCodes(26)).toEqual(['amount_split'])
})

test('warns about intervals from the first hour that is shown', () => {
  const warningsAt = (nowHour: number) => {
    const run6h = { temperature: every(upTo(24), () => 280), precip_amount_6h: every([6, 12], () => 6) }
    return blended([run('nbm', run6h)], 24, nowHour).warnings.map(({ code, from }) => [code, from])
  }
  expect(warningsAt(8)).toEqual([['amount_split', new Date(START + 9 * HOUR).toISOString().replace('.000', '')]])
  expect(warningsAt(12)).toEqual([])
})

test('gives hours before the run with ozone a UV index if their clouds are known', () => {
  const { columns, sun } = blended([
    run('nbm', { temperature: every(upTo(30), () => 290), cloud_cover: every(upTo(30).slice(2), () => 0) }),
    run('gfs', { ozone: every([9, 12, 15, 18, 21, 24], () => 300) }),
  ])
  const noon = 5 // 17 UTC at 100 W: the sun is up, the ozone's run begins four hours later
  expect(sun[noon]).toBeGreaterThan(0.4)
  expect(columns.uv_index[noon]).toBeCloseTo(12.5 * (sun[noon] ?? Number.NaN) ** 2.42, 6)
  expect(columns.uv_index[1]).toBeNaN()
  expect(columns.uv_index[12]).toBe(0)
})

describe('between times', () => {
  test('interpolates linearly, smoothly and by direction', () => {
    const linear = emptyRow(7)
    filler.fillBetween(...valuesOf(series([0, 0], [6, 12])), 7, 'linear', 0)
    expect([...linear]).toEqual([0, 2, 4, 6, 8, 10, 12])
    const turned = emptyRow(4)
    filler.fillBetween(...valuesOf(series([0, 350], [3, 20])), 4, 'direction', 0)
    expect([...turned]).toEqual([350, 0, 10, 20])
    const curve = emptyRow(19)
    const wave = (hour: number) => 290 + 8 * Math.sin((hour / 24) * 2 * Math.PI)
    filler.fillBetween(...valuesOf(every([-6, -3, 0, 3, 6, 9, 12, 15, 18, 21, 24], wave)), 19, 'smooth', 0)
    for (let h = 0; h < 19; h++) expect(Math.abs(nth(curve, h) - wave(h))).toBeLessThan(0.08)
  })
  test('extrapolates past no end, and bridges no gap of more than two steps', () => {
    const out = emptyRow(10)
    filler.fillBetween(
      ...valuesOf(series([2, 1], [3, 2], [4, Number.NaN], [5, Number.NaN], [6, 5], [7, 6])),
      10,
      'linear',
      0,
    )
    expect([...out].map((value) => (Number.isNaN(value) ? null : value))).toEqual([
      null,
      null,
      1,
      2,
      3,
      4,
      5,
      6,
      null,
      null,
    ])
    const wide = emptyRow(6)
    filler.fillBetween(
      ...valuesOf(series([0, 1], [1, Number.NaN], [2, Number.NaN], [3, Number.NaN], [4, 5])),
      6,
      'linear',
      0,
    )
    expect([...wide].filter(Number.isFinite)).toEqual([1, 5])
  })
  test('fills only the hours that the earlier source leaves', () => {
    const out = emptyRow(4)
    filler.fillBetween(...valuesOf(series([0, 1], [1, 1])), 4, 'linear', 0)
    filler.fillBetween(...valuesOf(series([0, 9], [3, 9])), 4, 'linear', 0)
    expect([...out]).toEqual([1, 1, 9, 9])
  })
})

describe('amounts of several hours', () => {
  test('splits amounts so that the sum is preserved, less the known hours', () => {
    const out = emptyRow(12)
    filler.fillHourly(...valuesOf(every(upTo(7), (hour) => hour)), 12)
    expect(filler.fillSplit(...valuesOf(series([5, 15], [11, 30])), 12, 6)).toBe(8)
    // The window of hours 6 to 11 has a sum of 30, of which 6 and 7 are known.
    expect([...out]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 4.25, 4.25, 4.25, 4.25])
  })
  test('splits amounts by the guide if it knows the open hours, and equally if it is dry or unknown', () => {
    const out = emptyRow(12)
    const guide = Float64Array.from([0, 0, 0, 2, 1, 0, ...Array.from({ length: 6 }, () => Number.NaN)])
    filler.fillSplit(...valuesOf(series([5, 6], [11, 6])), 12, 6, guide)
    expect([...out]).toEqual([0, 0, 0, 4, 2, 0, 1, 1, 1, 1, 1, 1])
    const evened = emptyRow(6)
    filler.fillSplit(...valuesOf(series([5, 6])), 6, 6, guide, true)
    expect([...evened]).toEqual([0.25, 0.25, 0.25, 3.25, 1.75, 0.25])
    const dry = emptyRow(6)
    filler.fillSplit(...valuesOf(series([5, 3])), 6, 6, new Float64Array(6))
    expect([...dry]).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
  })
  test('gives each hour its share of an interval that begins before the axis', () => {
    const out = emptyRow(3)
    filler.fillSplit(...valuesOf(series([2, 6])), 3, 6)
    expect([...out]).toEqual([1, 1, 1])
  })
  test('leaves nothing, and never less, if the known hours exceed the sum', () => {
    const out = emptyRow(3)
    filler.fillHourly(...valuesOf(series([0, 5])), 3)
    filler.fillSplit(...valuesOf(series([2, 3])), 3, 3)
    expect([...out]).toEqual([5, 0, 0])
  })
})

describe('probabilities of several hours', () => {
  const amounts = Float64Array.from([1, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0])
  test('apportions the chance of an interval by the amounts of its open hours', () => {
    const out = emptyRow(6)
    filler.fillHourly(...valuesOf(series([0, 5], [1, 7])), 6)
    expect(filler.fillChance(...valuesOf(series([5, 40])), 6, 6, amounts)).toBe(2)
    expect([...out].map(Math.round)).toEqual([5, 7, 0, 27, 15, 0])
  })
  test('keeps the chance of hours of a dry interval below that which words name', () => {
    const out = emptyRow(12)
    filler.fillChance(...valuesOf(series([11, 80])), 12, 6, amounts)
    expect([...out.subarray(6)]).toEqual([14, 14, 14, 14, 14, 14])
  })
  test('gives hours of unknown amounts equal chances', () => {
    const out = emptyRow(4)
    filler.fillChance(...valuesOf(series([3, 60])), 4, 4)
    expect([...out].map(Math.round)).toEqual([37, 37, 37, 37])
  })
  test('bridges a gap of two hours, but not of three', () => {
    const out = emptyRow(9)
    filler.fillHourly(...valuesOf(series([0, 1], [3, 4], [7, 8])), 9)
    filler.fillHoles()
    expect([...out].map((value) => (Number.isNaN(value) ? null : value))).toEqual([
      1,
      2,
      3,
      4,
      null,
      null,
      null,
      8,
      null,
    ])
  })
})

describe('consistency of the columns', () => {
  const hours = upTo(24)
  const air = {
    temperature: every(hours, () => 280),
    dew_point: every(hours, () => 281),
    wind_speed: every(hours, () => 8),
    wind_gust: every(hours, () => 5),
    wind_direction: every(hours, () => 359.7),
    cloud_cover: every(hours, () => 90),
  }
  test('keeps the dew point below the temperature, the gust above the speed, and the direction within the circle', () => {
    const { columns } = blended([run('nbm', air)])
    expect(columns.dew_point[3]).toBe(280)
    expect(columns.humidity[3]).toBe(100)
    expect(columns.wind_gust[3]).toBe(8)
    expect(columns.wind_direction[3]).toBe(0)
  })
  test('takes humidity from one source if temperature and dew point come from different ones', () => {
    const nbm = run('nbm', { temperature: every(hours, () => 285) })
    const hrrr = run('hrrr', { temperature: every(hours, () => 280), dew_point: every(hours, () => 275) })
    const { columns } = blended([nbm, hrrr])
    expect(columns.temperature[3]).toBe(285)
    expect(columns.humidity[3]).toBeCloseTo(relativeHumidity(280, 275), 3)
    expect(nth(columns.dew_point, 3)).toBeGreaterThan(275)
  })
  test('has no amount without a probability, a trace with a chance that words name, and null for an unknown probability', () => {
    const { columns, precipType } = blended([
      run('nbm', {
        ...air,
        precip_probability: series([0, 0], [1, 30], [2, 0.4], [3, 14.6], [4, Number.NaN], [5, Number.NaN]),
        precip_amount: series([0, 2], [1, 1], [2, 0.3], [3, 0.005], [4, 3], [5, 0.1]),
        snow_amount: series([0, 20], [1, 10], [3, 1]),
        // At 7 °C it does not snow.
        precip_type_snow_prob: every(hours, () => 90),
      }),
    ])
    expect([...columns.precip_amount.subarray(0, 6)]).toEqual([0, 1, 0, 0.013, 3, expect.closeTo(0.1, 5)])
    expect([...columns.precip_probability.subarray(0, 6)]).toEqual([0, 30, 0, 15, Number.NaN, Number.NaN])
    expect([...columns.snow_amount.subarray(0, 2)]).toEqual([0, 0])
    expect([...precipType.subarray(0, 6)]).toEqual([NONE, RAIN, NONE, RAIN, RAIN, NONE])
  })
  test('derives the type from probabilities, else flags, else the air', () => {
    const wet = { precip_probability: every(hours, () => 80), precip_amount: every(hours, () => 1) }
    expect(blended([run('nbm', { ...air, ...wet })]).precipType[2]).toBe(RAIN)
    const flag = run('hrrr', {
      rain_flag: every(hours, () => 0),
      snow_flag: every(hours, () => 0),
      freezing_rain_flag: every(hours, () => 1),
      ice_pellets_flag: every(hours, () => 0),
    })
    const cold = { ...air, temperature: every(hours, () => 272), dew_point: every(hours, () => 272) }
    expect(blended([run('nbm', { ...cold, ...wet }), flag]).precipType[2]).toBe(FREEZING_RAIN)
    expect(blended([run('nbm', { ...air, ...wet }), flag]).precipType[2]).toBe(RAIN)
  })
  test('has null snow without a source and 0 if none is forecast', () => {
    expect(blended([run('nbm', air)]).columns.snow_amount[2]).toBeNaN()
    expect(blended([run('nbm', { ...air, snow_amount: every(hours, () => 0) })]).columns.snow_amount[2]).toBe(0)
  })
})

describe('analyses and earlier runs', () => {
  test('uses an analysis for passed hours and now, never for future hours', () => {
    const nbm = run('nbm', { temperature: every(upTo(12), () => 280), dew_point: every(upTo(12), () => 270) })
    const rtma = run('rtma', { temperature: every(upTo(12), () => 290), dew_point: every(upTo(12), () => 275) })
    const { columns } = blended([nbm, rtma], 12, 3)
    expect([...columns.temperature.subarray(0, 6)]).toEqual([290, 290, 290, 290, 280, 280])
    expect(columns.humidity[1]).toBeCloseTo(relativeHumidity(290, 275), 3)
  })
  test('uses an earlier run for the hours before the served run, and none after now', () => {
    const served = run('nbm', { temperature: every([4, 5, 6], () => 280) })
    const before = run('nbm', { temperature: every(upTo(12), () => 270) })
    const { columns } = blender.blend({
      start: START,
      count: 10,
      now: START + 4 * HOUR,
      sky: skyAt(40, -100),
      uncertainty: false,
      sources: new Map([['nbm', [served, before]]]),
    })
    expect([...columns.temperature].map((value) => (Number.isNaN(value) ? null : value))).toEqual([
      270,
      270,
      270,
      270,
      280,
      280,
      280,
      null,
      null,
      null,
    ])
  })
})

test('interpolates radiation along the height of the sun, and has 0 at night', () => {
  const sky = skyAt(40, -100)
  const noonish = Date.parse('2026-11-21T12:00:00Z')
  const out = emptyRow(13, noonish)
  const clear = (at: number) => Math.max(0, 800 * sky.sun(at))
  const times = [0, 3, 6, 9, 12]
  const bySun = series(...times.map((hour) => [hour, clear(noonish + hour * HOUR)] as const))
  filler.fillBetween(...valuesOf(bySun), 13, 'solar', 0)
  for (let h = 3; h <= 9; h++) expect(Math.abs(nth(out, h) - clear(noonish + h * HOUR))).toBeLessThan(3)
  expect(out[1]).toBe(0)
})
