import { describe, expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { pirateWeatherRoute } from '../../../api/routes/compatible/pirate-weather.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { Fault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { DAY, HOUR, MINUTE } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { analyticCurrent } from '../analytic-runs.ts'
import { madeSuppliers } from '../answer/made-suppliers.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes off the wire
type Json = any
type Row = Readonly<Record<string, Json>>

const places = {
  Denver: [39.74, -104.99],
  Anchorage: [61.22, -149.9],
  Honolulu: [21.31, -157.86],
  Miami: [25.76, -80.19],
} as const
const names = Object.keys(places) as (keyof typeof places)[]
/** Morning, afternoon and night by the local clocks, of three seasons. */
const moments = ['2026-11-21T20:37:00Z', '2026-03-08T11:59:00Z', '2026-07-04T03:00:00Z'].map((text) => Date.parse(text))

const rates = [0, 0.4, 1.2, 3.4, 2, 0]
function weatherAt(now: number, suppliers = {}) {
  const { alerts } = madeSuppliers
  return createWeather({
    current: analyticCurrent(now),
    datasets: gridDatasets,
    resolution: 7,
    suppliers: {
      alerts: async (at: Json) =>
        (await alerts!(at).catch(() => undefined)) ?? { alerts: [], warnings: [], freshness: [], degraded: false },
      nowcast: async () => ({
        anchor: now - 2 * MINUTE,
        product: 'mrms-precip-rate',
        points: Array.from({ length: 18 }, (_, i) => ({
          time: now + (i * 5 - 2) * MINUTE,
          type: (rates[i] ?? 0) > 0 ? 'rain' : 'none',
          rate: rates[i] ?? 0,
          dbz: 20,
          probability: (rates[i] ?? 0) > 0 ? 80 : 10,
        })),
        summary: {
          startsAt: now + 3 * MINUTE,
          endsAt: now + 23 * MINUTE,
          durationMinutes: 20,
          type: 'rain',
          peakIntensity: 'light',
          alreadyOccurring: false,
        },
        warnings: [],
        freshness: [],
      }),
      ...suppliers,
    } as Json,
  })
}

async function ask(
  now: number,
  point: string,
  query: Record<string, string> = {},
  weather = weatherAt(now),
): Promise<Json> {
  const handle = pirateWeatherRoute(weather).handle!
  const answer = await handle({ query, params: { key: 'any', point }, now, base: 'http://host' } as never)
  return JSON.parse(JSON.stringify(answer.body))
}

const share = (percent: Json) => (typeof percent === 'number' ? Math.round(percent) / 100 : undefined)
const scaled = (value: Json, factor: number, digits = 2) =>
  typeof value === 'number' ? Math.round(value * factor * 10 ** digits) / 10 ** digits : undefined
/** Members at an instant, from rows in metric and in imperial units. */
const instants = (m: Row, i: Row, units: string): Row => {
  const own = units === 'us' ? i : m
  const length = units === 'us' || units === 'uk' ? i : m
  const wind = (name: string) => (units === 'si' ? scaled(m[name], 1 / 3.6) : length[name])
  return {
    temperature: own['temperature'],
    apparentTemperature: own['feels_like'],
    dewPoint: own['dew_point'],
    humidity: share(m['humidity']),
    pressure: m['pressure'],
    windSpeed: wind('wind_speed'),
    windGust: wind('wind_gust'),
    windBearing: m['wind_direction'],
    cloudCover: share(m['cloud_cover']),
    uvIndex: m['uv_index'],
    visibility: length['visibility'],
  }
}
const types: Readonly<Record<string, string>> = {
  none: 'none',
  rain: 'rain',
  snow: 'snow',
  freezing_rain: 'sleet',
  ice_pellets: 'sleet',
  wintry_mix: 'sleet',
}
const known = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => typeof value === 'number'))
const chosen = (point: Row, hour: Row): Row =>
  Object.fromEntries(Object.keys(hour).flatMap((name) => (name in point ? [[name, point[name]]] : [])))

describe.each(names)('at %s', (place) => {
  const [lat, lon] = places[place]

  test.each(moments)(
    'gives the values of /v1/weather in four systems of units (%d)',
    { timeout: 60_000 },
    async (now) => {
      const weather = weatherAt(now)
      const value = async (units: string): Promise<Json> =>
        (
          await weather.value(
            parseWeather({
              lat: String(lat),
              lon: String(lon),
              units,
              include: 'current,hourly,daily,alerts,nowcast,narrations',
              hourly_hours: '216',
              days: '8',
              past_hours: '25',
            }),
            now,
          )
        ).value
      const [m, i] = [await value('metric'), await value('imperial')]
      const rows = new Map<number, [Row, Row]>(
        m.hourly.map((row: Json, n: number) => [Date.parse(row.time), [row, i.hourly[n]]]),
      )
      let compared = 0
      for (const units of ['us', 'si', 'ca', 'uk']) {
        const theirs = await ask(now, `${lat},${lon}`, { units, extend: 'hourly', version: '2' }, weather)
        expect(theirs).toMatchObject({ latitude: lat, longitude: lon, timezone: m.location.timezone, flags: { units } })
        expect(theirs.offset * HOUR).toBe(zone(m.location.timezone).offset(now))
        const present = instants(m.current, i.current, units)
        expect(chosen(theirs.currently, present)).toEqual(known(present))
        const own = units === 'us' ? i : m
        const [amount, depth] = units === 'us' ? [1, 1] : [1, 0.1]
        expect(theirs.currently.precipIntensity).toBe(scaled(own.current.precip_rate, amount, 4))
        expect(theirs.currently).toMatchObject({
          time: Date.parse(m.current.time) / 1000,
          summary: m.current.conditions,
        })
        expect(theirs.hourly.data).toHaveLength(168)
        expect(theirs.hourly.summary).toBe(own.narrations.short_term)
        for (const [n, hour] of theirs.hourly.data.entries()) {
          const at = hour.time * 1000
          expect(at).toBe(Math.floor(now / HOUR) * HOUR + n * HOUR)
          const [end, endImperial] = rows.get(at + HOUR)!
          const start = n === 0 ? present : instants(...rows.get(at)!, units)
          expect([n, chosen(hour, start)]).toEqual([n, known(start)])
          const falls = units === 'us' ? endImperial : end
          expect([hour.summary, hour.precipProbability, hour.precipType]).toEqual([
            end['conditions'],
            share(end['precip_probability']),
            types[end['precip_type']],
          ])
          expect(hour.precipIntensity).toBe(scaled(falls['precip_amount'], amount, 4))
          const plain: Readonly<Record<string, Json>> = {
            rain: scaled(falls['precip_amount'], depth, 4),
            snow: scaled(falls['snow_amount'], depth, 4),
          }
          expect([hour.time, end['precip_type'] in plain ? hour.precipAccumulation : null]).toEqual([
            hour.time,
            plain[end['precip_type']] ?? null,
          ])
          expect(hour.icon).toMatch(/^(?:(?:clear|partly-cloudy)-(?:day|night)|rain|snow|sleet|fog|cloudy)$/)
          compared += Object.keys(start).length
        }
        compared += expectDays(theirs.daily.data, m, own, rows, units, now)
        expect(theirs.alerts.map(({ title }: Json) => title)).toEqual(m.alerts.map(({ headline }: Json) => headline))
      }
      expect(compared).toBeGreaterThan(4 * 168 * 11)
    },
  )
})

/** Compares each day with the rows from midnight to midnight, and with the row of `daily`. */
function expectDays(
  days: Json[],
  m: Json,
  own: Json,
  rows: ReadonlyMap<number, [Row, Row]>,
  units: string,
  now: number,
): number {
  const local = zone(m.location.timezone)
  let compared = 0
  expect(days).toHaveLength(8)
  for (const [d, day] of days.entries()) {
    const midnight = local.startOfDay(local.dayOf(now) + d)
    const end = local.startOfDay(local.dayOf(now) + d + 1)
    expect(day.time).toBe(midnight / 1000)
    const hours = Array.from({ length: Math.round((end - midnight) / HOUR) }, (_, n) => midnight + n * HOUR)
    const ahead = hours.filter((at) => at >= Math.floor(now / HOUR) * HOUR)
    const values = (name: string, times = hours) => {
      const list = times.map((at) => (rows.has(at) ? instants(...rows.get(at)!, units)[name] : undefined))
      return list.every((value) => typeof value === 'number') && list.length > 0 ? (list as number[]) : undefined
    }
    const fold = (list: number[] | undefined, reduce: (list: number[]) => number) => list && reduce(list)
    const mean = (list: number[]) => list.reduce((a, b) => a + b, 0) / list.length
    const expected: Record<string, number | undefined> = {
      temperatureMax: fold(values('temperature'), (list) => Math.max(...list)),
      temperatureMin: fold(values('temperature'), (list) => Math.min(...list)),
      apparentTemperatureMax: fold(values('apparentTemperature'), (list) => Math.max(...list)),
      apparentTemperatureMin: fold(values('apparentTemperature'), (list) => Math.min(...list)),
      windGust: fold(values('windGust'), (list) => Math.max(...list)),
      uvIndex: fold(values('uvIndex', ahead), (list) => Math.max(...list)),
      dewPoint: fold(values('dewPoint'), mean),
      humidity: fold(values('humidity'), mean),
      pressure: fold(values('pressure', ahead), mean),
      windSpeed: fold(values('windSpeed'), mean),
      cloudCover: fold(values('cloudCover'), mean),
      visibility: fold(values('visibility'), mean),
    }
    const chances = ahead.map((at) => share(rows.get(at + HOUR)?.[0]['precip_probability']))
    expected['precipProbability'] = chances.includes(undefined) ? undefined : Math.max(...(chances as number[]))
    const amounts = hours.map((at) => (rows.get(at + HOUR) ?? [{}, {}])[units === 'us' ? 1 : 0]['precip_amount'])
    const isWhole = amounts.every((amount) => typeof amount === 'number')
    expected['precipIntensityMax'] = isWhole ? Math.max(...amounts) : undefined
    expected['precipIntensity'] = isWhole ? mean(amounts) : undefined
    for (const [name, value] of Object.entries(expected)) {
      const close = value === undefined ? undefined : expect.closeTo(value, name === 'precipIntensity' ? 3 : 1)
      expect([d, name, day[name]]).toEqual([d, name, close])
      if (value !== undefined) compared++
    }
    const row = own.daily.find(({ relative_day: relative }: Json) => relative === d)
    const shown = (value: Json) => (typeof value === 'number' ? value : undefined)
    expect([day.temperatureHigh, day.temperatureLow, day.apparentTemperatureHigh, day.apparentTemperatureLow]).toEqual(
      [row.high, row.low, row.feels_like_high, row.feels_like_low].map(shown),
    )
    expect(day.summary).toBe(row.conditions)
    expect([day.sunriseTime, day.sunsetTime, day.moonPhase]).toEqual([
      row.astro.sunrise ? Date.parse(row.astro.sunrise) / 1000 : undefined,
      row.astro.sunset ? Date.parse(row.astro.sunset) / 1000 : undefined,
      row.astro.moon_phase,
    ])
    expect(day.temperatureMaxTime === undefined || hours.includes(day.temperatureMaxTime * 1000)).toBe(true)
  }
  expect(days.slice(1).every((day) => typeof day.temperatureMax === 'number')).toBe(true)
  return compared
}

const now = nth(moments, 0)

test('gives 61 minutes with the nearest step of the nowcast, and says when rain begins', async () => {
  const { minutely } = await ask(now, '39.74,-104.99', { units: 'si' })
  expect(minutely.summary).toBe('Rain starting in 3 min.')
  expect(minutely.data).toHaveLength(61)
  for (const [n, { time, precipIntensity, precipProbability, precipType }] of minutely.data.entries()) {
    const rate = rates[Math.round((n + 2) / 5)] ?? 0
    expect([time, precipIntensity, precipProbability, precipType]).toEqual([
      now / 1000 + n * 60,
      rate,
      rate > 0 ? 0.8 : 0.1,
      rate > 0 ? 'rain' : 'none',
    ])
  }
  const unseen = async () => {
    throw new Fault('Missing', 'no radar')
  }
  const without = await ask(now, '39.74,-104.99', {}, weatherAt(now, { nowcast: unseen }))
  expect(without.minutely).toBeUndefined()
  expect(without.flags.hexcast.warnings.map(({ section }: Json) => section)).toContain('nowcast')
})

test('leaves out blocks, and has 48 hours unless extended', async () => {
  const full = await ask(now, '39.74,-104.99')
  expect(Object.keys(full)).toEqual(
    expect.arrayContaining(['currently', 'minutely', 'hourly', 'daily', 'alerts', 'flags']),
  )
  expect(full.hourly.data).toHaveLength(48)
  expect(full.flags.sources).toContain('nbm')
  const theirs = [
    'latitude',
    'longitude',
    'timezone',
    'offset',
    'elevation',
    'currently',
    'minutely',
    'hourly',
    'daily',
  ]
  expect(Object.keys(full).filter((name) => ![...theirs, 'alerts', 'flags'].includes(name))).toEqual([])
  const rest = await ask(now, '39.74,-104.99', { exclude: 'currently,minutely,hourly,alerts,flags,summary' })
  expect(Object.keys(rest).filter((name) => typeof rest[name] === 'object')).toEqual(['daily', 'hexcast'])
  expect(rest.daily.data).toEqual(full.daily.data)
})

test('takes longitudes to 360, units of Dark Sky and times within the hour', async () => {
  const plain = await ask(now, '39.74,-104.99', { units: 'uk' })
  for (const point of [
    '39.74,255.01',
    `39.74,-104.99,${now / 1000 - 100}`,
    '39.74,-104.99,-60',
    '39.74,-104.99,2026-11-21T20:00:00Z',
  ])
    expect(await ask(now, point, { units: 'uk2' })).toEqual(plain)
})

test('never reads as an all-clear while the alerts are not known', async () => {
  const unread = async () => {
    throw new Fault('Refused', 'the NWS alert feed has not been read yet')
  }
  const weather = weatherAt(now, { alerts: unread })
  await expect(ask(now, '39.74,-104.99', {}, weather)).rejects.toMatchObject({ status: 503 })
  expect((await ask(now, '39.74,-104.99', { exclude: 'alerts' }, weather)).currently).toBeDefined()
})

test.each([
  ['39.74', {}, /^Invalid Location/],
  ['a,b', {}, /^Invalid Latitude/],
  ['91,0', {}, /^Invalid Latitude/],
  ['39.74,-190', {}, /^Invalid Longitude/],
  [`39.74,-104.99,${(now - DAY) / 1000}`, {}, /no time machine/],
  ['39.74,-104.99,yesterday', {}, /no time machine/],
  ['39.74,-104.99', { units: 'kelvin' }, /^units must be/],
  ['39.74,-104.99', { exclude: 'nbm' }, /^exclude must be/],
  ['39.74,-104.99', { lang: 'de' }, /^lang must be en/],
  ['39.74,-104.99', { extend: 'daily' }, /^extend must be/],
])('refuses %s %j', async (point, query, reason) => {
  await expect(ask(now, point, query as Record<string, string>)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(reason),
  })
})
