import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueKey } from '../../api/keys/issue.ts'
import type { Current } from '../../api/live/served-runs.ts'
import { type RunningApi, startApi } from '../../api/main.ts'
import { normalsReader } from '../../bin/normals.ts'
import { climateSources, simulatedNormal } from '../../infra/simulator/feeds/climate.ts'
import { metarSources } from '../../infra/simulator/feeds/metar.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { loadConfig } from '../../ingest/config.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { leapDay } from '../../ingest/domain/weather/climate.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import type { FeedDeps } from '../../ingest/steps/feeds/feed.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { putText } from '../../sql/queries/climate.ts'
import { setOrigin, setUpstreamMirror } from '../../sql/queries/origin.ts'
import { analyticCurrent } from './analytic-runs.ts'

// biome-ignore lint/suspicious/noExplicitAny: an untyped JSON answer
type Json = any

let dataDir: string
let database: Database
let objects: Objects
let events: Events
let mirror: Mirror
let upstream: Upstream
let api: RunningApi
let key: string
let client: Client
let feeds: FeedDeps

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-climate-api-'))
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' })
  database = await openDatabase(config)
  objects = await openObjects(config)
  events = await openEvents(config, database)
  // The 24 hourly cycles are skipped, because they take 20 s.
  mirror = await startMirror({ sources: [...climateSources, nth(metarSources, 0)], now: Date.now })
  upstream = openUpstream({ mirror: mirror.url })
  feeds = { database, objects, upstream, clock: Date.now }
  await sweepFeed(feeds, 'metar')
  const current = Object.create(analyticCurrent(Date.now()), {
    confirmedAt: { value: () => Date.now() },
    simulated: { value: () => true },
  }) as Current
  await setOrigin(database, true)
  // The API process finds the simulator by the rows that the worker wrote.
  api = await startApi(config, { database, objects, events, current }, normalsReader(config))
  key = (await issueKey(database, { name: 'test', plan: 'professional', channel: 'test' })).key
  client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${api.port}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  )
})

afterAll(async () => {
  await client.close()
  await api.close()
  await upstream.close()
  await mirror.close()
  await events.close()
  await objects.close()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

const get = async (path: string): Promise<{ status: number; cache: string | null; body: Json }> => {
  const reply = await fetch(`http://127.0.0.1:${api.port}${path}`, { headers: { authorization: `Bearer ${key}` } })
  return { status: reply.status, cache: reply.headers.get('cache-control'), body: await reply.json() }
}
const call = async (name: string, args: object): Promise<Json> =>
  client.callTool({ name, arguments: args as Record<string, unknown> })
/** Warnings other than that of simulated data. */
const codes = (meta: Json): string[] =>
  (meta.warnings ?? []).map(({ code }: Json) => code).filter((code: string) => code !== 'simulated_data')

describe('before the first read', () => {
  test('warns of an empty list and does not allow caching', async () => {
    const { status, cache, body } = await get('/v1/climate/records')
    expect([status, cache, body.records, codes(body.meta)]).toEqual([200, 'no-store', [], ['source_missing']])
    const { structuredContent, content } = await call('get_climate_records', { type: 'reports', wfo: 'BOX' })
    expect(structuredContent.results).toEqual({ count: 0, items: [] })
    expect(content[0].text).toMatch(/not known which reports were issued/)
    const normals = await call('get_climate_normals', { location: 'Denver, CO' })
    expect(normals.structuredContent.climate).toBeNull()
    expect(codes(normals.structuredContent.meta)).toContain('source_missing')
  })
})

describe('after the feeds were read', () => {
  beforeAll(async () => {
    await sweepFeed(feeds, 'climate-reports')
    await sweepFeed(feeds, 'normals')
    await setUpstreamMirror(database, mirror.url)
    await putText(database, {
      id: 'text-unreadable',
      kind: 'CLI',
      location: 'BOS',
      office: 'KBOX',
      issuedAt: new Date(),
      rejected: 'expected a headline, but found none',
    })
    // The list of stations was read a moment ago.
    await new Promise((resolve) => setTimeout(resolve, 2100))
  })

  test('finds reports by station in both forms, by office and by dates', async () => {
    const { status, cache, body } = await get('/v1/climate/reports?station=bos&hours=168')
    expect([status, cache]).toEqual([200, 'max-age=60'])
    expect(body.reports.length).toBeGreaterThanOrEqual(4)
    const [newest] = body.reports
    expect(newest).toMatchObject({
      station: 'BOS',
      name: 'BOSTON MA',
      office: 'KBOX',
      snow: { total: 0, trace: false },
    })
    expect(newest.temperature.records.high_years).toEqual([1953])
    expect(body.reports.map(({ date }: Json) => date)).toEqual(
      [...body.reports.map(({ date }: Json) => date)].sort().reverse(),
    )
    expect((await get('/v1/climate/reports?station=KBOS&hours=168')).body.reports).toEqual(body.reports)
    expect((await get('/v1/climate/reports?wfo=box&hours=168')).body.reports).toEqual(body.reports)
    expect((await get('/v1/climate/reports?wfo=KBOX&hours=168')).body.reports).toEqual(body.reports)
    const response = await get(`/v1/climate/reports?station=BOS&date=${newest.date}`)
    expect(response.body.reports).toEqual([newest])
    const two = body.reports.slice(0, 2)
    const range = await get(`/v1/climate/reports?station=BOS&start=${two[1].date}&end=${two[0].date}`)
    expect(range.body.reports).toEqual(two)
    const cut = await get('/v1/climate/reports?hours=168&limit=3')
    expect([cut.body.reports.length, codes(cut.body.meta)]).toEqual([3, expect.arrayContaining(['truncated'])])
  })

  test('names an unreadable text and does not guess its values', async () => {
    const { body } = await get('/v1/climate/reports?wfo=BOX')
    const warning = body.meta.warnings.find(({ code }: Json) => code === 'unreadable_product')
    expect(warning.detail).toMatch(/^text-unreadable \(KBOX, .*expected a headline, but found none$/)
    expect(codes((await get('/v1/climate/reports?wfo=BOU')).body.meta)).toEqual([])
  })

  test('returns the same items by tool', async () => {
    const reports = (await get('/v1/climate/reports?wfo=BOX&hours=168')).body.reports
    const { structuredContent, content, isError } = await call('get_climate_records', {
      type: 'reports',
      wfo: 'BOX',
      hours: 168,
    })
    expect(isError ?? false).toBe(false)
    expect(structuredContent.results).toEqual({ count: reports.length, items: reports })
    expect(content[0].text).toMatch(/BOSTON MA \(BOS\) .* high -?\d+ °F \(normal -?\d+/)
    const records = (await get('/v1/climate/records?hours=168&record_type=high')).body.records
    expect(records.length).toBeGreaterThan(3)
    const result = await call('get_climate_records', { type: 'records', record_type: 'HIGH', hours: 168 })
    expect(result.structuredContent.results.items).toEqual(records.slice(0, 24))
    expect(JSON.stringify(result.structuredContent).length).toBeLessThan(16_384)
    const all = await call('get_climate_records', { type: 'reports', hours: 168 })
    expect(all.structuredContent.results.count).toBe(14)
    expect(JSON.stringify(all.structuredContent).length).toBeLessThan(16_384)
    expect((await get('/v1/climate/records?hours=168&record_type=LOW')).body.records).toEqual([])
  })

  test.each([
    ['/v1/climate/reports?record_type=HIGH', 400],
    ['/v1/climate/records?station=BOS', 400],
    ['/v1/climate/records?record_type=HOT', 400],
    ['/v1/climate/reports?date=2026-02-30', 400],
    ['/v1/climate/reports?date=2026-06-01&hours=3', 400],
    ['/v1/climate/reports?start=2026-06-01', 400],
    ['/v1/climate/reports?start=2026-06-02&end=2026-06-01', 400],
    ['/v1/climate/reports?start=2025-01-01&end=2026-06-01', 400],
    ['/v1/climate/reports?wfo=XQZ', 404],
    ['/v1/climate/reports?wfo=B1', 400],
  ])('answers %s with %i and says what was expected', async (path, status) => {
    const reply = await get(path)
    expect([reply.status, reply.body.detail.length > 20]).toEqual([status, true])
  })

  test.each([
    [{ type: 'records', station: 'BOS' }, 'bad-request', /station.*record/],
    [{ type: 'reports', record_type: 'HIGH' }, 'bad-request', /record_type/],
    [{ type: 'reports', date: '2026-06-01', hours: 5 }, 'bad-request', /hours.*date/],
    [{ type: 'reports', start: '2026-06-02', end: '2026-06-01' }, 'bad-request', /from 2026-06-02 on/],
    [{ type: 'reports', wfo: 'XQZ' }, 'not-found', /Nearest/],
  ])('rejects %j in the tool', async (args, code, words) => {
    const { isError, content } = await call('get_climate_records', args)
    expect(isError).toBe(true)
    expect(content[0].text).toMatch(new RegExp(`^Error \\(${code}\\)`))
    expect(content[0].text).toMatch(words)
  })

  test('returns the same normals by tool and section, for any date and in K by tool', async () => {
    const { body } = await get('/v1/weather?lat=39.74&lon=-104.99&include=climate&days=7')
    const { structuredContent, content } = await call('get_climate_normals', { lat: 39.74, lon: -104.99 })
    expect(structuredContent.climate).toEqual(body.climate)
    expect(structuredContent.meta.attribution.sources).toEqual(['NOAA NCEI U.S. Climate Normals 1991–2020'])
    expect(content[0].text).toMatch(/\nUsual values for .*normals 1991-2020.*\n.*high -?\d+(\.\d)? °F/)
    const leap = await call('get_climate_normals', {
      lat: 39.74,
      lon: -104.99,
      date: '2028-02-28',
      days: 3,
      units: 'si',
    })
    const { meta, days, station } = leap.structuredContent.climate
    expect(meta.unit).toBe('K')
    expect(days.map(({ date }: Json) => date)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01'])
    const { high } = simulatedNormal(station.latitude, leapDay(2, 29)!)
    expect(days[1].normal_high).toBe(Math.round(((high - 32) / 1.8 + 273.15) * 10) / 10)
    const wrong = await call('get_climate_normals', { lat: 39.74, lon: -104.99, date: '2026-02-29' })
    expect(wrong.content[0].text).toMatch(/^Error \(bad-request\): date/)
  })

  test('returns the values of the tool from the dataset normals, for any date and units', async () => {
    const place = { lat: 39.74, lon: -104.99 }
    const query = { ...place, dataset_id: 'normals', variables: ['normal_high', 'normal_precip', 'normal_high_stddev'] }
    const result = await call('query_dataset', { ...query, start: '2028-02-28', end: '2028-03-01', units: 'metric' })
    expect(result.isError ?? false).toBe(false)
    const { columns, rows } = result.structuredContent
    expect(columns.map(({ name, unit }: Json) => [name, unit])).toEqual([
      ['point', null],
      ['valid_time', null],
      ['normal_high', 'C'],
      ['normal_precip', 'mm'],
      ['normal_high_stddev', 'C'],
    ])
    const normals = await call('get_climate_normals', { ...place, date: '2028-02-28', days: 3, units: 'metric' })
    expect(rows.map((row: Json) => [row[1].slice(0, 10), ...row.slice(2)])).toEqual(
      normals.structuredContent.climate.days.map((day: Json) => [
        day.date,
        day.normal_high,
        day.normal_precip,
        day.normal_high_stddev,
      ]),
    )
    const plain = await call('query_dataset', query)
    expect(plain.structuredContent.rows).toHaveLength(1)
    const { detail } = (await call('describe_dataset', { dataset_id: 'normals' })).structuredContent
    expect(detail).toMatchObject({ kind: 'climatology', queryable: true, use_tool: null, provider: 'NOAA/NCEI' })
    expect(detail.variables.map(({ name }: Json) => name)).toContain('normal_mean_stddev')
  })

  test('uses the final report of a nearby station for a past day without stored analyses', async () => {
    const { body } = await get('/v1/climate/reports?station=BOS&hours=168')
    const report = body.reports.find(({ preliminary }: Json) => !preliminary)
    const logan = { lat: 42.36, lon: -71.01 }
    const { structuredContent, content } = await call('get_past_weather', {
      ...logan,
      start: report.date,
      end: report.date,
    })
    const { high, low } = report.temperature
    expect(structuredContent.days).toMatchObject([{ date: report.date, high, low, source: 'observed', complete: true }])
    expect(content[0].text.split('\n')[0]).toContain('1 of 1 days stored.')
    expect(structuredContent.meta.warnings).toContainEqual(
      expect.objectContaining({ code: 'history_short', detail: expect.stringMatching(/report of KBOS, \d+ km away/) }),
    )
    // At this base, the modified method changes no temperature.
    const degrees = await call('get_growing_degree_days', {
      ...logan,
      crop: 'custom',
      base_temp_c: -20,
      upper_temp_c: 60,
      season_start: report.date,
      allow_partial: true,
    })
    const row = degrees.structuredContent.season.series.find(({ date }: Json) => date === report.date)
    expect(row.source).toBe('observed')
    expect(row.gdu).toBeCloseTo((high + low) / 2 - -4, 1)
    const away = await call('get_past_weather', { lat: 42.9, lon: -72.3, start: report.date, end: report.date })
    expect(away.content[0].text).toMatch(/^Error \(no-data\)/)
  })

  test('shows the last data of a failed feed, with a warning and no-store', async () => {
    mirror.misbehaviours.push({ path: 'api.weather.gov/products/types', how: 'html' })
    await expect(sweepFeed(feeds, 'climate-reports')).rejects.toThrow()
    mirror.misbehaviours.length = 0
    const { cache, body } = await get('/v1/climate/reports?station=BOS&hours=168')
    expect(body.reports.length).toBeGreaterThanOrEqual(4)
    expect([cache, codes(body.meta)]).toEqual(['no-store', expect.arrayContaining(['stale_source'])])
  })
})
