import { describe, expect, test } from 'vitest'
import { alignLayers, alignSky, visibilityIn } from '../../../api/blend/wet-sky.ts'
import { uvIndexOf } from '../../../ingest/domain/sky/uv.ts'
import { RAIN, SNOW } from '../../../ingest/domain/weather/precip-type.ts'

const skyOf = (total: number, low: number, mid: number, high: number) => ({
  cloud_cover: total,
  cloud_cover_low: low,
  cloud_cover_mid: mid,
  cloud_cover_high: high,
  visibility: 16_093,
  uv_index: uvIndexOf(300, 50, total),
})
const layersOf = ({ cloud_cover_low: low, cloud_cover_mid: mid, cloud_cover_high: high }: ReturnType<typeof skyOf>) => [
  low,
  mid,
  high,
]

describe('the layers of clouds', () => {
  test.each([
    ['scales layers down to the total', [30, 60, 15, 0], [30, 8, 0]],
    ['scales layers up to the total', [90, 20, 10, 30], [30, 15, 45]],
    ['makes a middle layer of a total without layers', [40, 0, 0, 0], [0, 40, 0]],
    ['keeps layers that agree', [70, 50, 30, 10], [50, 30, 10]],
    ['keeps a sky without clouds', [0, 0, 0, 0], [0, 0, 0]],
    ['removes layers of a clear sky', [0, 20, 0, 40], [0, 0, 0]],
    ['keeps layers where one is not known', [30, 60, Number.NaN, 0], [60, Number.NaN, 0]],
  ] as const)('%s', (_, [total, low, mid, high], expected) => {
    const sky = skyOf(total, low, mid, high)
    alignLayers(sky)
    expect(layersOf(sky)).toEqual(expected)
    expect(sky.cloud_cover).toBe(total)
  })

  test('agrees with the total for all whole percentages', () => {
    for (let total = 0; total <= 100; total += 7) {
      for (let low = 0; low <= 100; low += 9) {
        for (let mid = 0; mid <= 100; mid += 11) {
          const sky = skyOf(total, low, mid, (low * 7 + mid * 3) % 101)
          alignLayers(sky)
          const layers = layersOf(sky)
          expect(Math.max(...layers)).toBeLessThanOrEqual(total)
          expect(layers.reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(total)
        }
      }
    }
  })
})

describe('the sky beside what falls', () => {
  test('has clouds by the rate, and the UV index of these clouds', () => {
    const light = skyOf(10, 5, 5, 5)
    alignSky(light, RAIN, 1)
    expect(light.cloud_cover).toBe(60)
    expect(light.uv_index).toBeCloseTo(uvIndexOf(300, 50, 60), 9)
    const moderate = skyOf(10, 5, 5, 5)
    alignSky(moderate, RAIN, 2.5)
    expect(moderate.cloud_cover).toBe(90)
    const snow = skyOf(95, 95, 5, 5)
    alignSky(snow, SNOW, 1)
    expect(snow.cloud_cover).toBe(95)
    expect(snow.uv_index).toBe(uvIndexOf(300, 50, 95))
  })

  test('has a visibility that the rate allows, and keeps a lower one', () => {
    const heavy = skyOf(100, 100, 0, 0)
    alignSky(heavy, RAIN, 25)
    expect(heavy.visibility).toBeCloseTo(2 * visibilityIn(RAIN, 25), 6)
    const foggy = { ...skyOf(100, 100, 0, 0), visibility: 300 }
    alignSky(foggy, RAIN, 25)
    expect(foggy.visibility).toBe(300)
    const drizzle = skyOf(100, 100, 0, 0)
    alignSky(drizzle, RAIN, 0.3)
    expect(drizzle.visibility).toBe(16_093)
  })

  test('leaves clouds that are not known', () => {
    const sky = skyOf(Number.NaN, Number.NaN, Number.NaN, Number.NaN)
    alignSky(sky, RAIN, 5)
    expect(sky.cloud_cover).toBeNaN()
  })

  // Values of UPP's relations for an extinction of 2.24 C^0.75 (rain, 5 m/s) and 10.36 C^0.7776 (snow, 1 m/s).
  test.each([
    [RAIN, 2.5, 7_680],
    [RAIN, 7.6, 3_330],
    [RAIN, 25, 1_370],
    [SNOW, 1, 1_020],
    [SNOW, 2.5, 500],
  ])('has the visibility of type %i at %f mm/h', (type, rate, expected) => {
    expect(Math.abs(visibilityIn(type, rate) - expected)).toBeLessThan(10)
  })
})
