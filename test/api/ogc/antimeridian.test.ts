import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer()
  key = await edge.key()
})
afterAll(() => edge.close())

const alaska = '/edr/collections/nbm-alaska'
const polygon = (kind: string, text: string) => `coords=${encodeURIComponent(`${kind}(${text})`)}`

// biome-ignore lint/suspicious/noExplicitAny: answers as they came
async function get(path: string): Promise<any> {
  const response = await edge.get(path, key)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text.startsWith('{') ? JSON.parse(text) : text
}

/** Returns the positions of an answer in CSV, as "lat lon". */
async function positionsOf(path: string): Promise<Set<string>> {
  const text: string = await get(`${path}&parameter-name=temperature&f=csv`)
  const rows = text.trim().split('\r\n').slice(1)
  return new Set(rows.map((row) => /(-?[\d.]+),(-?[\d.]+),\d{4}-/.exec(row)?.slice(1).join(' ') ?? row))
}
const longitudesOf = (positions: Set<string>) => [...positions].map((text) => Number(text.split(' ')[1]))

test('reads positions on both sides of the antimeridian and on it', async () => {
  const points = 'MULTIPOINT((179.9 52),(180 52),(-180 52),(-179.9 52),(172.9 52.9),(-176.6 51.9))'
  const { coverages } = await get(`${alaska}/position?coords=${encodeURIComponent(points)}&parameter-name=temperature`)
  expect(coverages).toHaveLength(6)
  const [, east, west] = coverages
  expect(east.ranges.temperature.values).toEqual(west.ranges.temperature.values)
})

test('an area across the antimeridian is the union of the areas of its sides', async () => {
  const across = await positionsOf(`${alaska}/area?${polygon('POLYGON', '(178 51,-178 51,-178 53,178 53,178 51)')}`)
  const parts = '((178 51,180 51,180 53,178 53,178 51)),((-180 51,-178 51,-178 53,-180 53,-180 51))'
  expect(await positionsOf(`${alaska}/area?${polygon('MULTIPOLYGON', parts)}`)).toEqual(across)
  const lons = longitudesOf(across)
  expect(lons.filter((lon) => lon > 178 && lon <= 180).length).toBeGreaterThan(20)
  expect(lons.filter((lon) => lon < -178).length).toBeGreaterThan(20)
  expect(lons.filter((lon) => Math.abs(lon) < 178)).toEqual([])
})

test.each(['179.9 52', '-179.9 52'])('a circle around %s has cells of both sides', async (center) => {
  const positions = await positionsOf(
    `${alaska}/radius?coords=${encodeURIComponent(`POINT(${center})`)}&within=60&within-units=km`,
  )
  const lons = longitudesOf(positions)
  expect(lons.filter((lon) => lon > 178).length).toBeGreaterThan(4)
  expect(lons.filter((lon) => lon < -178).length).toBeGreaterThan(4)
  for (const text of positions) {
    const [lat = 0, lon = 0] = text.split(' ').map(Number)
    const east = (((lon - Number(center.split(' ')[0]) + 540) % 360) - 180) * Math.cos((52 * Math.PI) / 180)
    expect(Math.hypot(east, lat - 52) * 111.2).toBeLessThan(62)
  }
})

test('a cube across the antimeridian has ascending longitudes and the values of its positions', async () => {
  const cube = await get(`${alaska}/cube?bbox=176,51,-176,53&resolution-x=4&resolution-y=2&parameter-name=temperature`)
  const { x, y } = cube.domain.axes
  expect([x.values, y.values]).toEqual([
    [177, 179, 181, 183],
    [51.5, 52.5],
  ])
  const point = encodeURIComponent('POINT(-177 51.5)')
  const { coverages } = await get(`${alaska}/position?coords=${point}&parameter-name=temperature`)
  const { shape, values } = cube.ranges.temperature
  expect(shape.slice(1)).toEqual([2, 4])
  const column = Array.from({ length: shape[0] }, (_, t) => values[t * 8 + 3])
  expect(column).toEqual(coverages[0].ranges.temperature.values)
})

test('locations and stations of a box across the antimeridian lie in it', async () => {
  const { features } = await get(`${alaska}/locations?bbox=170,50,-170,60&limit=1000`)
  const ids = features.map(({ id }: { id: string }) => id)
  expect(ids).toEqual(expect.arrayContaining(['PASY', 'PADK']))
  expect(ids).not.toContain('PANC')
})

test('rejects what spans more than half of the globe either way', async () => {
  for (const text of ['(-170 50,0 50,170 50,0 60,-170 50)', '(-179 20,-60 20,60 20,170 20,-179 20)']) {
    const response = await edge.get(`${alaska}/area?${polygon('POLYGON', text)}`, key)
    expect([response.status, (await response.json()).detail]).toEqual([400, expect.stringContaining('180 degrees')])
  }
})
