import type { Client } from '@modelcontextprotocol/client'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { palettes } from '../../../api/picture/colours.ts'
import { coverage } from '../../../ingest/geo/coverage.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

let sky: SkyServer
let client: Client
beforeAll(async () => {
  sky = await skyServer()
  client = sky.client
})
afterAll(() => sky.close())

type Colour = readonly [number, number, number]
interface Picture {
  readonly width: number
  readonly height: number
  readonly bbox: readonly [number, number, number, number]
  readonly layers: readonly { type: string; valid_time: string | null }[]
  at(x: number, y: number): Colour
  /** The pixel of a place in Web Mercator, computed from the box in the answer and independently of the tool. */
  pixelOf(lon: number, lat: number): [number, number]
}

async function picture(args: object): Promise<Picture> {
  const result = (await client.callTool({
    name: 'get_map_snapshot',
    arguments: args as Record<string, unknown>,
  })) as unknown as Result
  expect(result.isError, result.content[0]?.text).toBeFalsy()
  const [image, text] = result.content
  expect([image?.type, text?.type]).toEqual(['image', 'text'])
  const decoded = await loadImage(Buffer.from(image?.data ?? '', 'base64'))
  const canvas = createCanvas(decoded.width, decoded.height)
  const context = canvas.getContext('2d')
  context.drawImage(decoded, 0, 0)
  const { data } = context.getImageData(0, 0, decoded.width, decoded.height)
  const picture = result.structuredContent as unknown as Pick<Picture, 'bbox' | 'layers' | 'width' | 'height'>
  expect([picture.width, picture.height]).toEqual([decoded.width, decoded.height])
  const [west, south, east, north] = picture.bbox
  const mercator = (lat: number) => Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360))
  return {
    ...picture,
    at: (x, y) => {
      const k = 4 * (Math.round(y) * decoded.width + Math.round(x))
      const [red = 0, green = 0, blue = 0] = data.slice(k, k + 3)
      return [red, green, blue]
    },
    pixelOf: (lon, lat) => [
      ((lon - west) / (east - west)) * picture.width,
      ((mercator(north) - mercator(lat)) / (mercator(north) - mercator(south))) * picture.height,
    ],
  }
}

const scene = (lat: number, lon: number, zoom: number, ...layers: object[]) => ({
  scene: { scene: '1', view: { center: { lat, lon }, zoom }, layers },
})
const nothing = { type: 'alerts', filter: { ids: ['none'] } }
const colourful = (colour: Colour) => Math.max(...colour) - Math.min(...colour) > 12
/** The largest difference between the channels of two colours. */
const difference = ([r1, g1, b1]: Colour, [r2, g2, b2]: Colour) =>
  Math.max(Math.abs(r1 - r2), Math.abs(g1 - g2), Math.abs(b1 - b2))

describe('the projection', () => {
  test.each([
    ['Denver, CO', 39.7392, -104.9847, 'Pueblo', 38.2545, -104.6091],
    ['Anchorage, AK', 61.2181, -149.9003, 'Kenai', 60.5544, -151.2583],
  ])(
    'has %s in the middle and a neighbouring town where Mercator puts it',
    async (location, lat, lon, _, lat2, lon2) => {
      const map = await picture({ location, product: 'alerts', zoom: 7 })
      expect([map.width, map.height]).toEqual([900, 560])
      const [x, y] = map.pixelOf(lon, lat)
      expect(Math.abs(x - 450)).toBeLessThan(1.5)
      expect(Math.abs(y - 280)).toBeLessThan(1.5)
      // The world is 256 pixels wide at zoom 0.
      expect(map.bbox[2] - map.bbox[0]).toBeCloseTo((900 * 360) / (256 * 2 ** 7), 3)
      const [x2, y2] = map.pixelOf(lon2, lat2)
      let darkest = 255
      for (let dy = -4; dy <= 4; dy++)
        for (let dx = -4; dx <= 4; dx++) darkest = Math.min(darkest, Math.max(...map.at(x2 + dx, y2 + dy)))
      expect(darkest).toBeLessThan(80)
    },
  )
})

describe('layers', () => {
  test('tint the polygon of an alert and nothing outside', async () => {
    const collection = (await (
      await fetch(`${sky.base}/v1/alerts?bbox=-124,25,-67,49&format=geojson`, {
        headers: { authorization: `Bearer ${sky.key}` },
      })
    ).json()) as { features?: Json[]; alerts?: Json[] }
    const all = collection.features ?? collection.alerts ?? []
    const warning = all.find((alert) => ringOf(alert)?.length === 5) as Json
    expect(warning, 'there must be a storm-based warning among the alerts').toBeDefined()
    const ring = ringOf(warning) as [number, number][]
    const lon = ring.slice(0, -1).reduce((sum, [x]) => sum + x, 0) / (ring.length - 1)
    const lat = ring.slice(0, -1).reduce((sum, [, y]) => sum + y, 0) / (ring.length - 1)
    const bare = await picture(scene(lat, lon, 8, nothing))
    const warned = await picture(
      scene(lat, lon, 8, { type: 'alerts', filter: { ids: [warning.id ?? warning.properties?.['id']] } }),
    )
    let tinted = 0
    let changed = 0
    for (let y = 5; y < 420; y += 3) {
      for (let x = 5; x < 895; x += 3) {
        const inside = within(
          ring.map(([a, b]) => warned.pixelOf(a, b)),
          x,
          y,
        )
        const isEdge = ring.some((corner, i) =>
          nearLine(warned.pixelOf(...corner), warned.pixelOf(...(ring[i + 1] ?? corner)), x, y),
        )
        if (isEdge) continue
        const isChanged = difference(bare.at(x, y), warned.at(x, y)) > 8
        if (inside) tinted += isChanged ? 1 : -1
        // Grey pixels are place names, which move if an alert needs their position.
        else changed += isChanged && colourful(warned.at(x, y)) ? 1 : 0
      }
    }
    expect(tinted).toBeGreaterThan(10)
    expect(changed).toBe(0)
  })

  test('colour a model field as in the legend', async () => {
    const place = { lat: 40.5, lon: -99.2 }
    // The picture is as small as its legend allows, because the analytic runs compute every sample.
    const map = await picture({ ...place, product: 'nbm:temperature', opacity: 1, zoom: 9, width: 560, height: 230 })
    const result = (await client.callTool({
      name: 'query_dataset',
      arguments: { ...place, dataset_id: 'nbm', variables: ['temperature'], hours: 2 },
    })) as unknown as Result
    const { rows } = result.structuredContent as { rows: [number, string, number][] }
    const value = (rows.find(([, time]) => time === map.layers[0]?.valid_time) ?? rows[0])?.[2] ?? Number.NaN
    const legend = Array.from({ length: 37 }, (_, i) => map.at(12 + 14 * i + 7, map.height - 46))
    // This pixel lies outside of the ring that marks the place.
    const colour = map.at(280, 103)
    const at = legend.findIndex((step) => difference(step, colour) <= 1)
    expect(at, `no colour of the legend: ${colour}`).toBeGreaterThanOrEqual(0)
    expect(Math.abs(-60 + 5 * at + 2.5 - value)).toBeLessThanOrEqual(3.5)
  })

  test('show a radar echo where a storm is tracked', async () => {
    const list = (await (
      await fetch(`${sky.base}/v1/storm-tracks`, { headers: { authorization: `Bearer ${sky.key}` } })
    ).json()) as { features?: { geometry: { coordinates: unknown }; properties: Record<string, unknown> }[] }
    // Storms may leave the coverage over the sea and the border.
    const places = (list.features ?? []).map(({ geometry }) => (geometry.coordinates as number[]).flat(3))
    const [lon = Number.NaN, lat = Number.NaN] = places.find(([x = 0, y = 0]) => coverage(y, x)) ?? []
    expect(lon).not.toBeNaN()
    const map = await picture(
      Object.assign(scene(lat, lon, 8, { type: 'weather', product: 'mrms-reflectivity' }), { opacity: 1 }),
    )
    const echoes = (palettes['mrms-reflectivity']?.steps ?? []).map(({ colour }) => colour as Colour)
    let echo = 0
    // The middle of the storm may lie in a gap of the radar coverage.
    for (let dy = -120; dy <= 120; dy += 3)
      for (let dx = -120; dx <= 120; dx += 3)
        if (echoes.some((colour) => difference(colour, map.at(450 + dx, 280 + dy)) <= 2)) echo++
    expect(echo).toBeGreaterThan(400)
  })

  test('draw outlooks where REST gives an area of day 1', async () => {
    const bare = await picture(scene(39, -96, 4, nothing))
    const map = await picture(scene(39, -96, 4, { type: 'outlooks', day: 1 }))
    const risk = async (x: number, y: number) => {
      const lon = map.bbox[0] + (x / 900) * (map.bbox[2] - map.bbox[0])
      const merc = (lat: number) => Math.asinh(Math.tan((lat * Math.PI) / 180))
      const m = merc(map.bbox[3]) - (y / 560) * (merc(map.bbox[3]) - merc(map.bbox[1]))
      const lat = (Math.atan(Math.sinh(m)) * 180) / Math.PI
      const answer = await fetch(
        `${sky.base}/v1/weather?lat=${lat.toFixed(4)}&lon=${lon.toFixed(4)}&include=outlooks`,
        {
          headers: { authorization: `Bearer ${sky.key}` },
        },
      )
      if (answer.status !== 200) return undefined
      const { outlooks } = (await answer.json()) as { outlooks?: { day: number; type: string }[] }
      return outlooks?.some(({ day, type }) => day === 1 && type === 'severe')
    }
    let compared = 0
    let agreeing = 0
    for (let y = 150; y < 320; y += 23) {
      for (let x = 200; x < 700; x += 41) {
        const atRisk = await risk(x, y)
        if (atRisk === undefined) continue
        compared++
        if (difference(bare.at(x, y), map.at(x, y)) > 6 === atRisk) agreeing++
      }
    }
    expect(compared).toBeGreaterThan(40)
    // Names and edges hide some pixels.
    expect(agreeing / compared).toBeGreaterThan(0.9)
  })

  test('show the frame closest to a time within three hours, and say which', async () => {
    const now = Date.now()
    const call = async (time: number) =>
      (await client.callTool({
        name: 'get_map_snapshot',
        arguments: { lat: 39, lon: -96, zoom: 5.5, time: Math.round(time / 1000), width: 400, height: 300 },
      })) as unknown as Result
    const textOf = ({ content }: Result) => content.find(({ type }) => type === 'text')?.text ?? ''
    for (const shift of [-2.5, 2.5]) {
      const result = await call(now + shift * 3_600_000)
      expect(result.isError, textOf(result)).toBeFalsy()
      expect(textOf(result)).toMatch(/Requested .*; the closest frame is of /)
    }
    const refused = await call(now - 4 * 3_600_000)
    expect(textOf(refused)).toMatch(/within 3 hours of .* The newest frame is of /)
    expect((await call(now + 4 * 3_600_000)).isError).toBe(true)
  })

  test('follow the units, with the window of an amount', async () => {
    for (const [units, unit] of [
      ['imperial', 'in'],
      ['metric', 'mm'],
    ] as const) {
      const result = (await client.callTool({
        name: 'get_map_snapshot',
        arguments: { lat: 40, lon: -99, product: 'nbm:snow_amount', units, width: 300, height: 200 },
      })) as unknown as Result
      const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
      expect(result.isError, text).toBeFalsy()
      expect(text).toMatch(new RegExp(`[Ss]now.* in 1 hour at .*(nothing above|highest) [0-9.]+ ${unit}`))
    }
  })

  test('draw points and lines of GeoJSON in their place', async () => {
    const bare = await picture(scene(39, -96, 7, nothing))
    const data = {
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', geometry: { type: 'Point', coordinates: [-96.4, 39.3] } },
        {
          type: 'Feature',
          geometry: {
            type: 'LineString',
            coordinates: [
              [-97, 38.5],
              [-95, 38.5],
            ],
          },
        },
      ],
    }
    const map = await picture(scene(39, -96, 7, { type: 'geojson', data }))
    const isDrawn = (lon: number, lat: number) => {
      const [x, y] = map.pixelOf(lon, lat)
      return difference(bare.at(x, y), map.at(x, y)) > 30
    }
    expect([isDrawn(-96.4, 39.3), isDrawn(-96.3, 38.5)]).toEqual([true, true])
    expect([isDrawn(-96.4, 39.5), isDrawn(-96.3, 38.8)]).toEqual([false, false])
  })

  test('stay under 500 KB in base64 at the largest size', async () => {
    const result = (await client.callTool({
      name: 'get_map_snapshot',
      arguments: { lat: 39, lon: -96, zoom: 5, width: 2000, height: 2000 },
    })) as unknown as Result
    const [image] = result.content
    expect(image?.type).toBe('image')
    expect(image?.data?.length ?? Number.POSITIVE_INFINITY).toBeLessThan(500_000)
    const decoded = await loadImage(Buffer.from(image?.data ?? '', 'base64'))
    expect([decoded.width, decoded.height]).toEqual([2000, 2000])
  })

  test('are hatched and called unknown if no radar covers the picture', async () => {
    const result = (await client.callTool({
      name: 'get_map_snapshot',
      arguments: { lat: 51.88, lon: -176.65, zoom: 8, product: 'mrms-reflectivity' },
    })) as unknown as Result
    const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
    expect(text).not.toMatch(/nothing above/)
    expect(text).toMatch(/no radar covers this picture, which is hatched|No frame of mrms-reflectivity/)
  })

  test('are skipped with a warning if they are not stored', async () => {
    const layers = [{ type: 'weather', product: 'mrms-qpe-1h', onError: 'skip' }, nothing]
    const result = (await client.callTool({
      name: 'get_map_snapshot',
      arguments: scene(39, -96, 5, ...layers) as unknown as Record<string, unknown>,
    })) as unknown as Result
    const text = result.content.find(({ type }) => type === 'text')?.text
    expect(result.isError, text).toBeFalsy()
    expect(JSON.stringify(result.structuredContent?.['meta'])).toContain('mrms-qpe-1h')
    expect(text).toContain('mrms-qpe-1h')
  })
})

interface Json {
  readonly id?: string
  readonly geometry?: { type: string; coordinates: unknown } | null
  readonly properties?: Record<string, unknown>
}
function ringOf({ geometry }: Json): [number, number][] | undefined {
  if (geometry?.type === 'Polygon') return (geometry.coordinates as [number, number][][])[0]
  if (geometry?.type === 'MultiPolygon') return (geometry.coordinates as [number, number][][][])[0]?.[0]
  return undefined
}
function within(ring: readonly (readonly [number, number])[], x: number, y: number): boolean {
  let inside = false
  for (const [i, [xi, yi]] of ring.entries()) {
    const [xj, yj] = ring.at(i - 1) ?? [xi, yi]
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}
function nearLine(a: readonly [number, number], b: readonly [number, number], x: number, y: number): boolean {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const along = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(a[0] + along * dx - x, a[1] + along * dy - y) < 5
}
