import { expect, test } from 'vitest'
import { Blender } from '../../../api/blend/blend.ts'
import { blendNowcast } from '../../../api/blend/nowcast-hours.ts'
import { presentWeather } from '../../../api/blend/present-weather.ts'
import { likeliestType, moveToType, typeProbabilities } from '../../../api/blend/type-probabilities.ts'
import type { NowcastAtPoint, RadarAtPoint } from '../../../api/contract.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { skyAt } from '../../../ingest/domain/sky/sky.ts'
import { HOUR, MINUTE } from '../../../ingest/domain/time.ts'
import {
  FREEZING_RAIN,
  precipTypes,
  RAIN,
  SNOW,
  UNKNOWN,
  WINTRY_MIX,
} from '../../../ingest/domain/weather/precip-type.ts'
import type { PointSeries, Series } from '../../../ingest/tile/read.ts'

const START = Date.parse('2026-11-21T12:00:00Z')
const HOURS = 24
const ofAllHours = (value: number): Series => ({
  times: Float64Array.from({ length: HOURS }, (_, h) => START + h * HOUR),
  values: new Float32Array(HOURS).fill(value),
  quantum: 0,
})
/** A forecast with the same values at every hour. @param values by variable */
function forecastOf(values: Record<string, number>) {
  const nbm: PointSeries = {
    dataset: 'nbm',
    domain: 'conus',
    run: START - HOUR,
    variables: new Map(Object.entries(values).map(([name, value]) => [name, ofAllHours(value)])),
  }
  const sources = new Map([['nbm', [nbm]]])
  const input = { start: START, count: HOURS, now: START, sources, sky: skyAt(40, -100), uncertainty: false }
  return new Blender().blend(input)
}
const wet = { temperature: 274.5, dew_point: 273.9, precip_probability: 80, precip_amount: 1 }
const types = (rain: number, snow: number, freezing = 0, pellets = 0) => ({
  precip_type_rain_prob: rain,
  precip_type_snow_prob: snow,
  precip_type_freezing_rain_prob: freezing,
  precip_type_ice_pellets_prob: pellets,
})
type Columns = ReturnType<typeof forecastOf>['columns']
const shares = (columns: Columns, h: number) => typeProbabilities.map((name) => columns[name as keyof Columns][h])

const now = START + 12 * MINUTE
type Type = 'rain' | 'snow' | 'wintry_mix' | 'freezing_rain'
const nothing = { warnings: [], freshness: [], degraded: false }
const scanOf = (precipType: Type): RadarAtPoint => ({
  coverage: 'value',
  validTime: now,
  scanTime: now,
  precipRate: 2,
  precipType,
  ...nothing,
})
const nowcastOf = (type: Type): NowcastAtPoint => ({
  anchor: now,
  product: 'test',
  points: Array.from({ length: 25 }, (_, i) => ({
    time: now + i * 5 * MINUTE,
    type,
    rate: 2,
    dbz: 25,
    probability: 90,
  })),
  summary: undefined as never,
  warnings: [],
  freshness: [],
})

test.each([
  ['wintry_mix', WINTRY_MIX, RAIN],
  ['snow', SNOW, WINTRY_MIX],
] as const)('names %s where the nowcast has most weight, and the likelier type after that', (word, type, later) => {
  const forecast = forecastOf({ ...wet, ...types(100, 0) })
  expect(shares(forecast.columns, 0)).toEqual([100, 0, 0, 0])
  const nowcast = nowcastOf(word)
  const at = { now, radar: scanOf(word), nowcast, lightning: undefined, forecast, warnedStorm: false }
  blendNowcast(forecast, presentWeather({ ...at, temperature: 274.5, humidity: 96 }), nowcast, now)
  expect(forecast.precipType.slice(1, 3)).toEqual(Uint8Array.of(type, later))
  for (let h = 1; h < 3; h++) expect(likeliestType(forecast.columns, h), `row ${h}`).toBe(forecast.precipType[h])
  expect(shares(forecast.columns, 3)).toEqual([100, 0, 0, 0])
})

test('reduces the snow of the model by the weight of the radar if the radar has freezing rain', () => {
  const forecast = forecastOf({ ...wet, temperature: 271, dew_point: 270.5, snow_amount: 8, ...types(0, 70, 30) })
  const nowcast = nowcastOf('freezing_rain')
  const at = { now, radar: scanOf('freezing_rain'), nowcast, lightning: undefined, forecast, warnedStorm: false }
  blendNowcast(forecast, presentWeather({ ...at, temperature: 271, humidity: 96 }), nowcast, now)
  const { snow_amount, precip_amount } = forecast.columns
  expect(forecast.precipType.slice(1, 3)).toEqual(Uint8Array.of(FREEZING_RAIN, WINTRY_MIX))
  // The model has 8 mm of snow for each mm, and 48 minutes of 120 in the running hour.
  expect(nth(snow_amount, 1) / nth(precip_amount, 1)).toBeGreaterThan(1)
  expect(nth(snow_amount, 1) / nth(precip_amount, 1)).toBeLessThan(4)
  expect(snow_amount[3]).toBeCloseTo(8, 5)
})

test('keeps the type of the model where the nowcast expects little', () => {
  const forecast = forecastOf({ ...wet, temperature: 272, dew_point: 271, ...types(10, 90) })
  const dry = { type: 'none', rate: 0, dbz: 0, probability: 2 } as const
  const nowcast = nowcastOf('rain')
  const points = nowcast.points.map((step, i) => (i === 12 ? { ...step, probability: 20 } : { ...step, ...dry }))
  const at = { now, radar: undefined, nowcast, lightning: undefined, forecast, warnedStorm: false }
  blendNowcast(forecast, presentWeather({ ...at, temperature: 272, humidity: 90 }), { ...nowcast, points }, now)
  // The rain of one step falls in the third row.
  expect(forecast.precipType[2]).toBe(SNOW)
})

test('changes the sky of rows that a wet step covers, and of no later row', () => {
  const forecast = forecastOf({ ...wet, cloud_cover: 10, visibility: 16_000, precip_probability: 20 })
  const nowcast = nowcastOf('rain')
  const points = nowcast.points.slice(0, 12).map((step) => ({ ...step, rate: 8 }))
  const at = { now, radar: scanOf('rain'), nowcast, lightning: undefined, forecast, warnedStorm: false }
  blendNowcast(forecast, presentWeather({ ...at, temperature: 280, humidity: 90 }), { ...nowcast, points }, now)
  // The steps end twelve minutes after the running hour.
  expect([...forecast.columns.cloud_cover.slice(1, 4)]).toEqual([90, 10, 10])
  expect(forecast.columns.visibility[2]).toBe(16_000)
})

test('has no rain in freezing air', () => {
  const forecast = forecastOf({ ...wet, temperature: 272, dew_point: 271, ...types(100, 0) })
  const nowcast = nowcastOf('rain')
  const at = { now, radar: scanOf('rain'), nowcast, lightning: undefined, forecast, warnedStorm: false }
  blendNowcast(forecast, presentWeather({ ...at, temperature: 272, humidity: 90 }), nowcast, now)
  expect(forecast.present?.type).toBe(FREEZING_RAIN)
  expect([...forecast.precipType.slice(1, 5)]).toEqual(Array.from({ length: 4 }, () => FREEZING_RAIN))
})

test('gives an hour of light steps a chance within 15 points of theirs', () => {
  const forecast = forecastOf({ ...wet, precip_probability: 0, precip_amount: 0 })
  const nowcast = nowcastOf('rain')
  const light = nowcast.points.map((step) => ({ ...step, rate: 0.12, probability: 67 }))
  // It is dry now.
  const points = [{ ...nth(nowcast.points, 0), type: 'none', rate: 0, probability: 67 } as const, ...light.slice(1)]
  const at = { now, radar: undefined, nowcast, lightning: undefined, forecast, warnedStorm: false }
  blendNowcast(
    forecast,
    presentWeather({ ...at, nowcast: { ...nowcast, points }, temperature: 280, humidity: 90 }),
    { ...nowcast, points },
    now,
  )
  // The mean weight of the nowcast is 0.8 over the 48 minutes that remain of the running hour.
  const expected = 67 * 0.8
  expect(forecast.columns.precip_probability[1]).toBeGreaterThanOrEqual(expected - 15)
  expect(forecast.columns.precip_probability[1]).toBeLessThanOrEqual(expected)
})

test('gives an hour with rain of the nowcast a chance that goes with its amount', () => {
  const forecast = forecastOf({ ...wet, precip_probability: 0, precip_amount: 0 })
  const nowcast = nowcastOf('rain')
  const points = nowcast.points.map((step, i) => ({ ...step, rate: i < 12 ? 0 : 8, probability: i < 12 ? 0 : 10 }))
  const radar = { ...scanOf('rain'), coverage: 'dry' as const, precipRate: 0 }
  const at = { now, radar, nowcast, lightning: undefined, forecast, warnedStorm: false }
  blendNowcast(forecast, presentWeather({ ...at, temperature: 280, humidity: 90 }), { ...nowcast, points }, now)
  expect(forecast.columns.precip_amount[2]).toBeGreaterThan(2.54)
  expect(forecast.columns.precip_probability[2]).toBe(25)
})

test('moves probabilities to the type of the air at the surface', () => {
  const freezing = forecastOf({ ...wet, temperature: 278, dew_point: 277.5, ...types(20, 0, 80) })
  expect(precipTypes[nth(freezing.precipType, 5)]).toBe('rain')
  expect(shares(freezing.columns, 5)).toEqual([100, 0, 0, 0])
  const sure = forecastOf({ ...wet, ...types(70, 10, 15, 5) })
  expect(shares(sure.columns, 5)).toEqual([70, 10, 15, 5])
})

test('keeps the probability of snow where rain freezes at the surface', () => {
  const air = { ...wet, temperature: 272.5, dew_point: 272 }
  const freezing = forecastOf({ ...air, ...types(75, 25), snow_amount: 6, ice_amount: 0.5 })
  expect(precipTypes[nth(freezing.precipType, 5)]).toBe('freezing_rain')
  expect(shares(freezing.columns, 5)).toEqual([0, 25, 75, 0])
  expect(freezing.columns.snow_amount[5]).toBe(6)
})

test('gives snow that no probability names a probability, and none to mild air', () => {
  const cold = forecastOf({ ...wet, ...types(100, 0), snow_amount: 2 })
  expect(precipTypes[nth(cold.precipType, 5)]).toBe('rain')
  const [rain = 0, snow = 0] = shares(cold.columns, 5) as number[]
  expect(snow).toBeGreaterThanOrEqual(1)
  expect(rain + snow).toBe(100)
  const mild = forecastOf({ ...wet, temperature: 280, dew_point: 279, ...types(100, 0), snow_amount: 2 })
  expect(mild.columns.snow_amount[5]).toBe(0)
  expect(shares(mild.columns, 5)).toEqual([100, 0, 0, 0])
})

test('moves probabilities by the weight, and completely if they would still name another type', () => {
  const { columns } = forecastOf({ ...wet, ...types(40, 60) })
  moveToType(columns, 4, SNOW, 0.5)
  expect(shares(columns, 4)).toEqual([20, 80, 0, 0])
  moveToType(columns, 5, RAIN, 0.2)
  expect(shares(columns, 5)).toEqual([100, 0, 0, 0])
})

test('leaves hours without probabilities unchanged, and changes none for an unknown type', () => {
  const without = forecastOf(wet)
  moveToType(without.columns, 2, SNOW, 1)
  expect(shares(without.columns, 2).every(Number.isNaN)).toBe(true)
  const { columns } = forecastOf({ ...wet, ...types(40, 60) })
  moveToType(columns, 2, UNKNOWN, 1)
  expect(shares(columns, 2)).toEqual([40, 60, 0, 0])
})
