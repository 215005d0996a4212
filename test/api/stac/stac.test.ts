import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR, isoSeconds, runName } from '../../../ingest/domain/time.ts'
import { openPool } from '../../../ingest/steps/pool.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'
import { coverAround, storeRun } from '../past-store.ts'

const python = process.env['PYTHON'] ?? 'python3'
const reader = spawnSync(python, ['-c', 'import pystac, jsonschema']).status === 0

const newest = Math.floor(Date.now() / HOUR) * HOUR
let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer()
  key = await edge.key()
  const pool = openPool({ threads: 1 })
  const stores = { database: edge.database, objects: edge.objects, pool }
  const cover = coverAround([[39.74, -104.99]])
  for (const hour of [4, 3, 2, 1, 0])
    await storeRun(stores, cover, 'rtma', newest - hour * HOUR, { temperature: { 0: 280 } })
  await storeRun(stores, cover, 'nbm', newest, { temperature: { 1: 280, 2: 281, 36: 282 } })
  await storeRun(stores, coverAround([[61.2, -149.9]]), 'nbm', newest, { temperature: { 1: 270 } }, 'alaska')
  await pool.close()
}, 120_000)
afterAll(() => edge.close())

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await edge.get(path, key, headers)
  const bytes = Buffer.from(await response.arrayBuffer())
  const json = response.headers.get('content-type')?.includes('json') === true
  // biome-ignore lint/suspicious/noExplicitAny: documents as they came
  return { status: response.status, response, bytes, body: (json ? JSON.parse(bytes.toString()) : undefined) as any }
}
const item = `/stac/collections/nbm-conus/items/nbm-conus-${runName(newest)}`

test('the catalog needs no key and lists what is stored; /edr links to it', async () => {
  for (const path of ['/stac', '/stac/', '/stac/conformance']) expect((await edge.get(path)).status).toBe(200)
  expect((await edge.get('/stac/collections')).status).toBe(401)
  const { links } = (await get('/stac')).body
  const children = links.filter(({ rel }: { rel: string }) => rel === 'child')
  expect(children.map(({ href }: { href: string }) => href.split('/').at(-1))).toEqual([
    'rtma-conus',
    'nbm-conus',
    'nbm-alaska',
  ])
  const edr = (await get('/edr')).body.links.find(({ href }: { href: string }) => href.endsWith('/stac'))
  expect((await edge.get(new URL(edr.href).pathname)).status).toBe(200)
})

test('an item is a run: two clocks, horizon, outline, and the objects of its tiles', async () => {
  const { body } = await get(item)
  expect(body.properties).toMatchObject({
    datetime: isoSeconds(newest),
    reference_time: isoSeconds(newest),
    end_datetime: isoSeconds(newest + 36 * HOUR),
    horizon_hours: 36,
    variables: ['temperature'],
    simulated: true,
  })
  expect(Math.abs(Date.parse(body.properties.available_at) - Date.now())).toBeLessThan(10 * 60_000)
  expect(body.geometry.type).toBe('Polygon')
  const alaska = await get(`/stac/collections/nbm-alaska/items/nbm-alaska-${runName(newest)}`)
  expect(alaska.body.geometry.type).toBe('MultiPolygon')
  expect(Object.keys(body.assets)).toEqual(['manifest', 'sources', '0000.tile'])
  const tile = body.assets['0000.tile']
  const { bytes, response } = await get(new URL(tile.href).pathname)
  expect([bytes.length, bytes.subarray(0, 4).toString()]).toEqual([tile.size, 'HXT1'])
  expect(bytes.equals(await edge.objects.get(tile.key))).toBe(true)
  const directory = bytes.subarray(12, bytes.readUInt32LE(4))
  expect(crc32(directory).toString(16).padStart(8, '0')).toBe(tile.directory_crc32)
  expect(response.headers.get('accept-ranges')).toBe('bytes')
})

test('a range of bytes is a part; one beyond the end is 416', async () => {
  const path = `${item}/assets/0000.tile`
  const full = (await get(path)).bytes
  for (const [range, part, content] of [
    ['bytes=0-3', full.subarray(0, 4), `bytes 0-3/${full.length}`],
    ['bytes=10-', full.subarray(10), `bytes 10-${full.length - 1}/${full.length}`],
    ['bytes=-5', full.subarray(-5), `bytes ${full.length - 5}-${full.length - 1}/${full.length}`],
  ] as const) {
    const { status, bytes, response } = await get(path, { range })
    expect([range, status, response.headers.get('content-range')]).toEqual([range, 206, content])
    expect(bytes.equals(part), range).toBe(true)
  }
  const beyond = await get(path, { range: `bytes=${full.length}-` })
  expect([beyond.status, beyond.response.headers.get('content-range')]).toEqual([416, `bytes */${full.length}`])
  // Several ranges and other units give the whole.
  for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=-'])
    expect((await get(path, { range })).bytes.length).toBe(full.length)
})

test('pages follow each other, newest first; what is not there is 404 with what is', async () => {
  const ids: string[] = []
  let next: string | undefined = '/stac/collections/rtma-conus/items?limit=2'
  while (next) {
    const { body } = await get(next)
    expect(body.numberMatched).toBe(5)
    ids.push(...body.features.map(({ id }: { id: string }) => id))
    const link = body.links.find(({ rel }: { rel: string }) => rel === 'next')
    next = link && new URL(link.href).pathname + new URL(link.href).search
  }
  expect(ids).toEqual([0, 1, 2, 3, 4].map((hour) => `rtma-conus-${runName(newest - hour * HOUR)}`))
  for (const [path, hint] of [
    ['/stac/collections/nothing', 'nearest'],
    ['/stac/collections/hrrr-conus', 'no stored run'],
    ['/stac/collections/rtma-conus/items/rtma-conus-2001-01-01T00Z', runName(newest)],
    ['/stac/collections/rtma-conus/items/rtma-conus-2001-13-41T99Z', runName(newest)],
    [`${item}/assets/0009.tile`, '0000.tile'],
    [`${item}/assets/..%2f..%2fmanifest`, 'Use manifest'],
  ] as const) {
    const { status, body } = await get(path)
    expect([path, status]).toEqual([path, 404])
    expect(body.detail).toContain(hint)
  }
  expect((await get('/stac/collections/rtma-conus/items?limit=500')).status).toBe(400)
  expect((await get('/stac/collections?limit=5')).status).toBe(400)
})

test.skipIf(!reader)('pystac walks and validates all of it (pip install pystac[validation], PYTHON=…)', async () => {
  const script = fileURLToPath(new URL('stac.py', import.meta.url))
  const { stdout } = await promisify(execFile)(python, [script, edge.base, key], { maxBuffer: 16 << 20 })
  const read = JSON.parse(stdout)
  expect(Object.keys(read.collections)).toEqual(['rtma-conus', 'nbm-conus', 'nbm-alaska'])
  expect(read.collections['rtma-conus']).toHaveLength(5)
  expect(read.assets).toBe(3)
})
