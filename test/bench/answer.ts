import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createWeather } from '../../api/answer/weather.ts'
import { parseWeather } from '../../api/query/query.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { loadedCurrent } from '../api/analytic-runs.ts'
import { parsed } from '../api/answer/parsed.ts'
import { makeTiles } from '../walks/make-tiles.ts'
import { tileCurrent } from '../walks/tile-current.ts'

/**
 * Measures the server time of a cold answer: each cell is requested once, with nothing cached. The real steps first build tiles of
 * CONUS from the simulator at every 16th grid point (a minute or two); `--objects=FOLDER` reads an object store instead
 * (such as DATA_DIR/objects); `--held` keeps the values in memory, and measures everything except reading tiles.
 * `--include=…` requests other sections than those of the models, `--answers=N` sets the number of answers.
 */
const word = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
const include = word('include') ?? 'current,hourly,daily,astro'
const answers = Number(word('answers') ?? 6000)
const objectsFolder = word('objects')
const then = Date.parse('2026-11-21T20:37:00Z')
const scratch =
  objectsFolder || process.argv.includes('--held') ? undefined : await mkdtemp(join(tmpdir(), 'hexcast-bench-'))
if (scratch) {
  const domains = ['conus'] as const
  const runs = [
    { dataset: 'rtma-ru', maxLead: 0, domains },
    { dataset: 'nbm', maxLead: 264, domains },
    { dataset: 'hrrr', maxLead: 18, domains },
    { dataset: 'hrrr-long', maxLead: 48, domains },
    { dataset: 'gfs', maxLead: 384, domains },
  ]
  const tiles = await makeTiles({ now: then, folder: scratch, coarse: 16, resolution: 7, runs })
  await tiles.close()
}
const folder = objectsFolder ?? (scratch && join(scratch, 'objects'))

const objects = folder ? await openFolder(folder) : undefined
const current = objects ? await tileCurrent(objects) : loadedCurrent(then)
const now = objectsFolder ? Math.max(...[...current.all()].map(({ run }) => run)) + 45 * 60_000 : then
const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7, cacheBytes: 1 })

const spread = folder ? { lat: 12, lon: 36 } : { lat: 0.1, lon: 0.1 }
const origin = folder ? { lat: 33, lon: -117 } : { lat: 39.7, lon: -105 }
const times: number[] = []
let bytes = 0
/** Time that the runtime alone needs for such a text. It is measured in between, to tell a busy machine from a slow answer. */
const yardstick: number[] = []
let cpu = process.cpuUsage()
const warm = Math.floor(answers / 3)
for (let i = 0; i < answers + warm; i++) {
  if (i === warm) cpu = process.cpuUsage()
  // The walk visits each point once, near and far points in turn.
  const share = (step: number) => (i * step) % 1
  const ask = parseWeather({
    lat: (origin.lat + spread.lat * share(0.7548776662)).toFixed(4),
    lon: (origin.lon + spread.lon * share(0.5698402909)).toFixed(4),
    include,
  })
  const from = performance.now()
  try {
    const answer = await weather.answer(ask, now)
    const took = performance.now() - from
    bytes = answer.body.byteLength
    if (i < warm) continue
    times.push(took)
    if (i % 20 === 0) {
      const value = parsed(answer)
      const start = performance.now()
      JSON.stringify(value)
      yardstick.push(performance.now() - start)
    }
  } catch (error) {
    if (!isFault(error, 'Missing')) throw error
  }
}
const spent = process.cpuUsage(cpu)
times.sort((a, b) => a - b)
yardstick.sort((a, b) => a - b)
const at = (share: number) => nth(times, Math.floor(times.length * share)).toFixed(3)
console.log(
  folder
    ? 'measured: from the checked question to the bytes of the answer: place, cell, values of five datasets (each block read from a file and decoded), blend, sections, JSON'
    : 'measured: from the checked question to the bytes of the answer: place, cell, blend, sections, JSON; values at hand',
)
console.log(
  `cold answer ${folder ? 'from tiles' : 'from values in memory'}: ${bytes} bytes, p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms (${times.length} answers), processor ${((spent.user + spent.system) / 1000 / times.length).toFixed(3)} ms an answer; JSON.stringify of the same p50 ${nth(yardstick, yardstick.length >> 1).toFixed(3)} ms`,
)

await objects?.close()
if (scratch) await rm(scratch, { recursive: true, force: true })
