import { describe, expect, test } from 'vitest'
import { presentWeather } from '../../../api/blend/present-weather.ts'
import type { LightningAtPoint, RadarAtPoint } from '../../../api/contract.ts'
import { NONE, RAIN } from '../../../ingest/domain/weather/precip-type.ts'

const now = Date.parse('2026-06-10T21:20:00Z')
const scan = (precipRate: number): RadarAtPoint => ({
  coverage: precipRate > 0 ? 'value' : 'dry',
  validTime: now,
  scanTime: now,
  precipRate,
  precipType: precipRate > 0 ? 'rain' : 'none',
  warnings: [],
  freshness: [],
  degraded: false,
})
const quiet: LightningAtPoint = { density: 0, probability: 3, flashes: 0, warnings: [], freshness: [], degraded: false }
const at = (radar: RadarAtPoint, lightning: LightningAtPoint | undefined, warnedStorm: boolean) =>
  presentWeather({
    now,
    radar,
    lightning,
    nowcast: undefined,
    forecast: undefined,
    temperature: 295,
    humidity: 80,
    warnedStorm,
  })

describe('thunder under a warning of a storm', () => {
  test('calls rain within the polygon a thunderstorm, with a quiet lightning network or none', () => {
    for (const lightning of [undefined, quiet]) {
      const present = at(scan(20), lightning, true)
      expect(present).toMatchObject({ type: RAIN, rate: 20, thunderstorm: true, thunder: 80 })
    }
  })

  test('has possible thunder and no precipitation before the rain arrives', () => {
    expect(at(scan(0), quiet, true)).toMatchObject({ type: NONE, rate: 0, thunder: 40 })
  })

  test('treats strikes nearby as certain', () => {
    expect(at(scan(20), { ...quiet, flashes: 4, nearestKm: 3 }, true).thunder).toBe(100)
  })

  test('lets the networks decide without a warning', () => {
    expect(at(scan(20), quiet, false)).toMatchObject({ thunderstorm: false, thunder: 3 })
    expect(at(scan(20), undefined, false).thunder).toBeNaN()
  })
})
