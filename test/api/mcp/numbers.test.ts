import { afterAll, beforeAll, expect, test } from 'vitest'
import { activeAt, centreOf } from '../../bench/tools/questions/alerts.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import { ordinary, type Result } from './calls.ts'
import { notInText } from './not-in-text.ts'

/**
 * The numbers of the structured content of every tool beside those of its text. A member of which the text has no value stands in
 * `not-in-text.ts` with the reason.
 */
let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer({
    withTexts: true,
    frames: [
      ...['mrms-reflectivity', 'mrms-precip-rate', 'mrms-qpe-1h', 'mrms-qpe-24h', 'mrms-lightning-prob'],
      ...['mrms-lightning-density', 'storm-tracks', 'glm'],
    ],
  })
}, 400_000)
afterAll(() => sky.close())

/** Numbers by the path of their member, in which lists and series have no index: `daily[].high`. */
function numbersOf(value: unknown, path: string, into: Map<string, number[]>): Map<string, number[]> {
  if (typeof value === 'number') into.set(path, [...(into.get(path) ?? []), value])
  else if (Array.isArray(value)) for (const item of value) numbersOf(item, `${path}[]`, into)
  else if (value !== null && typeof value === 'object')
    for (const [name, item] of Object.entries(value)) numbersOf(item, path ? `${path}.${name}` : name, into)
  return into
}

/** Whether a text has a number, rounded to any of its digits. Negative numbers may stand as such only. */
function hasNumber(text: string, value: number): boolean {
  const forms = [0, 1, 2, 3, 4].map((digits) => String(Number(value.toFixed(digits))))
  return forms.some((form) => new RegExp(`(?<![\\d.-])${form.replaceAll('.', '\\.')}(?![\\d])`).test(text))
}

/** Smaller values are shown as 0: an hour of 0.003 in has no measurable amount. */
const LEAST_STATED = 0.005

const calls: Readonly<Record<string, readonly object[]>> = {
  ...Object.fromEntries(Object.entries(ordinary).map(([name, args]) => [name, [args]])),
  get_forecast: [ordinary['get_forecast'] ?? {}, { location: 'Denver, CO', detail_level: 'detailed' }],
  get_hourly_forecast: [ordinary['get_hourly_forecast'] ?? {}, { location: 'Denver, CO', detail_level: 'detailed' }],
  get_alerts: [{ lat: 0, lon: 0 }],
  search_alerts: [{}],
  get_climate_records: [{ type: 'reports', wfo: 'BOX' }],
  get_past_weather: [{ location: 'Boston, MA' }],
}

/** A place in an alert, so that the answer has one. */
function insideAlert(): object {
  const areas = activeAt(Date.now()).flatMap(({ ring }) => (ring ? centreOf(ring) : []))
  return areas.find(({ lat, lon }) => lat > 31 && lat < 47 && lon > -117 && lon < -84) ?? {}
}

test('gives every number of the structure in the text, or a reason why not', { timeout: 240_000 }, async () => {
  const missing: string[] = []
  const checkedNames: string[] = []
  for (const [name, list] of Object.entries(calls))
    for (const args of list) {
      const place = name === 'get_alerts' ? insideAlert() : args
      const result = (await sky.client.callTool({
        name,
        arguments: place as Record<string, unknown>,
      })) as unknown as Result
      const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
      if (result.isError) continue
      checkedNames.push(name)
      const { meta: _, widget: __, ...structured } = result.structuredContent ?? {}
      for (const [path, values] of numbersOf(structured, '', new Map())) {
        const telling = values.filter((value) => Math.abs(value) >= LEAST_STATED)
        if (telling.length === 0 || telling.some((value) => hasNumber(text, value))) continue
        const reasons = [...(notInText['every tool'] ?? []), ...(notInText[name] ?? [])]
        if (!reasons.some(([pattern]) => pattern.test(path)))
          missing.push(`${name}: ${path} (${telling.slice(0, 3).join(', ')})`)
      }
    }
  expect([...new Set(missing)]).toEqual([])
  expect(new Set(checkedNames).size).toBeGreaterThanOrEqual(30)
})
