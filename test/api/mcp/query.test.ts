import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueKey } from '../../../api/keys/issue.ts'
import { watchCurrent } from '../../../api/live/served-runs.ts'
import { startApi } from '../../../api/main.ts'
import { loadConfig } from '../../../ingest/config.ts'
import { HOUR, isoSeconds, parseRun } from '../../../ingest/domain/time.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { openEvents } from '../../../ingest/ports/events/open.ts'
import type { Objects } from '../../../ingest/ports/objects.ts'
import { publishRun, retireRun } from '../../../sql/queries/runs.ts'
import { makeTiles } from '../../walks/make-tiles.ts'
import type { Result } from './calls.ts'

/** query_dataset on runs that the real ingest steps made from files of the simulator, while newer runs are published. */
interface Table {
  readonly rows: (number | string | null)[][]
  readonly columns: { name: string }[]
  readonly points: { status: string; lat: number; lon: number }[]
  readonly total_rows: number
  readonly next_cursor: string | null
  readonly reference_time: string | null
  readonly meta: { warnings: { code: string; section: string }[]; freshness: { product_id: string }[] }
}
interface Run {
  readonly dataset: string
  readonly run: number
  readonly manifestKey: string
}

const resolution = 4
let folder: string
let database: Database
let objects: Objects
let client: Client
let close: () => Promise<void>
/** Two runs of HRRR. */
let older: Run
let newer: Run
/** A run of HRRR with more hours. */
let long: Run
let seeNewer: () => Promise<unknown>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-query-'))
  const options = { folder, coarse: 24, resolution, now: Date.now() }
  const conus = ['conus'] as const
  const core = { dataset: 'hrrr', maxLead: 7, domains: conus }
  await (await makeTiles({ ...options, now: options.now - 2 * HOUR, runs: [core] })).close()
  objects = await makeTiles({
    ...options,
    runs: [core, { dataset: 'hrrr-long', maxLead: 30, domains: conus }],
  })
  const runs: Run[] = []
  for await (const { key } of objects.list('tiles/v1/')) {
    const [, dataset, run] = /^tiles\/v1\/([^/]+)\/conus\/([^/]+)\/[^/]+\/manifest$/.exec(key) ?? []
    if (dataset && run) runs.push({ dataset, run: parseRun(run), manifestKey: key })
  }
  const runsOf = (id: string) => runs.filter(({ dataset }) => dataset === id).sort((a, b) => a.run - b.run)
  expect([runsOf('hrrr').length, runsOf('hrrr-long').length]).toEqual([2, 1])
  ;[older, newer, long] = [...runsOf('hrrr'), ...runsOf('hrrr-long')] as [Run, Run, Run]

  const settings = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', H3_RESOLUTION: String(resolution) }
  const config = loadConfig(settings)
  database = await openDatabase(config)
  const events = await openEvents(config, database)
  await publish(older)
  await publish(long)
  const current = await watchCurrent({ database, objects, clock: Date.now })
  const api = await startApi(config, { database, objects, events, current })
  seeNewer = () => until(() => current.served('hrrr', 'conus')?.run === newer.run)
  const { key } = await issueKey(database, { name: 'test', plan: 'professional', channel: 'test' })
  client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${api.port}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  )
  close = async () => {
    await client.close()
    await api.close()
    await current.close()
    await events.close()
    await objects.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}, 120_000)
afterAll(() => close?.())

async function publish({ dataset, run, manifestKey }: Run): Promise<void> {
  const where = { dataset, domain: 'conus', run: new Date(run), stage: 0, publishedTo: 240, manifestKey }
  await publishRun(database, { ...where, manifest: {}, wanted: 1, got: 1, missing: 0 }, [])
}

async function until(isDone: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !isDone(); i++) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isDone()).toBe(true)
}

const ask = (args: object) =>
  client.callTool({ name: 'query_dataset', arguments: args as Record<string, unknown> }) as unknown as Promise<Result>
async function table(args: object): Promise<Table> {
  const result = await ask(args)
  expect(result.isError, result.content[0]?.text).toBeFalsy()
  return result.structuredContent as unknown as Table
}
const denver = { lat: 39.7392, lon: -104.9847 }
const omaha = { lat: 41.2565, lon: -95.9345 }
const fields = { dataset_id: 'hrrr', variables: ['temperature', 'wind_speed'] }

describe('before a newer run', () => {
  test('continues with the long run where the newest run ends, and names both', async () => {
    const { rows, meta } = await table({ ...denver, ...fields, hours: 24 })
    expect(Date.parse(String(rows.at(-1)?.[1]))).toBeGreaterThan(older.run + 7 * HOUR)
    expect(meta.freshness.map(({ product_id }) => product_id).sort()).toEqual(['hrrr', 'hrrr-long'])
  })

  test('gives the same rows for an explicit run as for the newest, and rejects times outside of it', async () => {
    const args = { ...denver, dataset_id: 'hrrr', variables: ['temperature'], hours: 3 }
    const latest = await table(args)
    const named = await table({ ...args, run: latest.reference_time })
    expect(named.rows).toEqual(latest.rows)
    const past = await ask({ ...args, run: latest.reference_time, start: '2020-01-01', hours: undefined })
    expect(past._meta?.['hexcast/error']).toMatchObject({ code: 'bad-request', field: 'start' })
    const blend = await ask({ ...args, dataset_id: 'blend', run: latest.reference_time })
    expect(blend._meta?.['hexcast/error']).toMatchObject({ code: 'bad-request', field: 'run' })
  })

  test('names the file and the bytes of each value', async () => {
    const few = await ask({ ...denver, ...fields, hours: 2, provenance: true })
    const list = few.structuredContent?.['provenance'] as { variable: string; byte_range: number[]; file: string }[]
    expect(list[0]).toMatchObject({ variable: 'temperature', file: expect.stringMatching(/^https:.*\.grib2$/) })
    expect(list.every(({ byte_range: [from = 0, to = 0] }) => to > from)).toBe(true)
  })
})

describe('a page', () => {
  test('has at most 64 KB for a box with many points', async () => {
    const args = { bbox: [-105, 35, -95, 43], resolution: 4, dataset_id: 'hrrr', variables: ['temperature'], hours: 8 }
    const result = await ask({ ...args, limit: 5000, provenance: true })
    expect(result.isError, result.content[0]?.text).toBeFalsy()
    const page = result.structuredContent as unknown as Table
    expect(page.points.length).toBeGreaterThan(300)
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(65_536)
    expect(page.next_cursor?.length ?? 0).toBeLessThanOrEqual(500)
  })

  test('uses the runs of the first page while a newer run is published, and is rejected once they are retired', async () => {
    const args = { points: [denver, omaha, { lat: 48, lon: -100 }], ...fields, hours: 24 }
    const all = await table(args)
    expect(all.reference_time).toBe(isoSeconds(older.run))
    const first = await table({ ...args, limit: 4 })
    expect(first.rows).toEqual(all.rows.slice(0, 4))
    await publish(newer)
    await seeNewer()
    expect((await table(args)).reference_time).toBe(isoSeconds(newer.run))
    const rows = [...first.rows]
    let cursor = first.next_cursor
    while (cursor) {
      const page: Table = await table({ ...args, limit: 4, cursor })
      expect(page.reference_time).toBe(all.reference_time)
      rows.push(...page.rows)
      cursor = page.next_cursor
    }
    expect(rows).toEqual(all.rows)

    const other = await ask({ ...args, limit: 4, units: 'si', cursor: first.next_cursor })
    expect(other._meta?.['hexcast/error']).toMatchObject({ code: 'bad-request', field: 'cursor' })
    expect(await retireRun(database, { dataset: 'hrrr', domain: 'conus', run: new Date(older.run) })).toBe(true)
    const retired = await ask({ ...args, limit: 4, cursor: first.next_cursor })
    expect(retired._meta?.['hexcast/error']).toMatchObject({ code: 'bad-request', field: 'cursor' })
    expect(retired.content[0]?.text).toMatch(/no longer stored.*begin again without cursor/s)
  })

  test.each(['', 'AAAA', '!!', 'WzEsMl0', Buffer.from('["x",0,0,9e15,0,0,[[9,9,9]]]').toString('base64url')])(
    'rejects the invalid cursor %j',
    async (cursor) => {
      const result = await ask({ ...denver, ...fields, cursor })
      expect(result._meta?.['hexcast/error']).toMatchObject({ code: 'bad-request', field: 'cursor' })
    },
  )
})

describe('aggregates', () => {
  const numbers = (rows: Table['rows'], column = 2) =>
    rows.map((row) => row[column]).filter((value) => typeof value === 'number') as number[]
  const functions = ['min', 'max', 'mean', 'median', 'p90', 'count']
  const expected = (all: readonly number[]) => {
    const sorted = [...all].sort((a, b) => a - b)
    const rank = (share: number) => {
      const at = share * (sorted.length - 1)
      const [low = Number.NaN, high = low] = sorted.slice(Math.floor(at))
      return low + (at % 1) * (high - low)
    }
    const mean = all.reduce((a, b) => a + b, 0) / all.length
    return [Math.min(...all), Math.max(...all), mean, rank(0.5), rank(0.9), all.length]
  }
  const expectClose = (row: Table['rows'][number] = [], values: readonly number[]) => {
    for (const [i, value] of values.entries()) expect(Math.abs(Number(row[i]) - value)).toBeLessThan(0.006)
  }
  const args = {
    points: [denver, omaha, { lat: 10, lon: 10 }],
    dataset_id: 'hrrr',
    variables: ['temperature'],
    hours: 8,
  }

  test('are over time by default, over space and over all, with independently computed values', async () => {
    const { rows } = await table(args)
    const byTime = await table({ ...args, aggregate: { functions } })
    expect(byTime.rows.map(([point]) => point)).toEqual([0, 1])
    for (const row of byTime.rows)
      expectClose(row.slice(1), expected(numbers(rows.filter(([point]) => point === row[0]))))
    const byPlace = await table({ ...args, aggregate: { over: 'space', functions } })
    for (const row of byPlace.rows)
      expectClose(row.slice(1), expected(numbers(rows.filter(([, time]) => time === row[0]))))
    expect(byPlace.rows.length).toBe(new Set(rows.map(([, time]) => time)).size)
    const all = await table({ ...args, aggregate: { over: 'all', functions } })
    expect(all.rows.length).toBe(1)
    expectClose(all.rows[0], expected(numbers(rows)))
  })

  test('have a row with a count of 0 if no value meets the filters', async () => {
    const filters = [{ variable: 'temperature', op: 'gt', value: 500 }]
    const none = await ask({ ...args, filters })
    expect(none.structuredContent).toMatchObject({ rows: [], total_rows: 0, next_cursor: null })
    expect(none.content[0]?.text).toMatch(/No rows: no value meets all filters/)
    const all = await table({ ...args, filters, aggregate: { over: 'all', functions: ['max', 'count'] } })
    expect(all.rows).toEqual([[null, 0]])
  })
})

test('rejects a box that is too large at every resolution and says how many cells it has', async () => {
  for (const option of [{}, { resolution: 3 }]) {
    const args = { bbox: [-125, 24, -66, 50], dataset_id: 'hrrr', variables: ['temperature'], hours: 1, ...option }
    const result = await ask(args)
    expect(result._meta?.['hexcast/error']).toMatchObject({ code: 'bad-request' })
    expect(result.content[0]?.text).toMatch(/about 1\d{3} cells, but at most 500.*smaller box/s)
  }
  const fine = { bbox: [-109, 37, -102, 41], dataset_id: 'hrrr', variables: ['temperature'], hours: 1 }
  const rejected = await ask({ ...fine, resolution: 7 })
  const fits = Number(/use resolution (\d)/.exec(rejected.content[0]?.text ?? '')?.[1])
  expect((await table({ ...fine, resolution: fits })).points.length).toBeLessThanOrEqual(500)
  expect((await ask({ ...fine, resolution: fits + 1 })).isError).toBe(true)
})

test('rejects a place that the dataset does not reach', async () => {
  const result = await ask({ lat: 21.3, lon: -157.8, dataset_id: 'hrrr', variables: ['temperature'] })
  expect(result.isError).toBe(true)
})
