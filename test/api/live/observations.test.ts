import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { monitors } from '../../../infra/simulator/feeds/airnow.ts'
import { receivedReports, truthAt } from '../../../infra/simulator/feeds/metar.ts'
import { stations } from '../../../ingest/geo/site.ts'
import { distanceKm } from '../../../ingest/geo/sphere.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'

const DENVER = { lat: 39.74, lon: -104.99 }
let sky: SkyServer

beforeAll(async () => {
  sky = await skyServer({ coarse: 10, frames: [] })
})
afterAll(() => sky.close())

const get = async (path: string) => {
  const response = await fetch(`${sky.base}${path}`, { headers: { Authorization: `Bearer ${sky.key}` } })
  const type = response.headers.get('content-type') ?? ''
  const text = await response.text()
  return {
    status: response.status,
    type,
    cache: response.headers.get('cache-control'),
    text,
    body: type.includes('json') ? JSON.parse(text) : undefined,
  }
}
const call = async (name: string, args: object) => {
  const result = await sky.client.callTool({ name, arguments: args as Record<string, unknown> })
  return {
    error: result.isError === true,
    text: (result.content as { text: string }[])[0]?.text ?? '',
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
    data: result.structuredContent as Record<string, any>,
  }
}
const codes = (body: { meta: { warnings: { code: string }[] } }) =>
  body.meta.warnings.map(({ code }) => code).filter((code) => code !== 'simulated_data')

describe('/v1/weather', () => {
  test('shows the nearest METAR, its station and the air quality of now', async () => {
    const { body } = await get('/v1/weather?lat=39.74&lon=-104.99&include=current,daily,metar&units=metric')
    const now = Date.now()
    expect(body.metar.station_id).toBe(body.gis.nearest_station.id)
    expect(body.metar.distance_km).toBe(body.gis.nearest_station.distance_km)
    expect(Math.abs(body.metar.age_min - (now - Date.parse(body.metar.observed_at)) / 60_000)).toBeLessThan(2)
    expect(body.meta.freshness).toContainEqual(
      expect.objectContaining({ product_id: 'metar', reference_time: body.metar.observed_at }),
    )
    const { aqi, aqi_category, pm25, ozone, pm10 } = body.current
    expect(aqi).toBe(Math.max(...[pm25, ozone, pm10].filter((value) => value !== null)))
    const categories = ['Good', 'Moderate', 'Unhealthy for Sensitive Groups', 'Unhealthy']
    expect(aqi_category).toBe(categories[[50, 100, 150, 200].findIndex((most) => aqi <= most)])
    expect(body.daily.find((day: { relative_day: number }) => day.relative_day === 1).aqi_max).toBeGreaterThan(0)
    expect(body.attribution.notice).toContain('AirNow data are preliminary')
    expect(body.attribution.sources).toEqual(
      expect.arrayContaining(['AirNow (US EPA and partner agencies)', 'NWS Aviation Weather Center METARs']),
    )
    const [airnow] = body.meta.freshness.filter(({ product_id }: { product_id: string }) => product_id === 'airnow')
    expect(airnow.monitors.length).toBeGreaterThan(0)
    for (const { pollutant, name, distance_km, hour } of airnow.monitors) {
      expect(['pm25', 'ozone', 'pm10']).toContain(pollutant)
      expect(name.length).toBeGreaterThan(0)
      expect(distance_km).toBeLessThanOrEqual(75)
      expect(Date.parse(hour) <= Date.parse(airnow.reference_time)).toBe(true)
    }
  })

  test('warns at a point far from every station and monitor', async () => {
    const { body } = await get('/v1/weather?lat=68.9&lon=-158.5&include=current,metar')
    if (body.metar) expect(body.metar.distance_km).toBeLessThanOrEqual(150)
    else expect(codes(body)).toContain('no_coverage')
    expect(body.current.aqi).toBeNull()
    expect(body.current).not.toHaveProperty('aqi_category')
  })
})

describe('/v1/observations', () => {
  test('gives the station of `metar` for a point, with its distance and the reported values in the requested units', async () => {
    const [metric, imperial] = await Promise.all(
      ['metric', 'imperial'].map((units) => get(`/v1/observations?lat=39.74&lon=-104.99&units=${units}`)),
    )
    if (!metric || !imperial) throw new Error('both answers are needed')
    const [row] = metric.body.observations
    expect(metric.body.observations).toHaveLength(1)
    expect(metric.cache).toBe('max-age=60')
    const { body } = await get('/v1/weather?lat=39.74&lon=-104.99&include=metar')
    expect(row.station_id).toBe(body.metar.station_id)
    const station = stations().find(({ id }) => id === row.station_id)
    if (!station) throw new Error(`there is no station ${row.station_id}`)
    expect(row.distance_km).toBe(Math.round(distanceKm(DENVER.lat, DENVER.lon, station.lat, station.lon) * 10) / 10)
    const truth = truthAt(station, Date.parse(row.observed_at))
    expect([row.temperature, row.dew_point]).toEqual([truth.temperature + 0, truth.dewPoint + 0])
    expect(imperial.body.observations[0].temperature).toBeCloseTo(truth.temperature * 1.8 + 32, 1)
    expect(imperial.body.units).toEqual({ temperature: 'F', wind_speed: 'mph', pressure: 'inHg', visibility: 'mi' })
    expect(row.pressure).not.toBeNull()
    expect(imperial.body.observations[0].pressure).toBe(truth.inches / 100)
    expect(row.raw).toContain(receivedReports(station, Date.now())[0]?.raw.slice(6, 10))
  })

  test('lists the newest report of each station in a box, up to the limit, with the same rows as GeoJSON and CSV', async () => {
    const box = 'bbox=-106,38,-103,41'
    const { body } = await get(`/v1/observations?${box}`)
    const ids = body.observations.map(({ station_id }: { station_id: string }) => station_id)
    expect(ids.length).toBeGreaterThan(10)
    expect(ids).toEqual([...new Set(ids)].sort())
    for (const { lat, lon, distance_km } of body.observations) {
      expect(lat >= 38 && lat <= 41 && lon >= -106 && lon <= -103).toBe(true)
      expect(distance_km).toBeUndefined()
    }
    const cut = await get(`/v1/observations?${box}&limit=3`)
    expect(cut.body.observations).toHaveLength(3)
    expect(codes(cut.body)).toEqual(['truncated'])
    const geo = await get(`/v1/observations?${box}&format=geojson`)
    expect(geo.type).toContain('application/geo+json')
    expect(
      geo.body.features.map((feature: { properties: { station_id: string } }) => feature.properties.station_id),
    ).toEqual(ids)
    const table = await get(`/v1/observations?${box}&format=csv`)
    expect(table.type).toContain('text/csv')
    const lines = table.text.trimEnd().split('\r\n')
    expect(lines[0]).toContain('station_id,name,state,lat,lon,elevation_m,distance_km,observed_at')
    expect(lines[0]).toContain('temperature [F]')
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(ids)
  })

  test('finds a station by id or FAA code, lists its hours, and rejects unknown stations, two selectors and points outside', async () => {
    const byId = await get('/v1/observations?station=kden')
    const byCode = await get('/v1/observations?station=DEN&hours=72')
    expect(byId.body.observations.map(({ station_id }: { station_id: string }) => station_id)).toEqual(['KDEN'])
    expect(byCode.body.observations[0].raw).toBe(byId.body.observations[0].raw)
    expect(codes(byCode.body)).toEqual(['history_short'])
    expect((await get('/v1/observations?station=ZZZZ')).status).toBe(404)
    for (const query of [
      '',
      'station=KDEN&bbox=-106,38,-103,41',
      'station=KDEN&hours=0',
      'station=KDEN&hours=73',
      'station=KDEN&limit=2001',
      'station=KDEN&foo=1',
    ])
      expect((await get(`/v1/observations?${query}`)).status).toBe(400)
    expect((await get('/v1/observations?bbox=2,48,3,49')).body.type).toContain('outside-coverage')
  })
})

describe('tools', () => {
  test('get_observations lists the nearest stations first, within radius and limit, or a named station', async () => {
    const { data, text } = await call('get_observations', { ...DENVER, hours: 3, limit: 3, units: 'metric' })
    expect(data['station_count']).toBe(3)
    const away = data['observations'].map(({ distance_km }: { distance_km: number }) => distance_km)
    expect(away).toEqual([...away].sort((a, b) => a - b))
    expect(text).toContain('SIMULATED')
    const named = await call('get_observations', { station: 'DEN', hours: 3 })
    expect(named.data['observations'][0].station_id).toBe('KDEN')
    expect(named.data).not.toHaveProperty('location')
    const none = await call('get_observations', { lat: 68.9, lon: -158.5, radius_km: 1, hours: 3 })
    expect(none.data['observations']).toEqual([])
    expect(none.data['meta'].warnings[0]).toMatchObject({
      code: 'no_coverage',
      detail: expect.stringMatching(/the nearest is [A-Z0-9]{4}/),
    })
    for (const args of [{}, { station: 'KDEN', location: 'Denver, CO' }, { station: 'ZZZZ' }])
      expect((await call('get_observations', args)).error).toBe(true)
  })

  test('get_current_conditions has the station of `metar`', async () => {
    const { data } = await call('get_current_conditions', DENVER)
    const { body } = await get('/v1/weather?lat=39.74&lon=-104.99&include=metar')
    expect(data['nearest_station']).toMatchObject({
      station_id: body.metar.station_id,
      raw: expect.stringContaining(body.metar.station_id),
      weather: body.metar.weather,
    })
  })

  test('get_air_quality has sub-indexes, monitor and the forecast for tomorrow in the contiguous states only', async () => {
    const { data } = await call('get_air_quality', {
      ...DENVER,
      pollutants: ['aqi', 'pm25', 'ozone', 'pm10'],
      include_forecast: true,
    })
    const { body } = await get('/v1/weather?lat=39.74&lon=-104.99&include=current')
    const value = (name: string) =>
      data['current'].find((series: { data: object }) => name in series.data)?.data[name][0] ?? null
    expect(['aqi', 'pm25', 'ozone', 'pm10'].map(value)).toEqual([
      body.current.aqi,
      body.current.pm25,
      body.current.ozone,
      body.current.pm10,
    ])
    expect(data['category']).toBe(body.current.aqi_category)
    expect(monitors().some(({ name }) => name === data['monitor'].name)).toBe(true)
    expect(data['forecast'].length).toBeGreaterThan(0)
    const alaska = await call('get_air_quality', { lat: 61.2, lon: -149.9 })
    expect(alaska.data).toMatchObject({ current: [], category: null, monitor: null })
    expect(alaska.data['meta'].warnings[0]).toMatchObject({
      code: 'no_coverage',
      detail: expect.stringMatching(/get_forecast.*REST/),
    })
    const far = await call('get_air_quality', { location: 'Galveston, TX' })
    expect(far.data).toMatchObject({ current: [], category: null })
    expect(far.text).toContain(
      'Air quality at Galveston, TX: not known, no AirNow monitor is within 75 km. This says nothing about whether the air is good or bad.',
    )
  })

  test('metar and airnow can be listed, described and queried', async () => {
    const list = await call('list_datasets', { kind: 'station' })
    expect(
      list.data['datasets'].map(({ dataset_id, queryable }: { dataset_id: string; queryable: boolean }) => [
        dataset_id,
        queryable,
      ]),
    ).toEqual([
      ['metar', true],
      ['airnow', true],
    ])
    const described = await call('describe_dataset', { dataset_id: 'metar' })
    expect(described.data['detail'].variables.map(({ name }: { name: string }) => name)).toContain('dew_point')
    const { body } = await get('/v1/observations?station=KDEN')
    const rows = await call('query_dataset', {
      dataset_id: 'metar',
      stations: ['kden', 'KBOS'],
      variables: ['temperature', 'wind_speed'],
      hours: 3,
    })
    expect(
      rows.data['points'].map(({ station_id, status }: { station_id: string; status: string }) => [station_id, status]),
    ).toEqual([
      ['KDEN', 'ok'],
      ['KBOS', 'ok'],
    ])
    expect(rows.data['rows'].find(([point]: [number]) => point === 0).slice(1)).toEqual([
      body.observations[0].observed_at,
      body.observations[0].temperature,
      body.observations[0].wind_speed,
    ])
    const box = await call('query_dataset', {
      dataset_id: 'metar',
      bbox: [-106, 38, -103, 41],
      variables: ['temperature'],
      hours: 3,
      aggregate: { over: 'all', functions: ['count', 'mean'] },
    })
    expect(box.data['rows'][0][0]).toBeGreaterThan(10)
    const air = await call('query_dataset', { dataset_id: 'airnow', ...DENVER, variables: ['aqi', 'ozone'], hours: 6 })
    expect(air.data['total_rows']).toBeGreaterThan(0)
    expect(
      (await call('query_dataset', { dataset_id: 'metar', stations: ['ZZZZ'], variables: ['temperature'] })).error,
    ).toBe(true)
    expect((await call('query_dataset', { dataset_id: 'metar', ...DENVER, variables: ['cape'] })).error).toBe(true)
  })
})
