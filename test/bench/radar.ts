/**
 * Measures the cost of a scan: from gzip bytes to a frame compared with inflating the same bytes (one core), a whole scan of 10 products
 * in 3 domains compared with its two minutes, and a cold nowcast at a point.
 *
 * The file is a gzip around a PNG, which is itself deflated. Inflating means both, by zlib, the PNG into one buffer of the right size
 * (the fastest way). The outer gzip alone is printed beside it; a PNG leaves it almost nothing to unpack.
 *
 * npm run bench:radar                         this
 * npm run bench:radar -- --appearance         from a scan's appearance to the first answer with it: appearance.ts
 */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { readMessages } from 'grib2-wasm'
import type { ServedRun } from '../../api/contract.ts'
import { openRadarFrames } from '../../api/live/frames.ts'
import { nowcastAt } from '../../api/live/nowcast.ts'
import { radarTileRoutes } from '../../api/routes/radar-tiles.ts'
import { mrmsProducts } from '../../ingest/datasets/mrms-products.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import type { MrmsDataset } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { runName } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { publishFrame } from '../../ingest/steps/frames/frame.ts'
import { makeFrame, makeMotion } from '../../ingest/steps/frames/work.ts'
import { placeOf } from '../../ingest/tile/frame.ts'
import { frameKey } from '../../ingest/tile/key.ts'

if (process.argv.includes('--appearance')) await import('./appearance.ts')

const fixtures = fileURLToPath(new URL('../../../shared/fixtures/binary/mrms/', import.meta.url))
if (!existsSync(fixtures)) {
  console.log('bench:radar skipped: the fixtures are not there (../shared/fixtures)')
  process.exit(0)
}
const files = readdirSync(fixtures)
const fileOf = (part: string) => files.find((file) => file.includes(part))!
/** Wraps the message in gzip, as in the bucket. */
const zipped = (file: string): Uint8Array => {
  const bytes = readFileSync(fixtures + file)
  return bytes[0] === 0x1f ? bytes : gzipSync(bytes, { level: 6 })
}
const dataset = (id: string): MrmsDataset => mrmsProducts.find((product) => product.id === id)!
const frame = (file: string, product: MrmsDataset, domain: DomainId, bytes = zipped(file)) =>
  makeFrame({
    kind: 'frame',
    bytes,
    subject: { product: product.id, domain, unit: product.unit, source: file },
    values: product.values,
  })

/** Three scans with the same echoes, two minutes apart: the minute of the reference time is octet 18 of section 1. */
function threeScans(file: string, product: MrmsDataset, domain: DomainId) {
  const message = gunzipSync(zipped(file))
  return [0, 2, 4].map((minute) => {
    message[16 + 17] = minute
    return frame(file, product, domain, gzipSync(message, { level: 1 }))
  })
}

/** Runs the variants alternately, so that all have the same load. Returns the best and the median time of each, ms. */
function compare(rounds: number, works: readonly (() => unknown)[]): { best: number; median: number }[] {
  const times = works.map((): number[] => [])
  for (let n = 0; n < rounds; n++) {
    for (const [index, work] of works.entries()) {
      const begun = performance.now()
      work()
      nth(times, index).push(performance.now() - begun)
    }
  }
  return times.map((list) => {
    const sorted = list.sort((a, b) => a - b)
    return { best: nth(sorted, 0), median: nth(sorted, sorted.length >> 1) }
  })
}

/** The deflated bytes of a PNG's pixels, and their inflated size. */
function deflated(bytes: Uint8Array): { idat: Uint8Array; size: number } {
  const [message] = [...readMessages(gunzipSync(bytes))]
  const png = message!.section(7)!.subarray(5)
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const parts: Uint8Array[] = []
  for (let at = 8; at + 12 <= png.length; at += 12 + view.getUint32(at)) {
    if (view.getUint32(at + 4) === 0x49444154) parts.push(png.subarray(at + 8, at + 8 + view.getUint32(at)))
  }
  const idat = Buffer.concat(parts)
  return { idat, size: inflateSync(idat).length }
}

console.log(`load ${nth(loadavg(), 0).toFixed(1)}\n`)
console.log('a CONUS frame, 7000 × 3500, one core: best (median) of 25, ms')
console.log(
  `${''.padEnd(38)}${['gzip alone', 'gzip + PNG', 'gzip → frame', 'ratio to gzip + PNG (≤ 2.5)', 'frame / PNG bytes'].map((word) => word.padStart(word.length + 3)).join('')}`,
)
for (const [part, id] of [
  ['MergedReflectivityQCComposite', 'mrms-reflectivity'],
  ['CONUS_MRMS_MultiSensor_QPE_01H_Pass2_00.00_20220809', 'mrms-qpe-1h'],
  ['PrecipFlag', 'mrms-precip-flag'],
] as const) {
  const file = fileOf(part)
  const bytes = zipped(file)
  const { idat, size } = deflated(bytes)
  let pngBytes = 0
  const [outer, both, pipeline] = compare(25, [
    () => gunzipSync(bytes),
    () => [gunzipSync(bytes), inflateSync(idat, { chunkSize: size + 64 })],
    () => {
      pngBytes = frame(file, dataset(id), 'conus', bytes).bytes.length
    },
  ])
  const cell = (timing: typeof outer, room: number) =>
    `${timing!.best.toFixed(1)} (${timing!.median.toFixed(1)})`.padStart(room)
  const ratio = `${(pipeline!.best / both!.best).toFixed(2)} (${(pipeline!.median / both!.median).toFixed(2)})`
  console.log(
    `${part.replace('CONUS_MRMS_', '').slice(0, 36).padEnd(38)}${cell(outer, 13)}${cell(both, 13)}${cell(pipeline, 15)}${ratio.padStart(30)}${`${pngBytes} / ${idat.length}`.padStart(21)}`,
  )
}

// A scan has everything of two minutes: 7 products over CONUS, 5 over Alaska and Hawaii, and hourly products by their share.
const composite = fileOf('MergedReflectivityQCComposite')
const flag = fileOf('PrecipFlag')
const alaska = fileOf('ALASKA_MRMS_MultiSensor_QPE_01H')
const hawaii = fileOf('HAWAII')
const cpu = process.cpuUsage()
const begun = performance.now()
const scans = threeScans(composite, dataset('mrms-reflectivity'), 'conus')
const composites = nth(scans, 2)
for (let n = 0; n < 5; n++) frame(composite, dataset('mrms-reflectivity'), 'conus')
frame(flag, dataset('mrms-precip-flag'), 'conus')
for (let n = 0; n < 5; n++) {
  frame(alaska, dataset('mrms-precip-rate'), 'alaska')
  frame(hawaii, dataset('mrms-precip-rate'), 'hawaii')
}
for (let n = 0; n < 3; n++) {
  frame(fileOf('CONUS_MRMS_MultiSensor_QPE_01H_Pass2_00.00_20220809'), dataset('mrms-qpe-1h'), 'conus')
  frame(alaska, dataset('mrms-qpe-1h'), 'alaska')
  frame(hawaii, dataset('mrms-qpe-1h'), 'hawaii')
}
const key = 'frames/v1/mrms-reflectivity/conus/2022-07-04T110040Z'
const motionOf = (frames: readonly { readonly bytes: Uint8Array }[]) =>
  makeMotion({ kind: 'motion', frames: frames.map(({ bytes }) => ({ key, bytes })) })
const motionBegun = process.cpuUsage()
const motion = motionOf(scans)
const motionSpent = process.cpuUsage(motionBegun)
console.log(
  `\nmotion of CONUS: ${((motionSpent.user + motionSpent.system) / 1e6).toFixed(2)} s of CPU, ${motion.bytes.length} bytes`,
)
for (const [file, domain] of [
  [alaska, 'alaska'],
  [hawaii, 'hawaii'],
] as const) {
  motionOf(threeScans(file, dataset('mrms-precip-rate'), domain))
}
const spent = process.cpuUsage(cpu)
const seconds = (spent.user + spent.system) / 1e6
console.log(
  `\na whole scan, all 10 products of 3 domains with motion: ${seconds.toFixed(1)} s of CPU in ${((performance.now() - begun) / 1000).toFixed(1)} s; ` +
    `of 2 cores in 2 minutes ${((100 * seconds) / 240).toFixed(1)} % (≤ 30 %); resident at most ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB (≤ 1024)`,
)

// The nowcast at each point of the real composite opens frames that were not opened before.
const folder = mkdtempSync(join(tmpdir(), 'hexcast-bench-'))
const objects = await openFolder(folder)
const flags = frame(flag, dataset('mrms-precip-flag'), 'conus')
const time = composites.head.validTime
const keys = {
  'mrms-reflectivity': `frames/v1/mrms-reflectivity/conus/${runName(time)}`,
  'mrms-motion': `frames/v1/mrms-motion/conus/${runName(time)}`,
  'mrms-precip-flag': `frames/v1/mrms-precip-flag/conus/${runName(time)}`,
} as const
await objects.put(keys['mrms-reflectivity'], composites.bytes)
await objects.put(keys['mrms-motion'], motion.bytes)
await objects.put(keys['mrms-precip-flag'], flags.bytes)
const served = (id: string) => {
  const manifestKey = keys[id as keyof typeof keys]
  return manifestKey ? ({ run: time, manifestKey } as ServedRun) : undefined
}
const times: number[] = []
const warm: number[] = []
let wet = 0
for (let n = 0; n < 2000; n++) {
  const radarFrames = openRadarFrames({ served }, objects)
  const { lat, lon } = placeOf(composites.head.grid, 1500 + ((n * 997) % 4300), 500 + ((n * 613) % 2300))
  const at = { lat, lon, domain: 'conus', cell: cellOf(lat, lon), now: time + 60_000 } as const
  const began = performance.now()
  const { points } = await nowcastAt(radarFrames, { served: () => undefined })(at)
  times.push(performance.now() - began)
  const again = performance.now()
  await nowcastAt(radarFrames, { served: () => undefined })({ ...at, lat: lat + 0.003 })
  warm.push(performance.now() - again)
  if (points.some(({ type }) => type !== 'none' && type !== 'no_coverage')) wet++
}
const rank = (list: number[], share: number) =>
  nth(
    [...list].sort((a, b) => a - b),
    Math.floor(share * list.length),
  ).toFixed(2)
const after = times.slice(40)
console.log(
  `a nowcast at a point, nothing opened before: p50 ${rank(after, 0.5)} ms, p99 ${rank(after, 0.99)} ms (< 3 ms); the first 40 of the process p50 ${rank(times.slice(0, 40), 0.5)} ms; with frames open p50 ${rank(warm.slice(40), 0.5)} ms; ${wet} of ${times.length} points wet`,
)

// Each map tile is of a different place, at zoom 7, then at zoom 4, where a tile has a quarter of all pixels.
const [, tiles] = radarTileRoutes({ documents: openRadarFrames({ served }, objects), database: undefined as never })
for (const zoom of [7, 4]) {
  const side = 2 ** zoom
  const cold: number[] = []
  for (let n = 0; n < 64; n++) {
    const lon = -120 + ((n * 37) % 45)
    const sin = Math.sin(((27 + ((n * 13) % 20)) * Math.PI) / 180)
    const y = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * side)
    const params = {
      product: 'mrms-reflectivity',
      time: 'latest',
      z: String(zoom),
      x: String(Math.floor(((lon + 180) / 360) * side)),
      y: String(y),
    }
    const began = performance.now()
    await tiles!.handle!({ query: { opacity: String(0.1 + n / 100) }, params } as never)
    cold.push(performance.now() - began)
  }
  console.log(
    `a cold tile of zoom ${zoom}: p50 ${rank(cold.slice(4), 0.5)} ms, p95 ${rank(cold.slice(4), 0.95)} ms (p50 < 15 ms)`,
  )
}

// Publishing syncs the object to the disk, then moves the pointer.
const database = await openDatabase({ dataDir: folder, databasePool: 1 })
const puts: number[] = []
const moves: number[] = []
for (let n = 0; n < 20; n++) {
  const valid = time + n * 120_000
  const key = frameKey('mrms-precip-flag', 'conus', valid)
  const began = performance.now()
  await objects.put(key, flags.bytes)
  const stored = performance.now()
  await publishFrame(database, 'mrms-precip-flag', 'conus', valid, key, {}, valid)
  puts.push(stored - began)
  moves.push(performance.now() - stored)
}
console.log(
  `and published: ${flags.bytes.length} bytes durable in the folder p50 ${rank(puts, 0.5)} ms, the pointer moved in the embedded database p50 ${rank(moves, 0.5)} ms`,
)
await database.close()
await objects.close()
rmSync(folder, { recursive: true, force: true })
