import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import type { Current } from '../../../api/live/served-runs.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { weatherAt as atmosphere } from '../../../infra/simulator/atmosphere.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { Fault } from '../../../ingest/domain/fault.ts'
import { entryOf } from '../../../ingest/domain/nth.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import type { OpenRun } from '../../../ingest/tile/read.ts'
import { expectAgreement } from '../agreement.ts'
import { analyticCurrent, analyticSeries, runsAt } from '../analytic-runs.ts'
import { parsed } from './parsed.ts'

// biome-ignore lint/suspicious/noExplicitAny: an untyped JSON answer
type Json = any

const NOW = Date.parse('2026-11-21T20:37:00Z')

function weatherAt(now: number, runs = runsAt(now)) {
  const current = analyticCurrent(now, runs)
  return { current, weather: createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7 }) }
}

async function ask(parameters: Record<string, string>, now = NOW, runs = runsAt(now)): Promise<Json> {
  const { weather } = weatherAt(now, runs)
  return parsed(await weather.answer(parseWeather(parameters), now))
}

const denver = { lat: '39.74', lon: '-104.99' }

describe('no field contradicts another', () => {
  const places = [
    [39.74, -104.99],
    [25.76, -80.19],
    [47.61, -122.33],
    [61.22, -149.9],
    [71.29, -156.79],
    [21.31, -157.86],
    [51.88, -176.65],
    [44.9, -66.99],
    [33.45, -112.07],
    [64.84, -147.72],
    [41.88, -87.63],
    [29.95, -90.07],
  ]
  test.each([
    '2026-11-21T20:37:00Z',
    '2026-03-07T22:10:00Z',
    '2026-03-08T11:59:00Z',
    '2026-11-01T05:30:00Z',
    '2026-07-04T03:00:00Z',
    '2026-01-15T12:45:00Z',
  ])('at %s in 12 places', async (at) => {
    const now = Date.parse(at)
    const { weather } = weatherAt(now)
    for (const [lat, lon] of places) {
      const answer = await weather.answer(parseWeather({ lat: String(lat), lon: String(lon), hourly_hours: '96' }), now)
      expectAgreement(parsed(answer) as Json, now)
    }
  })
})

describe('rows', () => {
  test('begins hourly with the running hour, named by its end, and has the requested number of rows', async () => {
    const { hourly } = await ask({ ...denver, hourly_hours: '5' })
    expect(hourly.map(({ time }: Json) => time)).toEqual([
      '2026-11-21T21:00:00Z',
      '2026-11-21T22:00:00Z',
      '2026-11-21T23:00:00Z',
      '2026-11-22T00:00:00Z',
      '2026-11-22T01:00:00Z',
    ])
  })
  test('keeps all rows before hourly_step_from and every Nth row from there, and says so in meta', async () => {
    const sampled = await ask({ ...denver, hourly_hours: '12', hourly_step: '3', hourly_step_from: '4' })
    const hours = sampled.hourly.map(({ time }: Json) => (Date.parse(time) - Math.floor(NOW / HOUR) * HOUR) / HOUR)
    expect(hours).toEqual([1, 2, 3, 4, 5, 8, 11])
    expect(sampled.meta.hourly_sampling).toEqual({ step_hours: 3, from_hour: 4 })
    expect(
      (await ask({ ...denver, hourly_hours: '4', hourly_step: '3', hourly_step_from: '4' })).meta.hourly_sampling,
    ).toBeUndefined()
    expect((await ask({ ...denver, hourly_hours: '2', hourly_step: '2' })).hourly).toHaveLength(1)
  })
  test('counts days from today; before 06:00 the running night is the first row', async () => {
    expect((await ask({ ...denver, days: '3' })).daily.map((row: Json) => row.relative_day)).toEqual([0, 1, 2])
    const early = await ask({ ...denver, days: '3' }, Date.parse('2026-11-21T12:59:00Z'))
    expect(early.daily.map((row: Json) => row.relative_day)).toEqual([-1, 0, 1, 2])
    expect(early.daily[0].active_period).toBe('night')
    expect(early.daily[0].date).toBe('2026-11-20')
  })
  test('has all rows of 336 hours and 14 days', async () => {
    const long = await ask({ ...denver, hourly_hours: '336', days: '14' })
    expect(long.hourly).toHaveLength(336)
    expect(long.daily).toHaveLength(14)
    expect(long.hourly.every((row: Json) => row.temperature !== null)).toBe(true)
    expect(long.daily.every((row: Json) => row.high !== null && row.low !== null)).toBe(true)
  })
})

describe('hours that have passed', () => {
  const evening = Date.parse('2026-11-22T02:30:00Z')
  const highOf = async (before: number[]) => {
    const current = analyticCurrent(evening, runsAt(evening), before)
    const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7 })
    const answer = parsed(await weather.answer(parseWeather({ ...denver, units: 'metric' }), evening)) as Json
    return { row: answer.daily[0], hourly: answer.hourly }
  }
  test('takes the past day from a stored earlier run', async () => {
    const lat = 39.74
    const lon = -104.99
    let truth = Number.NEGATIVE_INFINITY
    for (let hour = 13; hour <= 24; hour++) {
      truth = Math.max(
        truth,
        atmosphere(lat, lon, Date.parse('2026-11-21T00:00:00Z') + hour * HOUR).temperature - 273.15,
      )
    }
    const { row, hourly } = await highOf([evening - 8.5 * HOUR, evening - 14.5 * HOUR, evening - 20.5 * HOUR])
    expect(row.relative_day).toBe(0)
    expect(row.active_period).toBe('night')
    expect(Math.abs(row.high - truth)).toBeLessThan(0.3)
    expect(hourly[0].time).toBe('2026-11-22T03:00:00Z')
  })
  test('does not read an earlier run if the served run reaches back far enough, and never for future hours', async () => {
    const [without, withEarlier] = [await highOf([]), await highOf([evening - 14.5 * HOUR])]
    expect(withEarlier.hourly).toEqual(without.hourly)
  })
})

describe('views and units', () => {
  test('keeps only the columns of the contract in concise', async () => {
    const { hourly, daily } = await ask({ ...denver, view: 'concise' })
    expect(Object.keys(hourly[0]).sort()).toEqual(
      [
        'time',
        'temperature',
        'feels_like',
        'precip_probability',
        'precip_amount',
        'wind_speed',
        'wind_gust',
        'wind_direction',
        'humidity',
        'conditions',
        'icon',
        'severe',
      ].sort(),
    )
    expect(Object.keys(daily[1]).sort()).toEqual(
      [
        'date',
        'relative_day',
        'active_period',
        'high',
        'low',
        'precip_probability',
        'precip_total',
        'snow_total',
        'wind_speed_max',
        'wind_gust_max',
        'conditions',
        'icon',
        'severe',
        'day',
        'night',
      ].sort(),
    )
    expect(Object.keys(daily[1].day)).toEqual(['precip_probability'])
  })
  test('keeps requested uncertainty in concise', async () => {
    const { hourly, daily } = await ask({ ...denver, view: 'concise', include: 'hourly,daily,uncertainty' })
    expect(hourly[0].uncertainty.temperature_stddev).toBeGreaterThan(0)
    expect(daily[0].uncertainty.temperature_stddev_avg).toBeGreaterThan(0)
  })
  test('has the same values in metric with other labels, and altitudes in meters', async () => {
    const [us, metric] = [await ask(denver), await ask({ ...denver, units: 'metric' })]
    expect(us.units).toEqual({
      temperature: 'F',
      wind_speed: 'mph',
      pressure: 'inHg',
      visibility: 'mi',
      precip_amount: 'in',
      altitude: 'ft',
      solar_radiation: 'W/m^2',
    })
    expect(metric.units).toEqual({
      temperature: 'C',
      wind_speed: 'kph',
      pressure: 'hPa',
      visibility: 'km',
      precip_amount: 'mm',
      altitude: 'm',
      solar_radiation: 'W/m^2',
    })
    for (let i = 0; i < 48; i++) {
      const [a, b] = [us.hourly[i], metric.hourly[i]]
      expect(Math.abs(a.temperature - (b.temperature * 1.8 + 32))).toBeLessThan(0.2)
      expect(Math.abs(a.wind_speed * 1.609344 - b.wind_speed)).toBeLessThan(0.2)
      expect(Math.abs(a.pressure * 33.86389 - b.pressure)).toBeLessThan(0.3)
      expect(a.humidity).toBe(b.humidity)
      expect([a.conditions, a.icon, a.precip_type]).toEqual([b.conditions, b.icon, b.precip_type])
      expect(a.snow_level === null).toBe(b.snow_level === null)
      expect(Math.abs(a.snow_level * 0.3048 - b.snow_level)).toBeLessThan(1)
    }
  })
})

describe('warnings about missing data', () => {
  const codes = (answer: Json) => answer.meta.warnings.map(({ code, section }: Json) => `${code}:${section}`)
  test('leaves out a section without data, with a warning that names it', async () => {
    const answer = await ask({ ...denver, include: 'current,climate,guidance,metar' })
    expect(answer.climate).toBeUndefined()
    expect(codes(answer)).toEqual(expect.arrayContaining(['not_held:climate', 'not_held:guidance', 'not_held:metar']))
    expect(answer.hourly).toBeUndefined()
    expect(answer.gis.nearest_radar.id).toBe('FTG')
  })
  test('leaves out a stale source, names it, and marks the answer no-store', async () => {
    const runs = { ...runsAt(NOW), nbm: NOW - 20 * HOUR }
    const { weather } = weatherAt(NOW, runs)
    const answer = await weather.answer(parseWeather(denver), NOW)
    const value = parsed(answer) as Json
    expect(value.meta.warnings).toContainEqual(expect.objectContaining({ code: 'stale_source', product_id: 'nbm' }))
    expect(value.meta.freshness).toContainEqual(expect.objectContaining({ product_id: 'nbm', age_seconds: 72000 }))
    expect(answer.cacheControl(NOW)).toBe('no-store')
    expect(value.hourly[0].temperature).not.toBeNull()
  })
  test('leaves out an analysis that is too old for current, with a warning', async () => {
    const { current, meta } = await ask(denver, NOW, { ...runsAt(NOW), 'rtma-ru': undefined, rtma: NOW - 97 * 60_000 })
    expect(current.temperature).toEqual(expect.any(Number))
    expect(meta.warnings).toContainEqual({
      code: 'source_fallback',
      section: 'current',
      product_id: 'rtma',
      detail: 'The newest analysis is 97 minutes old, so current comes from the forecast.',
    })
    const fresh = await ask(denver, NOW, { ...runsAt(NOW), 'rtma-ru': undefined, rtma: NOW - 87 * 60_000 })
    expect(fresh.meta.warnings.map(({ code }: Json) => code)).not.toContain('source_fallback')
  })
  test('takes the UV peak at the highest sun as that of the day, or null if its hour is not stored', async () => {
    let known = 0
    for (const now of ['2026-06-20T03:37:00Z', '2026-06-20T14:10:00Z', '2026-06-20T20:37:00Z'].map(Date.parse)) {
      for (const [lat, lon, timezone] of [
        [39.7392, -104.9903, 'America/Denver'],
        [40.71, -74.01, 'America/New_York'],
        [21.31, -157.86, 'Pacific/Honolulu'],
      ] as const) {
        const { daily } = await ask({ lat: String(lat), lon: String(lon), include: 'daily' }, now)
        for (const { date, solar_radiation_max } of daily) {
          if (solar_radiation_max === null) continue
          const day = Date.parse(`${date}T00:00:00Z`) / 86_400_000
          const from = zone(timezone).at(day, 6)
          const hours = Array.from({ length: 12 }, (_, hour) => atmosphere(lat, lon, from + hour * HOUR).solar)
          expect(solar_radiation_max, `${date} in ${timezone}`).toBeGreaterThan(0.8 * Math.max(...hours))
          known++
        }
      }
    }
    expect(known).toBeGreaterThan(9)
  })
  test('warns if no analysis covers the place, and may be cached since this will not change', async () => {
    const analytic = analyticCurrent(NOW)
    const current: Current = {
      ...analytic,
      served(id, domain) {
        const run = analytic.served(id, domain)
        if (!run || !id.startsWith('rtma')) return run
        const opened = { ...run.opened!, point: async () => undefined }
        return { ...run, opened, open: async () => opened }
      },
    }
    const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7 })
    const answer = await weather.answer(parseWeather({ ...denver, include: 'current' }), NOW)
    const value = parsed(answer) as Json
    expect(value.current.temperature).toEqual(expect.any(Number))
    expect(value.meta.warnings.map(({ code, detail }: Json) => `${code} ${detail}`)).toContain(
      'no_coverage Real-Time Mesoscale Analysis: its grid does not reach the place',
    )
    expect(answer.cacheControl(NOW)).toMatch(/^max-age=/)
  })
  test('warns about hours of a run that is still being ingested, and may be cached until they arrive', async () => {
    const analytic = analyticCurrent(NOW)
    const current: Current = {
      ...analytic,
      served(id, domain) {
        const run = analytic.served(id, domain)
        return run && (id === 'nbm' || id === 'hrrr') ? { ...run, stage: 0 } : run
      },
    }
    const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7 })
    const ask = async (parameters: object) => {
      const answer = await weather.answer(parseWeather({ ...denver, ...parameters }), NOW)
      const { warnings } = (parsed(answer) as Json).meta
      return { answer, incomplete: warnings.filter(({ code }: Json) => code === 'source_incomplete') }
    }
    const { answer, incomplete } = await ask({})
    // "To hour 51" means to the last of its three-hourly leads.
    const until = new Date(entryOf(runsAt(NOW), 'nbm') + 50 * HOUR).toISOString().replace('.000Z', 'Z')
    // The first stage of HRRR is also its last.
    expect(incomplete).toEqual([
      expect.objectContaining({ product_id: 'nbm', detail: expect.stringContaining(`available to ${until}`) }),
    ])
    expect(answer.cacheControl(NOW)).toMatch(/^max-age=/)
    expect((await ask({ include: 'hourly' })).incomplete).toEqual([])
  })
  test('orders sources and warnings by the catalog, whichever was read first', async () => {
    const analytic = analyticCurrent(NOW)
    const missing = new Fault('Refused', 'object x: the store did not reply in time')
    /** Reads end at once, or after a while each, the later ones first; one fails. */
    const answered = async (delay: (index: number) => number | undefined, refused?: string) => {
      let requests = 0
      const current: Current = {
        ...analytic,
        served(dataset, domain) {
          const run = analytic.served(dataset, domain)
          if (!run) return run
          const wait = delay(requests++)
          const point = async (cell: string) => {
            if (wait) await setTimeout(wait)
            if (dataset === refused) throw missing
            return run.opened!.point(cell)
          }
          const read = (cell: string) => {
            if (dataset === refused) throw missing
            return analyticSeries(dataset, domain, run.run, cell)
          }
          const opened: OpenRun = { ...run.opened!, point: wait ? point : Object.assign(point, { now: read }) }
          return { ...run, opened, open: async () => opened }
        },
      }
      const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7 })
      return (await weather.answer(parseWeather({ ...denver, include: 'current,hourly,daily' }), NOW)).body.toString()
    }
    const catalog = gridDatasets.map(({ id }) => id)
    const ids = (text: string) => (JSON.parse(text) as Json).meta.freshness.map((source: Json) => source.product_id)
    const atOnce = await answered(() => undefined)
    expect(ids(atOnce).length).toBe(6)
    expect(ids(atOnce)).toEqual(catalog.filter((id) => ids(atOnce).includes(id)))
    expect(await answered((index) => 30 - 5 * index)).toBe(atOnce)
    expect(await answered((index) => (index % 2 ? 10 : undefined))).toBe(atOnce)
    const without = await answered(() => undefined, 'hrrr')
    expect(ids(without)).toEqual(ids(atOnce).filter((id: string) => id !== 'hrrr'))
    expect((JSON.parse(without) as Json).meta.warnings).toContainEqual(
      expect.objectContaining({ code: 'source_failed', section: 'meta' }),
    )
    expect(await answered((index) => 5 + index, 'hrrr')).toBe(without)
  })
  test('uses a run that was published incomplete, and warns about what it lacks', async () => {
    const lost = async (
      dataset: string,
      missing: string[],
      incomplete: string[] = [],
      include = 'current,hourly,daily',
    ) => {
      const analytic = analyticCurrent(NOW)
      const current: Current = {
        ...analytic,
        served(id, domain) {
          const run = analytic.served(id, domain)
          if (!run || id !== dataset) return run
          const opened: OpenRun = {
            ...run.opened!,
            async point(cell) {
              const series = (await run.opened!.point(cell))!
              const names = [...series.variables.keys()].filter((name) => !missing.includes(name))
              return { ...series, variables: new Map(names.map((name) => [name, series.variables.get(name)!])) }
            },
          }
          return { ...run, missing, incomplete, opened, open: async () => opened }
        },
      }
      const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7 })
      const answer = await weather.answer(parseWeather({ ...denver, include }), NOW)
      const value = parsed(answer) as Json
      const reported = value.meta.warnings.filter(({ code }: Json) => code === 'source_incomplete')
      return { value, reported, isCached: answer.cacheControl(NOW) !== 'no-store' }
    }
    // No other source has the snow level; gusts come from HRRR; NBM was not the first source of the two others.
    const snow = await lost('nbm', ['snow_level', 'precip_probability_12h', 'severe_prob'])
    expect(snow.value.hourly[3]).toMatchObject({ snow_level: null, temperature: expect.any(Number) })
    expect(snow.reported).toEqual([
      {
        code: 'source_incomplete',
        section: 'meta',
        product_id: 'nbm',
        detail: expect.stringContaining('lacks snow_level;'),
        fields: ['snow_level'],
      },
    ])
    expect(snow.isCached).toBe(false)
    const gust = await lost('nbm', ['wind_gust', 'temperature_max_12h'])
    expect(gust.value.hourly[3].wind_gust).toEqual(expect.any(Number))
    expect(gust.reported[0].detail).toContain('lacks wind_gust, temperature_max_12h;')
    expect([gust.reported[0].fields, gust.isCached]).toEqual([undefined, true])
    const ozone = await lost('gfs', ['ozone'])
    expect(ozone.value.hourly[0].uv_index).toBeNull()
    expect(ozone.reported[0].fields).toEqual(['uv_index'])
    const holed = await lost('hrrr', [], ['upstream does not have hours 7, 8'])
    expect(holed.reported[0].detail).toContain('its run is incomplete: upstream does not have hours 7, 8')
    expect(holed.isCached).toBe(false)
    expect((await lost('nbm', ['severe_prob', 'wind_speed_prob_gt_75mph'])).reported).toEqual([])
    expect((await lost('nbm', ['snow_level'], [], 'astro')).reported).toEqual([])
    const spread = await lost('nbm', ['temperature_stddev'], [], 'hourly,uncertainty')
    expect(spread.reported[0].fields).toEqual(['temperature_stddev'])
  })
  test('leaves out sections without any run, and keeps location and gis', async () => {
    const { weather } = weatherAt(NOW, {})
    const answer = await weather.answer(parseWeather(denver), NOW)
    const value = parsed(answer) as Json
    expect([value.current, value.hourly, value.daily]).toEqual([undefined, undefined, undefined])
    expect(value.location.name).toBe('Denver')
    expect(value.astro.sunrise).toBe('2026-11-21T13:51:27Z')
    expect(codes(value)).toEqual(
      expect.arrayContaining(['source_missing:current', 'source_missing:hourly', 'source_missing:daily']),
    )
    expect(answer.cacheControl(NOW)).toBe('no-store')
  })
  test('names a product in a warning only if meta.freshness has it', async () => {
    let namedCount = 0
    for (const runs of [runsAt(NOW), { ...runsAt(NOW), nbm: undefined }, { ...runsAt(NOW), gfs: NOW - 90 * HOUR }]) {
      const { weather } = weatherAt(NOW, runs)
      const { meta } = parsed(await weather.answer(parseWeather({ ...denver, hourly_hours: '90' }), NOW)) as Json
      const fresh = meta.freshness.map(({ product_id }: Json) => product_id)
      const named = meta.warnings.flatMap(({ product_id }: Json) => product_id ?? [])
      expect(named.filter((id: string) => !fresh.includes(id))).toEqual([])
      namedCount += named.length
    }
    expect(namedCount).toBeGreaterThan(0)
  })
  test('marks simulated data so that they cannot be mistaken for weather', async () => {
    const answer = await ask(denver)
    expect(answer.attribution.notice).toMatch(/^SIMULATED/)
    expect(codes(answer)).toContain('simulated_data:meta')
  })
  test('warns that amounts and probabilities are apportioned beyond the hourly range', async () => {
    const answer = await ask({ ...denver, hourly_hours: '72' })
    expect(codes(answer)).toEqual(expect.arrayContaining(['amount_split:hourly']))
  })
})

describe('cache', () => {
  const parameters = { ...denver, include: 'current,hourly,daily,astro' }
  test('answers the same request from the cache in any spelling, until a run changes or the hour ends', async () => {
    const { weather, current } = weatherAt(NOW)
    const first = await weather.answer(parseWeather({ ...parameters, days: '10' }), NOW, 'a')
    expect(first.cacheControl(NOW)).toBe('max-age=120')
    expect(first.cacheControl(NOW + 100_000)).toBe('max-age=20')
    expect(weather.ready('a', NOW + 1000)).toBe(first)
    expect(
      await weather.answer(
        parseWeather({ lon: '-104.99001', lat: '39.74004', include: 'daily,current,hourly,astro' }),
        NOW,
        'b',
      ),
    ).toBe(first)
    expect(await weather.answer(parseWeather(parameters), NOW, 'c')).toBe(first)
    expect(weather.ready('c', NOW)).toBe(first)
    expect(weather.ready('a', NOW + 120_000)).toBeUndefined()
    current.set(runsAt(NOW))
    expect(weather.ready('c', NOW)).toBeUndefined()
    const late = NOW + 22.5 * 60_000
    expect((await weather.answer(parseWeather(parameters), late)).cacheControl(late)).toBe('max-age=30')
  })
  test('builds simultaneous identical requests once', async () => {
    const { weather } = weatherAt(NOW)
    const answers = await Promise.all(Array.from({ length: 20 }, () => weather.answer(parseWeather(parameters), NOW)))
    expect(new Set(answers).size).toBe(1)
  })
})

describe('places', () => {
  test('finds places by name and by ZIP code', async () => {
    expect((await ask({ location: 'Denver, CO' })).location).toMatchObject({
      name: 'Denver',
      region: 'CO',
      country: 'US',
      timezone: 'America/Denver',
    })
    expect((await ask({ zip: '80202-1234' })).location).toMatchObject({ zip: '80202', region: 'CO' })
  })
  test.each([
    [{ lat: '18.47', lon: '-66.1' }, 'outside-coverage'],
    [{ lat: '13.44', lon: '144.79' }, 'outside-coverage'],
    [{ lat: '43.65', lon: '-79.38' }, 'outside-coverage'],
  ])('%o is outside', async (parameters, slug) => {
    await expect(ask(parameters)).rejects.toMatchObject({ kind: 'Missing', details: { slug } })
  })
  test('rejects an unknown name as Missing and an ambiguous name as Invalid with candidates', async () => {
    await expect(ask({ location: 'Xyzzyville Nowhere' })).rejects.toMatchObject({ kind: 'Missing' })
    await expect(ask({ location: 'Springfield' })).rejects.toMatchObject({
      kind: 'Invalid',
      message: expect.stringMatching(/Springfield, (MO|IL|MA|OR)/),
    })
  })
})

test('marks a degraded answer no-store and shares it for five seconds, but never across an outage of the database', async () => {
  let confirmed = NOW
  const current = { ...analyticCurrent(NOW, {}), confirmedAt: () => confirmed }
  const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7 })
  const question = parseWeather({ lat: '39.74', lon: '-104.99' })
  const first = await weather.answer(question, NOW, 'request')
  expect(first.cacheControl(NOW)).toBe('no-store')
  expect(weather.ready('request', NOW + 4999)).toBe(first)
  expect(weather.ready('request', NOW + 5000)).toBeUndefined()

  const second = await weather.answer(question, NOW, 'request')
  confirmed = NOW - 60_000
  expect(weather.ready('request', NOW + 1)).toBeUndefined()
  const outage = await weather.answer(question, NOW + 1, 'request')
  expect(outage).not.toBe(second)
  expect(weather.ready('request', NOW + 2)).toBe(outage)
  confirmed = NOW
  expect(weather.ready('request', NOW + 3)).toBeUndefined()
})
