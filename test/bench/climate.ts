/**
 * Measures the cost of climate: a first answer at a place whose station is not stored yet, the share of the section in a warm answer,
 * and a month of the season over the contiguous states at full size. `node test/bench/climate.ts [normals|season]`
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createWeather } from '../../api/answer/weather.ts'
import { openClimate } from '../../api/live/climate.ts'
import { openSeason } from '../../api/live/season.ts'
import type { LiveDeps } from '../../api/live/source.ts'
import { parseWeather } from '../../api/query/query.ts'
import { normalsReader } from '../../bin/normals.ts'
import { climateSources } from '../../infra/simulator/feeds/climate.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { cellOfId, centreOf, loadCells } from '../../ingest/domain/cell.ts'
import { SEASON_MAX, SEASON_MIN, SEASON_TILES, SEASON_VARIABLE } from '../../ingest/domain/dataset/season.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { DAY, dateText, HOUR } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { loadStationList } from '../../ingest/steps/climate/station-normals.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { buildDays, keepHour } from '../../ingest/steps/season/season.ts'
import { cutCover } from '../../ingest/tile/cover.ts'
import { putSeasonDay, putSeasonMonth, seasonDays, seasonMonths } from '../../sql/queries/season.ts'
import { analyticCurrent } from '../api/analytic-runs.ts'
import { makeSlabs, seeded } from '../tile/made-slabs.ts'

const folder = await mkdtemp(join(tmpdir(), 'hexcast-bench-climate-'))
const objects = await openFolder(join(folder, 'objects'))
const only = process.argv[2]

async function benchNormals(): Promise<void> {
  const mirror = await startMirror({ sources: climateSources, now: Date.now })
  const upstream = openUpstream({ mirror: mirror.url })
  const current = analyticCurrent(Date.now())
  await loadStationList({ objects, upstream, simulated: current.simulated() })
  const deps = {
    objects,
    current,
    clock: Date.now,
    normals: normalsReader({ upstream: new URL(mirror.url) }),
  } as unknown as LiveDeps
  const { suppliers } = openClimate({
    ...deps,
    normals: (from, ...rest) => deps.normals!({ ...from, simulated: current.simulated() }, ...rest),
  })
  const weather = createWeather({ current, datasets: gridDatasets, suppliers, resolution: 7 })
  const timed = async (include: string, lat: number): Promise<number> => {
    const began = performance.now()
    await weather.answer(parseWeather({ lat: lat.toFixed(4), lon: '-104.99', include }), Date.now())
    return performance.now() - began
  }
  const first = await timed('climate', 39.74)
  // These stations were not requested before; the list of stations is in memory.
  const cold: number[] = []
  for (const lat of [31.5, 34.2, 36.9, 42.3, 45.1, 47.8]) cold.push(await timed('climate', lat))
  const [bare, warm]: [number[], number[]] = [[], []]
  for (let i = 0; i < 60; i++) {
    bare.push(await timed('daily', 39.7 + i * 0.001))
    warm.push(await timed('daily,climate', 39.8 + i * 0.001))
  }
  console.log(`normals: first answer, list of stations read too   ${first.toFixed(0)} ms`)
  console.log(
    `normals: cold station, median and most             ${middle(cold).toFixed(0)} and ${cold.at(-1)!.toFixed(0)} ms`,
  )
  console.log(`normals: warm, added to an answer with daily       ${(middle(warm) - middle(bare)).toFixed(2)} ms`)
  await upstream.close()
  await mirror.close()
}

/** Measures a month of the contiguous states: the cost of an hour, a day and a month's tiles, and of reading them. */
async function benchSeason(): Promise<void> {
  const database = await openDatabase({ dataDir: folder, databasePool: 1 })
  const threads = 2
  const pool = openPool({ threads })
  const deps = { database, objects, pool }
  const domain = 'conus'
  const cover = cutCover(
    loadCells(7).ids.filter((id) => {
      const [lat, lon] = centreOf(cellOfId(id, 7))
      return lat < 50 && lon > -128
    }),
    7,
  )
  const codes = new Int16Array(cover.ids.length)
  const random = seeded(7)
  /** Returns temperatures with waves as wide as fronts, and differences of 0.3 K between neighbours. */
  const field = (at: number) => {
    const phase = at / (4 * HOUR)
    for (let i = 0; i < codes.length; i++) codes[i] = 300 + Math.round(90 * Math.sin(i / 9000 + phase) + 6 * random())
    return codes
  }
  const first = Date.parse('2026-08-01T04:00:00Z')
  const hour = { wall: [] as number[], cpu: [] as number[] }
  const keeping = async (at: number) => {
    const slab = 'slab'
    const item = { variable: SEASON_VARIABLE, time: at, quantum: 0.1, offset: 250, codes: field(at) }
    await objects.put(slab, makeSlabs({ dataset: 'urma', domain, run: at, resolution: 7 }, cover, [item]))
    const cost = await measured(() => keepHour(deps, { dataset: 'urma', domain, hour: at }, objects, [slab]))
    hour.wall.push(cost.wall)
    hour.cpu.push(cost.cpu)
  }
  for (let h = 0; h < 26; h++) await keeping(first + h * HOUR)
  const zones = await measured(() => buildDays(deps, { dataset: 'urma', domain, hour: first + 25 * HOUR }))
  // This is the last hour of the day in the westernmost time zone.
  await keeping(first + 26 * HOUR)
  const rss = peakRss()
  const day = await measured(() => buildDays(deps, { dataset: 'urma', domain, hour: first + 26 * HOUR }))
  const [builtMonth] = await seasonMonths(database, domain, '2026-08-01', '2026-08-31')
  if (builtMonth?.days !== 1) throw new Error(`the month must have 1 day, but has ${builtMonth?.days ?? 'none'}`)
  const [built] = await seasonDays(database, domain, '2026-08-01', '2026-08-01')

  /** Makes a day like the first, without its hours. @returns the key of its slab */
  async function putDay(time: number, month: string): Promise<string> {
    const date = dateText(time / DAY)
    const item = (variable: string, shift: number) => ({
      variable,
      time,
      quantum: 0.1,
      offset: 250,
      codes: Int16Array.from(field(time), (value) => value + shift),
    })
    const key = `season/v1/urma/conus/days/${date}`
    const identity = { dataset: SEASON_TILES, domain, run: Date.parse(month), resolution: 7 } as const
    await objects.put(key, makeSlabs(identity, cover, [item(SEASON_MAX, 60), item(SEASON_MIN, -60)]))
    await putSeasonDay(database, domain, { ...built!, date, slab_key: key })
    return key
  }
  for (let d = 1; d < 31; d++) await putDay(Date.parse('2026-08-01') + d * DAY, '2026-08-01')
  await keeping(first + 27 * HOUR)
  const month = await measured(() => buildDays(deps, { dataset: 'urma', domain, hour: first + 27 * HOUR }))
  const [completeMonth] = await seasonMonths(database, domain, '2026-08-01', '2026-08-31')
  if (completeMonth?.days !== 31)
    throw new Error(`the month must have 31 days, but has ${completeMonth?.days ?? 'none'}`)
  const prefix = completeMonth.manifest_key.slice(0, completeMonth.manifest_key.lastIndexOf('/') + 1)
  let [bytes, count] = [0, 0]
  for await (const { size } of objects.list(prefix)) [bytes, count] = [bytes + size, count + 1]
  // These are the previous months.
  for (const month of ['2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01', '2026-07-01']) {
    const slabs: string[] = []
    for (let time = Date.parse(month); dateText(time / DAY).startsWith(month.slice(0, 7)); time += DAY)
      slabs.push(await putDay(time, month))
    const { manifestKey } = await buildTiles(pool, objects, objects, {
      dataset: SEASON_TILES,
      domain,
      run: Date.parse(month),
      stage: 'days',
      slabs,
    })
    const { length: days } = slabs
    const hours = days * 27
    await putSeasonMonth(database, domain, {
      month,
      days,
      hours,
      observed: hours,
      cover: built!.cover,
      analysis: [],
      manifest_key: manifestKey,
    })
  }
  let read = 0
  const places = [39.74, 32.1, 44.9, 47.2, 35.6].map((lat) => ({ lat, lon: -104.99, domain }) as const)
  const [cold, warm] = [[] as number[], [] as number[]]
  for (const at of places) {
    const season = openSeason({ database, objects })
    const until = Date.parse('2026-08-31') / DAY
    const days = () => season.days(at, until - 179, until)
    const begun = performance.now()
    read = (await days()).size
    cold.push(performance.now() - begun)
    const again = performance.now()
    await days()
    warm.push(performance.now() - again)
  }
  const ms = (value: number) => `${value.toFixed(0)} ms`
  const s = (value: number) => `${(value / 1000).toFixed(1)} s`
  const [hourWall, hourCpu] = [middle(hour.wall), middle(hour.cpu)]
  const shown = ({ wall, cpu, blocked }: Measured) =>
    `wall ${s(wall)}, CPU ${s(cpu)}, main thread blocked ${ms(blocked)} at most`
  console.log(
    `season: ${cover.ids.length} cells, ${threads} threads; keep an hour    wall ${ms(hourWall)}, CPU ${ms(hourCpu)}`,
  )
  console.log(`season: time zones of the cells, once a process     ${shown(zones)}`)
  console.log(`season: a day of 27 hours and its month of one day   ${shown(day)}`)
  console.log(`season: the tiles of a month of 31 days              ${shown(month)}`)
  console.log(
    `season: a month object                               ${(bytes / 1e6).toFixed(1)} MB in ${count} objects, ${((bytes * 8) / (cover.ids.length * 62)).toFixed(2)} bits a value`,
  )
  console.log(
    `season: ${read} days at a point                          cold ${middle(cold).toFixed(1)} ms (opens six months), warm ${middle(warm).toFixed(1)} ms`,
  )
  console.log(
    `season: peak memory of the process                   ${peakRss()} MB, ${rss} MB before the day was built`,
  )
  await pool.close()
  await database.close()
}

interface Measured {
  readonly wall: number
  /** Returns the processor time of all threads of the process. */
  readonly cpu: number
  /** Measures the longest time in which no timer ran. */
  readonly blocked: number
}

async function measured(work: () => Promise<unknown>): Promise<Measured> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const [began, used] = [performance.now(), process.cpuUsage()]
  await work()
  const wall = performance.now() - began
  const { user, system } = process.cpuUsage(used)
  delay.disable()
  return { wall, cpu: (user + system) / 1000, blocked: delay.max / 1e6 }
}

const middle = (list: number[]) =>
  nth(
    list.sort((a, b) => a - b),
    list.length >> 1,
  )
const peakRss = () => Math.round(process.resourceUsage().maxRSS / 1000)

if (only !== 'season') await benchNormals()
if (only !== 'normals') await benchSeason()
await objects.close()
await rm(folder, { recursive: true, force: true })
