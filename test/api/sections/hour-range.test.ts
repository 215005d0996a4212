import { expect, test } from 'vitest'
import type { Forecast } from '../../../api/blend/columns.ts'
import { blendedFields } from '../../../api/blend/fields.ts'
import { Periods } from '../../../api/blend/periods.ts'
import { countKnown, highest, hourRangeOf, lowest, mean, total } from '../../../api/sections/hour-range.ts'
import { summarizeHours } from '../../../api/sections/summarize.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { seeded } from '../../tile/made-slabs.ts'

const COUNT = 260

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
    present: undefined,
    passed: undefined,
    first: 1,
    scanned: false,
    ceilingUnlimited: new Uint8Array(COUNT),
    sun: new Float64Array(COUNT),
    periods: new Periods([]),
    ground: 0,
    release: () => {},
    warnings: [],
  }
}

/** Count, greatest, least, mean and sum of the known hours, in so many words. */
function looked(values: Float64Array, first: number, last: number): number[] {
  const countKnown = [...values.subarray(Math.max(0, first), Math.max(0, last + 1))].filter(
    (value) => !Number.isNaN(value),
  )
  if (countKnown.length === 0) return [0, Number.NaN, Number.NaN, Number.NaN, Number.NaN]
  const sum = countKnown.reduce((a, b) => a + b, 0)
  return [countKnown.length, Math.max(...countKnown), Math.min(...countKnown), sum / countKnown.length, sum]
}

test('computes extremes, means and sums of the hours to the last bit, with gaps and at both ends', () => {
  const random = seeded(5)
  const forecasts = [0, 0.05, 0.5, 1].map((holes, i) => madeForecast(i + 1, holes))
  for (let round = 0; round < 400; round++) {
    const forecast = nth(forecasts, round % forecasts.length)
    const from = Math.floor(random() * 280 - 10) * HOUR
    const { first, last, firstEnd, lastEnd } = hourRangeOf(forecast, from, from + Math.floor(random() * 26) * HOUR)
    for (const [a, b] of [
      [first, last],
      [firstEnd, lastEnd],
    ] as const) {
      for (const [name, values] of Object.entries(forecast.columns))
        expect(
          [countKnown, highest, lowest, mean, total].map((fold) => fold(values, a, b)),
          name,
        ).toEqual(looked(values, a, b))
    }
  }
})

test('counts instants from the start of a half on, and intervals that end in it', () => {
  const forecast = madeForecast(3, 0.05)
  const { columns } = forecast
  const half = summarizeHours(forecast, 24 * HOUR, 36 * HOUR, undefined)
  const [hours, warmest, coldest] = looked(columns.temperature, 24, 35)
  expect([half.hours, half.temperatureHigh, half.temperatureLow]).toEqual([hours, warmest, coldest])
  expect([half.dewPointMax, half.dewPointMin]).toEqual(looked(columns.dew_point, 24, 35).slice(1, 3))
  expect([half.feelsLikeHigh, half.feelsLikeLow]).toEqual(looked(columns.feels_like, 24, 35).slice(1, 3))
  expect([half.windSpeedMax, half.windSpeed]).toEqual([1, 3].map((i) => looked(columns.wind_speed, 24, 35)[i]))
  const highs = { windGust: 'wind_gust', uvMax: 'uv_index', cape: 'cape' } as const
  for (const [name, column] of Object.entries(highs))
    expect(half[name as keyof typeof highs], name).toBe(looked(columns[column], 24, 35)[1])
  const lows = { visibilityMin: 'visibility', ceilingMin: 'cloud_ceiling', snowLevel: 'snow_level' } as const
  for (const [name, column] of Object.entries(lows))
    expect(half[name as keyof typeof lows], name).toBe(looked(columns[column], 24, 35)[2])
  const means = { humidity: 'humidity', cloudCover: 'cloud_cover', pressure: 'pressure', smoke: 'smoke' } as const
  for (const [name, column] of Object.entries(means))
    expect(half[name as keyof typeof means], name).toBe(looked(columns[column], 24, 35)[3])
  const sums = { precipTotal: 'precip_amount', snowTotal: 'snow_amount', iceTotal: 'ice_amount' } as const
  for (const [name, column] of Object.entries(sums))
    expect(half[name as keyof typeof sums], name).toBe(looked(columns[column], 25, 36)[4])
  expect(half.precipPeak).toBe(looked(columns.precip_amount, 25, 36)[1])
  expect(half.thunder).toBe(looked(columns.thunderstorm_probability, 25, 36)[1])
})

test('overwrites the whole summary of the previous half', () => {
  const full = madeForecast(9, 0)
  const bare = madeForecast(9, 1)
  const severe = new Uint8Array(COUNT)
  const into = summarizeHours(full, 0, 12 * HOUR, severe)
  expect(into.hours).toBe(12)
  const copy = { ...into }
  expect(summarizeHours(bare, 0, 12 * HOUR, severe, into)).toBe(into)
  expect(into).toEqual(summarizeHours(bare, 0, 12 * HOUR, severe))
  expect(into.humidity).toBeNaN()
  expect(summarizeHours(full, 0, 12 * HOUR, severe, into)).toEqual(copy)
})
