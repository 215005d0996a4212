import { describe, expect, test } from 'vitest'
import { feelsLike, heatIndex, windChill } from '../../../ingest/domain/weather/feels-like.ts'

const K = (f: number) => (f + 459.67) / 1.8
const F = (k: number) => k * 1.8 - 459.67
const ms = (mph: number) => (mph * 1609.344) / 3600

describe('the heat index equals that of the NWS table (whole degrees)', () => {
  test.each([
    [80, 40, 80],
    [90, 60, 100],
    [96, 65, 121],
    [100, 40, 109],
    [104, 55, 137],
    [86, 90, 105],
    [88, 45, 89],
    [110, 40, 136],
  ])('%d °F at %d %% feels like %d', (t, rh, index) => {
    expect(Math.abs(heatIndex(t, rh) - index)).toBeLessThanOrEqual(1)
  })
})

describe('the wind chill equals that of the NWS chart', () => {
  test.each([
    [40, 5, 36],
    [30, 10, 21],
    [0, 15, -19],
    [-10, 40, -43],
    [-45, 60, -98],
    [35, 60, 17],
  ])('%d °F at %d mph feels like %d', (t, wind, chill) => {
    expect(Math.round(windChill(t, wind))).toBe(chill)
  })
})

describe('the rule for all temperatures', () => {
  test('returns the air temperature in mild air', () => {
    expect(feelsLike(K(65), 90, ms(30))).toBe(K(65))
  })
  test('applies wind chill below 50 °F and above 3 mph, and never raises the temperature', () => {
    expect(F(feelsLike(K(50), 50, ms(20)))).toBeLessThan(50)
    expect(feelsLike(K(50), 50, ms(3))).toBe(K(50))
    for (let t = -60; t <= 50; t += 1)
      for (const wind of [3.1, 5, 30]) expect(F(feelsLike(K(t), 50, ms(wind)))).toBeLessThanOrEqual(t + 1e-9)
  })
  test('has no jump of more than 2 °F at the edges of the domains in calm air', () => {
    for (const edge of [50, 70]) {
      const jump = Math.abs(F(feelsLike(K(edge + 0.01), 60, ms(3.2))) - F(feelsLike(K(edge - 0.01), 60, ms(3.2))))
      expect(jump).toBeLessThan(2)
    }
  })
  test('returns no value without humidity in the heat or without wind in the cold', () => {
    expect(feelsLike(K(90), Number.NaN, 3)).toBeNaN()
    expect(feelsLike(K(20), 50, Number.NaN)).toBeNaN()
    expect(feelsLike(Number.NaN, 50, 3)).toBeNaN()
  })
})
