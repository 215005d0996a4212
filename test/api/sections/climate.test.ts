import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import { weatherSchema } from '../../../api/answer/weather-schema.ts'
import { openClimate } from '../../../api/live/climate.ts'
import type { LiveDeps, NormalsReader } from '../../../api/live/source.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { normalsReader } from '../../../bin/normals.ts'
import { simulatedNormal } from '../../../infra/simulator/feeds/climate.ts'
import { startSimulator } from '../../../infra/simulator/main.ts'
import type { Mirror } from '../../../infra/simulator/mirror.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { leapDay } from '../../../ingest/domain/weather/climate.ts'
import { openFolder } from '../../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../../ingest/ports/upstream.ts'
import { loadStationList } from '../../../ingest/steps/climate/station-normals.ts'
import { stationKey, writeStation } from '../../../ingest/tile/normals-file.ts'
import { analyticCurrent, runsAt } from '../analytic-runs.ts'
import { parsed } from '../answer/parsed.ts'

// biome-ignore lint/suspicious/noExplicitAny: an untyped JSON answer
type Json = any

const NOW = Date.parse('2028-02-27T20:37:00Z')
const denver = { lat: '39.74', lon: '-104.99' }
const round = (value: number) => Math.round(value * 10) / 10

let folder: string
let objects: Objects
let mirror: Mirror
let upstream: Upstream
let now = NOW

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-normals-'))
  objects = await openFolder(folder)
  mirror = await startSimulator({ port: 0 })
  upstream = openUpstream({ mirror: mirror.url })
})
afterAll(async () => {
  await upstream.close()
  await mirror.close()
  await objects.close()
  await rm(folder, { recursive: true, force: true })
})

const current = analyticCurrent(NOW, runsAt(NOW))
const simulated = current.simulated()

function open(normals?: NormalsReader) {
  const { at, suppliers } = openClimate({ objects, current, clock: () => now, normals } as unknown as LiveDeps)
  const weather = createWeather({ current, datasets: gridDatasets, suppliers, resolution: 7 })
  const ask = async (parameters: Record<string, string>, at = NOW): Promise<Json> =>
    parsed(await weather.answer(parseWeather({ include: 'daily,climate', ...parameters }), at))
  return { at, ask, weather }
}

const reader: NormalsReader = (from, stations, signal) =>
  normalsReader({ upstream: new URL(mirror.url) })({ ...from, simulated }, stations, signal)
const codes = (answer: Json) => answer.meta.warnings.map(({ code, section }: Json) => `${code}:${section}`)

test('leaves out the section with a warning before the list of stations is stored', async () => {
  const answer = await open(reader).ask(denver)
  expect(answer.climate).toBeUndefined()
  expect(codes(answer)).toContain('source_missing:climate')
  expect(answer.daily[0].climate).toBeNull()
  now += 10_000
})

test('has the nearest station with temperatures, rows from the local today on, and 29 February from its own row', async () => {
  await loadStationList({ objects, upstream, simulated })
  const answer = await open(reader).ask({ ...denver, days: '4' })
  expect(codes(answer).filter((code: string) => code.endsWith(':climate'))).toEqual([])
  expect(weatherSchema.safeParse(answer).error).toBeUndefined()
  const { station, meta, days } = answer.climate
  expect(station).toMatchObject({ state: 'KS', elevation_m: expect.any(Number) })
  expect(station.station_id).toMatch(/^USW/)
  expect(station.distance_km).toBeLessThan(150)
  expect(meta).toEqual({
    normals_period: '1991-2020',
    source: 'station',
    normals_method: 'station',
    unit: 'degF',
    approximate: station.distance_km > 50,
    missing_days: 0,
  })
  expect(days.map(({ date }: Json) => date)).toEqual(['2028-02-27', '2028-02-28', '2028-02-29', '2028-03-01'])
  for (const { date, month, day, normal_high, normal_low, normal_mean, normal_precip } of days) {
    const expected = simulatedNormal(station.latitude, leapDay(month, day)!)
    expect([normal_high, normal_low]).toEqual([expected.high, expected.low])
    expect(normal_mean).toBeCloseTo((expected.high + expected.low) / 2, 1)
    expect(normal_precip).toBe(date === '2028-02-29' ? null : 0.08)
  }
  expect(answer.attribution.sources).toContain('normals')
})

test('computes departures in daily from the published numbers, in both systems and both views', async () => {
  const { ask } = open(reader)
  for (const units of ['imperial', 'metric']) {
    for (const view of ['detailed', 'concise']) {
      const answer = await ask({ ...denver, units, view, days: '10' })
      expect(answer.daily.length).toBeGreaterThanOrEqual(10)
      for (const { date, high, low, climate } of answer.daily) {
        const normal = answer.climate.days.find((day: Json) => day.date === date)
        expect(climate).toMatchObject({ normal_high: normal.normal_high, normal_low: normal.normal_low })
        expect(climate.high_departure).toBe(high === null ? null : round(high - climate.normal_high))
        expect(climate.low_departure).toBe(low === null ? null : round(low - climate.normal_low))
      }
    }
  }
  const [imperial, metric] = await Promise.all([ask(denver), ask({ ...denver, units: 'metric' })])
  expect(metric.climate.meta.unit).toBe('degC')
  expect(metric.climate.days[0].normal_high).toBe(round((imperial.climate.days[0].normal_high - 32) / 1.8))
  expect(metric.climate.days[0].normal_high_stddev).toBe(round(imperial.climate.days[0].normal_high_stddev / 1.8))
  expect(metric.climate.days[0].normal_precip).toBe(2)
})

test('has no normals without climate in include', async () => {
  const answer = await open(reader).ask({ ...denver, include: 'daily' })
  expect(answer.climate).toBeUndefined()
  expect(answer.daily[0].climate).toBeUndefined()
})

test('leaves out the section for a place far from all stations, with a warning', async () => {
  const answer = await open(reader).ask({ lat: '71.29', lon: '-156.79' })
  if (answer.climate) expect(answer.climate.station.distance_km).toBeLessThanOrEqual(150)
  else expect(codes(answer)).toContain('no_coverage:climate')
})

test('keeps and counts missing values as null', async () => {
  const { at } = open(reader)
  const { nearest } = await at(44.9, -66.99)
  const { normals } = nearest!
  const days = normals.days.map((day, i) => (i === leapDay(2, 28) ? { ...day, high: null } : day))
  await objects.put(stationKey(simulated, normals.station.id), writeStation({ ...normals, days }))
  const answer = await open(reader).ask({ lat: '44.9', lon: '-66.99', days: '3' })
  expect(answer.climate.meta.missing_days).toBe(1)
  expect(answer.climate.days.map(({ normal_high }: Json) => normal_high === null)).toEqual([false, true, false])
  const row = answer.daily.find(({ date }: Json) => date === '2028-02-28')
  expect(row.climate).toMatchObject({ normal_high: null, high_departure: null, normal_low: expect.any(Number) })
})

test('leaves out the section if a file cannot be read, marks the answer no-store, and succeeds at a later try', async () => {
  const { weather, ask } = open(reader)
  const place = { lat: '33.45', lon: '-112.07' }
  mirror.misbehaviours.push({ path: '.csv', how: 'html' })
  const failed = await weather.answer(parseWeather({ include: 'climate', ...place }), NOW)
  expect(failed.cacheControl(NOW)).toBe('no-store')
  expect((parsed(failed) as Json).climate).toBeUndefined()
  expect(codes(parsed(failed))).toContain('source_failed:climate')
  mirror.misbehaviours.length = 0
  expect((await ask(place)).climate).toBeUndefined()
  now += 20_000
  expect((await ask(place, NOW + 20_000)).climate.days).toHaveLength(10)
})

test('serves stored normals in a process without upstream', async () => {
  const { at } = open()
  expect((await at(39.74, -104.99)).nearest).toBeDefined()
  await expect(at(47.61, -122.33)).rejects.toMatchObject({ kind: 'Refused' })
})
