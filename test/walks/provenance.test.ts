import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWeather, type Weather } from '../../api/answer/weather.ts'
import { hourlyNumbers } from '../../api/blend/fields.ts'
import { openHistory } from '../../api/live/history.ts'
import { type Current, watchCurrent } from '../../api/live/served-runs.ts'
import { parseWeather } from '../../api/query/query.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { radarSource } from '../../infra/simulator/radar.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { readIdx } from '../../ingest/decode/idx.ts'
import { cellOf, centreOf } from '../../ingest/domain/cell.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { parsed } from '../api/answer/parsed.ts'
import { randomFrom } from '../random.ts'
import { makeTiles } from './make-tiles.ts'
import { takeAnalyses } from './provenance/analyses.ts'
import { Decoder, toleranceOf } from './provenance/decoded.ts'
import { dailyMembers, Follows } from './provenance/follows.ts'
import { tileCurrent } from './tile-current.ts'

// Each value of an answer follows from the byte range that its provenance names, after fetching, decoding and sampling.

// biome-ignore lint/suspicious/noExplicitAny: an untyped JSON answer
type Json = any

const NOW = Date.parse('2026-11-21T15:40:00Z')
const COARSE = 16
const RESOLUTION = 5
const VALUES = 1000
const folder = mkdtempSync(join(tmpdir(), 'hexcast-provenance-'))
let objects: Objects
let mirror: Mirror
let upstream: Upstream
let weather: Weather
let database: Database
const closers: (() => unknown)[] = []

beforeAll(async () => {
  objects = await makeTiles({
    now: NOW,
    folder,
    coarse: COARSE,
    resolution: RESOLUTION,
    runs: [
      { dataset: 'rtma', maxLead: 0, domains: ['hawaii'] },
      { dataset: 'nbm', maxLead: 48, domains: ['conus', 'hawaii'] },
      { dataset: 'hrrr', maxLead: 18, domains: ['conus'] },
      { dataset: 'gfs', maxLead: 54, domains: ['conus', 'hawaii'] },
    ],
  })
  mirror = await startMirror({ sources: [...modelSources(COARSE), radarSource(20)], now: () => NOW })
  upstream = openUpstream({ mirror: mirror.url })
  database = await openDatabase({ dataDir: folder, databasePool: 1 })
  await takeAnalyses({ database, objects, upstream, folder, resolution: RESOLUTION }, NOW)
  const models = await tileCurrent(objects)
  const analyses = await watchCurrent({ database, objects, clock: () => NOW })
  closers.push(() => analyses.close())
  const current = Object.create(models, {
    served: {
      value: (...args: Parameters<Current['served']>) => analyses.served(...args) ?? models.served(...args),
    },
  }) as Current
  const { suppliers } = openHistory({ database, objects, current })
  weather = createWeather({ current, datasets: gridDatasets, suppliers, resolution: RESOLUTION, cacheBytes: 1 })
}, 300_000)

afterAll(async () => {
  for (const close of closers) await close()
  await upstream?.close()
  await mirror?.close()
  await database?.close()
  await objects?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(lat: number, lon: number, include = 'current,hourly,daily,provenance'): Promise<Json> {
  const parameters = {
    lat: lat.toFixed(4),
    lon: lon.toFixed(4),
    hourly_hours: '24',
    past_hours: '4',
    days: '2',
    include,
  }
  const request = parseWeather(parameters)
  return parsed(await weather.answer({ ...request, query: { ...request.query, units: 'si' } }, NOW))
}

const analysedFields = 'temperature feels_like humidity dew_point wind_speed wind_gust wind_direction visibility'.split(
  ' ',
)
const fields = {
  hourly: hourlyNumbers.map(({ name }) => name),
  current: [
    ...analysedFields,
    'pressure',
    'cloud_cover',
    'cloud_cover_low',
    'cloud_cover_mid',
    'cloud_cover_high',
  ].concat('cloud_ceiling', 'uv_index'),
  past: [...analysedFields, 'cloud_cover', 'cloud_ceiling', 'precip_amount'],
  daily: dailyMembers,
}
const sections = ['hourly', 'hourly', 'daily', 'current', 'past'] as const

test('1,000 values of answers follow from the named messages', { timeout: 300_000 }, async () => {
  const random = randomFrom(22)
  const counts = new Map<string, number>()
  const wrong: string[] = []
  let compared = 0
  const decoder = new Decoder(upstream)
  for (let tries = 0; compared < VALUES && tries < 400; tries++) {
    const hawaii = tries % 5 === 4
    const wild = hawaii
      ? ([random.between(19, 22), random.between(-160, -155)] as const)
      : ([random.between(30, 47), random.between(-118, -80)] as const)
    const [lat, lon] = centreOf(cellOf(...wild, RESOLUTION))
    const answer = await ask(lat, lon).catch(() => undefined)
    if (!answer) continue
    const follows = new Follows(decoder, answer, Number(lat.toFixed(4)), Number(lon.toFixed(4)))
    const past = answer.hourly.filter(({ source }: Json) => source)
    const ahead = answer.hourly.filter(({ source }: Json) => source === undefined)
    for (let k = 0; k < 40 && compared < VALUES; k++) {
      const section = random.pick(sections)
      const field = random.pick(fields[section])
      if (section === 'past' && past.length === 0) continue
      const verdict =
        section === 'current'
          ? await follows.current(field)
          : section === 'daily'
            ? await follows.daily(random.integer(0, answer.daily.length - 1), field, NOW)
            : section === 'past'
              ? await follows.past(random.pick(past), field)
              : await follows.hourly(random.pick(ahead), field)
      if (!verdict) continue
      if (!verdict.follows) wrong.push(verdict.detail)
      const name = `${section}.${field}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
      compared++
    }
  }
  console.log(
    `${compared} values: ${[...counts]
      .map(([name, count]) => `${name} ${count}`)
      .sort()
      .join(', ')}`,
  )
  expect(wrong).toEqual([])
  expect(compared).toBe(VALUES)
  for (const [section, names] of Object.entries(fields)) {
    for (const name of names) expect(counts.get(`${section}.${name}`) ?? 0, `${section}.${name}`).toBeGreaterThan(0)
  }
})

test('provenance gives each message the number and first byte of its index line, and the digest of its bytes', async () => {
  const { provenance } = await ask(...centreOf(cellOf(39.74, -104.99, RESOLUTION)))
  const indexes = new Map<string, ReturnType<typeof readIdx>>()
  let compared = 0
  for (const message of provenance.messages.filter((_: Json, k: number) => k % 15 === 0)) {
    const { url, dataset_id } = provenance.files[message.file]
    // A radar file has one message and no index.
    if (dataset_id.startsWith('mrms-')) continue
    if (!indexes.has(url)) {
      indexes.set(
        url,
        readIdx(new TextDecoder().decode((await upstream.get(`${url}.idx`)).bytes), undefined, dataset_id),
      )
    }
    const line = indexes.get(url)!.find(({ number }) => number === message.message)
    expect([url, line?.offset]).toEqual([url, message.byte_range[0]])
    const { bytes } = await upstream.get(url, { range: message.byte_range })
    expect(message.sha256).toBe(hash('sha256', bytes))
    compared++
  }
  expect(compared).toBeGreaterThan(50)
})

test('each message has the stated value at the cell, and weights lead from these values to the served value', async () => {
  const random = randomFrom(47)
  const decoder = new Decoder(upstream)
  const [lat, lon] = centreOf(cellOf(41.2, -96.1, RESOLUTION))
  const { provenance, hourly } = await ask(lat, lon)
  expect(provenance.cell).toMatchObject({ id: cellOf(lat, lon, RESOLUTION) })
  const ahead = hourly.filter(({ source }: Json) => source === undefined)
  const wrong: string[] = []
  let compared = 0
  for (let tries = 0; compared < 150 && tries < 1000; tries++) {
    const row = random.pick<Json>(ahead)
    const name = random.pick(fields.hourly)
    const hour = (Date.parse(row.time) - Date.parse(provenance.hours_from)) / HOUR
    const origin = provenance.origins[provenance.hours[name]?.[hour] ?? -1]
    if (!origin || row[name] === null || name === 'wind_direction') continue
    const weights = origin.weights ?? [1]
    let sum = 0
    for (const [m, index] of origin.messages.entries()) {
      const { value, variable, file } = provenance.messages[index]
      const { quantum } = provenance.samplings.find(
        (row: Json) => row.variable === variable && row.dataset_id === provenance.files[file].dataset_id,
      )
      const read = (await decoder.value(provenance, index, lat, lon)) ?? Number.NaN
      if (!(Math.abs(read - value) <= 0.52 * quantum))
        wrong.push(`${variable}: stated ${value}, its bytes have ${read}`)
      sum += value * weights[m]
    }
    const expected = origin.steps?.at(-1)?.value ?? sum
    // A cubic is limited; the share of a probability has no weights.
    const isOpen = origin.interpolation === 'smooth' || origin.interpolation === 'bound'
    const isNear = isOpen && !origin.steps ? true : Math.abs(expected - row[name]) <= toleranceOf(name)
    if (!isNear) wrong.push(`${name} ${row.time}: served ${row[name]}, its origin gives ${expected}`)
    compared++
  }
  expect(wrong).toEqual([])
  expect(compared).toBe(150)
})

/** A Python with `pip install eccodes numpy`, and the number of values that it verifies. */
const PYTHON = process.env['ECCODES_PYTHON']
const VERIFIED = Number(process.env['VERIFY_VALUES'] ?? 1000)

test.skipIf(!PYTHON)(
  'a program without our code derives random values from the bytes',
  { timeout: 7_200_000 },
  async () => {
    const random = randomFrom(10)
    const answers = join(folder, 'answers')
    mkdirSync(answers)
    for (let n = 0; n * 800 < VERIFIED || n < 10; n++) {
      const place =
        n % 5 === 4 ? ([20.8, -156.3] as const) : ([random.between(30, 47), random.between(-118, -80)] as const)
      const units = n % 2 === 0 ? 'imperial' : 'metric'
      const [lat, lon] = place.map((degrees) => degrees.toFixed(4))
      const include = 'current,hourly,daily,provenance'
      const request = parseWeather({ lat, lon, units, hourly_hours: '48', past_hours: '4', days: '3', include })
      const answer = await weather.answer(request, NOW).catch(() => undefined)
      if (answer) writeFileSync(join(answers, `${n}.json`), answer.body)
    }
    const script = join(import.meta.dirname, 'provenance', 'verify_members.py')
    const { stdout } = await promisify(execFile)(
      PYTHON ?? '',
      [script, answers, '--upstream', mirror.url, '--values', String(VERIFIED)],
      { maxBuffer: 1 << 26 },
    )
    const { values, equal, different, members, not_derived } = JSON.parse(stdout)
    console.log(JSON.stringify({ values, equal, different: different.length, members, not_derived }))
    expect(different).toEqual([])
    expect(values).toBe(VERIFIED)
    expect(equal / values).toBeGreaterThan(0.9)
  },
)

test('every member of current, hourly and daily is a field, is computed from named inputs, or comes from an observing source', async () => {
  const { provenance, current, hourly, daily } = await ask(...centreOf(cellOf(39.74, -104.99, RESOLUTION)))
  const rows = { current, hourly: hourly.at(-1), daily: daily[0], halves: { ...daily[0].day, ...daily[0].night } }
  const named = (section: string) =>
    new Set(
      provenance.members.filter((member: Json) => member.section === section).map((member: Json) => member.member),
    )
  const tables = { current: named('current'), hourly: named('hourly'), daily: named('daily'), halves: named('daily') }
  const plain = new Set(['time', 'date', 'relative_day', 'active_period', 'day', 'night'])
  for (const [name, row] of Object.entries(rows)) {
    const table = tables[name as keyof typeof tables]
    const without = Object.keys(row).filter((member) => !plain.has(member) && !table.has(member))
    expect([name, without]).toEqual([name, []])
  }
  for (const [name, origin] of Object.entries(provenance.current.origins)) {
    expect(provenance.origins[origin as number].messages.length, name).toBeGreaterThan(0)
  }
  // The analysis is valid at this hour, so the field's messages are used without interpolation.
  expect(provenance.origins[provenance.current.origins.temperature].interpolation).toBe('none')
})

test('past hours name the analyses and accumulations behind them, with file and byte range', async () => {
  const { provenance, hourly } = await ask(...centreOf(cellOf(39.74, -104.99, RESOLUTION)))
  const { files, messages, origins, hours, hours_from, past } = provenance
  expect(files.filter(({ url, dataset_id }: Json) => url === null || dataset_id === 'past-hours')).toEqual([])
  expect(messages.filter(({ byte_range }: Json) => byte_range === null)).toEqual([])
  const fileOf = (origin: number) => files[messages[origins[origin].messages[0]].file]
  // The day began two hours before the current row, and daily covers these hours too.
  const before = (Math.floor(NOW / HOUR) * HOUR - Date.parse(hours_from)) / HOUR
  expect(before).toBe(2)
  for (let h = 0; h < before; h++) {
    const time = new Date(Date.parse(hours_from) + h * HOUR).toISOString().replace('.000Z', 'Z')
    for (const field of ['temperature', 'cloud_cover']) {
      expect(fileOf(hours[field][h])).toMatchObject({ dataset_id: 'rtma', run: time, lead_hours: 0 })
    }
    expect(fileOf(hours.precip_amount[h])).toMatchObject({ run: time, lead_hours: 0 })
    expect(fileOf(hours.precip_amount[h]).dataset_id).toMatch(/^mrms-qpe-1h/)
  }
  for (const [h, row] of hourly.slice(0, 4).entries()) {
    expect(fileOf(past.hours.temperature[h])).toMatchObject({ dataset_id: row.product_id, run: row.time })
    expect(fileOf(past.hours.precip_amount[h])).toMatchObject({ dataset_id: row.precip_product_id, run: row.time })
  }
})

test('an answer without the token has no provenance and reads nothing for it', async () => {
  const answer = await ask(...centreOf(cellOf(39.74, -104.99, RESOLUTION)), 'current,hourly')
  expect(answer.provenance).toBeUndefined()
})
