import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scannedSites } from '../../infra/simulator/radar-scans.ts'
import { radarById } from '../../ingest/geo/site.ts'
import { type SkyServer, skyServer } from '../api/sky-server.ts'

/** Scans of single radars, from the simulated bucket to answers, pictures and maps. */

let server: SkyServer
beforeAll(async () => {
  server = await skyServer({ frames: ['mrms-reflectivity', 'nexrad-l3'] })
}, 180_000)
afterAll(() => server?.close())

const get = (path: string) => fetch(server.base + path, { headers: { Authorization: `Bearer ${server.key}` } })
interface Scan {
  readonly valid_time: string
  readonly unit: string
  readonly stale: boolean
  readonly bbox: readonly number[]
  readonly legend: readonly { readonly from: number; readonly word?: string }[]
  readonly at?: { readonly coverage: string; readonly value: number | null; readonly word?: string }
  readonly detail?: string
}
const json = async (path: string) => (await (await get(path)).json()) as Scan

describe('answers with the newest scan of a radar', () => {
  test.each(scannedSites)('%s has all four products around the radar', async (id) => {
    const radar = radarById(id)!
    for (const product of ['N0B', 'velocity', 'storm_relative_velocity', 'n0h']) {
      const scan = await json(`/v1/radar/site/K${id}/${product}`)
      expect(scan.stale, `${product}: ${scan.detail}`).toBe(false)
      expect(Math.abs(Date.now() - Date.parse(scan.valid_time))).toBeLessThan(15 * 60_000)
      const [west, south, east, north] = scan.bbox as [number, number, number, number]
      expect((south + north) / 2).toBeCloseTo(radar.lat, 1)
      expect((west + east) / 2).toBeCloseTo(radar.lon, 1)
    }
  })

  test('gives the value at a point, and none outside the radar’s range', async () => {
    const { lat, lon } = radarById('FTG')!
    const near = await json(`/v1/radar/site/FTG/N0B?lat=${lat + 0.3}&lon=${lon}`)
    expect(['value', 'dry']).toContain(near.at!.coverage)
    expect(near.at!.coverage === 'value').toBe(near.at!.value !== null)
    const far = await json(`/v1/radar/site/FTG/N0B?lat=${lat + 3}&lon=${lon}`)
    expect(far.at).toMatchObject({ coverage: 'no_coverage', value: null })
    expect((await json('/v1/radar/site/FTG/N0H')).legend[6]?.word).toBe('heavy_rain')
  })

  test('draws a picture of the radar', async () => {
    const answer = await get('/v1/radar/site/FTG/N0G.png?width=300')
    expect(answer.headers.get('content-type')).toBe('image/png')
    const picture = PNG.sync.read(Buffer.from(await answer.arrayBuffer()))
    expect(picture.width).toBe(300)
    expect(picture.height).toBeGreaterThan(250)
    expect(answer.headers.get('x-valid-time')).toBe((await json('/v1/radar/site/FTG/N0G')).valid_time)
  })

  test('refuses unknown radars, unknown products and bad points with a reason', async () => {
    for (const [path, status, words] of [
      ['/v1/radar/site/XXX/N0B', 404, 'must be a radar such as FTG, but was "XXX"'],
      ['/v1/radar/site/FTG/N9Z', 404, 'must be one of N0B, reflectivity'],
      ['/v1/radar/site/ABR/N0B', 404, 'No scan of ABR from the last 40 minutes'],
      ['/v1/radar/site/FTG/N0B?lat=40', 400, 'must be used together'],
      ['/v1/radar/site/FTG/N0B?lat=x&lon=1', 400, 'lat'],
      ['/v1/radar/site/FTG/N0B.png?width=9', 400, 'width'],
    ] as const) {
      const answer = await get(path)
      expect([path, answer.status]).toEqual([path, status])
      expect(((await answer.json()) as Scan).detail).toContain(words)
    }
  })
})

test('the answer at a point names the nearest radar with its newest volume, or reports that there is none', async () => {
  const { lat, lon } = radarById('TLX')!
  type Answer = {
    radar: { site: Record<string, unknown> }
    meta: { warnings: { section: string; code: string; detail: string }[] }
  }
  const doubts = ({ meta }: Answer) => meta.warnings.filter(({ section }) => section === 'radar')
  const near = (await (await get(`/v1/weather?lat=${lat + 0.2}&lon=${lon}&include=radar`)).json()) as Answer
  const scan = await json('/v1/radar/site/TLX/N0B')
  expect(near.radar.site).toMatchObject({ id: 'TLX', valid_time: scan.valid_time, elevation_angle: 0.5 })
  const at = await json(`/v1/radar/site/TLX/N0B?lat=${lat + 0.2}&lon=${lon}`)
  expect(near.radar.site).toMatchObject({ coverage: at.at!.coverage, reflectivity_dbz: at.at!.value })
  // Aberdeen's radar does not scan in the simulation.
  const { lat: north, lon: west } = radarById('ABR')!
  const silent = (await (await get(`/v1/weather?lat=${north}&lon=${west}&include=radar`)).json()) as Answer
  expect(silent.radar.site).toMatchObject({
    id: 'ABR',
    valid_time: null,
    coverage: 'no_coverage',
    reflectivity_dbz: null,
  })
  expect(doubts(near)).toEqual([])
  expect(doubts(silent)).toMatchObject([{ code: 'stale_source', detail: expect.stringContaining('Aberdeen (ABR)') }])
})

test('draws the map of a radar, and reports a radar without scans', async () => {
  const map = async (product: string) =>
    server.client.callTool({
      name: 'get_map_snapshot',
      arguments: { location: 'Denver, CO', product, zoom: 7, width: 400, height: 300 },
    })
  const drawn = await map('nexrad_l3:FTG:N0B')
  expect(drawn.isError, JSON.stringify(drawn.content).slice(0, 300)).toBeFalsy()
  expect((drawn.content as { type: string }[]).some(({ type }) => type === 'image')).toBe(true)
  expect(JSON.stringify((await map('nexrad_l3:ABR:N0B')).content)).toContain('does not mean that it is dry')
  expect(JSON.stringify((await map('nexrad_l3:FTG:ABC')).content)).toContain('No product of single radars')
})
