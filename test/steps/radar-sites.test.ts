import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { precipRateAt } from '../../infra/simulator/atmosphere.ts'
import { scanMessage, scanProducts } from '../../infra/simulator/radar-scans.ts'
import { radarSites } from '../../ingest/datasets/radar-sites.ts'
import { readLevel3 } from '../../ingest/decode/radar/nexrad-l3.ts'
import { samplerOf } from '../../ingest/decode/radar/nexrad-l3-sample.ts'
import { radarProductOf, radarProducts } from '../../ingest/domain/weather/radar-scan.ts'
import { radarById, radars } from '../../ingest/geo/site.ts'
import { makeSiteScan } from '../../ingest/steps/frames/site-grid.ts'
import { openFrame } from '../../ingest/tile/frame-read.ts'

const fixtures = new URL('../../../shared/fixtures/binary/nexrad_l3/', import.meta.url)
const TIME = Date.parse('2026-08-20T21:40:00Z')

async function opened(bytes: Uint8Array, mnemonic: string) {
  const { unit } = radarProductOf(mnemonic)!
  const scan = makeSiteScan({ kind: 'site-scan', bytes, product: mnemonic, domain: 'conus', unit, source: 'test' })
  const objects = {
    get: async () => scan.bytes,
    range: async (_: string, from: number, length: number) => scan.bytes.subarray(from, from + length),
  }
  return { scan, frame: await openFrame(objects, 'key') }
}

test('reads every radar of the states in its domain', () => {
  const listed = Object.values(radarSites.sites).flat()
  expect([...listed].sort()).toEqual(
    radars()
      .map(({ id }) => id)
      .sort(),
  )
  expect(radarSites.timeOf('FTG_N0B_2026_07_10_05_07_19')).toBe(Date.parse('2026-07-10T05:07:19Z'))
  expect(radarSites.timeOf('FTG_NST_2026_07_10_05_07_19')).toBeUndefined()
  expect(radarSites.listingsOf('FTG', 'N0B', Date.parse('2026-07-10T00:07:00Z')).map(({ prefix }) => prefix)).toEqual([
    'FTG_N0B_2026_07_10_00',
    'FTG_N0B_2026_07_09_23',
  ])
})

test.skipIf(!existsSync(fixtures)).each([
  ['AMX_N0B_2026_07_06_15_45_17', 'N0B', 1],
  ['LOT_N0H_2021_01_31_11_06_30', 'N0H', 1],
  ['KBMX_SDUS54_N0SBMX_201501020205', 'N0S', 0.514444],
])('a recorded scan as a frame has the values of its gates: %s', async (file, mnemonic, scale) => {
  const bytes = readFileSync(new URL(file, fixtures))
  const { scan, frame } = await opened(bytes, mnemonic)
  const sample = samplerOf(readLevel3(bytes))!
  const { grid } = frame.head
  const view = await frame.load([{ left: 0, top: 0, right: grid.nx - 1, bottom: grid.ny - 1 }])
  let values = 0
  for (let y = 0; y < grid.ny; y += 7) {
    for (let x = 0; x < grid.nx; x += 7) {
      const at = sample(grid.north - y * grid.dLat, grid.west + x * grid.dLon)
      const code = view.code(x, y)
      if (at.state === 'value' && at.rangeKm <= 230) {
        expect(frame.value(code)).toBeCloseTo(at.value * scale, 3)
        values++
      } else if (at.state === 'below_threshold' && at.rangeKm <= 230) expect(code).toBe(1)
      else expect(code).toBe(0)
    }
  }
  expect(values).toBeGreaterThan(100)
  expect(scan.lat).toBeCloseTo(readLevel3(bytes).lat, 3)
})

test('decodes the simulated products with the rain of the simulation', async () => {
  const radar = radarById('FTG')!
  for (const mnemonic of scanProducts) {
    const bytes = scanMessage(radar, mnemonic, TIME)
    const product = readLevel3(bytes)
    expect([product.mnemonic, product.site, product.elevation]).toEqual([mnemonic, 'FTG', 0.5])
    expect(product.volumeTime).toBe(TIME)
    const sample = samplerOf(product)!
    let wet = 0
    for (let k = 0; k < 400; k++) {
      const [lat, lon] = [radar.lat - 1.5 + (k % 20) * 0.15, radar.lon - 1.5 + Math.floor(k / 20) * 0.15]
      const { state } = sample(lat, lon)
      if (state === 'value') wet++
      if (state === 'outside') continue
      // Cells are 2 km wide, so at the edges of rain either state is right.
      const rates = [-0.02, 0, 0.02].flatMap((a) => [-0.02, 0, 0.02].map((b) => precipRateAt(lat + a, lon + b, TIME)))
      if (state === 'value') expect(Math.max(...rates)).toBeGreaterThan(0)
      else expect(Math.min(...rates)).toBeLessThan(0.5)
    }
    expect(wet).toBeLessThan(400)
  }
})

test('rejects a product with another unit, without radials or without a radar in its name', () => {
  const radar = radarById('FTG')!
  const task = { kind: 'site-scan', product: 'N0B', domain: 'conus', unit: 'dBZ', source: 'FTG_N0B' } as const
  expect(() => makeSiteScan({ ...task, bytes: scanMessage(radar, 'N0G', TIME) })).toThrow(
    /must be N0B in dBZ, but is product 154/,
  )
  expect(() => makeSiteScan({ ...task, bytes: new Uint8Array(200) })).toThrow(/expected a radar product/)
  expect(radarProducts.map(({ name }) => radarProductOf(name)!.mnemonic)).toEqual(radarSites.products)
})
