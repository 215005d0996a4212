import { performance } from 'node:perf_hooks'
import type { Current } from '../../api/current.ts'
import { parseWeather } from '../../api/query.ts'
import { createWeather } from '../../api/weather.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { openFolder } from '../../ingest/ports/objects-folder.ts'
import type { OpenRun, PointSeries } from '../../ingest/tile/read.ts'
import { analyticCurrent, analyticSeries } from '../api/analytic-runs.ts'
import { tileCurrent } from '../walks/tile-current.ts'

/**
 * Server time of a cold answer: no cell twice, nothing of it cached. `--objects=FOLDER` reads the tiles of an object store
 * (such as DATA_DIR/objects); without it the values are at hand, and the time is that of everything but reading tiles.
 * `--include=…` asks for other sections than those that stand on models, `--answers=N` for more.
 */
const word = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
const include = word('include') ?? 'current,hourly,daily,astro'
const answers = Number(word('answers') ?? 6000)
const folder = word('objects')

const current = folder ? await tileCurrent(await openFolder(folder)) : heldCurrent(Date.parse('2026-11-21T20:37:00Z'))
const runs = [...current.all()]
const now = folder ? Math.max(...runs.map(({ run }) => run)) + 45 * 60_000 : Date.parse('2026-11-21T20:37:00Z')
const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7, cacheBytes: 1 })

const spread = folder ? { lat: 12, lon: 36 } : { lat: 0.1, lon: 0.1 }
const origin = folder ? { lat: 33, lon: -117 } : { lat: 39.7, lon: -105 }
const times: number[] = []
let bytes = 0
let cpu = process.cpuUsage()
const warm = Math.floor(answers / 3)
for (let i = 0; i < answers + warm; i++) {
  if (i === warm) cpu = process.cpuUsage()
  // A walk that visits each place once, near and far in turn.
  const share = (step: number) => (i * step) % 1
  const ask = parseWeather({
    lat: (origin.lat + spread.lat * share(0.7548776662)).toFixed(4),
    lon: (origin.lon + spread.lon * share(0.5698402909)).toFixed(4),
    include,
  })
  const from = performance.now()
  try {
    bytes = (await weather.answer(ask, now)).body.byteLength
  } catch (error) {
    if (!isFault(error, 'Missing')) throw error
    continue
  }
  if (i >= warm) times.push(performance.now() - from)
}
const spent = process.cpuUsage(cpu)
times.sort((a, b) => a - b)
const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(3)
console.log(
  `cold answer ${folder ? 'from tiles' : 'from held values'}: ${bytes} bytes, p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms (${times.length} answers), processor ${((spent.user + spent.system) / 1000 / times.length).toFixed(3)} ms an answer`,
)

function heldCurrent(when: number): Current {
  const base = analyticCurrent(when)
  const held = new Map<string, PointSeries | undefined>()
  const cell = cellOf(39.74, -104.99)
  return {
    ...base,
    served(dataset, domain) {
      const served = base.served(dataset, domain)
      if (!served) return undefined
      const key = `${dataset}/${domain}`
      if (!held.has(key)) held.set(key, analyticSeries(dataset, domain, served.run, cell))
      return { ...served, opened: { point: async () => held.get(key) } as unknown as OpenRun }
    },
  }
}
