import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { weatherAt } from '../../infra/simulator/atmosphere.ts'
import { cellOfId, centreOf, loadCells } from '../../ingest/domain/cell.ts'
import { PAST_HOURS, PAST_HOURS_COUNT, PAST_HOURS_KEPT_SECONDS } from '../../ingest/domain/dataset/past-hours.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, type Instant, runName } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { publishFrame } from '../../ingest/steps/frames/frame.ts'
import { retireRuns } from '../../ingest/steps/grid/retire.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { publishPastHours } from '../../ingest/steps/season/past-hours.ts'
import { keepHour } from '../../ingest/steps/season/season.ts'
import { type Cover, cutCover } from '../../ingest/tile/cover.ts'
import { writeFrame } from '../../ingest/tile/frame-write.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { pointerOf } from '../../sql/queries/runs.ts'
import { makeSlabs } from '../tile/made-slabs.ts'

const domain = 'conus' as const
const newest = Date.parse('2026-07-04T03:00:00Z')
const step = 0.5
const grid = { nx: 140, ny: 60, north: 50, west: -126, dLat: step, dLon: step }

let database: Database
let objects: Objects
let cover: Cover
const pool = openPool({ threads: 1 })
const scratch: string[] = []

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-past-'))
  scratch.push(folder)
  database = await openDatabase({ dataDir: folder, databasePool: 1 })
  objects = await openFolder(join(folder, 'objects'))
  const ids = loadCells(7).ids.filter((_, i) => Math.floor(i / 60) % 6000 === 3)
  cover = cutCover(ids, 7)
})
afterAll(async () => {
  await pool.close()
  await objects?.close()
  await database?.close()
  for (const folder of scratch) await rm(folder, { recursive: true, force: true })
})

const placeOf = (i: number) => centreOf(cellOfId(nth(cover.ids, i), 7))

async function analyse(hour: Instant, dataset: 'rtma' | 'urma', warmer = 0) {
  const codes = (value: (lat: number, lon: number) => number) =>
    Int16Array.from(cover.ids, (_, i) => Math.round((value(...placeOf(i)) - 250) * 10))
  const item = (variable: string, values: Int16Array) => ({
    variable,
    time: hour,
    quantum: 0.1,
    offset: 250,
    codes: values,
  })
  const key = `slabs/${dataset}-${runName(hour)}`
  const slabs = [
    item(
      'temperature',
      codes((lat, lon) => weatherAt(lat, lon, hour).temperature + warmer),
    ),
    item(
      'visibility',
      codes(() => 260),
    ),
    item(
      'wind_gust',
      codes((lat, lon) => 250 + weatherAt(lat, lon, hour).windGust),
    ),
  ]
  await objects.put(key, makeSlabs({ dataset, domain, run: hour, resolution: 7 }, cover, slabs))
  await keepHour({ database, objects, pool }, { dataset, domain, hour }, objects, [key])
}

/**
 * Returns an hour's accumulation in tenths of a millimetre; west of 120° W there is no coverage. @param more added to
 * every wet pixel, mm
 */
async function accumulate(end: Instant, product: 'mrms-qpe-1h' | 'mrms-qpe-1h-pass1', more = 0) {
  const subject = { product, domain, validTime: end, grid, unit: 'mm', source: `https://qpe/${runName(end)}` } as const
  const read = (take: (rows: Uint8Array) => void) => {
    const row = Buffer.alloc(grid.nx * 2)
    for (let y = 0; y < grid.ny; y++) {
      for (let x = 0; x < grid.nx; x++) {
        const lon = grid.west + x * grid.dLon
        const fallen = liquidAt(grid.north - y * grid.dLat, lon, end)
        row.writeUInt16BE(lon < -120 ? 0 : 10 + Math.round((fallen > 0 ? fallen + more : 0) * 10), x * 2)
      }
      take(row)
    }
  }
  const meaning = (sample: number) => (sample === 0 ? -1 : (sample - 10) / 10)
  const { bytes } = writeFrame(subject, { each: 2, read, meaning, values: 'amount' })
  const key = `frames/v1/${product}/${domain}/${runName(end)}`
  await objects.put(key, bytes)
  await publishFrame(database, product, domain, end, key, {}, end + HOUR)
}

const liquidAt = (lat: number, lon: number, end: Instant) =>
  (Math.round(lat * 7 + lon * 3) + end / HOUR) % 2 === 0 ? 2.5 : 0

const publish = (hour: Instant, dataset: 'rtma' | 'urma', now = hour + HOUR) =>
  publishPastHours({ database, objects, pool }, { dataset, domain, hour }, now)

test('stores the last day as one tile, preferring URMA and second passes; hours without measurements are unknown', async () => {
  for (let hour = newest - 30 * HOUR; hour <= newest; hour += HOUR) {
    await analyse(hour, 'rtma', 1)
    if (hour <= newest - 6 * HOUR) await analyse(hour, 'urma')
  }
  for (let back = 0; back < 5; back++) {
    await accumulate(newest - back * HOUR, 'mrms-qpe-1h-pass1')
    if (back >= 2) await accumulate(newest - back * HOUR, 'mrms-qpe-1h', 1)
  }
  await publish(newest, 'rtma')
  const pointer = await pointerOf(database, PAST_HOURS, domain)
  expect(pointer?.run.getTime()).toBe(newest)
  const run = await openRun(objects, pointer!.manifest_key)
  expect([...run.variables.keys()]).toEqual(['precip_amount', 'temperature', 'wind_gust'])
  expect(run.variables.get('temperature')!.times).toHaveLength(PAST_HOURS_COUNT)
  expect([...run.variables.get('precip_amount')!.times]).toEqual([4, 3, 2, 1, 0].map((back) => newest - back * HOUR))
  for (let i = 0; i < cover.ids.length; i += 5) {
    const [lat, lon] = placeOf(i)
    const { variables } = (await run.point(cellOfId(nth(cover.ids, i), 7)))!
    const { times, values } = variables.get('temperature')!
    times.forEach((time, k) => {
      const truth = weatherAt(lat, lon, time).temperature + (time > newest - 6 * HOUR ? 1 : 0)
      expect(Math.abs(nth(values, k) - truth), `${lat},${lon} ${runName(time)}`).toBeLessThan(0.06)
    })
    const amounts = variables.get('precip_amount')!
    const [x, y] = [Math.round((lon - grid.west) / step), Math.round((grid.north - lat) / step)]
    const inside = x >= 0 && y >= 0 && x < grid.nx && y < grid.ny
    amounts.times.forEach((time, k) => {
      const fallen = inside ? liquidAt(grid.north - y * step, grid.west + x * step, time) : 0
      const covered = inside && grid.west + x * grid.dLon >= -120
      const truth = covered ? (fallen > 0 && time <= newest - 2 * HOUR ? fallen + 1 : fallen) : Number.NaN
      if (covered) expect(amounts.values[k], `${lat},${lon} ${runName(time)}`).toBeCloseTo(truth, 5)
      else expect(amounts.values[k], `${lat},${lon} ${runName(time)}`).toBeNaN()
    })
  }
  const sources = await run.provenance()
  expect(sources.get('precip_amount')!.map((source) => source!.url)).toEqual(
    [4, 3, 2, 1, 0].map((back) => `https://qpe/${runName(newest - back * HOUR)}`),
  )
})

test('does not change for an older hour, and replaces a first pass with the next hour', async () => {
  const before = await pointerOf(database, PAST_HOURS, domain)
  await analyse(newest - 5 * HOUR, 'urma')
  await publish(newest - 5 * HOUR, 'urma', newest + HOUR)
  expect(await pointerOf(database, PAST_HOURS, domain)).toEqual(before)
  await analyse(newest + HOUR, 'rtma')
  await accumulate(newest - HOUR, 'mrms-qpe-1h', 1)
  await publish(newest + HOUR, 'rtma')
  const pointer = await pointerOf(database, PAST_HOURS, domain)
  const run = await openRun(objects, pointer!.manifest_key)
  const wettest = Array.from(cover.ids, (_, i) => i).find((i) => {
    const [lat, lon] = placeOf(i)
    const [x, y] = [Math.round((lon - grid.west) / step), Math.round((grid.north - lat) / step)]
    return (
      lon > -119 &&
      x < grid.nx &&
      y >= 0 &&
      y < grid.ny &&
      liquidAt(grid.north - y * step, grid.west + x * step, newest - HOUR) > 0
    )
  })!
  const { times, values } = (await run.point(cellOfId(nth(cover.ids, wettest), 7)))!.variables.get('precip_amount')!
  expect(values[times.indexOf(newest - HOUR)]).toBeCloseTo(3.5, 5)
})

test('adds late hours six at a time and when the day is complete, with current amounts', async () => {
  const last = newest + 200 * HOUR
  const hoursShown = async () => {
    const pointer = await pointerOf(database, PAST_HOURS, domain)
    expect(pointer?.run.getTime()).toBe(last)
    const { variables } = await openRun(objects, pointer!.manifest_key)
    return ['temperature', 'precip_amount'].map((name) => variables.get(name)?.times.length ?? 0)
  }
  await analyse(last, 'rtma')
  await publish(last, 'rtma', last + HOUR)
  expect(await hoursShown()).toEqual([1, 0])
  for (let back = 0; back < 5; back++) await accumulate(last - back * HOUR, 'mrms-qpe-1h')
  const sizes: number[] = []
  for (let back = 1; back <= 27; back++) {
    // Upstream lacks one hour of the day.
    if (back === 20) continue
    await analyse(last - back * HOUR, 'rtma')
    await publish(last - back * HOUR, 'rtma', last + HOUR)
    const [hours, amounts] = await hoursShown()
    if (sizes.at(-1) !== hours) sizes.push(hours!)
    expect(amounts).toBe(hours === 1 ? 0 : 5)
  }
  expect(sizes).toEqual([1, 7, 13, 19, 25])
})

test('removes a replaced tile after an hour and keeps the served tile', async () => {
  const tiles = async () => {
    const runs = new Set<string>()
    for await (const { key } of objects.list(`tiles/v1/${PAST_HOURS}/`)) runs.add(nth(key.split('/'), 4))
    return [...runs].sort()
  }
  const names = [newest, newest + HOUR, newest + 200 * HOUR].map(runName)
  expect(await tiles()).toEqual(names)
  const dataset = { id: PAST_HOURS, keepSeconds: PAST_HOURS_KEPT_SECONDS }
  await retireRuns({ database, objects, slabs: objects }, dataset, Date.now() + 2 * HOUR)
  expect(await tiles()).toEqual(names.slice(-1))
})
