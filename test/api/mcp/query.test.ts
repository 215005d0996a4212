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

/** query_dataset over runs that the real steps made of the simulator's files, while newer runs are published under it. */
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
/** Of HRRR two runs, the older first; of its long run one, which reaches further. */
let hrrr: Run[]
let long: Run
let look: () => Promise<unknown>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-query-'))
  const made = { folder, coarse: 24, resolution, now: Date.now() }
  const conus = ['conus'] as const
  const core = { dataset: 'hrrr', maxLead: 7, domains: conus }
  await (await makeTiles({ ...made, now: made.now - 2 * HOUR, runs: [core] })).close()
  objects = await makeTiles({
    ...made,
    runs: [core, { dataset: 'hrrr-long', maxLead: 30, domains: conus }],
  })
  const runs: Run[] = []
  for await (const { key } of objects.list('tiles/v1/')) {
    const parts = /^tiles\/v1\/([^/]+)\/conus\/([^/]+)\/[^/]+\/manifest$/.exec(key)
    if (parts) runs.push({ dataset: parts[1]!, run: parseRun(parts[2]!), manifestKey: key })
  }
  hrrr = runs.filter(({ dataset }) => dataset === 'hrrr').sort((a, b) => a.run - b.run)
  long = runs.find(({ dataset }) => dataset === 'hrrr-long')!
  expect(hrrr.length).toBe(2)

  const settings = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', H3_RESOLUTION: String(resolution) }
  const config = loadConfig(settings)
  database = await openDatabase(config)
  const events = await openEvents(config, database)
  await publish(hrrr[0]!)
  await publish(long)
  const current = await watchCurrent({ database, objects, clock: Date.now })
  const api = await startApi(config, { database, objects, events, current })
  look = () => until(() => current.served('hrrr', 'conus')?.run === hrrr[1]!.run)
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

async function until(true_: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !true_(); i++) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(true_()).toBe(true)
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
  test('the long run goes on where the newest ends, and both are named', async () => {
    const { rows, meta } = await table({ ...denver, ...fields, hours: 24 })
    expect(Date.parse(String(rows.at(-1)![1]))).toBeGreaterThan(hrrr[0]!.run + 7 * HOUR)
    expect(meta.freshness.map(({ product_id }) => product_id).sort()).toEqual(['hrrr', 'hrrr-long'])
  })

  test('an explicit run gives as many hours as the newest, and only what it has', async () => {
    const args = { ...denver, dataset_id: 'hrrr', variables: ['temperature'], hours: 3 }
    const latest = await table(args)
    const named = await table({ ...args, run: latest.reference_time })
    expect(named.rows).toEqual(latest.rows)
    const past = await ask({ ...args, run: latest.reference_time, start: '2020-01-01', hours: undefined })
    expect(past._meta?.['hexcast/error']).toMatchObject({ code: 'bad-request', field: 'start' })
    const blend = await ask({ ...args, dataset_id: 'blend', run: latest.reference_time })
    expect(blend._meta?.['hexcast/error']).toMatchObject({ code: 'bad-request', field: 'run' })
  })

  test('provenance names the bytes; what does not fit is said', async () => {
    const few = await ask({ ...denver, ...fields, hours: 2, provenance: true })
    const list = few.structuredContent?.['provenance'] as { variable: string; byte_range: number[]; file: string }[]
    expect(list[0]).toMatchObject({ variable: 'temperature', file: expect.stringMatching(/^https:.*\.grib2$/) })
    expect(list.every(({ byte_range: [from, to] }) => to! > from!)).toBe(true)
  })
})

describe('a page', () => {
  test('has at most 64 KB, however many points a box has', async () => {
    const args = { bbox: [-105, 35, -95, 43], resolution: 4, dataset_id: 'hrrr', variables: ['temperature'], hours: 8 }
    const result = await ask({ ...args, limit: 5000, provenance: true })
    expect(result.isError, result.content[0]?.text).toBeFalsy()
    const page = result.structuredContent as unknown as Table
    expect(page.points.length).toBeGreaterThan(300)
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(65_536)
    expect(page.next_cursor?.length ?? 0).toBeLessThanOrEqual(500)
  })

  test('stays within the runs of the first, of every product, while a newer run is published; then that run is asked for no more', async () => {
    const args = { points: [denver, omaha, { lat: 48, lon: -100 }], ...fields, hours: 24 }
    const whole = await table(args)
    expect(whole.reference_time).toBe(isoSeconds(hrrr[0]!.run))
    const first = await table({ ...args, limit: 4 })
    expect(first.rows).toEqual(whole.rows.slice(0, 4))
    await publish(hrrr[1]!)
    await look()
    expect((await table(args)).reference_time).toBe(isoSeconds(hrrr[1]!.run))
    const rows = [...first.rows]
    let cursor = first.next_cursor
    while (cursor) {
      const page: Table = await table({ ...args, limit: 4, cursor })
      expect(page.reference_time).toBe(whole.reference_time)
      rows.push(...page.rows)
      cursor = page.next_cursor
    }
    expect(rows).toEqual(whole.rows)

    const other = await ask({ ...args, limit: 4, units: 'si', cursor: first.next_cursor })
    expect(other._meta?.['hexcast/error']).toMatchObject({ code: 'bad-request', field: 'cursor' })
    expect(await retireRun(database, { dataset: 'hrrr', domain: 'conus', run: new Date(hrrr[0]!.run) })).toBe(true)
    const retired = await ask({ ...args, limit: 4, cursor: first.next_cursor })
    expect(retired._meta?.['hexcast/error']).toMatchObject({ code: 'bad-request', field: 'cursor' })
    expect(retired.content[0]?.text).toMatch(/no longer stored.*begin again without cursor/s)
  })

  test.each(['', 'AAAA', '!!', 'WzEsMl0', Buffer.from('["x",0,0,9e15,0,0,[[9,9,9]]]').toString('base64url')])(
    'refuses the made-up cursor %j',
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
      return sorted[Math.floor(at)]! + (at % 1) * ((sorted[Math.ceil(at)] ?? 0) - sorted[Math.floor(at)]!)
    }
    return [sorted[0]!, sorted.at(-1)!, all.reduce((a, b) => a + b, 0) / all.length, rank(0.5), rank(0.9), all.length]
  }
  const close_ = (got: Table['rows'][number], wanted: readonly number[]) => {
    for (const [i, value] of wanted.entries()) expect(Math.abs((got[i] as number) - value)).toBeLessThan(0.006)
  }
  const args = {
    points: [denver, omaha, { lat: 10, lon: 10 }],
    dataset_id: 'hrrr',
    variables: ['temperature'],
    hours: 8,
  }

  test('over time where nothing else is said, over space, over all: as computed apart', async () => {
    const { rows } = await table(args)
    const byTime = await table({ ...args, aggregate: { functions } })
    expect(byTime.rows.map(([point]) => point)).toEqual([0, 1])
    for (const row of byTime.rows) close_(row.slice(1), expected(numbers(rows.filter(([point]) => point === row[0]))))
    const byPlace = await table({ ...args, aggregate: { over: 'space', functions } })
    for (const row of byPlace.rows) close_(row.slice(1), expected(numbers(rows.filter(([, time]) => time === row[0]))))
    expect(byPlace.rows.length).toBe(new Set(rows.map(([, time]) => time)).size)
    const all = await table({ ...args, aggregate: { over: 'all', functions } })
    expect(all.rows.length).toBe(1)
    close_(all.rows[0]!, expected(numbers(rows)))
  })

  test('where no value meets the filters: a row that says so, and no rows are called no rows', async () => {
    const filters = [{ variable: 'temperature', op: 'gt', value: 500 }]
    const none = await ask({ ...args, filters })
    expect(none.structuredContent).toMatchObject({ rows: [], total_rows: 0, next_cursor: null })
    expect(none.content[0]?.text).toMatch(/No rows: no value meets all filters/)
    const all = await table({ ...args, filters, aggregate: { over: 'all', functions: ['max', 'count'] } })
    expect(all.rows).toEqual([[null, 0]])
  })
})

test('a box that is too large at every resolution says how many cells it has, and never goes below resolution 3', async () => {
  for (const more of [{}, { resolution: 3 }]) {
    const args = { bbox: [-125, 24, -66, 50], dataset_id: 'hrrr', variables: ['temperature'], hours: 1, ...more }
    const result = await ask(args)
    expect(result._meta?.['hexcast/error']).toMatchObject({ code: 'bad-request' })
    expect(result.content[0]?.text).toMatch(/about 1\d{3} cells, but at most 500.*smaller box/s)
  }
  const fine = { bbox: [-109, 37, -102, 41], dataset_id: 'hrrr', variables: ['temperature'], hours: 1 }
  const refused = await ask({ ...fine, resolution: 7 })
  const fits = Number(/use resolution (\d)/.exec(refused.content[0]?.text ?? '')?.[1])
  expect((await table({ ...fine, resolution: fits })).points.length).toBeLessThanOrEqual(500)
  expect((await ask({ ...fine, resolution: fits + 1 })).isError).toBe(true)
})

test('a dataset that does not reach the place says so', async () => {
  const result = await ask({ lat: 21.3, lon: -157.8, dataset_id: 'hrrr', variables: ['temperature'] })
  expect(result.isError).toBe(true)
})
