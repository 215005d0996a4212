import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueKey } from '../../api/keys/issue.ts'
import { type Current, watchCurrent } from '../../api/live/served-runs.ts'
import { startApi } from '../../api/main.ts'
import { loadConfig } from '../../ingest/config.ts'
import { entryOf } from '../../ingest/domain/nth.ts'
import { HOUR, type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { analyticCurrent } from './analytic-runs.ts'
import { coverAround, storeAmount, storeRun } from './past-store.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer as it comes off the wire
type Json = any

const denver = 'lat=39.74&lon=-104.99'
/** West of the coverage of the stored accumulations. */
const seattle = 'lat=47.6&lon=-122.3'
const thisHour = Math.floor(Date.now() / HOUR) * HOUR
const ago = (hours: number): Instant => thisHour - hours * HOUR
const FIRST = 16
/** Hours before now for which each source is stored. */
const stored: Readonly<Record<string, readonly number[]>> = {
  'rtma-ru': [1, 2],
  rtma: range(2, FIRST).filter((hour) => hour !== 10),
  urma: range(7, FIRST).filter((hour) => hour !== 10 && hour !== 12),
  'mrms-qpe-1h': range(2, FIRST).filter((hour) => hour !== 5 && hour !== 6),
  'mrms-qpe-1h-pass1': [1, 2, 5],
}
/** Temperature in K that identifies the hour and the analysis. */
const warmth = { urma: 280.15, rtma: 290.15, 'rtma-ru': 300.15 } as const
const temperatureOf = (dataset: keyof typeof warmth, hour: number) => warmth[dataset] + hour / 10
const amountOf = (hour: number, pass: 1 | 2) => (hour % 3 === 0 ? 0 : hour / 10 + (pass === 1 ? 5 : 0))

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

let base: string
let key: string
const closers: (() => unknown)[] = []

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-past-api-'))
  closers.push(() => rm(dataDir, { recursive: true, force: true }))
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' })
  const database = await openDatabase(config)
  const objects = await openObjects(config)
  const events = await openEvents(config, database)
  const pool = openPool({ threads: 1 })
  closers.push(
    () => database.close(),
    () => objects.close(),
    () => events.close(),
  )
  const cover = coverAround([
    [39.74, -104.99],
    [47.6, -122.3],
  ])
  const stores = { database, objects, pool }
  for (const dataset of ['urma', 'rtma', 'rtma-ru'] as const) {
    for (const hour of [...entryOf(stored, dataset)].reverse()) {
      await storeRun(stores, cover, dataset, ago(hour), {
        temperature: { 0: temperatureOf(dataset, hour) },
        dew_point: { 0: 275 },
        wind_speed: { 0: 5 },
        wind_direction: { 0: 359.7 },
        cloud_cover: { 0: 60 },
        visibility: { 0: 3000 },
        cloud_ceiling: { 0: hour % 2 ? 1000 : Number.NaN },
      })
    }
  }
  for (const hour of [...entryOf(stored, 'mrms-qpe-1h')].reverse())
    await storeAmount(stores, 'mrms-qpe-1h', ago(hour), amountOf(hour, 2))
  for (const hour of [...entryOf(stored, 'mrms-qpe-1h-pass1')].reverse())
    await storeAmount(stores, 'mrms-qpe-1h-pass1', ago(hour), amountOf(hour, 1))
  // Runs of a model are served one after another: the newest run at a time was served then.
  for (const hour of [9, 6, 3]) {
    await storeRun(stores, cover, 'gfs', ago(hour), {
      temperature: Object.fromEntries(range(0, 12).map((lead) => [lead, 270.15 + hour + lead / 10])),
    })
    const published = new Date(ago(hour) + HOUR / 2)
    await database.query(`update run set published_at = $2 where dataset = 'gfs' and run = $1`, [
      new Date(ago(hour)),
      published,
    ])
  }
  await pool.close()
  const watched = await watchCurrent({ database, objects, clock: Date.now })
  closers.push(() => watched.close())
  const models = analyticCurrent(Date.now())
  const current = Object.create(watched, {
    served: {
      value: (...args: Parameters<Current['served']>) => watched.served(...args) ?? models.served(...args),
    },
    all: { value: () => [...watched.all(), ...models.all()] },
  }) as Current
  const api = await startApi(config, { database, objects, events, current })
  closers.push(() => api.close())
  key = (await issueKey(database, { name: 'test', plan: 'professional', channel: 'test' })).key
  base = `http://127.0.0.1:${api.port}`
  // The first answer reads tables, which takes seconds on a busy machine; keys are not checked until then.
  for (let tries = 0; tries < 30; tries++) {
    const { status } = await fetch(`${base}/v1/weather?${denver}`, { headers: { authorization: `Bearer ${key}` } })
    if (status === 200) break
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}, 240_000)
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

async function get(path: string, status = 200): Promise<Json> {
  const response = await fetch(base + path, { headers: { authorization: `Bearer ${key}` } })
  const text = await response.text()
  expect(response.status, text.slice(0, 500)).toBe(status)
  return text.startsWith('{') ? JSON.parse(text) : text
}
const weather = (more: string, place = denver) => get(`/v1/weather?${place}&units=metric&include=hourly&${more}`)
const warningsOf = ({ meta }: Json, code: string): Json[] =>
  meta.warnings.filter((warning: Json) => warning.code === code)

/** Returns the source that the row of an hour must have. */
function expected(hour: number): { dataset: keyof typeof warmth | null; amount: string | null } {
  const from = (names: readonly string[]) => names.find((name) => entryOf(stored, name).includes(hour)) ?? null
  return {
    dataset: from(['urma', 'rtma', 'rtma-ru']) as keyof typeof warmth | null,
    amount: from(['mrms-qpe-1h', 'mrms-qpe-1h-pass1']),
  }
}

test('fills past rows from URMA, else RTMA, else the rapid analysis, with measured amounts, and marks each', async () => {
  const answer = await weather('past_hours=21&hourly_hours=3')
  const { hourly } = answer
  expect(hourly.map(({ time }: Json) => Date.parse(time))).toEqual(
    Array.from({ length: 24 }, (_, i) => thisHour + (i - 20) * HOUR),
  )
  for (let hour = 0; hour <= 20; hour++) {
    const row = hourly[20 - hour]
    const { dataset, amount } = expected(hour)
    expect([hour, row.product_id, row.source, row.precip_product_id]).toEqual([
      hour,
      dataset,
      dataset === null ? null : dataset === 'urma' ? 'observed' : 'analysis',
      amount,
    ])
    if (dataset === null) expect(row).toMatchObject({ temperature: null, wind_speed: null, cloud_cover: null })
    else {
      expect(row.temperature).toBeCloseTo(temperatureOf(dataset, hour) - 273.15, 1)
      expect(row).toMatchObject({ wind_direction: 0, cloud_cover: 60, pressure: null, precip_probability: null })
      expect(row.cloud_ceiling_unlimited).toBe(hour % 2 ? undefined : true)
    }
    const mm = amount === null ? null : amountOf(hour, amount === 'mrms-qpe-1h' ? 2 : 1)
    expect([hour, row.precip_amount]).toEqual([hour, mm === null ? null : expect.closeTo(mm, 2)])
    // The precipitation is unknown, so no text may describe the sky as dry.
    if (amount === null) expect([row.precip_type, row.conditions]).toEqual([null, undefined])
    else expect(row.precip_type).toBe(mm! < 0.254 ? 'none' : dataset ? 'rain' : 'unknown')
    expect([row.severe, row.thunder_possible]).toEqual([undefined, undefined])
  }
  for (const row of hourly.slice(21)) expect([row.product_id, typeof row.severe]).toEqual([undefined, 'boolean'])
  const [short] = warningsOf(answer, 'history_short')
  expect(short).toMatchObject({ section: 'hourly', from: isoSeconds(ago(20)), to: isoSeconds(thisHour) })
  expect(short.detail).toContain('6 of 21')
  expect(short.detail).toContain(isoSeconds(ago(FIRST)))
  expect(warningsOf(answer, 'source_missing')).toContainEqual(
    expect.objectContaining({ product_id: 'mrms-qpe-1h', fields: expect.arrayContaining(['precip_amount']) }),
  )
  expect(warningsOf(answer, 'not_held').flatMap(({ fields }) => fields)).toEqual(
    expect.arrayContaining(['pressure', 'precip_probability', 'uv_index']),
  )
  const products = answer.meta.freshness.map(({ product_id }: Json) => product_id)
  expect(products).toEqual(expect.arrayContaining(['urma', 'rtma', 'mrms-qpe-1h']))
  expect(answer.attribution.sources.join()).toContain('UnRestricted Mesoscale Analysis')
})

test('shows past rows only with past_hours, and applies steps, views, units and tables to them', async () => {
  const plain = await weather('hourly_hours=3')
  expect(plain.hourly).toHaveLength(3)
  expect(JSON.stringify(plain)).not.toMatch(/precip_product_id|history_short/)
  const thinned = await weather('past_hours=10&hourly_hours=6&hourly_step=3')
  expect(thinned.hourly.map(({ time }: Json) => (Date.parse(time) - thisHour) / HOUR)).toEqual([-8, -5, -2, 1, 4])
  expect(thinned.meta.hourly_sampling).toEqual({ step_hours: 3, from_hour: 0 })
  const concise = await weather('past_hours=9&hourly_hours=1&view=concise')
  expect(Object.keys(concise.hourly[0]).sort()).toEqual(
    ['time', 'temperature', 'feels_like', 'humidity', 'wind_speed', 'wind_gust', 'wind_direction', 'precip_probability']
      .concat(['precip_amount', 'conditions', 'icon', 'source', 'product_id', 'precip_product_id'])
      .sort(),
  )
  const imperial = await get(`/v1/weather?${denver}&include=hourly,uncertainty&past_hours=10&hourly_hours=1`)
  expect(imperial.hourly[0].temperature).toBeCloseTo((temperatureOf('urma', 9) - 273.15) * 1.8 + 32, 1)
  expect(imperial.hourly[0].uncertainty).toBeNull()
  const csv: string = await get(`/v1/weather?${denver}&past_hours=3&hourly_hours=1&format=csv`)
  const [head, first] = csv.trim().split('\r\n') as [string, string]
  expect(csv.trim().split('\r\n')).toHaveLength(5)
  expect(head).toMatch(/,source,product_id,precip_product_id/)
  expect(first).toContain('analysis,rtma,mrms-qpe-1h')
  await get(`/v1/weather?${denver}&past_hours=73`, 400)
  // The longest answer.
  expect((await weather('past_hours=72&hourly_hours=336')).hourly.length).toBeGreaterThan(300)
})

test('shows null, not 0, for amounts outside radar coverage', async () => {
  const answer = await weather('past_hours=5&hourly_hours=1', seattle)
  for (const row of answer.hourly.slice(0, 3)) expect(row).toMatchObject({ precip_amount: null, precip_type: null })
  expect(answer.hourly[0].product_id).toBe('rtma')
  expect(warningsOf(answer, 'no_coverage')).toContainEqual(
    expect.objectContaining({ product_id: 'mrms-qpe-1h', section: 'hourly' }),
  )
})

const values = 'points=39.74,-104.99&units=metric'

test('returns a series of analyses and amounts, then of the forecast, with the source of each time', async () => {
  const path = `/v1/series/batch?${values}&variables=temperature,precip_amount`
  const { results } = await get(`${path}&start=${isoSeconds(ago(13))}&end=${isoSeconds(ago(-3))}`)
  const { valid_times, data, sources } = results[0].series
  expect(valid_times).toEqual(Array.from({ length: 17 }, (_, i) => isoSeconds(ago(13 - i))))
  for (let hour = 13; hour >= 1; hour--) {
    const { dataset, amount } = expected(hour)
    const i = 13 - hour
    expect([hour, sources[i]]).toEqual([hour, [dataset, amount].filter(Boolean).join() || null])
    expect([hour, data.temperature[i]]).toEqual([
      hour,
      dataset ? expect.closeTo(temperatureOf(dataset, hour) - 273.15, 1) : null,
    ])
  }
  expect(sources.slice(13)).toEqual(['blend', 'blend', 'blend', 'blend'])
  expect(data.temperature.slice(13)).not.toContain(null)
  const csv: string = await get(`${path}&start=${isoSeconds(ago(2))}&end=${isoSeconds(ago(1))}&format=csv`)
  expect(csv.split('\r\n')[0]).toMatch(/,source$/)
  expect(csv.split('\r\n')[1]).toMatch(/rtma,mrms-qpe-1h/)
  const { results: period } = await get(
    `/v1/point?${values}&variables=temperature&start=${isoSeconds(ago(9))}&end=${isoSeconds(ago(8))}`,
  )
  expect(period[0].series.sources).toEqual(['urma', 'urma'])
})

test('returns values that were served at a time in the past, for the forecast and for datasets', async () => {
  const at = async (hours: number, more = '') =>
    (await get(`/v1/point?${values}&variables=temperature&time=${isoSeconds(ago(hours))}${more}`)).results[0]
  expect(await at(8)).toMatchObject({ valid_time: isoSeconds(ago(8)), source: 'urma' })
  expect((await at(12)).values.temperature).toBeCloseTo(temperatureOf('rtma', 12) - 273.15, 1)
  expect(await at(11, '&dataset_id=urma')).toMatchObject({ source: `urma/${isoSeconds(ago(11))}` })
  const path = `/v1/series/batch?${values}&variables=temperature&dataset_id=gfs`
  const { series } = (await get(`${path}&start=${isoSeconds(ago(8))}&end=${isoSeconds(ago(1))}`)).results[0]
  // Each run was published half an hour after its reference time.
  const runs = [9, 9, 9, 6, 6, 6, 3, 3]
  expect(series.valid_times).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((hour) => isoSeconds(ago(hour))))
  expect(series.sources).toEqual(runs.map((run) => `gfs/${isoSeconds(ago(run))}`))
  for (const [i, run] of runs.entries())
    expect(series.data.temperature[i]).toBeCloseTo(270.15 + run + (run - (8 - i)) / 10 - 273.15, 1)
})

test('answers 404 with the range outside of stored times, and 400 for impossible requests', async () => {
  const path = `/v1/series/batch?${values}&variables=temperature`
  const early = await get(`${path}&start=${isoSeconds(ago(FIRST + 5))}&end=${isoSeconds(ago(1))}`, 404)
  expect(early.detail).toContain(`from ${isoSeconds(ago(FIRST))} to`)
  await get(`${path}&start=${isoSeconds(ago(0))}&end=${isoSeconds(ago(-400))}`, 400)
  await get(`${path}&start=${isoSeconds(ago(-330))}&hours=48`, 404)
  await get(`/v1/point?${values}&variables=temperature&time=${isoSeconds(ago(FIRST + 5))}`, 404)
  await get(`${path}&start=${isoSeconds(ago(1))}&end=${isoSeconds(ago(5))}`, 400)
  await get(`${path}&start=${isoSeconds(ago(5))}&end=${isoSeconds(ago(1))}&hours=3`, 400)
  const at = isoSeconds(ago(5))
  await get(`/v1/point?${values}&variables=temperature&start=${at}&time=${at}`, 400)
  await get(`${path}&dataset_id=hrrr&start=${isoSeconds(ago(5))}`, 404)
})
