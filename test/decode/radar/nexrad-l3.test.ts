import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Level3Product, readLevel3 } from '../../../ingest/decode/radar/nexrad-l3.ts'
import { samplerOf } from '../../../ingest/decode/radar/nexrad-l3-sample.ts'
import {
  readMesocyclones,
  readStormCells,
  readTornadoSignatures,
} from '../../../ingest/decode/radar/nexrad-l3-storms.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import oracle from './nexrad-l3-metpy.json' with { type: 'json' }

const folder = '../shared/fixtures/binary/nexrad_l3'
const files = existsSync(folder) ? readdirSync(folder) : []
const read = (file: string) => readLevel3(readFileSync(`${folder}/${file}`))

interface Figures {
  readonly code: number
  readonly site: string
  readonly lat: number
  readonly lon: number
  readonly height: number
  readonly vcp: number
  readonly volume: string
  readonly made: string
  readonly elevation?: number
  readonly pages: number
  readonly radials: readonly {
    readonly radials: number
    readonly gates: number
    readonly az: readonly number[]
    readonly sha: string
    readonly valid: number
    readonly sum: number
  }[]
  readonly rasters: readonly { readonly rows: number; readonly columns: number; readonly sha: string }[]
}

const figures = oracle as unknown as Readonly<Record<string, Figures>>
const sha = (octets: Uint8Array) => createHash('sha256').update(octets).digest('hex').slice(0, 16)
const text = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z')

/** MetPy keeps the byte that pads a row to an even number; it is a gate that the header does not count. */
function padded(product: Level3Product, gates: number): Uint8Array {
  const [field] = product.radials
  const { radials, gates: own, levels } = field!
  const rows = Array.from({ length: radials }, (_, k) => {
    const row = new Uint8Array(gates)
    row.set(levels.subarray(k * own, (k + 1) * own))
    return row
  })
  return Buffer.concat(rows)
}

describe.skipIf(files.length === 0)('level 3 files (../shared/fixtures) beside MetPy 1.7', () => {
  test.each(Object.entries(figures))('%s', (file, expected) => {
    const product = read(file)
    const { code, site, lat, lon, heightFeet, coveragePattern } = product
    expect({ code, site: site ?? '', lat, lon, height: heightFeet, vcp: coveragePattern }).toEqual({
      code: expected.code,
      site: expected.site,
      lat: expected.lat,
      lon: expected.lon,
      height: expected.height,
      vcp: expected.vcp,
    })
    expect([text(product.volumeTime), text(product.productTime)]).toEqual([expected.volume, expected.made])
    // A product of all elevations has no elevation.
    expect(product.elevation ?? expected.elevation).toBe(expected.elevation)
    expect(product.pages.length).toBe(expected.pages)
    for (const [k, field] of expected.radials.entries()) {
      const own = nth(product.radials, k)
      expect(own.radials).toBe(field.radials)
      expect([nth(own.starts, 0) % 360, own.starts.at(-1)! % 360].map((azimuth) => azimuth.toFixed(1))).toEqual(
        [nth(field.az, 0), nth(field.az, 2)].map((azimuth) => azimuth.toFixed(1)),
      )
      expect(field.gates - own.gates).toBeLessThan(2)
      expect(sha(padded(product, field.gates))).toBe(field.sha)
      const values = [...own.levels]
        .map((level) => nth(product.scale!.values, level))
        .filter((value) => !Number.isNaN(value))
      expect(values.length).toBe(field.valid)
      const sum = values.reduce((total, value) => total + value, 0)
      expect(Math.abs(sum - field.sum)).toBeLessThan(1e-6 * Math.max(1, Math.abs(field.sum)))
    }
    for (const [k, raster] of expected.rasters.entries()) {
      const { rows, columns, levels } = nth(product.rasters, k)
      expect([rows, columns, sha(levels as Uint8Array)]).toEqual([raster.rows, raster.columns, raster.sha])
    }
  })

  test('reads all files except a free text and a status message as products', () => {
    expect(files.filter((file) => !(file in figures)).length).toBe(2)
    for (const file of files.filter((name) => !(name in figures))) {
      expect(() => read(file)).toThrow(/expected a radar product \(code 16 to 299\)/)
    }
  })

  test('reads the digital precipitation rate from its XDR component', () => {
    const product = read('KBMX_SDUS84_DPRBMX_201501020205')
    const [field] = product.radials
    expect([field!.radials, field!.gates, field!.gateMeters]).toEqual([360, 920, 250])
    // MetPy has 331200 values with a sum of 8649.755 in/h.
    const sum = [...field!.levels].reduce((total, level) => total + nth(product.scale!.values, level), 0)
    expect(sum).toBeCloseTo(8649.755, 3)
  })

  test('returns as many storm cells as the product states, even if the table ends early', () => {
    const counts = files
      .filter((file) => /NST/.test(file))
      .map(read)
      .filter(({ symbols }) => symbols.length > 0)
      .map((product) => [readStormCells(product).length, Number(/CELLS +(\d+)/.exec(nth(product.pages, 0))![1])])
    expect(counts.length).toBe(8)
    for (const [actual, expected] of counts) expect(actual).toBe(expected)
    expect(readStormCells(read('JUA_NST_2026_07_09_20_26_30'))).toEqual([])
  })

  test('reads position, motion, forecast and strongest echo of a storm cell', () => {
    const product = read('ICT_NST_2026_07_10_05_07_19')
    const cell = readStormCells(product).find(({ id }) => id === 'N1')!
    // The cell is at azimuth 319° and 76 NM, moves from 254° with 17 kt, and has 65 dBZ at 22 900 feet.
    expect([cell.lat, cell.lon].map((degrees) => degrees.toFixed(2))).toEqual(['38.60', '-98.50'])
    expect([cell.velocity!.east, cell.velocity!.north].map((speed) => speed.toFixed(1))).toEqual(['8.4', '2.4'])
    expect(cell.forecast.map(({ minutes }) => minutes)).toEqual([15, 30, 45, 60])
    expect([cell.maxReflectivity, cell.maxReflectivityKft]).toEqual([65, 22.9])
    // A cell beyond the table has the motion of its forecast track, or none.
    expect(
      readStormCells(product)
        .slice(34)
        .every(({ maxReflectivity }) => maxReflectivity === undefined),
    ).toBe(true)
  })

  test('lists every circulation of the picture with its cell and strength', () => {
    for (const file of files.filter((name) => /NMD/.test(name))) {
      const product = read(file)
      const points = product.symbols.filter(({ packet }) => packet === 20)
      expect(readMesocyclones(product).length).toBe(points.length)
    }
    const [first] = readMesocyclones(read('ICT_NMD_2026_07_10_05_07_19'))
    expect([first!.id, first!.cell, first!.strength, first!.tornadoSignature]).toEqual(['286', 'Y9', 6, false])
    expect(first!.rotation).toBeCloseTo(15.95, 2)
  })

  test('reads a tornadic vortex signature', () => {
    const [signature] = readTornadoSignatures(read('sn.0011'))
    expect([signature!.cell, signature!.elevated]).toEqual(['F0', false])
    expect(signature!.largestDifference).toBeCloseTo(61.73, 2)
    expect(readTornadoSignatures(read('KBMX_SDUS64_NTVBMX_201501020205'))).toEqual([])
  })

  test('returns the level of a gate at the center of the gate', () => {
    const product = read('KBMX_SDUS54_N0QBMX_201501020205')
    const at = samplerOf(product)!
    const [field] = product.radials
    for (const [radial, gate] of [
      [0, 20],
      [100, 60],
      [359, 200],
    ] as const) {
      const azimuth = ((nth(field!.starts, radial) + 0.5) * Math.PI) / 180
      const angle = (gate + 0.5) / 6371
      const phi = (product.lat * Math.PI) / 180
      const lat = Math.asin(Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(azimuth))
      const across = Math.atan2(
        Math.sin(azimuth) * Math.sin(angle) * Math.cos(phi),
        Math.cos(angle) - Math.sin(phi) * Math.sin(lat),
      )
      const sample = at((lat * 180) / Math.PI, product.lon + (across * 180) / Math.PI)
      const value = nth(product.scale!.values, nth(field!.levels, radial * field!.gates + gate))
      if (Number.isNaN(value)) expect(sample.state).toBe('below_threshold')
      else expect(sample).toMatchObject({ state: 'value', value })
    }
    expect(at(product.lat + 5, product.lon)).toEqual({ state: 'outside' })
  })

  test('reads a file that is changed or truncated anywhere as a product, or rejects it with a fault', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      return seed % below
    }
    const small = files.filter((file) => readFileSync(`${folder}/${file}`).length < 20_000)
    for (let k = 0; k < 1500; k++) {
      const octets = Buffer.from(readFileSync(`${folder}/${small[k % small.length]}`))
      for (let changes = random(4) + 1; changes > 0; changes--) octets[random(octets.length)] = random(256)
      const broken = random(3) === 0 ? octets.subarray(0, random(octets.length)) : octets
      try {
        const product = readLevel3(broken)
        samplerOf(product)?.(product.lat, product.lon)
        readStormCells(product)
        readMesocyclones(product)
        readTornadoSignatures(product)
      } catch (error) {
        if (!isFault(error, 'Corrupt')) throw error
      }
    }
  })
})
