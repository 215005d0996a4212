import { gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { HOUR, MINUTE, SECOND, stamp } from '../../ingest/domain/time.ts'
import { nearestRadar } from '../../ingest/geo/site.ts'
import { emptyWeather, precipRatesAt, weatherAt } from './atmosphere.ts'
import { gribMessage } from './grib.ts'
import type { SimulatedGrid } from './grids.ts'
import type { PackingDefinition } from './packing.ts'
import { type MirrorObject, nameTag, type SimulatedHost, type SimulatedListing } from './source.ts'

type DomainName = 'CONUS' | 'ALASKA' | 'HAWAII'

/** MRMS grids: north and west edge in degrees, degrees of a pixel, and number of pixels in both directions. */
const extents: Readonly<Record<DomainName, readonly [number, number, number, number, number]>> = {
  CONUS: [55, 230, 0.01, 7000, 3500],
  ALASKA: [72, 184, 0.01, 5000, 2200],
  HAWAII: [26, 196, 0.005, 2600, 2200],
}

function gridOf(domain: DomainName, coarse: number): SimulatedGrid {
  const [north, west, degrees, nx, ny] = extents[domain]
  const step = degrees * coarse
  return {
    name: `mrms-${domain}/${coarse}`,
    nx: Math.round(nx / coarse),
    ny: Math.round(ny / coarse),
    la1: north - step / 2,
    lo1: west + step / 2,
    scan: 0,
    earth: 6,
    windAlongGrid: false,
    projection: { kind: 'latlon', di: step, dj: step, radius: 6371229 },
  }
}

/** The radar scan of a domain at one time. */
interface MosaicScan {
  readonly grid: SimulatedGrid
  readonly time: number
  /** Distance to the nearest radar, km. */
  readonly reach: Float32Array
  readonly rate: Float32Array
}

/** Maximum range of a radar, km. */
const RANGE_KM = 230

interface SimulatedProduct {
  readonly name: string
  /** Category and number of the product in MRMS's own discipline. */
  readonly code: readonly [number, number]
  readonly level: number
  readonly packing: PackingDefinition
  readonly only?: DomainName
  readonly cadence: number
  /** Time from the time of a file to its appearance, ms. */
  readonly latency: number
  /** Offset of the time of a file from a multiple of `cadence`, ms. */
  readonly past?: number
  values(scan: MosaicScan): Float32Array
}

const png = (bits: 8 | 16 | 24, decimal: number, reference: number): PackingDefinition => ({
  template: 41,
  bits,
  decimal,
  reference,
})

function map(scan: MosaicScan, outside: number, valueAt: (rate: number, k: number) => number): Float32Array {
  return scan.rate.map((rate, k) => (scan.reach[k]! > RANGE_KM ? outside : valueAt(rate, k)))
}

/** Returns the reflectivity by Z = 200 R^1.6 plus an offset, in steps of 0.5 dBZ. */
const echo = (rate: number, offset: number) =>
  rate < 0.05 ? -99 : Math.round(2 * (23 + 16 * Math.log10(rate) + offset)) / 2
const scans = { cadence: 2 * MINUTE, latency: 70 * SECOND }
const hourly = { cadence: HOUR, packing: png(16, 1, -3) }
const tenth = (value: number) => Math.round(value * 10) / 10

const products: readonly SimulatedProduct[] = [
  {
    name: 'PrecipRate_00.00',
    code: [6, 1],
    level: 0,
    packing: png(16, 1, -3),
    ...scans,
    values: (scan) => map(scan, -3, tenth),
  },
  { name: 'PrecipFlag_00.00', code: [6, 0], level: 0, packing: png(8, 0, -3), ...scans, values: flags },
  {
    name: 'SeamlessHSR_00.00',
    code: [8, 8],
    level: 0,
    packing: png(16, 1, -999),
    ...scans,
    past: 36 * SECOND,
    values: (scan) => map(scan, -999, (rate) => echo(rate, 0)),
  },
  {
    name: 'MergedReflectivityQCComposite_00.50',
    code: [10, 0],
    level: 500,
    packing: png(16, 1, -999),
    ...scans,
    past: 40 * SECOND,
    values: (scan) => map(scan, -999, (rate) => echo(rate, 4)),
  },
  {
    name: 'RadarQualityIndex_00.00',
    code: [8, 0],
    level: 0,
    packing: png(24, 2, -999),
    ...scans,
    values: (scan) => map(scan, -999, (_, k) => Math.round(100 * Math.min(1, 1.2 - scan.reach[k]! / RANGE_KM)) / 100),
  },
  {
    name: 'NLDN_CG_005min_AvgDensity_00.00',
    code: [2, 1],
    level: 0,
    only: 'CONUS',
    packing: png(16, 3, -3),
    ...scans,
    values: (scan) => map(scan, 0, (rate) => Math.round(Math.max(0, rate - 12) * 4) / 1000),
  },
  {
    name: 'LightningProbabilityNext30minGrid_scale_1',
    code: [2, 5],
    level: 0,
    only: 'CONUS',
    packing: png(8, 0, -3),
    ...scans,
    values: (scan) => map(scan, 0, (rate) => Math.round(Math.min(100, Math.max(0, 6 * (rate - 4))))),
  },
  {
    name: 'MultiSensor_QPE_01H_Pass1_00.00',
    code: [6, 30],
    level: 0,
    ...hourly,
    latency: 16 * MINUTE,
    values: total(1),
  },
  {
    name: 'MultiSensor_QPE_01H_Pass2_00.00',
    code: [6, 37],
    level: 0,
    ...hourly,
    latency: 57 * MINUTE,
    values: total(1),
  },
  {
    name: 'MultiSensor_QPE_24H_Pass2_00.00',
    code: [6, 41],
    level: 0,
    ...hourly,
    latency: 57 * MINUTE,
    values: total(24),
  },
]

const weather = emptyWeather()

/**
 * Returns MRMS's precipitation types at the surface: 1 warm and 10 cool stratiform rain, 3 snow, 6 convection, 7 hail.
 */
function flags(scan: MosaicScan): Float32Array {
  const { nx, projection } = scan.grid
  const step = projection.kind === 'latlon' ? projection.di : 0
  return map(scan, -3, (rate, k) => {
    if (rate < 0.05) return 0
    const lat = scan.grid.la1 - Math.floor(k / nx) * step
    const { temperature, snowFraction } = weatherAt(lat, scan.grid.lo1 + (k % nx) * step, scan.time, weather)
    if (snowFraction > 0.5) return 3
    return rate > 40 ? 7 : rate > 10 ? 6 : temperature < 283 ? 10 : 1
  })
}

/**
 * Returns sums of the rate at intervals of 20 minutes. They exist outside radar coverage too, where real sums come from
 * gauges and models.
 */
function total(hours: number): SimulatedProduct['values'] {
  return ({ grid, time }) => {
    const sum = new Float32Array(grid.nx * grid.ny)
    for (let step = 0; step < hours * 3; step++) {
      const at = rateOn(grid, time - (step + 0.5) * 20 * MINUTE)
      for (let k = 0; k < sum.length; k++) sum[k]! += at[k]! / 3
    }
    return sum.map(tenth)
  }
}

function rateOn(grid: SimulatedGrid, time: number): Float32Array {
  const rates = new Float32Array(grid.nx * grid.ny)
  const step = grid.projection.kind === 'latlon' ? grid.projection.di : 0
  const rateAt = precipRatesAt(time)
  for (let j = 0, k = 0; j < grid.ny; j++) {
    for (let i = 0; i < grid.nx; i++, k++) rates[k] = rateAt(grid.la1 - j * step, grid.lo1 + i * step)
  }
  return rates
}

const reaches = new Map<string, Float32Array>()

/** Returns the distance to the nearest radar, which is computed only about every 0.1° because it is smooth. */
function reachOf(grid: SimulatedGrid): Float32Array {
  let reach = reaches.get(grid.name)
  if (reach) return reach
  reach = new Float32Array(grid.nx * grid.ny)
  const step = grid.projection.kind === 'latlon' ? grid.projection.di : 0
  const jump = Math.max(1, Math.round(0.1 / step))
  for (let j = 0; j < grid.ny; j += jump) {
    for (let i = 0; i < grid.nx; i += jump) {
      const lon = grid.lo1 + i * step
      const { distance_km } = nearestRadar(grid.la1 - j * step, lon > 180 ? lon - 360 : lon)
      for (let y = j; y < Math.min(grid.ny, j + jump); y++) {
        reach.fill(distance_km, y * grid.nx + i, y * grid.nx + Math.min(grid.nx, i + jump))
      }
    }
  }
  reaches.set(grid.name, reach)
  return reach
}

let lastScan: MosaicScan | undefined

function scanOf(grid: SimulatedGrid, time: number): MosaicScan {
  if (lastScan?.grid.name !== grid.name || lastScan.time !== time) {
    lastScan = { grid, time, reach: reachOf(grid), rate: rateOn(grid, time) }
  }
  return lastScan
}

function bytesOf(product: SimulatedProduct, domain: DomainName, time: number, coarse: number): Uint8Array {
  const isSum = product.cadence === HOUR
  // The sum of a day needs 72 fields, which would take long on a fine grid.
  const grid = gridOf(domain, isSum && coarse > 1 ? 20 : coarse)
  const scan = isSum ? { grid, time, reach: new Float32Array(), rate: new Float32Array() } : scanOf(grid, time)
  const origin = {
    centre: 161,
    subcentre: 0,
    run: time,
    significance: 3,
    process: 97,
    localTables: 1,
    mastertables: 255,
  }
  const [category, number] = product.code
  const surface = { type: 102, value: product.level }
  const description = { discipline: 209, category, number, surface, leadHours: 0, generating: 8 }
  return gzipSync(gribMessage(origin, grid, description, product.packing, product.values(scan)), { level: 1 })
}

/** Time for which upstream keeps scans. */
const RETENTION_MS = 3 * HOUR
const HOST = 'noaa-mrms-pds.s3.amazonaws.com'
const domains = Object.keys(extents) as DomainName[]

function keyOf(product: SimulatedProduct, domain: DomainName, time: number): string {
  const { day, hour, minute, second } = stamp(time)
  return `${domain}/${product.name}/${day}/MRMS_${product.name}_${day}-${hour}${minute}${second}.grib2.gz`
}

/**
 * Creates the host of NOAA's bucket of MRMS grids, with every product in each of its domains, from the same storms as
 * the models.
 */
export function radarSource(coarse: number): SimulatedHost {
  const files = new LRUCache<string, Uint8Array>({ max: 120 })
  const listingOf = (product: SimulatedProduct, domain: DomainName, time: number): SimulatedListing => {
    const key = keyOf(product, domain, time)
    return { key, size: 60_000, etag: nameTag(key), lastModified: time + product.latency }
  }
  return {
    host: HOST,
    *list(prefix, now) {
      for (const domain of domains) {
        for (const product of products) {
          const start = `${domain}/${product.name}/`
          if (!start.startsWith(prefix) && !prefix.startsWith(start)) continue
          if (product.only && product.only !== domain) continue
          const past = product.past ?? 0
          const retention = product.cadence === HOUR ? 80 * HOUR : RETENTION_MS
          for (let time = Math.ceil((now - retention) / product.cadence) * product.cadence; ; time += product.cadence) {
            if (time + past + product.latency > now) break
            const listing = listingOf(product, domain, time + past)
            if (listing.key.startsWith(prefix)) yield listing
          }
        }
      }
    },
    find(path, _query, now) {
      const [, area, name, day = '', clock = ''] =
        /^\/(CONUS|ALASKA|HAWAII)\/([^/]+)\/\d{8}\/[^/]+_(\d{8})-(\d{6})\.grib2\.gz$/.exec(path) ?? []
      const domain = domains.find((candidate) => candidate === area)
      const product = products.find((candidate) => candidate.name === name)
      if (!domain || !product || (product.only && product.only !== domain)) return undefined
      const time = Date.parse(
        `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${clock.slice(0, 2)}:${clock.slice(2, 4)}:${clock.slice(4)}Z`,
      )
      const exists = (time - (product.past ?? 0)) % product.cadence === 0 && time + product.latency <= now
      if (!exists || keyOf(product, domain, time) !== path.slice(1)) return undefined
      const resource: MirrorObject = {
        etag: nameTag(path.slice(1)),
        lastModified: time + product.latency,
        type: 'application/gzip',
        body() {
          let bytes = files.get(path)
          if (!bytes) {
            bytes = bytesOf(product, domain, time, coarse)
            files.set(path, bytes)
          }
          return bytes
        },
      }
      return resource
    },
  }
}
