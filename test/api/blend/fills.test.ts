import { expect, test } from 'vitest'
import { Blender } from '../../../api/blend/blend.ts'
import { RowFiller, type RunTimes, runTimes } from '../../../api/blend/row-filler.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { skyAt } from '../../../ingest/domain/sky/sky.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import type { PointSeries, Series } from '../../../ingest/tile/read.ts'

/** Every fill against a plain reference implementation, over random times with any steps and random holes. */

const blender = new Blender()
const filler = new RowFiller()
const START = Date.parse('2026-11-21T06:00:00Z')
const HOURS = 90
const sky = skyAt(40, -100)

let seed = 7
const chance = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}
const among = (count: number) => Math.floor(chance() * count)

function randomSeries(highest = 360): Series {
  const times: number[] = []
  const steps = nth([[1], [1, 2, 3, 6], [0.25, 0.75, 1, 1.5], [3, 6, 12, 13]], among(4))
  for (let hour = among(40) - 30; hour < HOURS + 20; hour += nth(steps, among(steps.length)))
    times.push(START + hour * HOUR)
  const holes = nth([0, 0.05, 0.4], among(3))
  const values = Float32Array.from(times, () => (chance() < holes ? Number.NaN : chance() * highest))
  return { times: Float64Array.from(times), values, quantum: 0 }
}

type Fill = (...args: [times: RunTimes, values: Float32Array, from: number, before: number]) => unknown

/** A row after a series, and another that fills what the first one left. */
function filled(fill: Fill, ...all: Series[]): number[] {
  filler.begin({ start: START, count: HOURS }, sky)
  const row = new Float64Array(HOURS)
  filler.open(row)
  for (const { times, values } of all) if (filler.hasMissing()) fill(runTimes(times), values, 0, HOURS)
  return [...row]
}

/** The reference, hour by hour: the first series that has a value. */
const expected = (sourceValue: (series: Series, hour: number) => number, ...all: Series[]) =>
  Array.from({ length: HOURS }, (_, h) => {
    for (const series of all) {
      const value = sourceValue(series, h)
      if (!Number.isNaN(value)) return value
    }
    return Number.NaN
  })

/** The known values around an hour, and how far it is on the way; undefined where the way is too long. */
function around({ times, values }: Series, h: number) {
  const at = START + h * HOUR
  const known = [...times.keys()].filter((i) => !Number.isNaN(nth(values, i)))
  const i = known.findLast((k) => nth(times, k) <= at)
  const j = known.find((k) => nth(times, k) >= at)
  if (i === undefined || j === undefined) return undefined
  const way = nth(times, j) - nth(times, i)
  if (way > 12 * HOUR || j - i > 3) return undefined
  return { a: nth(values, i), b: nth(values, j), u: i === j ? 0 : (at - nth(times, i)) / way }
}

const rounds = Array.from({ length: 150 }, (_, n) => n)

test('interpolates linearly and on the unit vector, over gaps of at most two steps', () => {
  let bridged = 0
  for (const _ of rounds) {
    const all = [randomSeries(), randomSeries()]
    const straight = filled((t, v, from, before) => filler.fillBetween(t, v, from, before, 'linear', 0), ...all)
    const turned = filled((t, v, from, before) => filler.fillBetween(t, v, from, before, 'direction', 0), ...all)
    const bySlope = filled((t, v, from, before) => filler.fillBetween(t, v, from, before, 'smooth', 0), ...all)
    const line = expected(
      (series, h) => {
        const near = around(series, h)
        if (near?.u) bridged++
        return near ? near.a + (near.b - near.a) * near.u : Number.NaN
      },
      ...all,
    )
    expect(straight).toEqual(line)
    // The same hours, whatever the way.
    expect(turned.map(Number.isNaN)).toEqual(line.map(Number.isNaN))
    expect(bySlope.map(Number.isNaN)).toEqual(line.map(Number.isNaN))
    const arc = expected(
      (series, h) => {
        const near = around(series, h)
        if (!near) return Number.NaN
        const turn = ((near.b - near.a + 540) % 360) - 180
        return near.u ? (near.a + turn * near.u + 360) % 360 : near.a
      },
      ...all,
    )
    // The missing hours are the same by the comparison above.
    for (let h = 0; h < HOURS; h++) expect(nth(turned, h) || 0).toBeCloseTo(nth(arc, h) || 0, 9)
  }
  expect(bridged).toBeGreaterThan(2000)
})

test('takes the nearest time, the later of two, at most three hours away', () => {
  const nearest = ({ times, values }: Series, h: number) => {
    const at = START + h * HOUR
    if (at < nth(times, 0) || at > times.at(-1)!) return Number.NaN
    let best = 0
    for (let i = 1; i < times.length; i++) if (Math.abs(nth(times, i) - at) <= Math.abs(nth(times, best) - at)) best = i
    return Math.abs(nth(times, best) - at) <= 3 * HOUR ? nth(values, best) : Number.NaN
  }
  for (const _ of rounds) {
    const all = [randomSeries(), randomSeries()]
    expect(filled((t, v, from, before) => filler.fillNearest(t, v, from, before), ...all)).toEqual(
      expected(nearest, ...all),
    )
  }
})

test('fills an hour with its own value', () => {
  for (const _ of rounds) {
    const all = [randomSeries(100), randomSeries(100)]
    const own = ({ times, values }: Series, h: number) => values[times.indexOf(START + h * HOUR)] ?? Number.NaN
    expect(filled((t, v, from, before) => filler.fillHourly(t, v, from, before), ...all)).toEqual(expected(own, ...all))
  }
})

test('apportions a chance so that no hour is likelier than its interval, and all together are at least as likely', () => {
  let dryCount = 0
  for (const _ of rounds) {
    const window = 2 + among(11)
    const probability = 1 + among(99)
    filler.begin({ start: START, count: window }, sky)
    const row = new Float64Array(window)
    filler.open(row)
    const amounts = Float64Array.from({ length: window }, () => (among(3) === 0 ? 0 : chance() * 5))
    const times = Float64Array.from([START + (window - 1) * HOUR])
    filler.fillChance(runTimes(times), Float32Array.from([probability]), 0, window, window, amounts)
    const isDry = amounts.every((amount) => amount === 0)
    const dryness = row.reduce((dry, own) => dry * (1 - own / 100), 1)
    expect(Math.max(...row)).toBeLessThanOrEqual(isDry ? 14 : probability + 1e-9)
    expect(isDry ? 100 : 100 * (1 - dryness)).toBeGreaterThanOrEqual(Math.min(99.5, probability) - 1e-6)
    const dryHours = isDry ? [] : [...row].filter((_, h) => amounts[h] === 0)
    expect(dryHours).toEqual(dryHours.map(() => 0))
    dryCount += dryHours.length
  }
  expect(dryCount).toBeGreaterThan(100)
})

test('preserves sums for any known hours and any guide', () => {
  for (const _ of rounds) {
    const window = nth([3, 6], among(2))
    const ends = Array.from({ length: Math.floor(HOURS / window) }, (_, i) => START + ((i + 1) * window - 1) * HOUR)
    const sums: Series = {
      times: Float64Array.from(ends),
      values: Float32Array.from(ends, () => (chance() < 0.1 ? Number.NaN : chance() * 20)),
      quantum: 0,
    }
    const hourly = randomSeries(2)
    filler.begin({ start: START, count: HOURS }, sky)
    const row = new Float64Array(HOURS)
    filler.open(row)
    filler.fillHourly(runTimes(hourly.times), hourly.values, 0, among(HOURS))
    const known = Float64Array.from(row)
    const guide = new Float64Array(HOURS)
    for (let h = 0; h < HOURS; h++) guide[h] = nth([0, 1, chance(), Number.NaN], among(chance() < 0.5 ? 3 : 4))
    filler.fillSplit(
      runTimes(sums.times),
      sums.values,
      0,
      HOURS,
      window,
      chance() < 0.5 ? undefined : guide,
      among(2) === 0,
    )
    for (const [i, sum] of sums.values.entries()) {
      const from = i * window
      const original = known.subarray(from, from + window)
      const dealt = row.subarray(from, from + window)
      if (Number.isNaN(sum)) expect([...dealt]).toEqual([...original])
      else if (original.some(Number.isNaN)) {
        const sure = original.reduce((total, value) => total + (value || 0), 0)
        expect(dealt.reduce((total, value) => total + value, 0)).toBeCloseTo(Math.max(sum, sure), 9)
        expect([...original.keys()].filter((h) => !Number.isNaN(original[h]) && dealt[h] !== original[h])).toEqual([])
      }
    }
  }
})

test('rounds rows like JavaScript, and turns 360 degrees into 0', () => {
  const values = [0.5, -0.5, 1.5, 2.4999, -0.2, 359.4, 359.5, 0.49999999999999994, -2.5, 7]
  for (const turning of [false, true]) {
    filler.begin({ start: START, count: values.length }, sky)
    const row = new Float64Array(values.length)
    filler.open(row)
    row.set(values)
    filler.round(turning)
    expect([...row]).toEqual(values.map((value) => (turning ? Math.round(value) % 360 : Math.round(value))))
  }
})

const air = (dataset: string, base: number, packed: boolean): PointSeries => {
  const names = ['temperature', 'dew_point', 'wind_speed', 'cloud_cover', 'precip_amount']
  const times = Float64Array.from({ length: 60 }, (_, i) => START + i * HOUR)
  const values = Float32Array.from({ length: names.length * 60 }, (_, i) => base + ((i * 7) % 11) / 8)
  const rows = new Map(names.map((name, i) => [name, { times, quantum: 0, from: i * 60 }]))
  const columnOf = (name: string) => {
    const row = rows.get(name)
    return row && { times, quantum: 0, values: values.subarray(row.from, row.from + 60) }
  }
  const variables = { get: columnOf, keys: () => rows.keys() }
  return {
    dataset,
    domain: 'conus',
    run: START,
    variables: packed ? { ...variables, packed: { values, rows } } : variables,
  }
}
const forecastOf = (base: number, packed: boolean) =>
  blender.blend({
    start: START,
    count: 48,
    now: START + 3 * HOUR,
    sources: new Map([['nbm', [air('nbm', base, packed)]]]),
    sky,
    uncertainty: false,
  })

test('gives the same result for packed and for single values', () => {
  expect(forecastOf(280, true).columns).toEqual(forecastOf(280, false).columns)
})

test('keeps the columns of a forecast until it is released, with several forecasts at once', () => {
  const first = forecastOf(280, true)
  const second = forecastOf(290, true)
  const [cold, warm] = [[...first.columns.temperature], [...second.columns.temperature]]
  expect(nth(warm, 5) - nth(cold, 5)).toBe(10)
  first.release()
  first.release()
  const third = forecastOf(270, true)
  const fourth = forecastOf(260, true)
  expect(third.columns.temperature).toBe(first.columns.temperature)
  expect(fourth.columns.temperature).not.toBe(third.columns.temperature)
  expect([...second.columns.temperature]).toEqual(warm)
  expect(nth(third.columns.temperature, 5) - nth(fourth.columns.temperature, 5)).toBe(10)
  expect(third.columns.snow_amount[5]).toBeNaN()
})

test('ignores values that no field reads, however many there are', () => {
  const expected = structuredClone(forecastOf(280, true).columns)
  const small = air('nbm', 280, true)
  const { values, rows } = small.variables.packed!
  const large = new Float32Array(3_000_000)
  large.set(values)
  const { columns } = blender.blend({
    start: START,
    count: 48,
    now: START + 3 * HOUR,
    sources: new Map([['nbm', [{ ...small, variables: { ...small.variables, packed: { values: large, rows } } }]]]),
    sky,
    uncertainty: false,
  })
  expect(columns).toEqual(expected)
})

test('rejects more hours than the axis may have', () => {
  const input = { start: START, count: 2000, now: START, sources: new Map(), sky, uncertainty: false }
  expect(() => blender.blend(input)).toThrow(/at most 1024 hours, but 2011 were requested/)
})
