import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

const python = process.env['PYTHON'] ?? 'python3'
const readers = spawnSync(python, ['-c', 'import edr_pydantic, covjson_pydantic, owslib']).status === 0

let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer()
  key = await edge.key()
})
afterAll(() => edge.close())

// biome-ignore lint/suspicious/noExplicitAny: answers as they came
const get = async (path: string, headers: Record<string, string> = {}): Promise<{ status: number; body: any }> => {
  const response = await edge.get(path, key, headers)
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}
const nbm = '/edr/collections/nbm-conus'
const denver = `coords=${encodeURIComponent('POINT(-104.99 39.74)')}`

test('the landing page and what conforms need no key, collections do', async () => {
  for (const path of ['/edr', '/edr/', '/edr/conformance']) expect((await edge.get(path)).status).toBe(200)
  expect((await edge.get('/edr/collections')).status).toBe(401)
  const { body } = await get('/edr/collections')
  const ids = body.collections.map(({ id }: { id: string }) => id)
  expect(ids).toEqual(expect.arrayContaining(['nbm-conus', 'nbm-alaska', 'hrrr-conus', 'metar', 'alerts', 'outlooks']))
  expect(new Set(ids).size).toBe(ids.length)
})

/** Classes of the published standards: EDR 1.1 (19-086r6, annex A), Common 1 (19-072) and 2 (20-024), Features 1.0 (17-069r4). */
const published: Readonly<Record<string, readonly string[]>> = {
  'ogcapi-common-1/1.0': ['core', 'landing-page', 'json', 'html', 'oas30'],
  'ogcapi-common-2/1.0': ['collections', 'simple-query', 'html', 'json'],
  'ogcapi-edr-1/1.1': ['core', 'collections', 'json', 'geojson', 'edr-geojson', 'covjson', 'html', 'oas30', 'queries'],
  'ogcapi-features-1/1.0': ['core', 'geojson', 'html', 'oas30', 'gmlsf0', 'gmlsf2'],
}

test('names conformance classes that the standards have', async () => {
  const { conformsTo } = (await get('/edr/conformance')).body as { conformsTo: string[] }
  const known = Object.entries(published).flatMap(([standard, names]) =>
    names.map((name) => `http://www.opengis.net/spec/${standard}/conf/${name}`),
  )
  expect(conformsTo.filter((uri) => !known.includes(uri))).toEqual([])
  expect(conformsTo).toHaveLength(new Set(conformsTo).size)
})

test('satisfies the classes: links of the landing page, of collections and of features, and no unknown parameters', async () => {
  const { body: landing } = await get('/edr')
  const relations = landing.links.map(({ rel }: { rel: string }) => rel)
  expect(relations).toEqual(expect.arrayContaining(['self', 'service-desc', 'service-doc', 'conformance', 'data']))
  for (const { href, rel, type } of landing.links) {
    const response = await edge.get(new URL(href).pathname, key, { accept: type })
    expect([rel, response.status]).toEqual([rel, 200])
  }
  const { body: list } = await get('/edr/collections')
  for (const collection of list.collections) {
    expect(collection).toMatchObject({ id: expect.any(String), links: expect.any(Array), extent: expect.anything() })
    const { rel } = collection.links.find(({ href }: { href: string }) => href.endsWith(`/${collection.id}`))
    expect(rel).toBe('self')
  }
  for (const id of ['alerts', 'outlooks', 'storm-tracks', 'observations']) {
    expect((await edge.get(`/edr/collections/${id}/items?unknown=1`, key)).status).toBe(400)
    const { links } = list.collections.find((collection: { id: string }) => collection.id === id)
    expect(links.map(({ rel }: { rel: string }) => rel)).toContain('items')
  }
})

test('a position has the values of /v1/series/batch', async () => {
  const first = await get(`${nbm}/position?${denver}&parameter-name=temperature&units=metric`)
  const times: string[] = first.body.coverages[0].domain.axes.t.values
  const { body } = await get(
    '/v1/series/batch?points=39.74,-104.99&variables=temperature&hours=24&dataset_id=nbm&units=metric',
  )
  const { series } = body.results[0]
  const there = new Map(series.valid_times.map((time: string, i: number) => [time, series.data.temperature[i]]))
  const shared = times.filter((time) => there.has(time))
  expect(shared.length).toBeGreaterThan(12)
  const { values } = first.body.coverages[0].ranges.temperature
  for (const time of shared) expect([time, values[times.indexOf(time)]]).toEqual([time, there.get(time)])
})

test('datetime is an instant or a span; a run is an instance', async () => {
  const { body } = await get(`${nbm}/position?${denver}&parameter-name=temperature`)
  const times: string[] = body.coverages[0].domain.axes.t.values
  const coverage = await get(`${nbm}/position?${denver}&parameter-name=temperature&datetime=${times[3]}`)
  expect(coverage.body.coverages[0].domain.axes.t.values).toEqual([times[3]])
  const span = await get(`${nbm}/position?${denver}&parameter-name=temperature&datetime=${times[3]}/${times[6]}`)
  expect(span.body.coverages[0].domain.axes.t.values).toEqual(times.slice(3, 7))
})

test('an area, a radius and a cube hold the cells that lie in them', async () => {
  const ring = encodeURIComponent('POLYGON((-105.2 39.6,-104.8 39.6,-104.8 39.9,-105.2 39.9,-105.2 39.6))')
  const area = await get(`${nbm}/area?coords=${ring}&parameter-name=temperature&f=csv`)
  const rows = String(area.body).trim().split('\r\n').slice(1)
  expect(rows.length).toBeGreaterThan(100)
  const { body: circle } = await get(
    `${nbm}/radius?${denver}&within=10&within-units=km&parameter-name=temperature&f=GeoJSON`,
  )
  for (const { geometry } of circle.features) {
    const [lon, lat] = geometry.coordinates
    expect(Math.hypot((lon + 104.99) * Math.cos(0.6936), lat - 39.74) * 111.2).toBeLessThan(10.1)
  }
  const cube = await get(
    `${nbm}/cube?bbox=-105.5,39.5,-104.5,40.5&resolution-x=5&resolution-y=4&parameter-name=temperature`,
  )
  const { shape, values } = cube.body.ranges.temperature
  expect(shape.slice(1)).toEqual([4, 5])
  expect(values).toHaveLength(shape[0] * 20)
})

test('listed locations are found by their id', async () => {
  const { body } = await get(`${nbm}/locations?limit=30`)
  expect(body.links.map(({ rel }: { rel: string }) => rel)).toContain('next')
  for (const { id } of body.features.slice(0, 30)) {
    const { status } = await get(`${nbm}/locations/${id}?parameter-name=temperature`)
    expect([id, status]).toEqual([id, 200])
  }
})

test('what is wrong is refused with its parameter, what is absent is not found', async () => {
  for (const [path, status] of [
    [`${nbm}/position`, 400],
    [`${nbm}/position?coords=POINT(x)`, 400],
    [`${nbm}/position?${denver}&parameter-name=nothing`, 400],
    [`${nbm}/position?${denver}&datetime=yesterday`, 400],
    [`${nbm}/position?${denver}&f=xml`, 406],
    [`${nbm}/position?coords=${encodeURIComponent('POINT(-157.86 21.3)')}&parameter-name=temperature`, 404],
    [`${nbm}/cube?bbox=-125,25,-66,49&resolution-x=100&resolution-y=100`, 400],
    [`${nbm}/radius?${denver}&within=9999&within-units=km`, 400],
    [`${nbm}/locations/nowhere-zz`, 404],
    [`${nbm}/instances/2001-01-01T00:00:00Z`, 404],
    ['/edr/collections/nothing', 404],
    ['/edr/collections/metar/cube?bbox=-105.5,39.5,-104.5,40.5', 404],
    ['/edr/collections/nothing/items', 404],
    ['/edr/collections/outlooks/items?bbox=1,2', 400],
  ] as const) {
    const { status: actual, body } = await get(path)
    expect([path, actual, typeof body.detail]).toEqual([path, status, 'string'])
  }
})

test('plain JSON is CoverageJSON: Accept decides as elsewhere', async () => {
  const path = `${nbm}/position?${denver}&parameter-name=temperature`
  for (const [accept, type] of [
    ['application/json', 'application/prs.coverage+json'],
    ['text/csv', 'text/csv'],
    ['application/geo+json', 'application/geo+json'],
  ] as const)
    expect((await edge.get(path, key, { accept })).headers.get('content-type')).toContain(type)
})

test.skipIf(!readers)(
  'edr-pydantic, covjson-pydantic and OWSLib read it (pip install edr-pydantic covjson-pydantic OWSLib, PYTHON=…)',
  async () => {
    const script = fileURLToPath(new URL('edr.py', import.meta.url))
    const { stdout } = await promisify(execFile)(python, [script, edge.base, key], { maxBuffer: 16 << 20 })
    const read = JSON.parse(stdout)
    expect(read.position).toMatchObject({ coverages: 1, unit: 'Cel' })
    expect(read.location.values).not.toEqual([])
    expect(read.cube).toEqual({ shape: [read.position.times, 3, 4], axes: ['t', 'y', 'x'] })
    expect(read.owslib).toEqual({ collections: read.collections.length, position: 'CoverageCollection' })
  },
)
