import { describe, expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { nwsRoutes } from '../../../api/routes/compatible/nws.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { analyticCurrent } from '../analytic-runs.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes off the wire
type Json = any

const places = {
  Denver: [39.7392, -104.9903],
  Anchorage: [61.2181, -149.9003],
  Honolulu: [21.3069, -157.8583],
  Miami: [25.7617, -80.1918],
} as const
/** Afternoon, the night in which clocks change, morning and after midnight by the local clocks. */
const moments = ['2026-11-21T20:37:00Z', '2026-03-08T11:59:00Z', '2026-07-04T15:03:00Z', '2026-07-04T09:10:00Z']

const points = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ')
const whole = (value: Json) => (typeof value === 'number' ? Math.round(value) + 0 : null)
const celsius = (value: Json, units: Json) =>
  typeof value !== 'number' ? null : units.temperature === 'F' ? expect.closeTo(((value - 32) * 5) / 9, 9) : value

/** The members of a period by the rows of `/v1/weather`: those at an instant, and those of what falls. */
const expectedOf = (instant: Json, falling: Json, units: Json) => ({
  temperature: whole(instant.temperature),
  temperatureUnit: units.temperature,
  temperatureTrend: null,
  probabilityOfPrecipitation: { unitCode: 'wmoUnit:percent', value: falling.precip_probability ?? null },
  dewpoint: { unitCode: 'wmoUnit:degC', value: celsius(instant.dew_point, units) },
  relativeHumidity: { unitCode: 'wmoUnit:percent', value: instant.humidity ?? null },
  windSpeed:
    typeof instant.wind_speed === 'number'
      ? `${whole(instant.wind_speed)} ${{ mph: 'mph', kph: 'km/h' }[units.wind_speed as string]}`
      : null,
  windDirection:
    typeof instant.wind_direction === 'number' ? points[Math.round(instant.wind_direction / 22.5) % 16] : '',
  shortForecast: falling.conditions ?? '',
})

const pick = (period: Json, like: object) => Object.fromEntries(Object.keys(like).map((name) => [name, period[name]]))

describe.each(Object.entries(places))('at %s', (_place, [lat, lon]) => {
  test.each(moments)(
    'has the values of /v1/weather in both systems of units (%s)',
    { timeout: 60_000 },
    async (text) => {
      const now = Date.parse(text)
      const weather = createWeather({
        current: analyticCurrent(now),
        datasets: gridDatasets,
        resolution: 7,
        suppliers: {} as never,
      })
      const routes = nwsRoutes({ weather, simulated: () => true } as never)
      const ask = async (address: string, query: Record<string, string> = {}): Promise<Json> => {
        for (const { path, handle } of routes) {
          const params = new URLPattern({ pathname: path }).exec({ pathname: address })?.pathname.groups
          if (params && handle) {
            const answer = await handle({ params, query, now, base: 'http://host' } as never)
            return JSON.parse(String(answer?.body))
          }
        }
        throw new Error(`no route has ${address}`)
      }
      const ours = async (system: string): Promise<Json> =>
        (
          await weather.value(
            parseWeather({
              ...{ lat: String(lat), lon: String(lon), units: system, hourly_hours: '156', days: '8' },
              include: 'current,hourly,daily',
            }),
            now,
          )
        ).value
      const { properties: point } = await ask(`/nws/points/${lat},${lon}`)
      let compared = 0
      for (const [units, system] of [
        ['us', 'imperial'],
        ['si', 'metric'],
      ] as const) {
        const own = await ours(system)
        const forecast = await ask(new URL(point.forecast).pathname, { units })
        compared += expectHalves(forecast.properties.periods, own, now)
        const hourly = await ask(new URL(point.forecastHourly).pathname, { units })
        expect(hourly.properties.periods).toHaveLength(156)
        for (const [n, period] of hourly.properties.periods.entries()) {
          const row = own.hourly[n]
          const expected = expectedOf(n === 0 ? own.current : own.hourly[n - 1], row, own.units)
          expect([n, pick(period, expected)]).toEqual([n, expected])
          expect([period.number, Date.parse(period.startTime), Date.parse(period.endTime)]).toEqual([
            ...[n + 1, Date.parse(row.time) - HOUR, Date.parse(row.time)],
          ])
          compared += Object.keys(expected).length
        }
      }
      expect(compared).toBe(2 * (156 + 14) * 9)
    },
  )
})

/** Compares half days with `daily[].day` and `daily[].night`, from the half that has not ended on. */
function expectHalves(periods: Json[], own: Json, now: number): number {
  const local = zone(own.location.timezone)
  const halves = own.daily.flatMap(({ date, day, night }: Json) => {
    const number = Date.parse(`${date}T00:00:00Z`) / (24 * HOUR)
    return [
      { values: day, isDaytime: true, from: local.at(number, 6), to: local.at(number, 18) },
      { values: night, isDaytime: false, from: local.at(number, 18), to: local.at(number + 1, 6) },
    ].filter(({ values, to }) => values && to > now)
  })
  expect(periods).toHaveLength(14)
  let compared = 0
  for (const [n, period] of periods.entries()) {
    const { values, isDaytime, from, to } = halves[n]
    const expected = expectedOf(values, values, own.units)
    expect([n, pick(period, expected)]).toEqual([n, expected])
    expect([period.number, period.isDaytime, period.detailedForecast]).toEqual([
      ...[n + 1, isDaytime, values.narrative ?? ''],
    ])
    expect([Date.parse(period.startTime), Date.parse(period.endTime)]).toEqual([
      ...[Math.max(from, Math.floor(now / HOUR) * HOUR), to],
    ])
    compared += Object.keys(expected).length
  }
  expect(periods.slice(1).every(({ temperature }) => typeof temperature === 'number')).toBe(true)
  return compared
}
