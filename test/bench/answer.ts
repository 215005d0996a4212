import { performance } from 'node:perf_hooks'
import { parseWeather } from '../../api/query.ts'
import { createWeather } from '../../api/weather.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import type { OpenRun, PointSeries } from '../../ingest/tile/read.ts'
import { analyticCurrent, analyticSeries } from '../api/analytic-runs.ts'

/** Server time of a cold answer from values that are at hand: everything but the reading of tiles. */
const now = Date.parse('2026-11-21T20:37:00Z')
const base = analyticCurrent(now)
const held = new Map<string, PointSeries | undefined>()
const cell = cellOf(39.74, -104.99)
const current = {
  ...base,
  served: (dataset: string, domain: 'conus' | 'alaska' | 'hawaii') => {
    const served = base.served(dataset, domain)
    if (!served) return undefined
    const key = `${dataset}/${domain}`
    if (!held.has(key)) held.set(key, analyticSeries(dataset, domain, served.run, cell))
    const opened = { point: async () => held.get(key) } as unknown as OpenRun
    return { ...served, opened }
  },
}
const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7, cacheBytes: 1 })
const asks = Array.from({ length: 400 }, (_, i) =>
  parseWeather({
    lat: String(39.7 + i * 0.0002),
    lon: '-104.99',
    include: process.argv[2] ?? 'current,hourly,daily,astro',
  }),
)
const times: number[] = []
let bytes = 0
let cpu = process.cpuUsage()
for (let round = 0; round < 40; round++) {
  if (round === 20) cpu = process.cpuUsage()
  for (const ask of asks) {
    const from = performance.now()
    bytes = (await weather.answer(ask, now)).body.byteLength
    if (round > 19) times.push(performance.now() - from)
  }
}
const spent = process.cpuUsage(cpu)
times.sort((a, b) => a - b)
const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(3)
console.log(
  `answer from held values: ${bytes} bytes, p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms (${times.length} answers), processor ${((spent.user + spent.system) / 1000 / times.length).toFixed(3)} ms an answer`,
)
