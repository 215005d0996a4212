import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAirQuality } from '../../api/live/air-quality.ts'
import { openObservations } from '../../api/live/observations.ts'
import type { LiveDeps } from '../../api/live/source.ts'
import { airAt, airnowSource, monitors } from '../../infra/simulator/feeds/airnow.ts'
import { metarSources, receivedReports, truthAt } from '../../infra/simulator/feeds/metar.ts'
import { type Mirror as Simulator, startMirror as startSimulator } from '../../infra/simulator/mirror.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { airQualityFrom } from '../../ingest/domain/weather/air-quality.ts'
import { stations } from '../../ingest/geo/site.ts'
import { distanceKm } from '../../ingest/geo/sphere.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { feedState, rejectedTotals } from '../../sql/queries/feeds.ts'
import { secondSources } from '../../sql/queries/second-sources.ts'
import { startMirror } from './mirror.ts'

const NOW = Date.UTC(2026, 1, 7, 7, 0)
const CACHE = 'aviationweather.gov/data/cache/metars.cache.csv.gz'
const HEADER = 'raw_text,observation_time,latitude,longitude,elevation_m'

let dataDir: string
let database: Database
let now = NOW
const clock = () => now

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-observations-'))
  database = await openDatabase({ dataDir, databasePool: 1 })
})

afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

beforeEach(async () => {
  now = NOW
  await database.query(
    "truncate observation, station, monitor_hour, air_quality_forecast; delete from feed_state where feed like 'metar%' or feed like 'airnow%'",
  )
})

const invalidated = { all: 0 }
const liveDeps = () =>
  ({
    database,
    clock,
    current: { invalidate: () => invalidated.all++ },
    report: () => (error: unknown) => {
      throw error
    },
  }) as unknown as LiveDeps

const count = async (table: string) =>
  nth(await database.query<{ n: number }>(`select count(*)::int as n from ${table}`), 0).n

describe('the simulated stations and monitors', () => {
  let simulator: Simulator
  const sweep = (id: string) => {
    const upstream = openUpstream({ mirror: simulator.url })
    return sweepFeed({ database, upstream, objects: undefined as never, clock }, id).finally(() => upstream.close())
  }
  beforeAll(async () => {
    simulator = await startSimulator({ sources: [...metarSources, airnowSource], now: clock })
  })
  afterAll(() => simulator.close())

  test('a cold start stores 24 hours of every station as in the simulated weather, and a second read stores nothing', async () => {
    // Each sweep reads six hours of cycles.
    for (let i = 0; i < 5; i++) await sweep('metar')
    expect(await database.query("select feed from feed_state where feed like 'metar%' order by feed")).toMatchObject([
      { feed: 'metar' },
      { feed: 'metar/cycles' },
      { feed: 'metar/stations' },
    ])
    expect(await count('station')).toBe(stations().length)
    const [range] = await database.query<{ oldest: Date; newest: Date }>(
      'select min(observed_at) as oldest, max(observed_at) as newest from observation',
    )
    expect(range!.newest.getTime()).toBeLessThanOrEqual(NOW)
    expect(NOW - range!.oldest.getTime()).toBeGreaterThan(23 * HOUR)
    const rows = await count('observation')
    expect(rows).toBeGreaterThan(20 * stations().length)
    const live = await openObservations(liveDeps())
    let [checked, windy] = [0, 0]
    for (const station of stations()) {
      const newest = live.newest(station.id)
      const expected = receivedReports(station, NOW)[0]
      if (!newest || !expected || !newest.raw.includes(expected.raw.replace(/^(METAR|SPECI) /, ''))) continue
      const truth = truthAt(station, expected.at)
      expect(newest.temperature).toBe(truth.temperature + 0)
      expect(newest.dewPoint).toBe(truth.dewPoint + 0)
      // The direction of weaker wind is reported as variable or calm.
      const direction = truth.knots >= 3 ? truth.direction : newest.windDirection
      expect(newest.windDirection).toBe(direction)
      windy += truth.knots >= 3 ? 1 : 0
      checked++
    }
    expect(checked).toBeGreaterThan(0.97 * stations().length)
    expect(windy).toBeGreaterThan(checked / 2)
    // A station whose clock is three hours ahead has no row in the future.
    expect(
      await database.query('select station from observation where observed_at > $1', [new Date(NOW + 10 * MINUTE)]),
    ).toEqual([])
    await live.close?.()

    const before = simulator.log.length
    expect((await sweep('metar')).notes).toEqual([])
    expect(simulator.log.slice(before).filter((line) => line.includes(' 304 '))).toHaveLength(1)
    now = NOW + 4 * MINUTE
    await sweep('metar')
    expect(await count('observation')).toBeGreaterThanOrEqual(rows)

    // The file has 2,900 reports with few new ones spread over it, and they are announced by one event.
    await database.query('delete from outbox')
    const removed = await database.query<{ station: string }>(
      "delete from observation where observed_at > $1 and station like '%A' returning station",
      [new Date(NOW - HOUR)],
    )
    await database.query("update feed_state set etag = null, last_modified = null, digest = null where feed = 'metar'")
    const { notes } = await sweep('metar')
    expect(notes[0]).toMatch(new RegExp(`^${new Set(removed.map(({ station }) => station)).size} reports`))
    expect(removed.length).toBeGreaterThan(50)
    expect(await database.query('select payload from outbox')).toMatchObject([{ payload: { dataset: 'metar' } }])
  })

  test('a point gets the nearest station that reports', async () => {
    await sweep('metar')
    const live = await openObservations(liveDeps())
    for (const [lat, lon] of [
      [39.74, -104.99],
      [61.2, -149.9],
      [21.3, -157.9],
      [40.7, -74],
    ] as const) {
      const answer = await live.at({ lat, lon, now })
      const reporting = live.reporting().filter(({ report }) => now - report.observedAt <= 90 * MINUTE)
      const nearest = Math.min(...reporting.map(({ report }) => distanceKm(lat, lon, report.lat, report.lon)))
      expect(answer.nearest!.km).toBeCloseTo(nearest, 6)
      expect(answer).toMatchObject({ warnings: [], degraded: false, freshness: [{ product_id: 'metar' }] })
      const code = answer.nearest!.station.id
      expect(live.station(code.toLowerCase())?.id).toBe(code)
    }
    expect(live.station('DEN')?.id).toBe('KDEN')
    expect(live.station('NOPE')).toBeUndefined()
    await live.close?.()
  })

  test('a point gets the sub-indexes of the nearest monitors and the forecast of the nearest area, and revisions are read again', async () => {
    // At 07:30 the 06Z file exists in its first edition.
    now = NOW + 30 * MINUTE
    await sweep('airnow')
    const live = await openAirQuality(liveDeps())
    const [lat, lon] = [39.74, -104.99]
    const { air, warnings, degraded } = await live.at({ lat, lon, now })
    expect([warnings, degraded]).toEqual([[], false])
    const near = monitors()
      .map((monitor) => ({ monitor, km: distanceKm(lat, lon, monitor.lat, monitor.lon) }))
      .filter(({ km }) => km <= 75)
      .sort((a, b) => a.km - b.km)
    expect(air.aqi).toBe(Math.max(...Object.values(air.readings).map(({ aqi }) => aqi)))
    expect(air.readings.ozone!.km).toBeGreaterThanOrEqual(nth(near, 0).km - 1e-6)
    for (const { monitor, aqi } of Object.values(air.readings))
      expect(Object.values(airAt(monitor.lat, monitor.lon, monitor.hour))).toContain(aqi)
    expect(live.forecast(lat, lon, '2026-02-08')?.rows.length).toBe(2)
    const rows = await count('monitor_hour')
    now = NOW + 50 * MINUTE
    await sweep('airnow')
    expect(await count('monitor_hour')).toBeGreaterThan(rows)
    await live.close?.()
  })
})

describe('a feed that goes wrong', () => {
  let mirror: Awaited<ReturnType<typeof startMirror>>
  beforeAll(async () => {
    mirror = await startMirror()
  })
  afterAll(() => mirror.close())
  const sweep = async (id = 'metar') => {
    const upstream = openUpstream({ mirror: mirror.url, sleep: async () => undefined })
    return sweepFeed({ database, upstream, objects: undefined as never, clock }, id).finally(() => upstream.close())
  }
  const row = (raw: string, at = NOW - 7 * MINUTE, place = '39.8466,-104.6562') =>
    `${raw},${new Date(at).toISOString()},${place},1656`
  const cache = (...rows: string[]) => [HEADER, ...rows, ''].join('\n')
  const good = cache(row('KDEN 070653Z 27010KT 10SM CLR 05/M02 A3012'))
  const point = { lat: 39.74, lon: -104.99 }

  test.each<[string, Parameters<typeof mirror.set>[1]]>([
    ['HTML', '<html>Call Blocked</html>'],
    ['a redirect to a page (308)', { status: 308, body: '<html>' }],
    ['an error', { status: 500 }],
    ['nothing', ''],
    ['a header that is gone', 'No errors\nKDEN 070653Z,x\n'],
    ['a body that ends early', { truncated: good }],
  ])('%s: stored data stay; two failures: source_failed; then recovery without a restart', async (_, fault) => {
    mirror.set(CACHE, good)
    await sweep()
    const live = await openObservations(liveDeps())
    mirror.set(CACHE, fault)
    await expect(sweep()).rejects.toThrow()
    await live.read()
    expect(await live.at({ ...point, now })).toMatchObject({
      nearest: { report: { station: 'KDEN' } },
      warnings: [],
      degraded: false,
    })
    await expect(sweep()).rejects.toThrow()
    await live.read()
    const broken = await live.at({ ...point, now })
    expect(broken).toMatchObject({ nearest: { report: { station: 'KDEN' } }, degraded: true })
    expect(broken.warnings).toMatchObject([{ code: 'source_failed', section: 'metar' }])
    mirror.set(CACHE, cache(row('KDEN 070658Z 27012KT 10SM CLR 06/M02 A3012', NOW - 2 * MINUTE)))
    await sweep()
    await live.read()
    expect(await live.at({ ...point, now })).toMatchObject({
      nearest: { report: { temperature: 6 } },
      warnings: [],
      degraded: false,
    })
    expect(await feedState(database, 'metar')).toMatchObject({ failures: 0, failure: null })
    if (/HTML|nothing|header/.test(_)) {
      const totals = (await rejectedTotals(database)).find(({ feed, reason }) => feed === 'metar' && reason === 'file')
      expect(totals!.total).toBeGreaterThanOrEqual(2)
    }
    await live.close?.()
  })

  test('without new files, observations are stale after 90 minutes and absent after 180', async () => {
    mirror.set(CACHE, good)
    await sweep()
    const live = await openObservations(liveDeps())
    now = NOW + 90 * MINUTE
    await sweep()
    await live.read()
    expect(await live.at({ ...point, now })).toMatchObject({
      nearest: {},
      warnings: [{ code: 'stale_source' }],
      degraded: true,
    })
    now = NOW + 180 * MINUTE
    await live.read()
    const rows = await live.at({ ...point, now })
    expect(rows).toMatchObject({ warnings: [{ code: 'stale_source' }], degraded: true })
    expect(rows).not.toHaveProperty('nearest')
    expect(await live.at({ lat: 64, lon: -150, now: NOW })).toMatchObject({
      warnings: [{ code: 'no_coverage' }],
      degraded: false,
    })
    await live.close?.()
  })

  test('a cache that falls back to a copy from an hour before is stale until it is current again', async () => {
    const at = (time: number) =>
      cache(
        ...Array.from({ length: 30 }, (_, k) => {
          const clock = new Date(time - k * 1000).toISOString()
          const [day, hour, minute] = [clock.slice(8, 10), clock.slice(11, 13), clock.slice(14, 16)]
          return row(
            `KD${String.fromCharCode(65 + (k % 26))}${k > 25 ? 'Z' : 'A'} ${day}${hour}${minute}Z 27010KT 10SM CLR 05/M02 A3012`,
            time - k * 1000,
          )
        }),
      )
    const cycle = 'tgftp.nws.noaa.gov/data/observations/metar/cycles/07Z.TXT'
    mirror.set(CACHE, at(NOW - 5 * MINUTE))
    await sweep()
    mirror.set(cycle, '2026/02/07 07:10\nKDEN 070710Z 27010KT 10SM CLR 05/M02 A3012\n\n')
    now = NOW + 15 * MINUTE
    // A server that is four minutes behind the other does not count as stale.
    mirror.set(CACHE, at(NOW - 9 * MINUTE))
    expect((await sweep()).notes.join()).not.toContain('read before')
    mirror.set(CACHE, at(NOW - 65 * MINUTE))
    expect((await sweep()).notes.join()).toContain('the file is older than the last file that was read')
    expect(await secondSources(database)).toMatchObject([{ dataset: 'metar' }])
    // The same bytes cause no event.
    await sweep()
    expect(await secondSources(database)).toHaveLength(1)
    mirror.set(CACHE, at(NOW + 14 * MINUTE))
    expect((await sweep()).notes.join()).not.toContain('read before')
    expect(await secondSources(database)).toEqual([])
    mirror.remove(cycle)
  })

  test('the hourly cycles replace the cache while it cannot be read', async () => {
    mirror.set(CACHE, { status: 308 })
    mirror.set(
      'tgftp.nws.noaa.gov/data/observations/metar/cycles/07Z.TXT',
      '2026/02/07 06:53\nKDEN 070653Z 27010KT 10SM CLR 05/M02 A3012\n\n',
    )
    mirror.set(
      'aviationweather.gov/data/cache/stations.cache.json.gz',
      JSON.stringify([
        {
          id: 'KDEN',
          icaoId: 'KDEN',
          site: 'Denver Intl',
          lat: 39.8466,
          lon: -104.6562,
          elev: 1656,
          state: 'CO',
          country: 'US',
          siteType: ['METAR'],
        },
      ]),
    )
    const live = await openObservations(liveDeps())
    await expect(sweep()).rejects.toThrow('308')
    expect(await count('observation')).toBe(1)
    await live.read()
    expect(await live.at({ ...point, now })).toMatchObject({
      nearest: { station: { name: 'Denver Intl' } },
      warnings: [],
    })
    await expect(sweep()).rejects.toThrow('308')
    await live.read()
    expect(await live.at({ ...point, now })).toMatchObject({
      nearest: { report: { temperature: 5 } },
      warnings: [{ code: 'source_failed' }],
      degraded: true,
    })
    await live.close?.()
    mirror.remove('tgftp.nws.noaa.gov/data/observations/metar/cycles/07Z.TXT')
    mirror.remove('aviationweather.gov/data/cache/stations.cache.json.gz')
  })

  test('corrections, repeats, moved stations, clocks and rows without a place', async () => {
    const table = {
      id: 'KBOS',
      icaoId: 'KBOS',
      site: 'Boston',
      lat: 42.36,
      lon: -71.01,
      elev: 6,
      state: 'MA',
      country: 'US',
      siteType: ['METAR'],
    }
    mirror.set(
      'aviationweather.gov/data/cache/stations.cache.json.gz',
      gzipSync(JSON.stringify([table])).toString('latin1'),
    )
    mirror.set('aviationweather.gov/data/cache/stations.cache.json.gz', JSON.stringify([table]))
    const boston = (raw: string, place: string) => row(raw, NOW - 6 * MINUTE, place)
    const at = async (id: string) =>
      (
        await database.query<{ lat: number; raw: string }>(
          'select ST_Y(place) as lat, raw from observation where station = $1',
          [id],
        )
      )[0]
    mirror.set(
      CACHE,
      cache(
        boston('KBOS 070654Z 36005KT 10SM CLR 01/M02 A3012', '42.36,71.01'),
        row('KZZZ 070653Z 36005KT 10SM CLR', NOW, ','),
        row('KDEN 071000Z 36005KT 10SM CLR', NOW, '39.8,-104.6'),
      ),
    )
    await sweep()
    expect(await at('KBOS')).toMatchObject({ lat: 42.36 })
    expect([await at('KZZZ'), await at('KDEN')]).toEqual([undefined, undefined])
    expect(await database.query("select rejected from feed_state where feed = 'metar'")).toMatchObject([
      { rejected: { no_place: 1, future: 1 } },
    ])
    mirror.set(CACHE, cache(boston('KBOS 070654Z COR 36009KT 10SM CLR 01/M02 A3012', '42.40,-71.01')))
    await sweep()
    expect(await at('KBOS')).toMatchObject({ raw: 'KBOS 070654Z COR 36009KT 10SM CLR 01/M02 A3012', lat: 42.4 })
    mirror.set(CACHE, cache(boston('KBOS 070654Z 36005KT 10SM CLR 01/M02 A3012', '42.36,-71.01')))
    await sweep()
    expect(await at('KBOS')).toMatchObject({ raw: 'KBOS 070654Z COR 36009KT 10SM CLR 01/M02 A3012' })
    mirror.remove('aviationweather.gov/data/cache/stations.cache.json.gz')
  })

  describe('AirNow', () => {
    const file = (hour: number) => {
      const iso = new Date(hour).toISOString().replaceAll('-', '')
      return `files.airnowtech.org/airnow/${iso.slice(0, 4)}/${iso.slice(0, 8)}/HourlyAQObs_${iso.slice(0, 8)}${iso.slice(9, 11)}.dat`
    }
    const text = (hour: number, pm25: string, status = 'Active') =>
      `"AQSID","SiteName","Status","Latitude","Longitude","ValidDate","ValidTime","DataSource","PM25_AQI","OZONE_AQI","PM10_AQI"\n"1","Denver","${status}","39.75","-105.0","02/07/2026","${new Date(hour).toISOString().slice(11, 16)}","CDPHE","${pm25}","",""\n`
    const [h1, h2, h3] = [1, 2, 3].map((back) => NOW - back * HOUR) as [number, number, number]

    test('the newest usable hour is read; a missing newest file is not a failure, but the lack of all files is', async () => {
      mirror.set(file(h2), text(h2, '60'))
      mirror.set(file(h3), text(h3, '90'))
      await sweep('airnow')
      const live = await openAirQuality(liveDeps())
      expect(await live.at({ ...point, now })).toMatchObject({
        air: { aqi: 60, category: 'Moderate' },
        degraded: false,
      })
      mirror.set(file(h1), text(h1, '-999'))
      mirror.set(file(h2), text(h2, '61'))
      await sweep('airnow')
      await live.read()
      expect((await live.at({ ...point, now })).air.aqi).toBe(61)
      mirror.set(file(h1), '<html>')
      await expect(sweep('airnow')).rejects.toThrow('must have at most')
      await expect(sweep('airnow')).rejects.toThrow()
      await live.read()
      const broken = await live.at({ ...point, now })
      expect(broken).toMatchObject({
        air: { aqi: 61 },
        degraded: true,
        warnings: [{ code: 'source_failed', section: 'current' }],
      })
      mirror.set(file(h1), text(h1, '70'))
      await sweep('airnow')
      await live.read()
      expect(await live.at({ ...point, now })).toMatchObject({ air: { aqi: 70 }, warnings: [] })
      now = NOW + 4 * HOUR
      await expect(sweep('airnow')).rejects.toThrow('none of the files')
      await live.read()
      expect(await live.at({ ...point, now })).toMatchObject({
        air: { aqi: null },
        degraded: true,
        warnings: [{ code: 'stale_source' }],
      })
      expect(await live.at({ lat: 45, lon: -100, now: NOW })).toMatchObject({
        air: { aqi: null },
        degraded: false,
        warnings: [{ code: 'no_coverage' }],
      })
      await live.close?.()
      for (const hour of [h1, h2, h3]) mirror.remove(file(hour))
    })
  })
})

test('air quality without monitors is null', () => expect(airQualityFrom([], NOW)).toEqual({ readings: {}, aqi: null }))
