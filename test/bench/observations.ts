/** Measures METARs: reading and storing 4,000 rows of a real cache file, reading the same file again, and requesting 50 stations of a box. */

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openObservations } from '../../api/live/observations.ts'
import type { LiveDeps } from '../../api/live/source.ts'
import { observationsRoute } from '../../api/routes/observations.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { oracleRows } from '../truth/metar-rows.ts'

const HEADER = 'raw_text,observation_time,latitude,longitude,elevation_m'
const NOW = Date.UTC(2014, 11, 18, 8)

/** Rows of 2014, moved into the stored region, because half of them are of other continents. */
function file(): Uint8Array {
  const rows = oracleRows()
    .filter(({ file }) => file.includes('2014'))
    .slice(0, 4000)
  const lines = rows.map(({ raw, columns }) => {
    const lon = -60 - (Math.abs(Number(columns['longitude'])) % 100)
    const lat = 15 + (Math.abs(Number(columns['latitude'])) % 60)
    return `${raw},${columns['observation_time']},${lat.toFixed(3)},${lon.toFixed(3)},${columns['elevation_m']}`
  })
  return gzipSync(`${[HEADER, ...lines].join('\n')}\n`)
}

const body = file()
const server = createServer((request, response) => {
  if (!request.url?.endsWith('metars.cache.csv.gz')) return void response.writeHead(404).end()
  if (request.headers['if-none-match'] === '"1"') return void response.writeHead(304, { etag: '"1"' }).end()
  response.writeHead(200, { etag: '"1"' }).end(body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as { port: number }
const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-bench-'))
const database = await openDatabase({ dataDir, databasePool: 1 })
const upstream = openUpstream({ mirror: `http://127.0.0.1:${port}` })
const clock = () => NOW
const sweep = async () => {
  const from = performance.now()
  const { notes } = await sweepFeed({ database, upstream, objects: undefined as never, clock }, 'metar')
  return { ms: performance.now() - from, notes }
}
const median = (list: number[]) =>
  nth(
    list.sort((a, b) => a - b),
    list.length >> 1,
  )

const first = await sweep()
console.log(`first read of 4,000 rows: ${first.ms.toFixed(0)} ms (${first.notes.join('; ')})`)
await sweep()
const again: number[] = []
for (let i = 0; i < 20; i++) again.push((await sweep()).ms)
console.log(`an unchanged file: ${median(again).toFixed(1)} ms (median of 20)`)
const live = await openObservations({
  database,
  clock,
  current: { invalidate() {} },
  report: () => () => {},
} as unknown as LiveDeps)
const route = observationsRoute({
  database,
  live: { observations: live },
  values: { current: { simulated: () => false } },
} as never)
const times: number[] = []
let rows = 0
for (let i = 0; i < 400; i++) {
  const from = performance.now()
  const answer = (await route.handle!({ query: { bbox: '-100,35,-80,50' }, format: 'json', now: NOW } as never)) as {
    body: { observations: unknown[] }
  }
  JSON.stringify(answer.body)
  times.push(performance.now() - from)
  rows = answer.body.observations.length
}
console.log(`${rows} stations of a box: ${median(times).toFixed(2)} ms (median of 400)`)
await live.close?.()
await upstream.close()
await database.close()
server.close()
await rm(dataDir, { recursive: true, force: true })
