import { describe, expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import type {
  AlertAtPoint,
  AlertsAtPoint,
  LightningAtPoint,
  OutlookAtPoint,
  RadarAtPoint,
  Suppliers,
} from '../../../api/contract.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { sections } from '../../../api/sections/index.ts'
import type { Section } from '../../../api/sections/section.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { Fault } from '../../../ingest/domain/fault.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { analyticCurrent } from '../analytic-runs.ts'
import { parsed } from '../answer/parsed.ts'

// biome-ignore lint/suspicious/noExplicitAny: an untyped JSON answer
type Json = any

const NOW = Date.parse('2026-11-21T20:37:00Z')
const noWarnings = { warnings: [], freshness: [], degraded: false }

async function ask(
  suppliers: Suppliers,
  include = 'current,hourly,daily',
  more: Section[] = [],
): Promise<{ value: Json; cache: string }> {
  const weather = createWeather({
    current: analyticCurrent(NOW),
    datasets: gridDatasets,
    suppliers,
    resolution: 7,
    sections: [...sections, ...more],
  })
  const answer = await weather.answer(parseWeather({ lat: '39.74', lon: '-104.99', include }), NOW)
  return { value: parsed(answer), cache: answer.cacheControl(NOW) }
}

const warning = (over: Partial<AlertAtPoint> = {}): AlertAtPoint => ({
  id: 'a',
  event: 'Tornado Warning',
  severity: 'Extreme',
  urgency: 'Immediate',
  certainty: 'Observed',
  onset: NOW - HOUR,
  ends: NOW + 2 * HOUR,
  expiration: NOW + 2 * HOUR,
  rest: {},
  full: () => ({}),
  ...over,
})
const alerts =
  (...list: AlertAtPoint[]) =>
  async (): Promise<AlertsAtPoint> => ({ alerts: list, ...noWarnings })

describe('severe', () => {
  test('marks the current conditions, hours and day of a severe warning', async () => {
    const { value } = await ask({ alerts: alerts(warning()) })
    expect(value.current.severe).toBe(true)
    expect(value.hourly.slice(0, 5).map(({ severe }: Json) => severe)).toEqual([true, true, true, false, false])
    expect(value.daily.slice(0, 2).map(({ severe }: Json) => severe)).toEqual([true, false])
    expect(value.daily[0].day.severe).toBe(true)
    expect(value.daily[0].night.severe).toBe(false)
  })
  test.each([
    ['a watch', { event: 'Tornado Watch', severity: 'Severe', urgency: 'Future' }],
    ['a lesser warning', { event: 'Freeze Warning', severity: 'Moderate' }],
    ['one that begins tomorrow', { onset: NOW + 24 * HOUR, ends: NOW + 30 * HOUR, expiration: NOW + 30 * HOUR }],
  ])('does not mark the current conditions for %s', async (_, over) => {
    expect((await ask({ alerts: alerts(warning(over)) })).value.current.severe).toBe(false)
  })
  test('marks nothing while the feed fails, and still answers the rest', async () => {
    const alertsDown = async () => {
      throw new Fault('Refused', 'the feed is away')
    }
    const { value } = await ask({ alerts: alertsDown })
    expect(value.current.severe).toBe(false)
    expect(value.hourly).toHaveLength(48)
  })
})

describe('depends on alerts even if the answer has no section of alerts', () => {
  const among = (over: Partial<AlertsAtPoint>) => ({ alerts: async () => ({ alerts: [], ...noWarnings, ...over }) })
  const doubt = { code: 'feed_unconfirmed', section: 'alerts', product_id: 'nws-alerts' } as const
  const warned = ({ value }: { value: Json }) =>
    value.meta.warnings.filter(({ section }: Json) => section === 'alerts').map(({ code }: Json) => code)

  test.each(['current', 'hourly', 'daily', 'alerts'])(
    '%s: caches the answer only until the next change',
    async (include) => {
      expect((await ask(among({ nextChange: NOW + 17_400 }), include)).cache).toBe('max-age=17')
      expect(Number((await ask(among({}), include)).cache.slice(8))).toBeGreaterThan(17)
    },
  )
  test.each(['current', 'hourly', 'daily', 'alerts'])(
    '%s: warns once that the feed fails, and does not cache the answer',
    async (include) => {
      const answer = await ask(among({ degraded: true, warnings: [doubt] }), include)
      expect([answer.cache, warned(answer)]).toEqual(['no-store', ['feed_unconfirmed']])
    },
  )
  test('warns before the feed was read for the first time', async () => {
    const unread = async () => {
      throw new Fault('Refused', 'not read yet')
    }
    for (const include of ['current', 'hourly', 'daily', 'alerts'])
      expect(warned(await ask({ alerts: unread }, include)), include).toEqual(['source_failed'])
    expect(warned(await ask({ alerts: unread }, 'astro'))).toEqual([])
  })
})

describe('threats', () => {
  const outlook = (over: Partial<OutlookAtPoint>): OutlookAtPoint => ({
    product_id: 'spc-day2',
    type: 'severe',
    day: 2,
    riskLabel: 'Enhanced',
    risk: 'ENH',
    valid: Date.parse('2026-11-22T12:00:00Z'),
    expires: Date.parse('2026-11-23T12:00:00Z'),
    ...over,
  })
  test('adds an outlook to the day that it mostly covers, with the greatest probability of its hazards', async () => {
    const outlooks = async () => ({
      outlooks: [
        outlook({}),
        outlook({ type: 'tornado', riskLabel: '10%', probability: 0.1 }),
        outlook({ type: 'hail', riskLabel: '30%', probability: 0.3 }),
        outlook({ type: 'fire', riskLabel: 'Critical', risk: undefined }),
      ],
      ...noWarnings,
    })
    const { value } = await ask({ outlooks })
    const threatsOf = (day: number) =>
      value.daily[day].threats.filter(({ type }: Json) => ['severe', 'fire'].includes(type))
    expect(threatsOf(1)).toEqual([
      { type: 'severe', risk: 'ENH', probability: 0.3, risk_label: 'Enhanced' },
      { type: 'fire', risk_label: 'Critical' },
    ])
    expect([threatsOf(0), threatsOf(2)]).toEqual([[], []])
  })
})

describe('precipitation from radar', () => {
  const radar = (over: Partial<RadarAtPoint>) => async (): Promise<RadarAtPoint> => ({
    coverage: 'value',
    validTime: NOW - 120_000,
    precipRate: 9,
    precipType: 'rain',
    precip24h: 12.34,
    ...noWarnings,
    ...over,
  })
  test('a value', async () => {
    const { current } = (await ask({ radar: radar({}) })).value
    expect(current).toMatchObject({
      precip_type: 'rain',
      precip_24h: 12.34,
      conditions: 'Heavy Rain',
      icon: 'rain',
    })
    expect(current.precip_rate).toBeCloseTo(9 / 25.4, 3)
  })
  test('is dry where radar sees nothing, whatever the model says, and null without coverage', async () => {
    const dry = (await ask({ radar: radar({ coverage: 'dry', precipRate: 0, precipType: 'none' }) })).value.current
    expect(dry).toMatchObject({ precip_rate: 0, precip_type: 'none' })
    const none = {
      coverage: 'no_coverage',
      precipRate: undefined,
      precipType: undefined,
      precip24h: undefined,
    } as const
    const blind = (await ask({ radar: radar(none) })).value.current
    expect([blind.precip_rate, blind.precip_24h]).toEqual([null, null])
  })
  test('turns rain into thunderstorms if lightning is seen', async () => {
    const lightning = async (): Promise<LightningAtPoint> => ({
      flashes: 4,
      density: 0.02,
      probability: 60,
      ...noWarnings,
    })
    const { current } = (await ask({ radar: radar({}), lightning })).value
    expect(current).toMatchObject({
      conditions: 'Thunderstorms',
      lightning_flashes: 4,
      lightning_density: 0.02,
      lightning_prob: 60,
    })
  })
  test('leaves the fields of a failed radar null with a warning, and does not cache the answer', async () => {
    const { value, cache } = await ask({
      radar: async () => {
        throw new Fault('Refused', 'away')
      },
    })
    expect(value.current.precip_rate).toBeNull()
    expect(value.meta.warnings).toContainEqual(expect.objectContaining({ code: 'source_failed', section: 'current' }))
    expect(cache).toBe('no-store')
  })
})

describe('failures of a section', () => {
  const failing = (error: Error): Section => ({
    name: 'metar',
    build: () => {
      throw error
    },
  })
  test('leaves out the section of an unreachable source with a warning and no-store', async () => {
    const { value, cache } = await ask({}, 'current,hourly,metar', [failing(new Fault('Refused', 'away'))])
    expect(value.metar).toBeUndefined()
    expect(value.current.temperature).not.toBeNull()
    expect(value.meta.warnings).toContainEqual(expect.objectContaining({ code: 'source_failed', section: 'metar' }))
    expect(cache).toBe('no-store')
  })
  test('leaves out a section without data with a warning, and allows caching', async () => {
    const { value, cache } = await ask({}, 'hourly,metar', [failing(new Fault('Missing', 'no station within 50 km'))])
    expect(value.meta.warnings).toContainEqual({
      code: 'source_missing',
      section: 'metar',
      detail: 'no station within 50 km',
    })
    expect(cache).toMatch(/^max-age=\d+$/)
  })
  test('does not hide a bug', async () => {
    await expect(ask({}, 'hourly,metar', [failing(new TypeError('oops'))])).rejects.toThrow('oops')
  })
})
