import { expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import type { Suppliers } from '../../../api/contract.ts'
import { Invalidation } from '../../../api/live/invalidation.ts'
import { openRadar } from '../../../api/live/radar-source.ts'
import { coarseCells } from '../../../api/live/served-runs.ts'
import type { LiveDeps } from '../../../api/live/source.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { frameDatasets, gridDatasets } from '../../../ingest/catalog.ts'
import type { FrameReader } from '../../../ingest/domain/dataset/dataset.ts'
import { entryOf } from '../../../ingest/domain/nth.ts'
import { analyticCurrent } from '../analytic-runs.ts'

const NOW = Date.parse('2026-11-21T20:37:00Z')
const place = { lat: 39.74, lon: -104.99 }

/** Answers of four kinds in the cache, and which of them are still served after a change. */
async function servedAfter(change: (invalidation: Invalidation) => void): Promise<string[]> {
  const invalidation = new Invalidation()
  const suppliers: Suppliers = {
    alerts: async () => ({ alerts: [], warnings: [], freshness: [], degraded: false }),
  }
  const weather = createWeather({
    current: Object.create(analyticCurrent(NOW), {
      mark: { get: () => invalidation.mark },
      changedSince: { value: invalidation.changedSince.bind(invalidation) },
    }),
    datasets: gridDatasets,
    suppliers,
    resolution: 7,
  })
  const kinds = ['astro', 'alerts', 'radar', 'current']
  for (const include of kinds)
    await weather.answer(parseWeather({ lat: '39.74', lon: '-104.99', include }), NOW, include)
  change(invalidation)
  return kinds.filter((include) => weather.ready(include, NOW + 1000))
}

test('an answer without radar and lightning stays cached after their scans', async () => {
  expect(await servedAfter(() => undefined)).toEqual(['astro', 'alerts', 'radar', 'current'])
  expect(await servedAfter((all) => all.frames('conus', ['radar', 'nowcast']))).toEqual(['astro', 'alerts'])
  expect(await servedAfter((all) => all.frames('conus', ['lightning']))).toEqual(['astro', 'alerts', 'radar'])
  expect(await servedAfter((all) => all.frames('conus', ['history']))).toHaveLength(4)
  expect(await servedAfter((all) => all.frames('alaska', ['lightning', 'radar']))).toHaveLength(4)
})

test('an alert invalidates answers with alerts in its cells, and a model run all answers of its domain', async () => {
  const [here] = coarseCells(place.lat, place.lon)
  const [there] = coarseCells(25.76, -80.19)
  expect(await servedAfter((all) => all.cells('alerts', [there ?? '']))).toHaveLength(4)
  const after = await servedAfter((all) => all.cells('alerts', [here ?? '']))
  expect(after).toContain('astro')
  expect(after).not.toContain('alerts')
  expect(await servedAfter((all) => all.domain('conus'))).toEqual([])
  expect(await servedAfter((all) => all.everything())).toEqual([])
})

test.each(['radar', 'lightning'] as const)('the frames that the source %s reads name it in `shownBy`', async (name) => {
  const read = new Set<string>()
  const current = {
    served: (dataset: string) => {
      read.add(dataset)
      return undefined
    },
  }
  const { suppliers } = openRadar({ current, objects: {}, takes: () => true } as unknown as LiveDeps)
  const at = { ...place, cell: '872681a33ffffff', domain: 'conus', now: NOW } as const
  await entryOf(suppliers, name)(at).catch(() => undefined)
  const named = frameDatasets.filter(({ shownBy }) => shownBy?.includes(name as FrameReader)).map(({ id }) => id)
  expect(named.length).toBeGreaterThan(1)
  // Flashes of satellites arrive every twenty seconds; answers with them expire instead.
  expect([...read].filter((id) => id !== 'glm').sort()).toEqual(named.sort())
})
