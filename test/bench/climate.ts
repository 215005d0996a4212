/**
 * What climate costs: a first answer at a place whose station is not stored yet, what the section adds to a warm answer, and a day of the
 * season over the contiguous states. `node test/bench/climate.ts [normals|season]`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWeather } from '../../api/answer/weather.ts'
import { openClimate } from '../../api/live/climate.ts'
import { openSeason } from '../../api/live/season.ts'
import type { LiveDeps } from '../../api/live/source.ts'
import { parseWeather } from '../../api/query/query.ts'
import { normalsReader } from '../../bin/normals.ts'
import { climateSources } from '../../infra/simulator/feeds/climate.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { loadCells } from '../../ingest/domain/cell.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database-open.ts'
import { openFolder } from '../../ingest/ports/objects-folder.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { loadStationList } from '../../ingest/steps/climate/station-normals.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { buildDays, keepHour } from '../../ingest/steps/season/season.ts'
import { cutCover } from '../../ingest/tile/cover.ts'
import { analyticCurrent } from '../api/analytic-runs.ts'
import { makeSlabs } from '../tile/made-slabs.ts'

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
  const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1]!
  const first = await timed('climate', 39.74)
  // Stations that were not requested before, with the list in memory.
  const cold: number[] = []
  for (const lat of [31.5, 34.2, 36.9, 42.3, 45.1, 47.8]) cold.push(await timed('climate', lat))
  const [bare, warm]: [number[], number[]] = [[], []]
  for (let i = 0; i < 60; i++) {
    bare.push(await timed('daily', 39.7 + i * 0.001))
    warm.push(await timed('daily,climate', 39.8 + i * 0.001))
  }
  console.log(`normals: first answer, list of stations read too   ${first.toFixed(0)} ms`)
  console.log(
    `normals: cold station, median and most             ${median(cold).toFixed(0)} and ${cold.at(-1)!.toFixed(0)} ms`,
  )
  console.log(`normals: warm, added to an answer with daily       ${(median(warm) - median(bare)).toFixed(2)} ms`)
  await upstream.close()
  await mirror.close()
}

async function benchSeason(): Promise<void> {
  const database = await openDatabase({ dataDir: folder, databasePool: 1 })
  const pool = openPool({ threads: 2 })
  const { ids } = loadCells(7)
  const cover = cutCover(ids, 7)
  const first = Date.parse('2026-08-20T04:00:00Z')
  const key = { dataset: 'urma', domain: 'conus' as const }
  const codes = new Int16Array(ids.length)
  let keeping = 0
  let building = 0
  let hours = 0
  for (let at = first; building === 0 && hours < 40; at += HOUR, hours++) {
    for (let i = 0; i < codes.length; i++) codes[i] = 300 + Math.round(60 * Math.sin(i / 900 + at / (4 * HOUR)))
    const item = { variable: 'temperature', time: at, quantum: 0.1, offset: 250, codes }
    await objects.put('slab', makeSlabs({ ...key, run: at, resolution: 7 }, cover, [item]))
    const kept = performance.now()
    await keepHour({ database, objects }, key, at, objects, ['slab'])
    const began = performance.now()
    const built = await buildDays({ database, objects, pool }, key, at)
    if (built.length > 0) building = performance.now() - began
    else keeping = began - kept
  }
  const season = openSeason({ database, objects })
  const day = Date.parse('2026-08-20') / 86_400_000
  const cold = performance.now()
  const found = await season.days({ lat: 39.74, lon: -104.99, domain: 'conus' }, day - 179, day)
  console.log(`season: ${ids.length} cells, keep an hour             ${keeping.toFixed(0)} ms`)
  console.log(`season: build a day of ${hours} hours and its month    ${(building / 1000).toFixed(1)} s`)
  console.log(
    `season: read ${found.size} of 180 days at a point, cold      ${(performance.now() - cold).toFixed(0)} ms`,
  )
  let bytes = 0
  for await (const { size } of objects.list('tiles/')) bytes += size
  console.log(`season: tiles of a month with one day             ${(bytes / 1e6).toFixed(1)} MB`)
  await pool.close()
  await database.close()
}

if (only !== 'season') await benchNormals()
if (only !== 'normals') await benchSeason()
await objects.close()
await rm(folder, { recursive: true, force: true })
