import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRadarFrames, type RadarFrames } from '../../api/live/frames.ts'
import { type Current, watchCurrent } from '../../api/live/served-runs.ts'
import { rainViewerPalette } from '../../api/picture/rainviewer-schemes.ts'
import { rainViewerRoutes } from '../../api/routes/compatible/rainviewer.ts'
import { framePictures } from '../../api/routes/radar-picture.ts'
import { tileBox } from '../../api/routes/radar-tiles.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { radarSource } from '../../infra/simulator/radar.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { frameSources } from '../../ingest/steps/frames/index.ts'
import { sweepFrames } from '../../ingest/steps/frames/sweep.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { pixelOf } from '../../ingest/tile/frame.ts'

/** RainViewer's addresses over the simulator's radar of a winter day, when it snows over half of the country. */

const PRODUCT = 'mrms-reflectivity'
const TYPES = 'mrms-precip-flag'
const now = Date.parse('2026-01-14T21:40:20Z')
let folder: string
let database: Database
let objects: Objects
let upstream: Upstream
let pool: Pool
let mirror: Mirror
let current: Current
let radar: RadarFrames
let routes: ReturnType<typeof rainViewerRoutes>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hexcast-rainviewer-'))
  const config = { dataDir: folder, databasePool: 2, objects: { kind: 'folder', folder: join(folder, 'o') } } as const
  mirror = await startMirror({ sources: [radarSource(10)], now: () => now })
  database = await openDatabase(config)
  objects = await openObjects(config)
  upstream = openUpstream({ mirror: mirror.url })
  pool = openPool({ threads: 1 })
  const sources = frameSources.filter(({ dataset }) => [PRODUCT, TYPES, 'mrms-precip-rate'].includes(dataset.id))
  await sweepFrames({ upstream, objects, database, pool }, sources, now)
  current = await watchCurrent({ database, objects, clock: () => now })
  radar = openRadarFrames(current, objects)
  const deps = { documents: radar, database, simulated: () => true }
  routes = rainViewerRoutes(deps, framePictures(deps, 100, 'test'))
}, 120_000)

afterAll(async () => {
  await current?.close()
  await pool?.close()
  await upstream?.close()
  await mirror?.close()
  await objects?.close()
  await database?.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Reply {
  readonly body: unknown
  readonly type?: string
  readonly etag?: string
  readonly headers: Record<string, string>
}

/** Answers an address below `/rainviewer` by the first route that it fits. */
async function get(address: string): Promise<Reply> {
  const pathname = `/rainviewer${address}`
  for (const { path, handle } of routes) {
    const params = new URLPattern({ pathname: path }).exec({ pathname })?.pathname.groups
    if (params && handle) return (await handle({ query: {}, params, now, base: 'http://host' } as never)) as Reply
  }
  throw new Error(`no route has ${pathname}`)
}

async function pixels(address: string) {
  const { width, height, data } = PNG.sync.read((await get(address)).body as Buffer)
  return { width, height, data, at: (x: number, y: number) => data.readUInt32BE(4 * (y * width + x)) }
}

const newest = () => (radar.newestTime(PRODUCT, 'conus') ?? Number.NaN) / 1000
/** A tile with the Great Lakes and the Ohio valley. */
const TILE = { z: 5, x: 8, y: 11 }
const numbers = `${TILE.z}/${TILE.x}/${TILE.y}`
const tile = (color: string, options: string, size = 256, time = newest()) =>
  `/v2/radar/${time}/${size}/${numbers}/${color}/${options}.png`

/** Reads a product at the center of each pixel of the tile; undefined where it has no value. */
async function valuesOf(product: string): Promise<(number | undefined)[]> {
  const frame = await radar.at(product, 'conus', newest() * 1000).catch(() => radar.newest(product, 'conus'))
  if (!frame) throw new Error(`no frame of ${product}`)
  const { grid } = frame.head
  const view = await frame.load([{ left: 0, top: 0, right: grid.nx, bottom: grid.ny }])
  const [west, south, east, north] = tileBox(TILE.z, TILE.x, TILE.y)
  const mercator = (lat: number) => Math.asinh(Math.tan((lat * Math.PI) / 180))
  return Array.from({ length: 256 * 256 }, (_, n) => {
    const lon = west + (((n % 256) + 0.5) / 256) * (east - west)
    const down = (Math.floor(n / 256) + 0.5) / 256
    const y = mercator(north) - down * (mercator(north) - mercator(south))
    const place = pixelOf(grid, (Math.atan(Math.sinh(y)) * 180) / Math.PI, lon)
    const code = view.code(Math.round(place.x), Math.round(place.y))
    return code < 2 ? undefined : frame.value(code)
  })
}

test('names past frames and 90 minutes of nowcast, and the times alone as the earlier API did', async () => {
  const { body, headers } = await get('/public/weather-maps.json')
  const maps = body as {
    host: string
    generated: number
    radar: Record<'past' | 'nowcast', { time: number; path: string }[]>
    satellite: object
    hexcast: { warnings: { code: string }[] }
  }
  expect([maps.host, maps.generated]).toEqual(['http://host/rainviewer', Math.floor(now / 1000)])
  expect([maps.hexcast.warnings[0]?.code, headers['X-Warnings']]).toEqual(['simulated_data', 'simulated_data'])
  expect(maps.satellite).toEqual({ infrared: [] })
  expect(newest() * 1000).toBeGreaterThan(now - 5 * MINUTE)
  const { past, nowcast } = maps.radar
  expect(past.at(-1)).toEqual({ time: newest(), path: `/v2/radar/${newest()}` })
  expect(nowcast.map(({ time }) => time - newest())).toEqual([600, 1200, 1800, 2400, 3000, 3600, 4200, 4800, 5400])
  expect((await get('/public/maps.json')).body).toEqual(past.map(({ time }) => time))
  for (const { time, path } of [...past, ...nowcast]) {
    const reply = await get(`${path}/256/${numbers}/2/1_1.png`)
    expect(Math.abs(Date.parse(reply.headers['X-Valid-Time'] ?? '') / 1000 - time)).toBeLessThan(60)
    expect([reply.type, reply.headers['X-Warnings']]).toEqual(['image/png', 'simulated_data'])
  }
})

test('has the reflectivity in the red channel of scheme 0, and its highest bit set where it snows', async () => {
  const [echo, types] = [await valuesOf(PRODUCT), await valuesOf(TYPES)]
  const [plain, snowy, raw] = [
    await pixels(tile('0', '0_0')),
    await pixels(tile('0', '0_1')),
    await pixels(tile('255', '0_0')),
  ]
  expect(raw.data.equals(plain.data)).toBe(true)
  const counts = { dry: 0, rain: 0, snow: 0 }
  for (const [n, value] of echo.entries()) {
    const kind = value === undefined ? 'dry' : types[n] === 3 ? 'snow' : 'rain'
    counts[kind]++
    const red = value === undefined ? 0 : Math.floor(value) + 32
    const [x, y] = [n % 256, Math.floor(n / 256)]
    const grey = (level: number) => (level === 0 ? 0 : (level * 0x010101 * 256 + 255) >>> 0)
    expect([n, plain.at(x, y)]).toEqual([n, grey(red)])
    expect([n, snowy.at(x, y)]).toEqual([n, grey(kind === 'snow' ? red + 128 : red)])
  }
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(500)
})

test.each(['1', '2', '3', '4', '5', '6', '7', '8'])('draws scheme %s, with snow in its own colors', async (color) => {
  const [echo, types] = [await valuesOf(PRODUCT), await valuesOf(TYPES)]
  const drawn = await pixels(tile(color, '0_1'))
  const palette = rainViewerPalette(color)
  if (!palette) throw new Error('no palette')
  const seen = new Set<number>()
  for (const [n, value] of echo.entries()) {
    const steps = (types[n] === 3 ? palette.snow : palette.steps) ?? []
    const step = value === undefined ? undefined : steps.findLast(({ from }) => value >= from)
    const [r, g, b] = step?.colour ?? [0, 0, 0]
    const expected = (((r << 24) | (g << 16) | (b << 8)) >>> 0) + (step ? (step.alpha ?? 255) : 0)
    const actual = drawn.at(n % 256, Math.floor(n / 256))
    seen.add(actual)
    expect([n, actual]).toEqual([n, expected])
  }
  expect(seen.size).toBeGreaterThan(10)
})

test.each([
  ['1', 33, '2370fcff'],
  ['1', 9, undefined],
  ['2', -9, '66635a19'],
  ['2', 16, '6cd1ebff'],
  ['2', 34, '004768ff'],
  ['2', 35, 'ffee00ff'],
  ['2', 53, '760000ff'],
  ['2', 95, '00ff00ff'],
  ['3', 47, 'fed424ff'],
  ['4', 52, 'b90000ff'],
  ['5', 51, 'f79130ff'],
  ['6', 32, '6aab03ff'],
  ['7', 53, 'dc0915ff'],
  ['8', 22, '0e5bb3b4'],
] as const)('has the documented color of scheme %s at %d dBZ', (color, dbz, documented) => {
  const step = rainViewerPalette(color)?.steps.find(({ from }) => from === dbz)
  const channels = step && [...step.colour, step.alpha ?? 255]
  const expected = documented && [0, 2, 4, 6].map((at) => Number.parseInt(documented.slice(at, at + 2), 16))
  expect(channels?.map((value, c) => Math.abs(value - nth(expected ?? [], c)) <= 1)).toEqual(expected?.map(() => true))
})

test('smooths: neighbors differ less, tiles still meet, and an echo stays where it is', async () => {
  const [plain, smooth] = [await pixels(tile('0', '0_0', 512)), await pixels(tile('0', '1_0', 512))]
  let [plainJumps, smoothJumps, wet, both] = [0, 0, 0, 0]
  const red = ({ data }: typeof plain, x: number, y: number) => data[4 * (y * 512 + x)] ?? 0
  for (let y = 0; y < 512; y++)
    for (let x = 1; x < 512; x++) {
      // Edges of echoes jump in both, and a frame's pixel has five pixels of the picture.
      const isInside = [-8, 0, 8].every((dx) => [-8, 0, 8].every((dy) => red(plain, x + dx, y + dy) > 0))
      // Values are whole dBZ, so a step of 1 is as smooth as any.
      const isJump = (of: typeof plain) => isInside && Math.abs(red(of, x, y) - red(of, x - 1, y)) > 1
      if (isJump(plain)) plainJumps++
      if (isJump(smooth)) smoothJumps++
      if (red(plain, x, y) > 0) wet++
      if (red(plain, x, y) > 0 && red(smooth, x, y) > 0) both++
    }
  expect(plainJumps).toBeGreaterThan(1000)
  expect(smoothJumps).toBeLessThan(plainJumps / 10)
  expect(both / wet).toBeGreaterThan(0.97)
  for (const [dx, dy] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    const address = `/v2/radar/${newest()}/256/${TILE.z + 1}/${2 * TILE.x + dx}/${2 * TILE.y + dy}/0/1_0.png`
    const part = await pixels(address)
    let differ = 0
    for (let y = 0; y < 256; y++)
      for (let x = 0; x < 256; x++) if (part.at(x, y) !== smooth.at(256 * dx + x, 256 * dy + y)) differ++
    // A value exactly at a step may be rounded to either side; a seam would have 256 pixels.
    expect(differ).toBeLessThan(32)
  }
})

test('draws around a latitude and longitude, and as WebP, what a tile draws', async () => {
  const [west, south, east, north] = tileBox(TILE.z, TILE.x, TILE.y)
  const middle = (Math.asinh(Math.tan((north * Math.PI) / 180)) + Math.asinh(Math.tan((south * Math.PI) / 180))) / 2
  const place = `${((Math.atan(Math.sinh(middle)) * 180) / Math.PI).toFixed(9)}/${((west + east) / 2).toFixed(9)}`
  const own = await pixels(tile('2', '1_1'))
  const around = await pixels(`/v2/radar/${newest()}/256/${TILE.z}/${place}/2/1_1.png`)
  let same = 0
  for (let n = 0; n < 65_536; n++) if (own.at(n % 256, n >> 8) === around.at(n % 256, n >> 8)) same++
  expect(same / 65_536).toBeGreaterThan(0.999)
  const [png, webp] = [await get(tile('2', '1_1')), await get(tile('2', '1_1').replace('.png', '.webp'))]
  expect([webp.type, webp.etag === png.etag]).toEqual(['image/webp', false])
  const raw = await sharp(webp.body as Buffer)
    .ensureAlpha()
    .raw()
    .toBuffer()
  expect(raw.equals(own.data)).toBe(true)
})

test('has coverage tiles: transparent where radars see, black elsewhere', async () => {
  const frame = await radar.newest(PRODUCT, 'conus')
  if (!frame) throw new Error('no frame')
  const view = await frame.load([{ left: 0, top: 0, right: frame.head.grid.nx, bottom: frame.head.grid.ny }])
  const drawn = await pixels('/v2/coverage/0/256/4/3/6.png')
  const [west, , east, north] = tileBox(4, 3, 6)
  const lon = (x: number) => west + ((x + 0.5) / 256) * (east - west)
  const columns = Array.from({ length: 256 }, (_, x) => {
    const place = pixelOf(frame.head.grid, north - 0.02, lon(x))
    return view.code(Math.round(place.x), Math.round(place.y)) === 0 ? 255 : 0
  })
  expect(columns.map((_, x) => drawn.at(x, 0))).toEqual(columns)
  expect(new Set(columns).size).toBe(2)
  for (const address of ['/v2/coverage/0/512/4/3/6/0/0_0.png', '/v2/coverage/0/256/4/40.5/-89.5/0/0_0.png'])
    expect((await pixels(address)).width).toBe(address.includes('512') ? 512 : 256)
  const far = await pixels('/v2/coverage/0/256/4/8/6/0/0_0.png')
  expect(new Set(Array.from({ length: 65_536 }, (_, n) => far.at(n % 256, n >> 8)))).toEqual(new Set([255]))
})

test('does not draw coverage while no scan is stored', async () => {
  const nothing = openRadarFrames({ served: () => undefined }, objects)
  const deps = { documents: nothing, database, simulated: () => true }
  const coverage = rainViewerRoutes(deps, framePictures(deps, 1, 'test')).find(({ path }) => path.includes('coverage'))
  const params = { size: '256', z: '4', x: '3', y: '6' }
  await expect(coverage?.handle?.({ query: {}, params, now } as never)).rejects.toMatchObject({ slug: 'not-found' })
})

test.each([
  [`/v2/radar/1/256/${numbers}/2/0_0.png`, 'bad-request'],
  [`/v2/radar/1700000000/256/${numbers}/2/0_0.png`, 'not-found'],
  [`/v2/radar/1700000000/1024/${numbers}/2/0_0.png`, 'bad-request'],
  [`/v2/radar/1700000000/256/${numbers}/9/0_0.png`, 'not-found'],
  [`/v2/radar/1700000000/256/${numbers}/12/0_0.png`, 'not-found'],
  [`/v2/radar/1700000000/256/${numbers}/2/2_1.png`, 'not-found'],
  ['/v2/radar/1700000000/256/10/1/1/2/0_0.png', 'bad-request'],
  ['/v2/radar/1700000000/256/4/16/6/2/0_0.png', 'bad-request'],
  ['/v2/radar/1700000000/256/4/8/6/2/0_0.png', 'outside-coverage'],
  ['/v2/radar/1700000000/256/4/89.9/-100.0/2/0_0.png', 'bad-request'],
  ['/v2/radar/1700000000/256/4/40.0/-200.0/2/0_0.png', 'bad-request'],
])('refuses %s', async (address, slug) => {
  await expect(get(address)).rejects.toMatchObject({ name: 'Problem', slug })
})
