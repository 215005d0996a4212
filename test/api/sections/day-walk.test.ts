import { expect, test } from 'vitest'
import { blendedFields, type Column, type Forecast } from '../../../api/blend/columns.ts'
import { Periods } from '../../../api/blend/periods.ts'
import { fold } from '../../../api/sections/day-fold.ts'
import { KNOWN, MAXIMUM, MEAN, MINIMUM, offsets, stretch, TOTAL, Walks } from '../../../api/sections/day-walk.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { seeded } from '../../tile/made-slabs.ts'

const COUNT = 260
const columnNames = Object.keys(offsets) as (keyof typeof offsets)[]

function madeForecast(seed: number, holes: number): Forecast {
  const random = seeded(seed)
  const column = () => Float64Array.from({ length: COUNT }, () => (random() < holes ? Number.NaN : random() * 300 - 40))
  const columns = Object.fromEntries([...blendedFields, 'feels_like'].map((name) => [name, column()]))
  columns['wind_direction'] = Float64Array.from({ length: COUNT }, () => Math.floor(random() * 360))
  return {
    start: 0,
    count: COUNT,
    now: 0,
    columns: columns as Forecast['columns'],
    precipType: new Uint8Array(COUNT),
    bounds: { precipitation: new Uint8Array(COUNT), thunder: new Uint8Array(COUNT) },
    present: undefined,
    passed: undefined,
    nowFromRadar: false,
    severe: undefined,
    severeHours: new Uint8Array(COUNT),
    ceilingUnlimited: new Uint8Array(COUNT),
    sun: new Float64Array(COUNT),
    periods: new Periods([]),
    ground: 0,
    release: () => {},
    warnings: [],
  }
}

/** What a walk has to find, in so many words. */
function looked(values: Float64Array, first: number, last: number): number[] {
  const known = [...values.subarray(Math.max(0, first), Math.max(0, last + 1))].filter((value) => !Number.isNaN(value))
  if (known.length === 0) return [0, Number.NaN, Number.NaN, Number.NaN, Number.NaN]
  const sum = known.reduce((a, b) => a + b, 0)
  return [known.length, Math.max(...known), Math.min(...known), sum / known.length, sum]
}

test('extremes, means and sums are those of the hours, to the last bit, with holes, ends and forecasts in turn', () => {
  const random = seeded(5)
  const walks = [0, 0.05, 0.5, 1].map((holes, i) => new Walks(madeForecast(i + 1, holes)))
  for (let round = 0; round < 400; round++) {
    const walk = walks[round % walks.length]!
    const { forecast, seen } = walk
    const from = Math.floor(random() * 280 - 10) * HOUR
    const within = stretch(forecast, from, from + Math.floor(random() * 26) * HOUR)
    walk.over(within)
    for (const name of columnNames) {
      const ends = ['precip_probability', 'precip_amount', 'snow_amount', 'ice_amount', 'thunderstorm_probability']
      const [first, last] = ends.includes(name) ? [within.firstEnd, within.lastEnd] : [within.first, within.last]
      const at = offsets[name]
      const found = [KNOWN, MAXIMUM, MINIMUM, MEAN, TOTAL].map((what) => seen[at + what])
      expect(found, name).toEqual(looked(forecast.columns[name as Column], first, last))
    }
  }
})

test('a half is folded anew in place: nothing of the one before stays', () => {
  const full = new Walks(madeForecast(9, 0))
  const bare = new Walks(madeForecast(9, 1))
  const severe = new Uint8Array(COUNT)
  const into = fold(full, 0, 12 * HOUR, severe)
  expect(into.hours).toBe(12)
  const kept = { ...into }
  expect(fold(bare, 0, 12 * HOUR, severe, into)).toBe(into)
  expect(into).toEqual(fold(bare, 0, 12 * HOUR, severe))
  expect(into.humidity).toBeNaN()
  expect(fold(full, 0, 12 * HOUR, severe, into)).toEqual(kept)
})
