import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { watchCurrent } from '../../../api/live/served-runs.ts'
import { cellOf } from '../../../ingest/domain/cell.ts'
import { HOUR, runName } from '../../../ingest/domain/time.ts'
import { openPool } from '../../../ingest/steps/pool.ts'
import { publishedRunOf } from '../../../sql/queries/history.ts'
import { retireRun } from '../../../sql/queries/runs.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'
import { coverAround, type Stores, storeRun } from '../past-store.ts'

const DENVER = [39.74, -104.99] as const
const ANCHORAGE = [61.2, -149.9] as const
const newest = Math.floor(Date.now() / HOUR) * HOUR
const values = { temperature: { 1: 280, 2: 281.5, 36: 282 }, precip_amount_6h: { 6: 1.5 } }
let edge: EdgeServer
let key: string
let stores: Stores
beforeAll(async () => {
  edge = await edgeServer({}, undefined, (ports) => watchCurrent({ ...ports, clock: Date.now }))
  key = await edge.key()
  const pool = openPool({ threads: 1 })
  stores = { database: edge.database, objects: edge.objects, pool }
  const cover = coverAround([DENVER])
  await storeRun(stores, cover, 'nbm', newest - HOUR, { temperature: { 1: 270 } })
  await storeRun(stores, cover, 'nbm', newest, values)
  await vi.waitFor(async () => expect(await served()).toContain(runName(newest)), { timeout: 20_000 })
}, 120_000)
afterAll(async () => {
  await stores.pool.close()
  await edge.close()
})

const get = async (path: string) => {
  const response = await edge.get(path, key)
  const bytes = Buffer.from(await response.arrayBuffer())
  const json = response.headers.get('content-type')?.includes('json') === true
  // biome-ignore lint/suspicious/noExplicitAny: documents as they came
  return { status: response.status, response, bytes, body: (json ? JSON.parse(bytes.toString()) : undefined) as any }
}
const redirectOf = async (path: string) => {
  const response = await fetch(edge.base + path, { redirect: 'manual', headers: { authorization: `Bearer ${key}` } })
  return { status: response.status, location: response.headers.get('location') ?? '' }
}
const served = async () => (await redirectOf('/zarr/nbm/conus')).location

const sizeOf = async (run: string, name: string): Promise<number> =>
  (await get(`${run}/${name}/zarr.json`)).body.chunk_grid.configuration.chunk_shape.at(-1)

async function indexOfDenver(run: string): Promise<number> {
  const size = await sizeOf(run, 'cell')
  const wanted = BigInt(`0x${cellOf(...DENVER)}`)
  for (let chunk = 0; ; chunk++) {
    const { bytes } = await get(`${run}/cell/c.${chunk}`)
    const at = new BigUint64Array(new Uint8Array(bytes).buffer).indexOf(wanted)
    if (at >= 0) return chunk * size + at
  }
}

/** Returns the value of a coordinate at an index. */
async function coordinate(run: string, name: string, index: number): Promise<number> {
  const size = await sizeOf(run, name)
  return (await get(`${run}/${name}/c.${Math.floor(index / size)}`)).bytes.readDoubleLE((index % size) * 8)
}

const chunkOfDenver = async (run: string) => Math.floor((await indexOfDenver(run)) / (await sizeOf(run, 'temperature')))

test('the address without a run redirects to the served run, which a reference time names too', async () => {
  const { location } = await redirectOf('/zarr/nbm/conus')
  expect(location).toMatch(new RegExp(`^/zarr/nbm/conus/${runName(newest)}\\.anl-r0-[0-9a-f]{8}$`))
  expect(await redirectOf(`/zarr/nbm/conus/${runName(newest)}`)).toEqual({ status: 302, location })
  const earlier = await redirectOf(`/zarr/nbm/conus/${runName(newest - HOUR)}`)
  expect(earlier.location).toContain(runName(newest - HOUR))
  expect((await get(`${earlier.location}/zarr.json`)).status).toBe(200)
  expect((await get(location)).body).toEqual((await get(`${location}/zarr.json`)).body)
})

test('the group has consolidated metadata with attributes of the conventions for climate and forecast', async () => {
  const run = await served()
  const { body, response } = await get(`${run}/zarr.json`)
  expect(response.headers.get('cache-control')).toContain('immutable')
  expect(response.headers.get('ratelimit-remaining')).toMatch(/^\d+$/)
  expect(body).toMatchObject({
    zarr_format: 3,
    node_type: 'group',
    attributes: { Conventions: 'CF-1.11', dataset: 'nbm', domain: 'conus', stage: 'anl', h3_resolution: 7 },
    consolidated_metadata: { kind: 'inline', must_understand: false },
  })
  const { metadata } = body.consolidated_metadata
  expect(Object.keys(metadata).sort()).toEqual([
    'cell',
    'latitude',
    'longitude',
    'precip_amount_6h',
    'temperature',
    'time',
  ])
  expect(metadata.temperature).toMatchObject({
    shape: [4, 1_554_670],
    data_type: 'float32',
    dimension_names: ['time', 'cell'],
    fill_value: 'NaN',
    attributes: { standard_name: 'air_temperature', units: 'K', long_name: 'Air temperature at 2 m' },
  })
  expect(metadata.precip_amount_6h.attributes).toMatchObject({
    units: 'mm',
    window_hours: 6,
    cell_methods: 'time: sum',
  })
  expect(metadata.temperature).toEqual((await get(`${run}/temperature/zarr.json`)).body)
})

test('chunks have the values of /v1/point at the cells and times of the coordinates', async () => {
  const run = await served()
  const index = await indexOfDenver(run)
  expect(await coordinate(run, 'latitude', index)).toBeCloseTo(DENVER[0], 1)
  expect(await coordinate(run, 'longitude', index)).toBeCloseTo(DENVER[1], 1)
  const { bytes: times } = await get(`${run}/time/c.0`)
  const hours = [1, 2, 6, 36]
  expect(hours.map((_, i) => Number(times.readBigInt64LE(i * 8)) * 1000)).toEqual(hours.map((h) => newest + h * HOUR))

  const { chunk_grid: grid } = (await get(`${run}/temperature/zarr.json`)).body
  const [rows, size] = grid.configuration.chunk_shape as [number, number]
  const chunk = await get(`${run}/temperature/c.0.${Math.floor(index / size)}`)
  expect(chunk.response.headers.get('content-type')).toBe('application/vnd.hexcast.zarr-chunk')
  expect(chunk.bytes.length).toBe(rows * size * 4)
  const column = (buffer: Buffer) => hours.map((_, row) => buffer.readFloatLE((row * size + (index % size)) * 4))
  const kelvin = column(chunk.bytes)
  expect(kelvin.map((value) => Math.round(value * 10) / 10)).toEqual([280, 281.5, Number.NaN, 282])
  const amount = column((await get(`${run}/precip_amount_6h/c.0.${Math.floor(index / size)}`)).bytes)
  expect(amount.map((value) => Math.round(value * 10) / 10)).toEqual([Number.NaN, Number.NaN, 1.5, Number.NaN])

  const period = `start=${new Date(newest + HOUR).toISOString()}&end=${new Date(newest + 2 * HOUR).toISOString()}`
  const point = await get(`/v1/point?points=${DENVER}&dataset_id=nbm&variables=temperature&units=metric&${period}`)
  expect(point.body.results[0].series.data.temperature).toEqual(
    kelvin.slice(0, 2).map((k) => Math.round((k - 273.15) * 10) / 10),
  )
  // No tile has these cells.
  const other = (await get(`${run}/temperature/c.0.0`)).bytes
  expect(new Float32Array(other.buffer, other.byteOffset, other.length / 4).every(Number.isNaN)).toBe(true)
})

test('the address of an earlier stage stays readable after a later stage is served', async () => {
  const stage = (name: string, number: number) =>
    storeRun(stores, coverAround([ANCHORAGE]), 'nbm', newest, { temperature: { [number]: 260 } }, 'alaska', {
      name,
      number,
    })
  const redirected = async (name: string) => {
    const location = () => redirectOf('/zarr/nbm/alaska').then(({ location }) => location)
    await vi.waitFor(async () => expect(await location()).toContain(`.${name}-`), { timeout: 20_000 })
    return location()
  }
  await stage('h051', 1)
  const earlier = await redirected('h051')
  const before = await get(`${earlier}/zarr.json`)
  await stage('h264', 2)
  expect(await redirected('h264')).not.toBe(earlier)
  expect((await get(`${earlier}/zarr.json`)).body).toEqual(before.body)
  expect((await get(`${earlier}/time/c.0`)).bytes.readBigInt64LE()).toBe(BigInt((newest + HOUR) / 1000))
})

test('what does not exist is a problem with what does, and a chunk of a removed run is 410, which no reader takes for missing values', async () => {
  const run = await served()
  for (const [path, hint] of [
    ['/zarr/nbn/conus', 'nearest: nbm'],
    ['/zarr/nbm/guam', 'conus, alaska, hawaii'],
    ['/zarr/hrrr/conus', 'No run of hrrr is served'],
    ['/zarr/nbm/conus/2001-01-01T00Z', runName(newest)],
    ['/zarr/nbm/conus/12', runName(newest)],
    ['/zarr/nbm/conus/zarr.json', 'redirects to the served run'],
    [`${run}0/zarr.json`, runName(newest)],
    [`${run}/none/zarr.json`, 'zarr.json'],
    [`${run}/temperature/c.0.9999`, 'no chunk'],
    [`${run}/temperature/c.1.0`, 'no chunk'],
    [`${run}/temperature/c.0`, 'no chunk'],
    [`${run}/temperature/c.0.00`, 'no chunk'],
    [`${run}/.zmetadata`, ''],
  ] as const) {
    const { status, body, response } = await get(path)
    expect([path, status, response.headers.get('content-type')]).toEqual([
      path,
      404,
      'application/problem+json; charset=utf-8',
    ])
    expect(body.detail).toContain(hint)
  }
  expect((await edge.get(run)).status).toBe(401)
  expect((await edge.get(`${run}/zarr.json`, await edge.key('trial'))).status).toBe(403)
  expect((await get(`${run}/zarr.json?x=1`)).status).toBe(400)

  const { location: earlier } = await redirectOf(`/zarr/nbm/conus/${runName(newest - HOUR)}`)
  const chunk = `${earlier}/temperature/c.0.${await chunkOfDenver(earlier)}`
  const row = await publishedRunOf(edge.database, 'nbm', 'conus', new Date(newest - HOUR))
  await retireRun(edge.database, { dataset: 'nbm', domain: 'conus', run: new Date(newest - HOUR) })
  const folder = row?.manifest_key.replace(/manifest$/, '')
  for await (const object of edge.objects.list(`${folder}`)) await edge.objects.remove(object.key)
  const removed = await Promise.all([chunk, `${run}0/temperature/c.0.0`].map(get))
  expect(removed.map(({ status, body }) => [status, body.title])).toEqual([
    [410, 'Gone'],
    [410, 'Gone'],
  ])
})
