import { Aggregation } from '@openmeteo/sdk/aggregation.js'
import { Unit } from '@openmeteo/sdk/unit.js'
import { Variable } from '@openmeteo/sdk/variable.js'
import { WeatherApiResponse } from '@openmeteo/sdk/weather-api-response.js'
import { ByteBuffer } from 'flatbuffers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Current, watchCurrent } from '../../../api/live/served-runs.ts'
import { daily } from '../../../api/routes/compatible/open-meteo-variables.ts'
import { entryOf, nth } from '../../../ingest/domain/nth.ts'
import { DAY, HOUR } from '../../../ingest/domain/time.ts'
import { openPool } from '../../../ingest/steps/pool.ts'
import { analyticCurrent } from '../analytic-runs.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'
import { coverAround, storeAmount, storeRun } from '../past-store.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes off the wire
type Json = any

const places = {
  Denver: [39.74, -104.99],
  Anchorage: [61.22, -149.9],
  Honolulu: [21.31, -157.86],
  Miami: [25.76, -80.19],
} as const
const PAST = 24
const thisHour = Math.floor(Date.now() / HOUR) * HOUR

let edge: EdgeServer
let key: string
let closeWatch: () => unknown
beforeAll(async () => {
  edge = await edgeServer({ TRIAL_CALLS: '2' }, undefined, async ({ database, objects }) => {
    const pool = openPool({ threads: 1 })
    const stores = { database, objects, pool }
    const cover = coverAround([places.Denver, places.Miami])
    // Past hours of Denver and Miami; the other places have none, so their values must be null.
    for (let hour = PAST; hour >= 0; hour--) {
      const at = thisHour - hour * HOUR
      await storeRun(stores, cover, 'rtma', at, {
        temperature: { 0: 271 + hour / 10 },
        dew_point: { 0: 268 },
        wind_speed: { 0: 4 + (hour % 3) },
        wind_gust: { 0: 9 },
        wind_direction: { 0: 200 },
        cloud_cover: { 0: 30 + hour },
        visibility: { 0: 16_000 },
      })
      if (hour >= 1) await storeAmount(stores, 'mrms-qpe-1h', at, hour % 4 === 0 ? 1.2 : 0)
    }
    await pool.close()
    const watched = await watchCurrent({ database, objects, clock: Date.now })
    closeWatch = () => watched.close()
    const models = analyticCurrent(Date.now())
    return Object.create(watched, {
      served: { value: (...args: Parameters<Current['served']>) => watched.served(...args) ?? models.served(...args) },
      all: { value: () => [...watched.all(), ...models.all()] },
      confirmedAt: { value: () => Date.now() },
      simulated: { value: () => true },
    }) as Current
  })
  key = await edge.key()
  // The first answer reads tables, which takes seconds on a busy machine; until then answers may be refused.
  await vi.waitFor(async () => expect((await edge.get('/v1/weather?lat=39.74&lon=-104.99', key)).status).toBe(200), {
    timeout: 60_000,
    interval: 500,
  })
}, 120_000)
afterAll(async () => {
  await edge.close()
  await closeWatch()
})

const forecast = (query: string) => edge.get(`/open-meteo/v1/forecast?${query}`, key)
async function answer(query: string): Promise<Json> {
  const reply = await forecast(query)
  const text = await reply.text()
  expect(reply.status, text.slice(0, 300)).toBe(200)
  return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
}
const weather = async (place: keyof typeof places, units: string): Promise<Json> => {
  const [lat, lon] = places[place]
  const reply = await edge.get(
    `/v1/weather?lat=${lat}&lon=${lon}&units=${units}&past_hours=72&hourly_hours=168&days=7`,
    key,
  )
  return reply.json()
}

type Row = Readonly<Record<string, Json>>
/** What each variable must be, from the rows of /v1/weather in metric and in imperial units. */
const expected: Readonly<Record<string, (metric: Row, imperial: Row) => [metric: Json, us: Json]>> = {
  temperature_2m: (m, i) => [m['temperature'], i['temperature']],
  relative_humidity_2m: (m) => [m['humidity'], m['humidity']],
  dew_point_2m: (m, i) => [m['dew_point'], i['dew_point']],
  apparent_temperature: (m, i) => [m['feels_like'], i['feels_like']],
  precipitation_probability: (m) => [m['precip_probability'], m['precip_probability']],
  precipitation: (m, i) => [m['precip_amount'], i['precip_amount']],
  pressure_msl: (m) => [m['pressure'], m['pressure']],
  cloud_cover: (m) => [m['cloud_cover'], m['cloud_cover']],
  cloud_cover_low: (m) => [m['cloud_cover_low'], m['cloud_cover_low']],
  cloud_cover_mid: (m) => [m['cloud_cover_mid'], m['cloud_cover_mid']],
  cloud_cover_high: (m) => [m['cloud_cover_high'], m['cloud_cover_high']],
  visibility: (m, i) => [times(m['visibility'], 1000), times(i['visibility'], 5280)],
  wind_speed_10m: (m, i) => [m['wind_speed'], i['wind_speed']],
  wind_direction_10m: (m) => [m['wind_direction'], m['wind_direction']],
  wind_gusts_10m: (m, i) => [m['wind_gust'], i['wind_gust']],
  uv_index: (m) => [m['uv_index'], m['uv_index']],
  cape: (m) => [m['cape'], m['cape']],
}
const derived = ['rain', 'snowfall', 'weather_code', 'surface_pressure', 'is_day']
const times = (value: Json, factor: number) => (typeof value === 'number' ? Math.round(value * factor) : null)
const US = 'temperature_unit=fahrenheit&wind_speed_unit=mph&precipitation_unit=inch'

describe.each(Object.keys(places) as (keyof typeof places)[])('at %s', (place) => {
  const [lat, lon] = places[place]
  const at = `latitude=${lat}&longitude=${lon}&timezone=auto`

  test('gives every hourly value of /v1/weather at its time, in both systems of units', async () => {
    const names = [...Object.keys(expected), ...derived]
    const [metric, imperial] = [await weather(place, 'metric'), await weather(place, 'imperial')]
    const rows = new Map<number, [Row, Row]>(
      metric.hourly.map((row: Json, i: number) => [Date.parse(row.time), [row, imperial.hourly[i]]]),
    )
    const query = `${at}&hourly=${names.join()}&forecast_days=5&past_days=2&timeformat=unixtime`
    let compared = 0
    let derivedHours = 0
    for (const [system, units] of ['', US].entries()) {
      const { hourly, utc_offset_seconds } = await answer(`${query}&${units}`)
      expect(hourly.time).toHaveLength(7 * 24)
      expect((hourly.time[0] + utc_offset_seconds) % 86_400).toBe(0)
      for (const [n, seconds] of hourly.time.entries()) {
        const [m, i] = rows.get(seconds * 1000) ?? [{}, {}]
        for (const [name, compute] of Object.entries(expected)) {
          expect([name, seconds, hourly[name][n]]).toEqual([name, seconds, compute(m, i)[system] ?? null])
          if (hourly[name][n] !== null) compared++
        }
        expect([0, 1]).toContain(hourly.is_day[n])
        const amount = hourly.precipitation[n]
        const rain: Readonly<Record<string, number | null>> = { rain: amount, snow: 0 }
        const isPlain = Object.hasOwn(rain, m['precip_type'])
        const depth = m['snow_amount'] === undefined ? null : [m['snow_amount'] / 10, i['snow_amount']][system]
        const hasDepth = typeof m['snow_amount'] === 'number'
        expect([
          m['icon'] ? typeof hourly.weather_code[n] : 'number',
          isPlain ? hourly.rain[n] : null,
          hasDepth ? hourly.snowfall[n] : null,
        ]).toEqual(['number', isPlain ? rain[m['precip_type']] : null, hasDepth ? expect.closeTo(depth, 6) : null])
        if (m['icon']) derivedHours++
      }
    }
    expect(compared).toBeGreaterThan(2 * 90 * 14)
    expect(derivedHours).toBeGreaterThan(2 * 90)
  })

  test('adds up days from midnight by the local clock, and leaves null what an hour lacks', async () => {
    const { hourly, daily, utc_offset_seconds } = await answer(
      `${at}&hourly=temperature_2m,precipitation,wind_gusts_10m,precipitation_probability&daily=temperature_2m_max,temperature_2m_min,precipitation_sum,precipitation_hours,wind_gusts_10m_max,precipitation_probability_max,sunrise,sunset,daylight_duration&forecast_days=4&timeformat=unixtime`,
    )
    const { daily: ours, meta } = await weather(place, 'metric')
    const running = Math.floor(Date.parse(meta.generated_at) / HOUR) * 3600
    for (const [d, midnight] of daily.time.entries()) {
      const valuesOfDay = (name: string) => hourly[name].slice(d * 24, d * 24 + 24) as (number | null)[]
      const unlessNull = (name: string, fold: (values: number[]) => number) => {
        const values = valuesOfDay(name)
        return values.includes(null) ? null : fold(values as number[])
      }
      expect(daily.temperature_2m_max[d]).toBe(unlessNull('temperature_2m', (values) => Math.max(...values)))
      expect(daily.temperature_2m_min[d]).toBe(unlessNull('temperature_2m', (values) => Math.min(...values)))
      expect(daily.wind_gusts_10m_max[d]).toBe(unlessNull('wind_gusts_10m', (values) => Math.max(...values)))
      const sum = unlessNull('precipitation', (values) => values.reduce((a, b) => a + b, 0))
      if (sum === null) expect(daily.precipitation_sum[d]).toBeNull()
      else expect(daily.precipitation_sum[d]).toBeCloseTo(sum, 2)
      expect(daily.precipitation_hours[d]).toBe(
        unlessNull('precipitation', (values) => values.filter((v) => v > 0).length),
      )
      const ahead = valuesOfDay('precipitation_probability').filter((_, h) => hourly.time[d * 24 + h] > running)
      expect(daily.precipitation_probability_max[d]).toBe(ahead.length === 0 ? null : Math.max(...(ahead as number[])))
      const date = new Date(midnight * 1000 + utc_offset_seconds * 1000).toISOString().slice(0, 10)
      const { astro } = ours.find((day: Json) => day.date === date)
      expect([daily.sunrise[d], daily.sunset[d]]).toEqual(
        [astro.sunrise, astro.sunset].map((at) => Date.parse(at) / 1000),
      )
      expect(daily.daylight_duration[d]).toBe(astro.day_length)
    }
    expect(daily.temperature_2m_max.slice(1)).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)])
  })

  test('gives every daily variable from the hours of its day, in both systems of units', async () => {
    const folds: Readonly<Record<string, (values: number[]) => number>> = {
      max: (values) => Math.max(...values),
      min: (values) => Math.min(...values),
      mean: (values) => values.reduce((a, b) => a + b, 0) / values.length,
      sum: (values) => values.reduce((a, b) => a + b, 0),
    }
    const otherNames = ['weather_code', 'precipitation_hours', 'wind_direction_10m_dominant', 'sunrise', 'sunset']
    const names = Object.keys(daily).filter((name) => !otherNames.includes(name) && name !== 'daylight_duration')
    const forecastOnly = /^(?:precipitation_probability|uv_index|cape|pressure_msl|surface_pressure|weather_code)/
    const hourlyNames = [...Object.keys(expected), ...derived]
    let compared = 0
    for (const units of ['', US]) {
      const theirs = await answer(
        `${at}&hourly=${hourlyNames}&daily=${[...names, 'weather_code']}&forecast_days=4&timeformat=unixtime&${units}`,
      )
      const running = Math.floor(Date.now() / HOUR) * 3600
      for (const [d] of theirs.daily.time.entries()) {
        const values = (name: string, ofDay: string) => {
          const hours = theirs.hourly.time
            .map((time: number, n: number) => ({ time, value: theirs.hourly[name][n] }))
            .slice(d * 24, d * 24 + 24)
            .filter(({ time }: Json) => !forecastOnly.test(ofDay) || time > running)
            .map(({ value }: Json) => value)
          return hours.length === 0 || hours.includes(null) ? null : (hours as number[])
        }
        for (const name of names) {
          const [, hourlyName = '', fold = ''] = /^(.*)_(max|min|mean|sum)$/.exec(name) ?? []
          const list = values(hourlyName, name)
          const value = list && entryOf(folds, fold)(list)
          const half = ['%', 'J/kg', 'm', 'ft'].includes(theirs.daily_units[name]) ? 0.5001 : 0.0501
          const shown = theirs.daily[name][d]
          expect([d, name, value === null ? shown === null : Math.abs(shown - value) <= half]).toEqual([d, name, true])
          if (value !== null) compared++
        }
        const codes = values('weather_code', 'weather_code')
        expect([d, theirs.daily.weather_code[d]]).toEqual([d, codes && Math.max(...codes)])
      }
    }
    expect(compared).toBeGreaterThan(2 * 3 * 30)
  })

  test('derives the pressure at the ground and the code of the weather from the row', async () => {
    const { hourly } = await answer(`${at}&hourly=surface_pressure,weather_code&forecast_days=3&timeformat=unixtime`)
    const ours = await weather(place, 'metric')
    const rows = new Map<number, Json>(ours.hourly.map((row: Json) => [Date.parse(row.time) / 1000, row]))
    const { elevation } = ours.location
    // Codes of open-meteo.com/en/docs that an icon of ours may have.
    const codes: readonly (readonly [icon: RegExp, codes: readonly number[]])[] = [
      [/^thunder/, [95]],
      [/^fog/, [45]],
      [/^rain-snow-showers|^snow-showers/, [85, 86]],
      [/^rain-snow|^snow/, [71, 73, 75]],
      [/^sleet/, [56, 57, 66, 67]],
      [/^rain/, [51, 53, 55, 61, 63, 65]],
      [/^showers/, [80, 81, 82]],
      [/^/, [0, 1, 2, 3]],
    ]
    let compared = 0
    for (const [n, time] of hourly.time.entries()) {
      const row = rows.get(time) ?? {}
      const kelvin = row.temperature + 273.15
      // The barometric formula with 6.5 K/km, as the International Standard Atmosphere has it.
      const pressure = row.pressure * (kelvin / (kelvin + 0.0065 * elevation)) ** (9.80665 / (287.053 * 0.0065))
      const known = typeof row.pressure === 'number' && typeof elevation === 'number'
      expect([n, hourly.surface_pressure[n]]).toEqual([n, known ? expect.closeTo(pressure, 0) : null])
      const allowed = row.icon === undefined ? [null] : codes.find(([icon]) => icon.test(row.icon))?.[1]
      expect(allowed).toContain(hourly.weather_code[n])
      if (row.icon !== undefined) compared++
    }
    expect(compared).toBeGreaterThan(40)
  })

  test('gives the present values of /v1/weather', async () => {
    const names = Object.keys(expected).filter((name) => name !== 'precipitation')
    const { current, current_units, current_weather } = await answer(
      `${at}&current=${names.join()},precipitation&current_weather=true`,
    )
    const { current: ours, hourly } = await weather(place, 'metric')
    const running = hourly.find(({ time }: Json) => Date.parse(time) > Date.now())
    for (const name of names) {
      const value = entryOf(expected, name)({ ...running, ...ours }, {})[0] ?? null
      expect([name, current[name]]).toEqual([name, value])
    }
    expect(current.interval).toBe(900)
    expect(current_units).toMatchObject({ interval: 'seconds', temperature_2m: '°C', precipitation: 'mm' })
    const rate = ours.precip_rate
    if (typeof rate === 'number') expect(current.precipitation).toBeCloseTo(rate / 4, 2)
    else expect(current.precipitation).toBeNull()
    expect(current_weather).toMatchObject({ temperature: ours.temperature, windspeed: ours.wind_speed })
  })
})

test('shows times by the offset of the zone that holds now', async () => {
  const at = `latitude=39.74&longitude=-104.99&hourly=temperature_2m&forecast_hours=3`
  const gmt = await answer(at)
  expect([gmt.timezone, gmt.timezone_abbreviation, gmt.utc_offset_seconds]).toEqual(['GMT', 'GMT', 0])
  expect(gmt.hourly.time[0]).toBe(new Date(Date.now()).toISOString().slice(0, 14).concat('00'))
  const kolkata = await answer(`${at}&timezone=asia/kolkata`)
  expect([kolkata.timezone, kolkata.utc_offset_seconds]).toEqual([expect.stringMatching(/^Asia\//), 19_800])
  expect(kolkata.hourly.time).toHaveLength(3)
  expect(kolkata.hourly.temperature_2m.slice(1)).toEqual([expect.any(Number), expect.any(Number)])
})

test('takes earlier names, repeated parameters, dates and several places', async () => {
  const tomorrow = new Date(Date.now() + DAY).toISOString().slice(0, 10)
  const [first, second] = await answer(
    `latitude=39.74,25.76&longitude=-104.99,-80.19&hourly=windspeed_10m&hourly=weathercode&start_date=${tomorrow}&end_date=${tomorrow}&windspeed_unit=ms`,
  )
  expect(Object.keys(first.hourly)).toEqual(['time', 'windspeed_10m', 'weathercode'])
  expect(first.hourly.time).toHaveLength(24)
  expect(first.hourly_units).toEqual({ time: 'iso8601', windspeed_10m: 'm/s', weathercode: 'wmo code' })
  expect([first.location_id, second.location_id, second.latitude]).toEqual([undefined, 1, 25.76])
})

test('gives the same numbers as flatbuffers, read by the classes of the SDK', async () => {
  const hourlyNames = [...Object.keys(expected), ...derived]
  const dailyNames = Object.keys(daily)
  const query = `latitude=39.74,25.76&longitude=-104.99,-80.19&timezone=America/Denver&timeformat=unixtime&forecast_days=3&current=${hourlyNames}&hourly=${hourlyNames}&daily=${dailyNames}&${US}`
  const texts = (await answer(query)) as Json[]
  const reply = await forecast(`${query}&format=flatbuffers`)
  expect(reply.headers.get('content-type')).toBe('application/octet-stream')
  const buffer = new ByteBuffer(new Uint8Array(await reply.arrayBuffer()))
  let at = 0
  for (const [n, text] of texts.entries()) {
    buffer.setPosition(at)
    at += buffer.readInt32(at) + 4
    const table = WeatherApiResponse.getSizePrefixedRootAsWeatherApiResponse(buffer)
    expect([table.latitude(), table.longitude()]).toEqual([text.latitude, text.longitude].map(Math.fround))
    expect([table.locationId(), table.timezone(), table.timezoneAbbreviation(), table.utcOffsetSeconds()]).toEqual([
      BigInt(n),
      text.timezone,
      text.timezone_abbreviation,
      text.utc_offset_seconds,
    ])
    const [hours, days, present] = [table.hourly()!, table.daily()!, table.current()!]
    for (const [section, { time }] of [
      [hours, text.hourly],
      [days, text.daily],
    ] as const) {
      expect([section.time(), section.timeEnd()]).toEqual([BigInt(time[0]), BigInt(time.at(-1) + section.interval())])
      expect(section.interval()).toBe(time[1] - time[0])
    }
    const shown = (value: Json) => (value === null ? Number.NaN : Math.fround(value))
    for (const [i, name] of hourlyNames.entries()) {
      expect([name, [...hours.variables(i)!.valuesArray()!]]).toEqual([name, text.hourly[name].map(shown)])
      expect([name, present.variables(i)!.value()]).toEqual([name, shown(text.current[name])])
      expect([name, hours.variables(i)!.variable()]).not.toEqual([name, Variable.undefined])
      expect([name, hours.variables(i)!.unit()]).not.toEqual([name, Unit.undefined])
    }
    for (const [i, name] of dailyNames.entries()) {
      const column = days.variables(i)!
      const values = /^sun/.test(name)
        ? Array.from({ length: column.valuesInt64Length() }, (_, d) => Number(column.valuesInt64(d)))
        : [...column.valuesArray()!]
      expect([name, values]).toEqual([name, text.daily[name].map(/^sun/.test(name) ? (value: Json) => value : shown)])
      expect([name, column.variable()]).not.toEqual([name, Variable.undefined])
    }
    const wind = days.variables(dailyNames.indexOf('wind_gusts_10m_max'))!
    expect([wind.variable(), wind.altitude(), wind.aggregation(), wind.unit()]).toEqual([
      Variable.wind_gusts,
      10,
      Aggregation.maximum,
      Unit.miles_per_hour,
    ])
  }
  expect(at).toBe(buffer.capacity())
})

test('marks simulated and missing data in a member and a header', async () => {
  const reply = await forecast('latitude=61.22&longitude=-149.9&hourly=temperature_2m')
  const { hexcast } = (await reply.json()) as Json
  const codes = hexcast.warnings.map(({ code }: Json) => code)
  expect(codes).toEqual(expect.arrayContaining(['simulated_data', 'history_short']))
  expect(hexcast.attribution.notice).toMatch(/^SIMULATED DATA/)
  expect(reply.headers.get('x-warnings')).toContain('simulated_data')
})

test('writes CSV with NaN for what is not known', async () => {
  const text = (await answer(
    'latitude=61.22&longitude=-149.9&hourly=temperature_2m,weather_code&daily=sunrise&forecast_days=1&timezone=auto&format=csv',
  )) as string
  const tables = text.split('\n\n').map((table) => table.trim().split('\n'))
  expect(tables.map(([head]) => head)).toEqual([
    'latitude,longitude,elevation,utc_offset_seconds,timezone,timezone_abbreviation',
    'time,temperature_2m (°C),weather_code (wmo code)',
    'time,sunrise (iso8601)',
  ])
  expect(nth(tables, 0)[1]).toMatch(/^61\.22,-149\.9,(?:NaN|-?\d+),-\d+,America\/Anchorage,AK[SD]T$/)
  expect(tables[1]).toHaveLength(25)
  for (const line of nth(tables, 1).slice(1))
    expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00,(?:-?\d+(?:\.\d)?|NaN),(?:\d+|NaN)$/)
})

test.each([
  ['latitude=30&longitude=-60&hourly=temperature_2m', /^No data is available for this location/],
  ['latitude=39.74&longitude=-104.99&hourly=soil_temperature_0cm', /does not have \(nearest: \w+\)/],
  ['latitude=39.74&longitude=-104.99&daily=temperature_2m', /does not have \(nearest: temperature_2m_m/],
  ['latitude=39.74&longitude=-104.99&timezone=Mars/Olympus', /^Invalid timezone/],
  ['latitude=39.74', /must not be empty/],
  ['latitude=39.74&longitude=-104.99,-105', /same number of elements/],
  ['latitude=99&longitude=-104.99', /in range of -90 to 90/],
  ['latitude=39.74&longitude=-104.99&forecast_days=17', /'forecast_days' must be a whole number from 0 to 16/],
  ['latitude=39.74&longitude=-104.99&format=xlsx', /'format' must be json or csv or flatbuffers/],
  ['latitude=39.74&longitude=-104.99&models=icon_eu', /'models' must be best_match/],
  ['latitude=39.74&longitude=-104.99&start_date=2026-02-30&end_date=2026-03-01', /'start_date' must be/],
  [`latitude=${Array(51).fill(39.7)}&longitude=${Array(51).fill(-104.9)}`, /must not exceed 50/],
])('refuses %s in the form of Open-Meteo', async (query, reason) => {
  const reply = await forecast(query)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect([reply.status, await reply.json()]).toEqual([400, { error: true, reason: expect.stringMatching(reason) }])
})

test('bounds the values of one answer', async () => {
  const hourly = [...Object.keys(expected), ...derived].join()
  const list = (value: number) => Array(20).fill(value).join()
  const reply = await forecast(`latitude=${list(39.74)}&longitude=${list(-104.99)}&hourly=${hourly}&past_days=92`)
  expect([reply.status, await reply.json()]).toEqual([
    400,
    { error: true, reason: expect.stringMatching(/at most 50000 values/) },
  ])
})

describe('the key', () => {
  const path = '/open-meteo/v1/forecast?latitude=39.74&longitude=-104.99&current=temperature_2m'
  // From this machine no key is needed: these requests come through a proxy.
  const proxied = { 'x-forwarded-for': '198.51.100.7' }
  const status = async (path: string, header?: string) => (await edge.get(path, header, proxied)).status

  test('is taken from apikey= there alone, and from the header first', async () => {
    expect(await status(`${path}&apikey=${key}`)).toBe(200)
    expect(await status(`${path}&apikey=${key}`, 'hx_live_unknown')).toBe(401)
    expect(await status(`${path}&other=${key}`)).toBe(400)
    expect(await status(`/v1/weather?lat=39.74&lon=-104.99&apikey=${key}`)).toBe(400)
    expect(await status(`/open-meteo/v1/forecast/x?apikey=${key}`)).toBe(404)
    expect(await status(`/rainviewer/public/weather-maps.json?apikey=${key}`)).toBe(200)
    expect(await status('/rainviewer/public/weather-maps.json')).toBe(401)
    expect(await status(`/nws/points/39.74,-104.99?apikey=${key}`)).toBe(400)
  })

  test('is needed, counted and never repeated', async () => {
    const none = await edge.get(path, undefined, proxied)
    expect([none.status, await none.json()]).toEqual([401, { error: true, reason: expect.any(String) }])
    const wrong = key.slice(0, -4).concat('aaaa')
    const reply = await edge.get(`${path}&apikey=${wrong}`)
    const text = await reply.text()
    expect([reply.status, text.includes(wrong), reply.headers.get('www-authenticate')]).toEqual([
      401,
      false,
      expect.stringContaining('invalid_token'),
    ])
    const trial = await edge.key('trial')
    const statusAt = (latitude: number) => status(`${path.replace('39.74', String(latitude))}&apikey=${trial}`)
    // The same answer comes from the cache and does not count.
    const statuses: number[] = []
    for (const latitude of [39.81, 39.81, 39.82, 39.83]) statuses.push(await statusAt(latitude))
    expect(statuses).toEqual([200, 200, 200, 402])
  })
})
