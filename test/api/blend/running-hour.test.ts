import { expect, test } from 'vitest'
import { Blender } from '../../../api/blend/blend.ts'
import { blendNowcast } from '../../../api/blend/nowcast-hours.ts'
import { presentWeather } from '../../../api/blend/present-weather.ts'
import type { NowcastAtPoint, RadarAtPoint } from '../../../api/contract.ts'
import { skyAt } from '../../../ingest/domain/sky/sky.ts'
import { HOUR, type Instant, MINUTE } from '../../../ingest/domain/time.ts'
import type { PointSeries } from '../../../ingest/tile/read.ts'

const START = Date.parse('2026-11-21T12:00:00Z')
const times = Float64Array.from({ length: 12 }, (_, h) => START + h * HOUR)
const nothing = { warnings: [], freshness: [], degraded: false }

/** A forecast of rain showers with the same chance and amount at every hour. */
function forecastOf(chance: number, amount: number) {
  const values = { temperature: 285, dew_point: 283, precip_probability: chance, precip_amount: amount }
  const variables = Object.entries(values).map(
    ([name, value]) => [name, { times, values: new Float32Array(12).fill(value), quantum: 0 }] as const,
  )
  const nbm: PointSeries = { dataset: 'nbm', domain: 'conus', run: START - HOUR, variables: new Map(variables) }
  const sources = new Map([['nbm', [nbm]]])
  return new Blender().blend({ start: START, count: 12, now: START, sources, sky: skyAt(40, -100), uncertainty: false })
}

/**
 * Chances of the running hour and the two after it.
 * @param rateAt rate of rain, mm/h, by minutes of the running hour: of scans until now, then of the nowcast
 */
function chances(...parameters: Parameters<typeof blended>): number[] {
  return [...blended(...parameters).columns.precip_probability.slice(1, 4)]
}

/** The forecast after radar and the nowcast were blended into it; the parameters are those of `chances`. */
function blended(
  minute: number,
  rateAt: (minute: number) => number,
  { chance = 0, amount = 0, isMeasured = true } = {},
) {
  const now: Instant = START + minute * MINUTE
  const forecast = forecastOf(chance, amount)
  const points = Array.from({ length: 19 }, (_, i) => {
    const rate = rateAt(minute + 5 * i)
    return {
      time: now + 5 * i * MINUTE,
      type: rate > 0 ? ('rain' as const) : ('none' as const),
      rate,
      dbz: 20,
      probability: rate > 0 ? 80 : 10,
    }
  })
  const nowcast: NowcastAtPoint = {
    anchor: now,
    product: 'x',
    points,
    summary: undefined as never,
    warnings: [],
    freshness: [],
  }
  const rate = rateAt(minute)
  const radar: RadarAtPoint = {
    coverage: rate > 0 ? 'value' : 'dry',
    validTime: now,
    scanTime: now,
    precipRate: rate,
    precipType: rate > 0 ? 'rain' : 'none',
    ...nothing,
  }
  const at = { now, radar, nowcast, lightning: undefined, forecast, warnedStorm: false, temperature: 285, humidity: 88 }
  const scans = Array.from({ length: isMeasured ? Math.floor(minute / 10) + 1 : 0 }, (_, i) => ({
    time: START + 10 * i * MINUTE,
    rate: rateAt(10 * i),
  }))
  blendNowcast(forecast, presentWeather(at), nowcast, now, scans)
  return forecast
}

test('records the weights and amounts from which the blended hours follow', () => {
  const [chance, amount] = [40, 1.2]
  const { columns, blendedHours = [] } = blended(30, (m) => (m >= 60 ? 0 : 3), { chance, amount })
  expect(blendedHours.map(({ h, minutes }) => [h, minutes])).toEqual([
    [1, 60],
    [2, 60],
    [3, 5],
  ])
  const means = blendedHours.map(({ weight, chance: own }) => Math.round(weight * own + (1 - weight) * chance))
  for (const [k, { h, minutes, amount: described }] of blendedHours.entries()) {
    // An hour with a chance that words mention has at least 0.013 mm.
    expect(columns.precip_amount[h]).toBeCloseTo(Math.max(0.013, described + (amount * (60 - minutes)) / 60), 3)
    expect(columns.precip_probability[h]).toBeGreaterThanOrEqual(means[k] ?? Number.NaN)
  }
  expect(columns.precip_probability[3]).toBe(means[2])
})

test('gives the running hour even odds while light rain falls that ends soon', () => {
  expect(chances(30, (m) => (m >= 25 && m < 40 ? 0.3 : 0))[0]).toBe(50)
})

test('gives the running hour the chance of the amount that is measured and expected in it', () => {
  expect(chances(30, (m) => (m >= 25 && m < 40 ? 4 : 0))[0]).toBeGreaterThan(95)
  expect(chances(30, (m) => (m <= 40 ? 0.35 : 0))[0]).toBeGreaterThan(50)
  expect(chances(50, (m) => (m < 30 ? 1 : 0))[0]).toBe(100)
})

test('gives the running hour the chance of the model for minutes that nothing has measured', () => {
  const dry = () => 0
  expect(chances(58, dry, { chance: 90, amount: 20 })[0]).toBeLessThan(10)
  expect(chances(58, dry, { chance: 90, amount: 20, isMeasured: false })[0]).toBeGreaterThan(85)
})

test('gives an hour in which the nowcast begins rain a chance', () => {
  const [now, next] = chances(0, (m) => (m >= 115 ? 0.1 : 0))
  expect(now).toBeLessThan(5)
  expect(next).toBeLessThan(5)
  expect(chances(0, (m) => (m >= 55 ? 0.1 : 0))[0]).toBeGreaterThanOrEqual(5)
})

test('decides by the rate of the nowcast whether the next hour has a measurable amount', () => {
  const drizzle = chances(0, (m) => (m >= 60 && m < 90 ? 0.1 : 0))[1] ?? 0
  const rain = chances(0, (m) => (m >= 60 && m < 90 ? 2 : 0))[1] ?? 0
  expect(rain).toBeGreaterThan(drizzle + 15)
})
