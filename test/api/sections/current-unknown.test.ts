import { expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import type { RadarAtPoint } from '../../../api/contract.ts'
import type { Current } from '../../../api/live/served-runs.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { analyticCurrent } from '../analytic-runs.ts'
import { parsed } from '../answer/parsed.ts'

const NOW = Date.parse('2026-11-21T20:37:00Z')

test('reports unknown precipitation, not none, without radar coverage and without a model', async () => {
  const radar = async () =>
    ({ coverage: 'no_coverage', validTime: NOW, warnings: [], freshness: [], degraded: false }) satisfies RadarAtPoint
  const request = parseWeather({ lat: '39.74', lon: '-104.99', include: 'current' })
  const ask = async (current: Current) => {
    const weather = createWeather({ current, datasets: gridDatasets, suppliers: { radar }, resolution: 7 })
    return parsed(await weather.answer(request, NOW)) as { current?: Record<string, unknown> }
  }
  const analytic = analyticCurrent(NOW)
  expect((await ask(analytic)).current).toMatchObject({ precip_type: 'none', precip_rate: null })
  const bare = Object.create(analytic, { served: { value: () => undefined } }) as Current
  expect((await ask(bare)).current).toMatchObject({ precip_type: 'unknown', precip_rate: null, temperature: null })
})
