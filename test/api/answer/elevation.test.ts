import { expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import { parseWeather } from '../../../api/query/query.ts'
import type { AnyJson } from '../../../bin/doctor/answer-members.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { analyticCurrent, type RunTimes, runsAt } from '../analytic-runs.ts'
import { parsed } from './parsed.ts'

const now = Date.parse('2026-11-21T20:37:00Z')
const places = [
  { name: 'Denver', lat: '39.74', lon: '-104.99' },
  { name: 'Fairbanks', lat: '64.84', lon: '-147.72' },
  { name: 'Mauna Kea', lat: '19.82', lon: '-155.47' },
]

async function elevation(runs: RunTimes, at: { lat: string; lon: string }, include: string): Promise<unknown> {
  const current = analyticCurrent(now, runs, [])
  const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7, cacheBytes: 1 })
  const request = parseWeather({ lat: at.lat, lon: at.lon, include })
  const { location } = parsed(await weather.answer(request, now)) as AnyJson
  return location.elevation
}

test.each(places)('gives the elevation of $name, whatever is included', async (place) => {
  const first = await elevation(runsAt(now), place, 'current,hourly,daily')
  expect(first).toEqual(expect.any(Number))
  for (const include of ['current', 'daily', 'astro']) {
    expect(await elevation(runsAt(now), place, include), include).toBe(first)
  }
})

test.each(places)('gives the elevation of $name by the next source if one is missing', async (place) => {
  const runs = runsAt(now)
  const onlyGfs = { gfs: runs['gfs'], nbm: runs['nbm'] } as RunTimes
  expect(await elevation({ ...runs, hrrr: undefined } as RunTimes, place, 'current')).toEqual(expect.any(Number))
  expect(await elevation(onlyGfs, place, 'current')).toEqual(expect.any(Number))
  expect(await elevation(onlyGfs, place, 'astro')).toEqual(expect.any(Number))
  expect(await elevation({ nbm: runs['nbm'] } as RunTimes, place, 'current')).toBeNull()
})
