import { expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import { weatherSchema } from '../../../api/answer/weather-schema.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { loadedCurrent } from '../analytic-runs.ts'
import { requestMix } from '../http/request-mix.ts'
import { madeSuppliers } from './made-suppliers.ts'

/** `VALUE_REQUESTS=20000` for a longer run. */
const count = Number(process.env['VALUE_REQUESTS'] ?? 1050)
const moments = [
  '2026-11-21T20:37:00Z',
  '2026-03-08T11:59:00Z',
  '2026-11-01T05:30:00Z',
  '2026-07-04T03:00:00Z',
  '2026-01-15T22:03:00Z',
  '2026-12-21T12:45:00Z',
].map((text) => Date.parse(text))

/** Parameters of requests of `/v1/weather`, of three domains. */
function* requests(seed: number, now: number): Generator<Record<string, string>> {
  const next = requestMix(seed, now, [])
  for (let i = 0; ; i++) {
    const request = next()
    if (request.kind !== 'get' || !request.path.startsWith('/v1/weather?')) continue
    const parameters = Object.fromEntries(new URLSearchParams(request.path.split('?')[1]))
    yield i % 5 === 0 ? { ...parameters, alert_detail: 'full' } : parameters
  }
}

test(`${count} random answers: the object is what the bytes are parsed to, member by member and in their order`, {
  timeout: 300_000,
}, async () => {
  const counts = new Map<string, number>()
  let answers = 0
  for (const [m, now] of moments.entries()) {
    const deps = { current: loadedCurrent(now), datasets: gridDatasets, resolution: 7, cacheBytes: 1 }
    const rich = createWeather({ ...deps, suppliers: madeSuppliers })
    const bare = createWeather({ ...deps, suppliers: {} })
    let built = 0
    for (const parameters of requests(1000 + m, now)) {
      if (built >= count / moments.length) break
      built++
      const weather = built % 10 === 0 ? bare : rich
      const request = parseWeather(parameters)
      const current = built % 7 === 0 ? { ...request, query: { ...request.query, units: 'si' as const } } : request
      const [bytes, object] = await Promise.all([
        weather.answer(current, now).catch(faultOf),
        weather.value(current, now).catch(faultOf),
      ])
      if (typeof bytes === 'string' || typeof object === 'string') {
        expect(object).toBe(bytes)
        continue
      }
      answers++
      const parsed = JSON.parse(bytes.body.toString())
      // As in JSON, a member that is undefined is none.
      expect(object.value, JSON.stringify(parameters)).toEqual(parsed)
      expect(JSON.stringify(object.value) === bytes.body.toString(), 'order of members').toBe(true)
      expect([object.until, object.storable, object.confirmed]).toEqual([bytes.until, bytes.storable, bytes.confirmed])
      expect(object.cacheControl(now)).toBe(bytes.cacheControl(now))
      const { units: _, ...rest } = parsed
      if (built % 7 !== 0) expect(weatherSchema.safeParse(parsed).error).toBeUndefined()
      else expect(weatherSchema.safeParse(rest).error).toBeUndefined()
      for (const name of Object.keys(parsed)) counts.set(name, (counts.get(name) ?? 0) + 1)
      counts.set(parsed.units.temperature, (counts.get(parsed.units.temperature) ?? 0) + 1)
    }
  }
  expect(answers).toBeGreaterThan(count * 0.9)
  for (const name of ['F', 'C', 'K', ...Object.keys(weatherSchema.shape)])
    expect(counts.get(name) ?? 0, name).toBeGreaterThan(count / 20)
})

function faultOf(error: unknown): string {
  if (!isFault(error)) throw error
  return error.message
}

test('builds an answer as an object once, shares it, bounds it by bytes, and builds it again after a change', async () => {
  const now = nth(moments, 0)
  let changes = 0
  const current = {
    ...loadedCurrent(now),
    get mark() {
      return changes
    },
    changedSince: (mark: number) => changes > mark,
  }
  const deps = { current, datasets: gridDatasets, suppliers: madeSuppliers, resolution: 7 }
  const weather = createWeather({ ...deps, cacheBytes: 4_000_000 })
  const at = (i: number) =>
    parseWeather({ lat: (39 + i / 1000).toFixed(4), lon: '-105', include: 'current,hourly,daily' })
  const [first, same] = await Promise.all([weather.value(at(0), now), weather.value(at(0), now)])
  expect(same).toBe(first)
  expect(await weather.value(at(0), now)).toBe(first)
  changes++
  const next = await weather.value(at(0), now)
  expect(next).not.toBe(first)
  // The data are the same, and so is their hash.
  expect(next.etag).toBe(first.etag)
  expect(await weather.value(at(0), next.until)).not.toBe(next)
  for (let i = 0; i < 60; i++) await weather.value(at(i), now)
  expect(weather.cached.bytes).toBeLessThanOrEqual(1_000_000)
  expect(weather.cached.bytes).toBeGreaterThan(500_000)
  const cachedAnswers = weather.cached.answers
  expect(cachedAnswers).toBeLessThan(30)
  await weather.answer(at(59), now)
  expect(weather.cached.answers).toBe(cachedAnswers + 1)
})
