import { expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import type { AirQualityAtPoint } from '../../../api/contract.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { analyticCurrent, runsAt } from '../analytic-runs.ts'
import { parsed } from './parsed.ts'

// biome-ignore lint/suspicious/noExplicitAny: an untyped JSON answer
type Json = any

const NOW = Date.parse('2026-11-21T20:37:00Z')

async function ask(include: string, air: AirQualityAtPoint['air']): Promise<Json> {
  const suppliers = {
    airQuality: async () => ({
      air,
      forecast: () => undefined,
      warnings: [],
      freshness: [{ source: 'airnow', product_id: 'airnow', referenceTime: NOW - 2 * HOUR }],
      degraded: false,
    }),
  }
  const current = analyticCurrent(NOW, runsAt(NOW))
  const weather = createWeather({ current, datasets: gridDatasets, suppliers, resolution: 7 })
  return parsed(await weather.answer(parseWeather({ lat: '39.74', lon: '-104.99', include }), NOW))
}

test('names unhealthy air and its source in the narration', async () => {
  const air = { aqi: 164, category: 'Unhealthy', readings: {} } as AirQualityAtPoint['air']
  const answer = await ask('current,narrations', air)
  expect(answer.current.aqi).toBe(164)
  expect(answer.narrations.current).toContain('Air quality is unhealthy (AQI 164).')
  const alone = await ask('narrations', air)
  expect(alone.narrations.current).toContain('Air quality is unhealthy (AQI 164).')
  expect(alone.attribution.sources.join()).toMatch(/AirNow/i)
  expect(alone.meta.freshness.map(({ product_id }: Json) => product_id)).toContain('airnow')
})

test('does not name good air', async () => {
  const air = { aqi: 42, category: 'Good', readings: {} } as AirQualityAtPoint['air']
  expect((await ask('narrations', air)).narrations.current).not.toContain('Air quality')
})

test('warns that discussions are deprecated even if no forecaster texts are stored', async () => {
  const current = analyticCurrent(NOW, runsAt(NOW))
  const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7 })
  const request = parseWeather({ lat: '39.74', lon: '-104.99', include: 'discussions' })
  const { meta }: Json = parsed(await weather.answer(request, NOW))
  const warnings: Json[] = meta.warnings.filter(({ section }: Json) => section === 'discussions')
  expect(warnings.map(({ code }) => code)).toEqual(['not_held', 'deprecated'])
})
