/**
 * Measures query_dataset over 50 points × 264 hours × 5 variables of NBM, through the tool server, and maps over the
 * simulator's radar, alerts and outlooks.
 * Tiles of CONUS are made first from the simulator at every 16th point, by the real steps; `--objects=FOLDER` takes those
 * of an object store (such as DATA_DIR/objects).
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { nth } from '../../ingest/domain/nth.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { skyServer } from '../api/sky-server.ts'
import { makeTiles } from '../walks/make-tiles.ts'
import { tileCurrent } from '../walks/tile-current.ts'

/** Longest warm query, ms. */
const QUERY_BOUND = 300
/** Longest request of a picture, cold or warm, ms. */
const MAP_BOUND = 1000
const objectsFolder = process.argv.find((arg) => arg.startsWith('--objects='))?.slice(10)
const folder = await mkdtemp(join(tmpdir(), 'hexcast-bench-'))
if (!objectsFolder) {
  const runs = [{ dataset: 'nbm', maxLead: 264, domains: ['conus'] as const }]
  await (await makeTiles({ now: Date.now(), folder, coarse: 16, resolution: 7, runs })).close()
}
const objects = await openFolder(objectsFolder ?? join(folder, 'objects'))
const sky = await skyServer({ coarse: 2, models: await tileCurrent(objects) })
const client = new Client({ name: 'bench', version: '1' })
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${sky.base}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${sky.key}` } },
  }),
)

/** Returns 50 distant points in the contiguous states, always the same. */
const points = Array.from({ length: 50 }, (_, i) => ({
  lat: Math.round((34 + 11 * ((i * 0.7548776662) % 1)) * 1e4) / 1e4,
  lon: Math.round((-116 + 28 * ((i * 0.5698402909) % 1)) * 1e4) / 1e4,
}))
const query = {
  points,
  dataset_id: 'nbm',
  variables: ['temperature', 'dew_point', 'wind_speed', 'wind_gust', 'cloud_cover'],
  hours: 264,
}

interface Timed {
  readonly cold: number
  readonly warm: number[]
  readonly rows: number
}
async function time(name: string, args: object, times: number): Promise<Timed> {
  const durations: number[] = []
  let rows = 0
  for (let i = 0; i <= times; i++) {
    const from = performance.now()
    const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
    durations.push(performance.now() - from)
    if (result.isError) throw new Error(JSON.stringify(result.content).slice(0, 600))
    rows = (result.structuredContent as { total_rows?: number }).total_rows ?? 0
  }
  return { cold: nth(durations, 0), warm: durations.slice(1).sort((a, b) => a - b), rows }
}
const middle = (list: readonly number[]) => nth(list, list.length >> 1)

let failed = false
const report = (what: string, bound: number, { cold, warm, rows }: Timed, judged = middle(warm)) => {
  const bad = judged >= bound
  failed ||= bad
  console.log(
    `${what.padEnd(34)} cold ${cold.toFixed(0)} ms, warm p50 ${middle(warm).toFixed(0)}, worst ${warm.at(-1)!.toFixed(0)} of ${warm.length}; bound ${bound}${rows ? `; ${rows} rows` : ''}${bad ? '  TOO SLOW' : ''}`,
  )
}
// The first picture of a process also loads borders, names and fonts.
for (const [what, args] of [
  ['map 900 × 560, radar and alerts', { location: 'Kansas City, MO' }],
  ['map, nbm:temperature', { location: 'Denver, CO', product: 'nbm:temperature', zoom: 6 }],
  ['map, outlooks', { location: 'Wichita, KS', product: 'spc', zoom: 4 }],
] as const) {
  const timed = await time('get_map_snapshot', args, 10)
  report(what, MAP_BOUND, timed, timed.cold)
}
report('50 × 264 × 5, a page of JSON', QUERY_BOUND, await time('query_dataset', query, 20))
report('the same as CSV', QUERY_BOUND, await time('query_dataset', { ...query, format: 'csv', limit: 5000 }, 10))
report('the same as Arrow', QUERY_BOUND, await time('query_dataset', { ...query, format: 'arrow', limit: 5000 }, 10))
report(
  '50 × 264 × 5 of the blend, every hour',
  QUERY_BOUND,
  await time('query_dataset', { ...query, dataset_id: 'blend' }, 10),
)
const aggregate = { over: 'day', functions: ['min', 'max', 'mean', 'p90'] }
report('the same by day, 4 functions', QUERY_BOUND, await time('query_dataset', { ...query, aggregate }, 10))

await client.close()
await sky.close()
await objects.close()
await rm(folder, { recursive: true, force: true })
process.exitCode = failed ? 1 : 0
