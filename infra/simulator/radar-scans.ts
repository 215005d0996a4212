import { reflectivityOf } from '../../ingest/domain/weather/echo.ts'
import type { Radar } from '../../ingest/geo/site.ts'
import { precipRatesAt } from './atmosphere.ts'
import { stormsAt } from './storms.ts'

// This module writes scans of single radars in the products of NOAA's bucket, with radials of one degree, uncompressed.

/** Radars with simulated scans. Scans of all radars would take a tenth of a processor. */
export const scannedSites: readonly string[] = 'FTG TLX LOT OKX AMX ATX FFC SOX HKI HMO AHG APD'.split(' ')
export const scanProducts: readonly string[] = ['N0B', 'N0G', 'N0S', 'N0H']

const CODES: Readonly<Record<string, number>> = { N0B: 153, N0G: 154, N0S: 56, N0H: 165 }
/** Number of computed cells of 2 km in a radial. Products with gates of 250 m and 1 km repeat them. */
const CELLS = 115
const CELL_KM = 2
const KM_PER_DEGREE = 111.19
const METRES_PER_SECOND_PER_KNOT = 0.514444
/** Limits between the 15 levels of storm-relative velocity, knots. */
const RELATIVE_KNOTS = [-50, -40, -30, -22, -10, -5, -1, 0, 5, 10, 20, 26, 36, 50]
/** Speed of the air relative to the speed of storms. */
const AIR_SHARE = 1.3

/** Writes the 2-byte and 4-byte numbers of a product. */
export class ScanWriter {
  readonly #octets: number[] = []
  i2(...values: number[]): this {
    for (const value of values) this.#octets.push((value >> 8) & 255, value & 255)
    return this
  }
  i4(...values: number[]): this {
    for (const value of values) this.i2(value >> 16, value)
    return this
  }
  append(octets: Uint8Array): this {
    for (const octet of octets) this.#octets.push(octet)
    return this
  }
  get bytes(): Buffer {
    return Buffer.from(this.#octets)
  }
}

interface PolarScan {
  /** Rain rate by radial and cell, mm/h. */
  readonly rates: Float32Array
  /** Mean motion of storms towards east, m/s. */
  readonly u: number
  /** Mean motion of storms towards north, m/s. */
  readonly v: number
}

let lastScan: { readonly name: string; readonly scan: PolarScan } | undefined

/**
 * Returns the scan of a radar. The last scan is cached, because the four products of a volume are requested one after
 * the other.
 */
function scanAt(radar: Radar, time: number): PolarScan {
  const name = `${radar.id} ${time}`
  if (lastScan?.name === name) return lastScan.scan
  const rates = new Float32Array(360 * CELLS)
  const narrow = Math.cos((radar.lat * Math.PI) / 180)
  const rateAt = precipRatesAt(time)
  for (let azimuth = 0; azimuth < 360; azimuth++) {
    const angle = ((azimuth + 0.5) * Math.PI) / 180
    for (let cell = 0; cell < CELLS; cell++) {
      const km = (cell + 0.5) * CELL_KM
      const lat = radar.lat + (km * Math.cos(angle)) / KM_PER_DEGREE
      const lon = radar.lon + (km * Math.sin(angle)) / (KM_PER_DEGREE * narrow)
      rates[azimuth * CELLS + cell] = rateAt(lat, lon)
    }
  }
  const storms = stormsAt(time)
  const mean = (axis: 'u' | 'v') => storms.reduce((sum, storm) => sum + storm[axis], 0) / Math.max(1, storms.length)
  const scan = { rates, u: mean('u'), v: mean('v') }
  lastScan = { name, scan }
  return scan
}

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))

/** Returns the level of a cell, which is 0 without an echo. */
function levelOf(mnemonic: string, { rates, u, v }: PolarScan, azimuth: number, cell: number): number {
  const rate = rates[azimuth * CELLS + cell] ?? 0
  if (!(rate >= 0.05)) return 0
  const dbz = reflectivityOf(rate)
  if (mnemonic === 'N0B') return clamp(Math.round((dbz + 32) / 0.5) + 2, 2, 255)
  const angle = ((azimuth + 0.5) * Math.PI) / 180
  const along = u * Math.sin(angle) + v * Math.cos(angle)
  if (mnemonic === 'N0G') return clamp(Math.round((AIR_SHARE * along + 63.5) / 0.5) + 2, 2, 255)
  if (mnemonic === 'N0S') {
    const knots = ((AIR_SHARE - 1) * along) / METRES_PER_SECOND_PER_KNOT
    return RELATIVE_KNOTS.filter((least) => least <= knots).length
  }
  return 10 * (dbz > 60 ? 10 : dbz > 45 ? 7 : dbz > 10 ? 6 : 1)
}

function thresholdsOf(mnemonic: string): number[] {
  if (mnemonic === 'N0B') return [-320, 5, 254]
  if (mnemonic === 'N0G') return [-635, 5, 254]
  if (mnemonic === 'N0H') return []
  // 0x8002 means no data, and 0x01 in the high byte a negative number.
  return [0x8002, ...RELATIVE_KNOTS.map((knots) => (knots < 0 ? 0x100 : 0) | Math.abs(knots)), 0x8003]
}

/**
 * Returns the symbology block: radials with one byte for each gate (packet 16), or with runs of 16 levels (packet
 * AF1F).
 */
function symbology(mnemonic: string, scan: PolarScan): Buffer {
  const runs = mnemonic === 'N0S'
  const repeat = runs ? CELL_KM : CELL_KM * 4
  const gates = CELLS * repeat
  const rows = Array.from({ length: 360 }, (_, azimuth) => {
    const levels = Array.from({ length: CELLS }, (_, cell) => levelOf(mnemonic, scan, azimuth, cell))
    const octets = levels.flatMap((level) => (runs ? [(repeat << 4) | level] : Array<number>(repeat).fill(level)))
    if (octets.length % 2 === 1) octets.push(0)
    const head = new ScanWriter().i2(runs ? octets.length / 2 : octets.length, azimuth * 10, 10).bytes
    return Buffer.concat([head, Buffer.from(octets)])
  })
  const head = new ScanWriter().i2(runs ? 0xaf1f : 16, 0, gates, 0, 0, 999, 360).bytes
  const layer = Buffer.concat([head, ...rows])
  const body = Buffer.concat([new ScanWriter().i2(1, -1).i4(layer.length).bytes, layer])
  return Buffer.concat([new ScanWriter().i2(-1, 1).i4(body.length + 8).bytes, body])
}

/** Returns a product of the lowest beam with its text header. @throws Error if there is no such product */
export function scanMessage(radar: Radar, mnemonic: string, time: number): Buffer {
  const day = Math.floor(time / 86_400_000) + 1
  const seconds = Math.floor(time / 1000) % 86_400
  const code = CODES[mnemonic]
  if (code === undefined) throw new Error(`radar product ${mnemonic} is not simulated`)
  const body = symbology(mnemonic, scanAt(radar, time))
  const thresholds = thresholdsOf(mnemonic)
  const words = [0, 0, 1, 5, ...Array.from({ length: 16 }, (_, k) => thresholds[k] ?? 0), 0, 0, 0, 0, 0, 0, 0, 0]
  const head = new ScanWriter()
    .i2(code, day)
    .i4(seconds, 120 + body.length)
    .i2(0, 0, 3, -1)
    .i4(Math.round(radar.lat * 1000), Math.round(radar.lon * 1000))
    .i2(Math.round(radar.elevation_m * 3.28), code, 2, 212, 0, 1, day)
    .i4(seconds)
    .i2(day)
    .i4(seconds)
    .i2(...words)
    .i4(60, 0, 0).bytes
  const text = Buffer.from(`SDUS54 ${radar.icao} 010000\r\r\n${mnemonic}${radar.id}\r\r\n`, 'latin1')
  return Buffer.concat([text, head, body])
}
