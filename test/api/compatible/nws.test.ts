import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { gridOf, pointAt } from '../../../api/routes/compatible/nws-point.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { openUpstream } from '../../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../../ingest/steps/feeds/alerts.ts'
import { startMirror } from '../../walks/mirror.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes off the wire
type Json = any

const places = {
  Denver: [39.7392, -104.9903, 'BOU'],
  Anchorage: [61.2181, -149.9003, 'AFC'],
  Honolulu: [21.3069, -157.8583, 'HFO'],
  Miami: [25.7617, -80.1918, 'MFL'],
} as const

const alert = (id: string, event: string, zone: string, severity: string) => ({
  type: 'Feature',
  geometry: null,
  properties: {
    ...{ id, event, status: 'Actual', messageType: 'Alert', severity, urgency: 'Immediate', certainty: 'Observed' },
    ...{ senderName: 'NWS Denver CO', headline: event, description: 'take cover', instruction: 'go in' },
    sent: `${new Date(Date.now() - 1000).toISOString().slice(0, 19)}Z`,
    effective: new Date().toISOString(),
    expires: new Date(Date.now() + 3_600_000).toISOString(),
    areaDesc: 'Somewhere',
    geocode: { UGC: [zone], SAME: ['008031'] },
    affectedZones: [`https://api.weather.gov/zones/county/${zone}`],
    parameters: { WMOidentifier: ['WFUS55 KBOU 011800'] },
  },
})

let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer()
  key = await edge.key()
  // The first answer reads tables, which takes seconds on a busy machine; until then answers may be refused.
  await vi.waitFor(async () => expect((await edge.get('/v1/weather?lat=39.74&lon=-104.99', key)).status).toBe(200), {
    timeout: 60_000,
    interval: 500,
  })
})
afterAll(() => edge.close())

async function ask(path: string, status = 200): Promise<{ body: Json; headers: Headers }> {
  const reply = await edge.get(path.replace(edge.base, ''), key)
  const text = await reply.text()
  expect([reply.status, text.slice(0, 300)]).toEqual([status, expect.any(String)])
  return { body: JSON.parse(text), headers: reply.headers }
}

/** The feed is not read yet: these tests come first. */
test('does not give an empty list of alerts before the feed has been read', async () => {
  const { body } = await ask('/nws/alerts/active?area=CO', 503)
  expect(body).toMatchObject({ status: 503, title: 'Service Unavailable' })
})

describe.each(Object.keys(places) as (keyof typeof places)[])('at %s', (place) => {
  const [lat, lon, office] = places[place]

  test('leads from a point to its forecast with the values of /v1/weather', async () => {
    const { body: point, headers } = await ask(`/nws/points/${lat},${lon}`)
    expect(headers.get('content-type')).toMatch(/^application\/geo\+json/)
    const { properties } = point
    expect(properties).toMatchObject({ gridId: office, cwa: office, '@type': 'wx:Point' })
    expect(pointAt(`${properties.gridX},${properties.gridY}`)).toEqual({ lat, lon })
    for (const [units, system] of [['us', 'imperial'] as const, ['si', 'metric'] as const]) {
      const { body: forecast } = await ask(`${properties.forecast}?units=${units}`)
      const query = `/v1/weather?lat=${lat}&lon=${lon}&units=${system}&days=8&hourly_hours=156`
      const { body: ours } = await ask(query)
      expect(properties.timeZone).toBe(ours.location.timezone)
      const { periods, elevation } = forecast.properties
      const metres = ours.location.elevation * (units === 'us' ? 0.3048 : 1)
      if (typeof ours.location.elevation === 'number') expect(elevation.value).toBeCloseTo(metres, 1)
      else expect(elevation.value).toBeNull()
      expect(periods).toHaveLength(14)
      const halves = ours.daily.flatMap(({ date, day, night }: Json) => [
        { half: day, isDaytime: true, date },
        { half: night, isDaytime: false, date },
      ])
      const first = halves.findIndex(({ isDaytime }: Json) => isDaytime === periods[0].isDaytime)
      for (const [n, period] of periods.entries()) {
        const { half, isDaytime, date } = halves[first + n]
        expect(period.isDaytime).toBe(isDaytime)
        expect(n === 0 || period.startTime.startsWith(`${date}T${isDaytime ? '06' : '18'}:00:00`)).toBe(true)
        expectValues(period, half, half, ours.units)
        expect(period.shortForecast).toBe(half.conditions ?? '')
        expect(period.detailedForecast).toBe(half.narrative ?? '')
        expect(period.endTime > period.startTime).toBe(true)
      }
      expect(forecast.hexcast.warnings.map(({ code }: Json) => code)).toContain('simulated_data')
      expect(forecast.hexcast.attribution.notice).toMatch(/^SIMULATED/)
    }
  })

  test('names an hour by its start', async () => {
    const { body: point } = await ask(`/nws/points/${lat},${lon}`)
    const { body: hourly, headers } = await ask(point.properties.forecastHourly)
    const { body: ours } = await ask(
      `/v1/weather?lat=${lat}&lon=${lon}&units=imperial&include=current,hourly&hourly_hours=156`,
    )
    const { periods } = hourly.properties
    expect(periods).toHaveLength(156)
    for (const [n, row] of ours.hourly.entries()) {
      const period = periods[n]
      expect([Date.parse(period.startTime), Date.parse(period.endTime)]).toEqual([
        Date.parse(row.time) - HOUR,
        Date.parse(row.time),
      ])
      expectValues(period, n === 0 ? ours.current : ours.hourly[n - 1], row, ours.units)
    }
    expect(headers.get('x-warnings')).toContain('simulated_data')
  })
})

function expectValues(period: Json, instant: Json, falling: Json, units: Json) {
  const rounded = (value: Json) => (typeof value === 'number' ? Math.round(value) + 0 : null)
  expect(period.temperature).toBe(rounded(instant.temperature))
  expect(period.temperatureUnit).toBe(units.temperature)
  const wind = rounded(instant.wind_speed)
  expect(period.windSpeed).toBe(wind === null ? null : `${wind} ${units.wind_speed === 'mph' ? 'mph' : 'km/h'}`)
  expect(period.windDirection).toMatch(typeof instant.wind_direction === 'number' ? /^[NESW]{1,3}$/ : /^$/)
  expect(period.relativeHumidity.value).toBe(instant.humidity ?? null)
  const dewPoint = instant.dew_point
  const celsius = units.temperature === 'F' && typeof dewPoint === 'number' ? ((dewPoint - 32) * 5) / 9 : dewPoint
  expect(period.dewpoint.value).toBe(celsius ?? null)
  expect(period.probabilityOfPrecipitation.value).toBe(falling.precip_probability ?? null)
  expect(period.icon).toMatch(
    /^https:\/\/api\.weather\.gov\/icons\/land\/(?:day|night)\/[a-z_]+(?:,\d+)?\?size=(?:small|medium)$/,
  )
}

test('gives each point of four decimals its own grid numbers, and takes them back', () => {
  for (let n = 0; n < 2000; n++) {
    const point = {
      lat: Math.round((18 + n * 0.0267) * 1e4) / 1e4,
      lon: Math.round((-179.9999 + n * 0.0571) * 1e4) / 1e4,
    }
    expect(pointAt(gridOf(point).join())).toEqual(point)
  }
  expect([pointAt('3600001,0'), pointAt('1,1800001'), pointAt('a,b'), pointAt('12345678,1')]).toEqual(
    Array(4).fill(undefined),
  )
})

test.each([
  ['/nws/points/30,-60', 404, 'InvalidPoint'],
  ['/nws/points/abc', 400, 'BadRequest'],
  ['/nws/points/39.7', 400, 'BadRequest'],
  ['/nws/gridpoints/BOU/1,1/forecast', 404, 'NotFound'],
  ['/nws/gridpoints/MFL/750097,1297392/forecast', 404, 'NotFound'],
  ['/nws/gridpoints/BOU/750097,1297392/forecast?units=xx', 400, 'BadRequest'],
])('refuses %s in the form of api.weather.gov', async (path, status, type) => {
  const { body, headers } = await ask(path, status)
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(body).toEqual({
    correlationId: headers.get('x-request-id'),
    title: expect.any(String),
    type: `https://api.weather.gov/problems/${type}`,
    status,
    detail: expect.any(String),
    instance: `/requests/${headers.get('x-request-id')}`,
  })
})

test('needs a key', async () => {
  const proxied = { 'x-forwarded-for': '198.51.100.7' }
  const reply = await edge.get('/nws/points/39.74,-104.99', undefined, proxied)
  expect([reply.status, (await reply.json()) as Json]).toEqual([
    401,
    expect.objectContaining({ title: 'Unauthorized' }),
  ])
})

describe('alerts', () => {
  beforeAll(async () => {
    const mirror = await startMirror()
    const features = [
      alert('flood', 'Flood Watch', 'COC031', 'Severe'),
      alert('tornado', 'Tornado Warning', 'COC031', 'Extreme'),
      alert('heat', 'Heat Advisory', 'FLC086', 'Moderate'),
    ]
    mirror.set('api.weather.gov/alerts/active', JSON.stringify({ type: 'FeatureCollection', features }))
    const upstream = openUpstream({ mirror: mirror.url })
    await sweepAlerts({ database: edge.database, upstream })
    await upstream.close()
    await mirror.close()
    await vi.waitFor(
      async () => expect(((await (await edge.get('/v1/alerts', key)).json()) as Json).alerts?.length).toBe(3),
      { timeout: 20_000 },
    )
  })

  const events = async (query: string) =>
    (await ask(`/nws/alerts/active${query}`)).body.features.map(({ properties }: Json) => properties.event)

  test('are those of a point, a state or a zone, the most severe first', async () => {
    const denver = ['Tornado Warning', 'Flood Watch']
    expect(await events('?point=39.7392,-104.9903')).toEqual(denver)
    expect(await events('?area=CO')).toEqual(denver)
    expect(await events('?area=FL,CO')).toHaveLength(3)
    expect(await events('?zone=COC031')).toEqual(denver)
    expect(await events('/zone/FLC086')).toEqual(['Heat Advisory'])
    expect(await events('/area/FL')).toEqual(['Heat Advisory'])
    expect(await events('?event=Flood%20Watch,heat%20advisory&severity=severe')).toEqual(['Flood Watch'])
    expect(await events('?point=61.2181,-149.9003')).toEqual([])
  })

  test.each(['', '?area=CO', '?point=39.7392,-104.9903', '?zone=FLC086'])(
    'have the values of /v1/alerts in the members of api.weather.gov: %s',
    async (query) => {
      const { body, headers } = await ask(`/nws/alerts/active${query}`)
      expect(body.features.length).toBe({ '': 3, '?zone=FLC086': 1 }[query] ?? 2)
      for (const feature of body.features) {
        const [ours] = (await ask(`/v1/alerts?id=${feature.properties.id}`)).body.alerts
        expect([feature.type, feature.geometry.type, feature.properties['@type']]).toEqual([
          ...['Feature', ours.geometry.type, 'wx:Alert'],
        ])
        const same =
          'id event severity urgency certainty headline status onset ends effective expires description instruction category response sent'
        for (const name of same.split(' '))
          expect([name, feature.properties[name] ?? null]).toEqual([name, ours[name] ?? null])
        expect(feature.properties).toMatchObject({
          messageType: 'Alert',
          senderName: ours.sender,
          areaDesc: ours.area_desc ?? '',
          geocode: { UGC: [expect.stringMatching(/^(?:COC031|FLC086)$/)], SAME: ['008031'] },
          affectedZones: feature.properties.geocode.UGC.map(
            (code: string) => `https://api.weather.gov/zones/county/${code}`,
          ),
        })
        expect((await ask(feature.id)).body.alerts.map(({ id }: Json) => id)).toEqual([ours.id])
      }
      expect(headers.get('content-type')).toMatch(/^application\/geo\+json/)
      expect(Date.parse(body.updated)).toBeLessThanOrEqual(Date.now() + 60_000)
      expect(body.hexcast.warnings.map(({ code }: Json) => code)).toContain('simulated_data')
    },
  )

  test('say that there are more than a limit', async () => {
    const { body } = await ask('/nws/alerts/active?zone=COC031&limit=1')
    expect(body.features).toHaveLength(1)
    expect(body.hexcast.warnings).toContainEqual(expect.objectContaining({ code: 'truncated' }))
  })

  test.each([
    ['?area=XX', 404],
    ['?area=Colorado', 400],
    ['?zone=COC999', 404],
    ['?point=30,-60', 404],
    ['?point=39.7,-104.9&area=CO', 400],
    ['?state=CO', 400],
    ['?limit=-1', 400],
  ])('refuse %s, which would read as an all-clear', async (query, status) => {
    expect((await ask(`/nws/alerts/active${query}`, status)).body).toMatchObject({
      status,
      correlationId: expect.any(String),
    })
  })
})
