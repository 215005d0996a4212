import { afterAll, beforeAll, expect, test } from 'vitest'
import { observedWords } from '../../../api/routes/compatible/nws-observed-words.ts'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import type { Observation } from '../../../ingest/domain/weather/observation.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes off the wire
type Json = any

let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer({ coarse: 10, frames: [] })
}, 120_000)
afterAll(() => sky.close())

async function ask(path: string, status = 200): Promise<Json> {
  const response = await fetch(path.startsWith('http') ? path : sky.base + path, {
    headers: { authorization: `Bearer ${sky.key}`, accept: 'application/json' },
  })
  const body = await response.json()
  expect([path, response.status]).toEqual([path, status])
  return body
}

test('leads from a point to its stations and their observations, with the values of /v1/observations', async () => {
  const { properties } = await ask('/nws/points/39.7392,-104.9903')
  const { features, observationStations } = await ask(properties.observationStations)
  expect(features.length).toBeGreaterThan(2)
  expect(await ask('/nws/points/39.7392,-104.9903/stations')).toMatchObject({ observationStations })
  const [{ id, properties: nearest }] = features
  expect(observationStations[0]).toBe(id)
  expect(nearest).toMatchObject({ timeZone: 'America/Denver', stationIdentifier: expect.stringMatching(/^K/) })
  expect((await ask(id)).properties.name).toBe(nearest.name)

  const { observations } = await ask(`/v1/observations?station=${nearest.stationIdentifier}&hours=72&units=metric`)
  const list = (await ask(`${id}/observations/`)).features
  expect(list).toHaveLength(observations.length)
  for (const [i, ours] of observations.entries()) {
    const theirs = list[i].properties
    expect([theirs.rawMessage, Date.parse(theirs.timestamp)]).toEqual([ours.raw, Date.parse(ours.observed_at)])
    for (const [name, value, unit] of [
      ['temperature', ours.temperature, 'wmoUnit:degC'],
      ['dewpoint', ours.dew_point, 'wmoUnit:degC'],
      ['windSpeed', ours.wind_speed, 'wmoUnit:km_h-1'],
      ['windDirection', ours.wind_direction, 'wmoUnit:degree_(angle)'],
    ] as const) {
      expect(theirs[name].unitCode).toBe(unit)
      expect([name, theirs[name].value]).toEqual([name, value === null ? null : expect.closeTo(value, 0)])
    }
    expect(theirs.textDescription).toMatch(/./)
    expect(theirs.icon).toMatch(/^https:\/\/api\.weather\.gov\/icons\/land\/(?:day|night)\/\w+/)
  }
  expect((await ask(`${id}/observations/latest`)).properties.rawMessage).toBe(list[0].properties.rawMessage)
  expect((await ask(`${id}/observations?limit=1`)).features).toEqual(list.slice(0, 1))
  const later = encodeURIComponent(isoSeconds(Date.now() + HOUR / 2))
  expect((await ask(`${id}/observations?start=${later}`)).features).toEqual([])
})

test('rejects unknown stations and impossible parameters in the form of api.weather.gov', async () => {
  expect(await ask('/nws/stations/XXXX/observations', 404)).toMatchObject({ title: 'Not Found' })
  for (const query of ['limit=0', 'limit=501', 'start=yesterday'])
    expect(await ask(`/nws/stations/KDEN/observations?${query}`, 400)).toMatchObject({ title: 'Bad Request' })
  await ask('/nws/points/51.5,-0.1/stations', 404)
})

test('has the hours of /v1/weather as series with their intervals', async () => {
  const { properties } = await ask('/nws/points/39.7392,-104.9903')
  const grid = (await ask(properties.forecastGridData)).properties
  const ours = await ask(
    '/v1/weather?lat=39.7392&lon=-104.9903&units=metric&hourly_hours=156&include=hourly,daily&days=8',
  )
  const hoursOf = (name: string): Map<number, number> => {
    const hours = new Map<number, number>()
    for (const { validTime, value } of grid[name].values) {
      const [, start = '', days = 0, count = 0] = /^(.+)\/P(?:(\d+)D)?(?:T(\d+)H)?$/.exec(validTime) ?? []
      for (let h = 0; h < 24 * Number(days) + Number(count); h++) hours.set(Date.parse(start) + h * HOUR, value)
    }
    return hours
  }
  for (const [name, member, shift] of [
    ['temperature', 'temperature', 0],
    ['windSpeed', 'wind_speed', 0],
    ['probabilityOfPrecipitation', 'precip_probability', HOUR],
    ['quantitativePrecipitation', 'precip_amount', HOUR],
  ] as const) {
    const hours = hoursOf(name)
    const rows = ours.hourly.filter((row: Json) => typeof row[member] === 'number')
    expect([name, hours.size]).toEqual([name, rows.length])
    for (const row of rows) expect(hours.get(Date.parse(row.time) - shift)).toBe(row[member])
  }
  expect(grid.maxTemperature.values.map(({ value }: Json) => value)).toEqual(
    ours.daily.flatMap(({ high }: Json) => (typeof high === 'number' ? [high] : [])),
  )
})

test.each([
  ['-SN BR', ['OVC'], 'Light Snow', 'snow'],
  ['+TSRA', ['BKN'], 'Thunderstorms', 'tsra'],
  ['SN', ['OVC'], 'Snow', 'snow'],
  ['FZRA', ['OVC'], 'Freezing Rain', 'fzra'],
  ['', ['CLR'], 'Sunny', 'skc'],
  ['', ['FEW', 'BKN'], 'Mostly Cloudy', 'bkn'],
  ['VCSH', ['SCT'], 'Partly Cloudy', 'sct'],
  ['FG', ['VV'], 'Fog', 'fog'],
] as const)('words the groups %s under %s', (weather, covers, conditions, icon) => {
  const report = {
    ...{ station: 'KDEN', observedAt: Date.parse('2026-06-20T19:00:00Z'), lat: 39.8, lon: -104.7, windSpeed: 2 },
    layers: covers.map((cover) => ({ cover, base_ft: 3000 })),
    weather: weather.split(' ').filter(Boolean),
    visibility: weather === 'FG' ? 600 : 16_000,
  } as unknown as Observation
  const words = observedWords(report, 60)
  expect(words.icon).toContain(`/day/${icon}`)
  expect(words.conditions).toContain(conditions)
})
