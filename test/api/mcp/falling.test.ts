import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WeatherValue } from '../../../api/answer/value.ts'
import { findSpot } from '../../../api/dataset/spot.ts'
import { AlertIndex, type LiveAlert } from '../../../api/live/alert-index.ts'
import type { ToolContext } from '../../../api/mcp/protocol/context.ts'
import { alertsInForce } from '../../../api/mcp/query/alerts-in-force.ts'
import { fallingAt } from '../../../api/mcp/query/falling-now.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { analyticCurrent } from '../analytic-runs.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

/** Current conditions say what radar sees fall at a place, or that this is not known. */
describe('with the simulated radar', () => {
  let sky: SkyServer
  beforeAll(async () => {
    sky = await skyServer({ frames: ['mrms-precip-rate', 'mrms-precip-flag', 'mrms-reflectivity', 'storm-tracks'] })
  })
  afterAll(async () => sky.close())

  const call = (name: string, args: object) =>
    sky.client.callTool({ name, arguments: args as Record<string, unknown> }) as unknown as Promise<Result>
  const textOf = (result: Result) =>
    (result.content.find(({ type }) => type === 'text')?.text ?? '').replaceAll('\u202f', ' ')
  interface Conditions {
    precipitation: { precip_type: string | null; precip_rate: number | null; source: string | null; age_min: number }
    meta: { freshness: { product_id: string }[]; warnings: { section: string }[] }
  }
  const conditionsAt = async (place: object) => {
    const result = await call('get_current_conditions', place)
    return { text: textOf(result), ...(result.structuredContent as unknown as Conditions) }
  }
  const restAt = async (lat: number, lon: number) => {
    const reply = await fetch(`${sky.base}/v1/weather?lat=${lat}&lon=${lon}&include=current,radar`, {
      headers: { authorization: `Bearer ${sky.key}` },
    })
    return (await reply.json()) as {
      current: { precip_type: string; precip_rate: number }
      radar: { coverage: string }
    }
  }

  test('gives rain over the place with its rate and the age of the scan, as in /v1/weather', async () => {
    let wet = 0
    let dry = 0
    for (let lat = 27; lat <= 48; lat += 1.5)
      for (let lon = -120; lon <= -75; lon += 1.5) {
        if (wet > 2 && dry > 2) break
        const place = { lat, lon }
        const radar = (await call('get_radar', place)).structuredContent?.['radar'] as { precip_rate: number } | null
        if (!radar || (dry > 2 && !(radar.precip_rate > 0.01))) continue
        const restAnswer = await restAt(lat, lon)
        const { text, precipitation, meta } = await conditionsAt(place)
        expect(precipitation).toMatchObject({
          precip_type: restAnswer.current.precip_type,
          precip_rate: restAnswer.current.precip_rate,
          source: 'radar',
        })
        expect(meta.freshness.map(({ product_id }) => product_id)).toContain('mrms-precip-rate')
        const words = /^Radar of \w{3}, \d{1,2}:\d\d [AP]M \w+ \((\d+) min ago\): (.*)$/m.exec(text)
        expect(Number(words?.[1]), text).toBe(precipitation.age_min)
        if (restAnswer.current.precip_type === 'none') {
          dry++
          expect(words?.[2]).toMatch(/^no precipitation here/)
        } else {
          wet++
          expect(words?.[2]).toMatch(/^[A-Z][a-z ]+ falling(, less than 0\.01| at \d+(?:\.\d{1,2})?) in\/h\./)
        }
      }
    expect([wet > 2, dry > 2]).toEqual([true, true])
  })

  test('takes an echo over the place for the nearest one', async () => {
    let over = 0
    for (let lat = 27; lat <= 48 && over < 3; lat += 1.5)
      for (let lon = -120; lon <= -75 && over < 3; lon += 1.5) {
        const { structuredContent } = await call('get_radar', { lat, lon, radius_km: 30 })
        const { radar, nearest_echo } = (structuredContent ?? {}) as {
          radar?: { reflectivity_dbz: number | null } | null
          nearest_echo?: object | null
        }
        if (!radar || (radar.reflectivity_dbz ?? 0) < 15) continue
        over++
        expect(nearest_echo).toEqual({ distance_km: 0, bearing: 0, reflectivity_dbz: radar.reflectivity_dbz })
      }
    expect(over).toBe(3)
  })

  test('counts all storms around the place, not only the listed storms', async ({ skip }) => {
    let counted = 0
    const places = [46, 42, 38, 34].flatMap((lat) => [-115, -105, -95, -86].map((lon) => ({ lat, lon })))
    for (const place of places) {
      const around = { ...place, radius_km: 500 }
      const { storms } = (await call('get_storm_tracks', { ...around, limit: 50 })).structuredContent as {
        storms: object[]
      }
      if (storms.length < 2) continue
      counted++
      expect(textOf(await call('get_storm_tracks', { ...around, limit: 1 }))).toMatch(
        new RegExp(`^${storms.length} storm cells within 500 km of .*, the nearest 1:$`, 'm'),
      )
    }
    skip(counted === 0, 'no two storms of the simulator are near one another now')
  })

  test('says that it is not known without radar, and attributes the answer to the model', async () => {
    const { text, precipitation, meta } = await conditionsAt({ location: 'Utqiaġvik, AK' })
    expect(precipitation).toMatchObject({ source: 'model', precip_rate: null, age_min: null })
    expect(text).toMatch(/^It is not known whether anything falls here now: no radar sees this place\. The model /m)
    expect(meta.warnings.map(({ section }) => section)).toContain('precipitation')
  })
})

describe('with given sections of an answer', () => {
  const now = Date.parse('2026-11-26T19:40:00Z')
  const spot = findSpot({ location: 'Denver, CO' })
  const context = (weather: object, warnings: object[] = []) => {
    const meta = { generated_at: '', warnings, freshness: [] }
    const value = { attribution: { sources: [], notice: '' }, meta, ...weather } as unknown as WeatherValue
    return {
      now,
      signal: new AbortController().signal,
      reused: () => undefined,
      deps: {
        usedAnswers: new WeakSet(),
        weather: { value: async () => ({ value }) },
        values: { datasets: [] },
      },
    } as unknown as ToolContext
  }
  const radar = (coverage: string) => ({ coverage, valid_time: '2026-11-26T19:36:00Z' })
  const current = (precip_type: string, precip_rate: number | null) => ({
    temperature: 40,
    precip_type,
    precip_rate,
    conditions: 'Light Snow',
  })

  test('mentions a station that reports snow under a dry radar', async () => {
    const dry = context({ radar: radar('dry'), current: current('none', 0) })
    expect((await fallingAt(dry, spot, false)).line).toMatch(/\(4 min ago\): no precipitation here\.$/)
    const { line, value } = await fallingAt(dry, spot, true)
    expect(line).toMatch(
      /ago\): It is not known whether anything falls at Denver, CO now: the station reports precipitation that the radar does not see, since .* beam\. This does not mean that it is dry\.$/,
    )
    expect(value).toMatchObject({ precip_type: null, precip_rate: null, source: 'radar' })
  })
  test('uses the nowcast if the scan does not cover the place', async () => {
    const nowcast = {
      generated_at: '2026-11-26T19:36:00Z',
      points: [{ time: '2026-11-26T19:36:00Z', type: 'snow' }],
    }
    const covered = context({ radar: radar('no_coverage'), nowcast, current: current('snow', null) })
    expect((await fallingAt(covered, spot, false)).line).toMatch(/\(4 min ago\): Snow falling, less than 0\.01 in\/h\./)
  })
  test('says that it is not known if the scan is too old and there is no model', async () => {
    const detail = 'the newest radar scan is older than 15 minutes'
    const old = context({ current: { precip_type: 'none', conditions: 'Unknown' } }, [{ section: 'radar', detail }])
    const { line, value } = await fallingAt(old, spot, false)
    expect(line).toBe(
      `It is not known whether anything falls here now: ${detail}. No model answers instead; this does not mean that it is dry.`,
    )
    expect(value).toMatchObject({ precip_type: null, conditions: null, source: null })
  })
})

test('lists alerts in effect first, gives the begin of later alerts and the date of a distant end', async () => {
  const now = Date.parse('2026-11-26T19:40:00Z')
  const alert = (event: string, begin: number, end: number) => {
    const [onset, ends] = [now + begin * HOUR, now + end * HOUR]
    return { event, onset, ends, expiration: ends }
  }
  const alerts = [alert('Winter Storm Warning', 8, 20), alert('Flood Warning', -5, 9 * 24)]
  const suppliers = { alerts: async () => ({ alerts, warnings: [], freshness: [], degraded: false }) }
  const context = { now, deps: { values: { suppliers } } } as unknown as ToolContext
  const spot = findSpot({ location: 'Denver, CO' })
  expect((await alertsInForce(context, spot)).lines).toEqual([
    'In effect here: Flood Warning until Sat, Dec 5, 12:40 PM MST. get_alerts says what to do.',
  ])
  expect((await alertsInForce(context, spot, now + 24 * HOUR)).lines).toEqual([
    'In effect here: Flood Warning until Sat, Dec 5, 12:40 PM MST; Winter Storm Warning from Thu, 8:40 PM MST until Fri, 8:40 AM MST. get_alerts says what to do.',
  ])
})

test('warns of an alert whose zones have no outline', async () => {
  const shape = { polygons: [] }
  const flag = (zones: object[], polygon?: object) => ({ head: {}, zones, polygon }) as unknown as LiveAlert
  const bare = { code: 'COZ035', standIn: false, place: {} }
  expect(AlertIndex.isUnplaced(flag([bare]))).toBe(true)
  const placed = [
    flag([{ ...bare, place: { shape } }]),
    flag([bare, { code: 'COC069', standIn: true, place: { shape } }]),
    flag([bare], shape),
    flag([{ ...bare, code: 'GMZ335' }]),
  ]
  for (const alert of placed) expect(AlertIndex.isUnplaced(alert)).toBe(false)
  const detail = 'not known whether Red Flag Warning is in effect here: zones without an outline (COZ035 of BOU)'
  const warnings = [{ code: 'source_incomplete', section: 'alerts', product_id: 'nws-alerts', detail }]
  const suppliers = { alerts: async () => ({ alerts: [], warnings, freshness: [], degraded: false }) }
  const context = { now: Date.now(), deps: { values: { suppliers } } } as unknown as ToolContext
  // The warning is a note of the text, so it adds no line.
  expect(await alertsInForce(context, findSpot({ location: 'Estes Park, CO' }))).toMatchObject({ lines: [], warnings })
})

test('says that an analysis is hours old', async () => {
  const sky = await skyServer({ frames: [], models: analyticCurrent(Date.now() - 3 * HOUR) })
  try {
    const result = (await sky.client.callTool({
      name: 'get_current_conditions',
      arguments: { location: 'Denver, CO' },
    })) as unknown as Result
    expect(result.content[0]?.text).toMatch(/^Denver, CO at .* \(\d\.\d h ago\) by the rtma/m)
    expect(result.content[0]?.text).toMatch(/^Note \(analysis\): the newest analysis is \d\.\d h old: get_forecast /m)
  } finally {
    await sky.close()
  }
})
