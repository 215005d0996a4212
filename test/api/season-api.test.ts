import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cellOf, idOfCell, loadCells } from '../../ingest/domain/cell.ts'
import { SEASON_MAX, SEASON_MIN } from '../../ingest/domain/dataset/season.ts'
import { DAY, dateText } from '../../ingest/domain/time.ts'
import { zone } from '../../ingest/domain/timezone.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { cutCover } from '../../ingest/tile/cover.ts'
import { putSeasonDay, putSeasonMonth } from '../../sql/queries/season.ts'
import { makeSlabs } from '../tile/made-slabs.ts'
import { type EdgeServer, edgeServer } from './http/test-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: an untyped JSON answer
type Json = any

const denver = { lat: 39.74, lon: -104.99 }
const domain = 'conus' as const
const coverId = '7-400-test'
const today = zone('America/Denver').dayOf(Date.now())
/** Stored days: the 90 days before yesterday, except two of them. */
const first = today - 91
const last = today - 2
const lost = new Set([today - 40, today - 41])
/** °C in tenths. */
const maxOf = (day: number) => 200 + (day % 7) * 13
const minOf = (day: number) => 60 + (day % 5) * 11

let server: EdgeServer
let client: Client

beforeAll(async () => {
  server = await edgeServer()
  const pool = openPool({ threads: 1 })
  const { ids } = loadCells(7)
  const at = ids.indexOf(idOfCell(cellOf(denver.lat, denver.lon, 7)))
  const cover = cutCover(ids.slice(at - 200, at + 200), 7)
  const months = new Map<string, string[]>()
  for (let day = first; day <= last; day++) {
    if (lost.has(day)) continue
    const month = `${dateText(day).slice(0, 7)}-01`
    const slab = `season/v1/urma/conus/days/${dateText(day)}`
    const item = (variable: string, tenths: number) => ({
      variable,
      time: day * DAY,
      quantum: 0.1,
      offset: 273.15,
      codes: new Int16Array(cover.ids.length).fill(tenths),
    })
    const identity = { dataset: 'urma-days', domain: 'conus' as const, run: Date.parse(month), resolution: 7 }
    await server.objects.put(
      slab,
      makeSlabs(identity, cover, [item(SEASON_MAX, maxOf(day)), item(SEASON_MIN, minOf(day))]),
    )
    await putSeasonDay(server.database, domain, {
      date: dateText(day),
      hours: 27,
      wanted: 27,
      observed: 27,
      slab_key: slab,
      cover: coverId,
    })
    months.set(month, [...(months.get(month) ?? []), slab])
  }
  for (const [month, slabs] of months) {
    const { manifestKey } = await buildTiles(pool, server.objects, server.objects, {
      dataset: 'urma-days',
      domain: 'conus',
      run: Date.parse(month),
      stage: 'days',
      slabs,
    })
    await putSeasonMonth(server.database, domain, {
      month,
      days: slabs.length,
      hours: slabs.length * 27,
      observed: slabs.length * 27,
      cover: coverId,
      analysis: [],
      manifest_key: manifestKey,
    })
  }
  await pool.close()
  client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.base}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${await server.key()}` } },
    }),
  )
})
afterAll(async () => {
  await client.close()
  await server.close()
})

const call = async (name: string, args: object): Promise<Json> =>
  client.callTool({ name, arguments: args as Record<string, unknown> })
const corn = { ...denver, crop: 'corn', unit: 'metric' }
/** Growing degree days by the modified method, 10 to 30 °C. */
const unitsOf = (day: number) => {
  const clamp = (tenths: number) => Math.min(Math.max(tenths / 10, 10), 30)
  return (clamp(maxOf(day)) + clamp(minOf(day))) / 2 - 10
}

test('sums the stored days of the season, shows missing days as null, and counts them in the first line', async () => {
  const { structuredContent, content } = await call('get_growing_degree_days', {
    ...corn,
    season_start: dateText(today - 60),
  })
  const { season, meta } = structuredContent
  // Today does not count, because it is not over.
  expect(season.missing_days).toBe(60 - 57)
  expect(structuredContent.days[0].date).toBe(dateText(today))
  expect(content[0].text.split('\n')[0]).toMatch(/^(SIMULATED, not real weather\. )?57 of 60 past days stored\.$/)
  let sum = 0
  for (let day = today - 60; day < today; day++) {
    const row = season.series.find(({ date }: Json) => date === dateText(day))
    if (lost.has(day) || day > last) expect(row).toMatchObject({ gdu: null, source: null })
    else {
      sum += unitsOf(day)
      expect(row.source).toBe('observed')
      expect(Math.abs(row.gdu - unitsOf(day))).toBeLessThan(0.051)
    }
    expect(Math.abs(row.cumulative - sum)).toBeLessThan(0.051)
  }
  expect(season.total).toBeGreaterThanOrEqual(Math.floor(sum))
  expect(meta.warnings).toContainEqual(expect.objectContaining({ code: 'history_short', section: 'season' }))
})

test('returns no total if fewer than 90 % of the days are stored, unless a partial total is allowed', async () => {
  const args = { ...corn, season_start: dateText(today - 120), include_milestones: true }
  const { structuredContent, content } = await call('get_growing_degree_days', args)
  expect(structuredContent.season).toMatchObject({ total: null })
  expect(structuredContent.season.missing_days).toBe(120 - 88)
  expect(structuredContent.season.series.every(({ cumulative }: Json) => cumulative === null)).toBe(true)
  expect(structuredContent.milestones[0]).toMatchObject({ date: null, status: 'unknown' })
  expect(content[0].text.split('\n')[0]).toContain('88 of 120 past days stored.')
  expect(content[0].text).toMatch(/no total/)
  const partial = (await call('get_growing_degree_days', { ...args, allow_partial: true })).structuredContent
  expect(partial.season.missing_days).toBe(120 - 88)
  expect(partial.season.total).toBeGreaterThan(200)
  expect(JSON.stringify(partial).length).toBeLessThan(16_384)
})

test('returns highs and lows of days whose hours are no longer stored', async () => {
  const day = today - 80
  const { structuredContent, content } = await call('get_past_weather', {
    ...denver,
    units: 'metric',
    start: dateText(day),
    end: dateText(day + 2),
  })
  expect(
    structuredContent.days.map(({ date, high, low, source, complete }: Json) => [date, high, low, source, complete]),
  ).toEqual([0, 1, 2].map((i) => [dateText(day + i), maxOf(day + i) / 10, minOf(day + i) / 10, 'observed', true]))
  expect(structuredContent.days[0]).toMatchObject({ wind_speed_max: null, precip_total: null })
  expect(content[0].text.split('\n')[0]).toContain('3 of 3 days stored.')
  const gap = await call('get_past_weather', { ...denver, start: dateText(today - 41), end: dateText(today - 39) })
  expect(gap.structuredContent.days.map(({ high }: Json) => high === null)).toEqual([true, true, false])
  expect(gap.content[0].text.split('\n')[0]).toContain('1 of 3 days stored.')
  const early = await call('get_past_weather', { ...denver, start: dateText(first - 5) })
  expect(early.content[0].text).toMatch(new RegExp(`^Error \\(bad-request\\): .*first stored day, ${dateText(first)}`))
  expect(early.content[0].text).toMatch(/get_climate_normals with date .* gives what is usual/)
})

test('names every fault of a call at once, and the tool for the days ahead', async () => {
  const past = await call('get_past_weather', {
    location: 'Michigan',
    start: dateText(today - 50),
    end: dateText(today + 5),
  })
  const { text } = past.content[0]
  for (const words of [/Michigan" is a state/, /lies in the future/, /at most 31 days/, /get_forecast/])
    expect(text).toMatch(words)
  const zoom = await call('get_map_snapshot', { location: 'Michigan', zoom: 99, opacity: 7 })
  for (const words of [/zoom must be/, /opacity must be/, /Michigan" is a state/])
    expect(zoom.content[0].text).toMatch(words)
})

test('has the stages of a crop and the length of the day in the text', async () => {
  const degrees = await call('get_growing_degree_days', { ...corn, season_start: dateText(today - 60) })
  expect(degrees.content[0].text).toMatch(/Stages: .*\(\d+(\.\d+)? °C-days\) (reached|expected) \d{4}-\d\d-\d\d/)
  const sun = await call('get_sun_moon', { location: 'Denver, CO', date: '2026-06-21' })
  expect(sun.content[0].text).toMatch(/day length 1[45] h \d+ min, civil twilight .* to .*, solar noon .*% lit/)
})
