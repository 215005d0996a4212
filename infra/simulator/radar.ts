import { gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { HOUR, MINUTE, SECOND, stamp } from '../../ingest/domain/time.ts'
import { nearestRadar } from '../../ingest/geo/site.ts'
import { emptyWeather, precipRateAt, weatherAt } from './atmosphere.ts'
import { gribMessage } from './grib.ts'
import type { SimulatedGrid } from './grids.ts'
import type { PackingDefinition } from './packing.ts'
import { type MirrorObject, nameTag, type SimulatedHost, type SimulatedListing } from './source.ts'

type DomainName = 'CONUS' | 'ALASKA' | 'HAWAII'

/** MRMS grids: north, west of the edge, degrees a pixel, pixels. */
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

/** The radar coverage of one domain at one time. */
interface MosaicScan {
  readonly grid: SimulatedGrid
  readonly time: number
  /** Kilometres to the nearest radar. */
  readonly reach: Float32Array
  readonly rate: Float32Array
}

/** Maximum range, km. */
const RANGE = 230

interface SimulatedProduct {
  readonly name: string
  /** Category and number in MRMS's own discipline. */
  readonly code: readonly [number, number]
  readonly level: number
  readonly packing: PackingDefinition
  readonly only?: DomainName
  /** Milliseconds from a file's time to its appearance, and offset of its time from the whole minute. */
  readonly cadence: number
  readonly latency: number
  readonly past?: number
  values(scan: MosaicScan): Float32Array
}

const png = (bits: 8 | 16 | 24, decimal: number, reference: number): PackingDefinition => ({
  template: 41,
  bits,
  decimal,
  reference,
})

function map(scan: MosaicScan, outside: number, of: (rate: number, k: number) => number): Float32Array {
  return scan.rate.map((rate, k) => (scan.reach[k] > RANGE ? outside : of(rate, k)))
}

/** Z = 200 R^1.6, in steps of half a dBZ. */
const echo = (rate: number, more: number) =>
  rate < 0.05 ? -99 : Math.round(2 * (23 + 16 * Math.log10(rate) + more)) / 2
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
    values: (scan) => map(scan, -999, (_, k) => Math.round(100 * Math.min(1, 1.2 - scan.reach[k] / RANGE)) / 100),
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

/** MRMS's type at the surface: 1 warm and 10 cool stratiform rain, 3 snow, 6 convection, 7 hail. */
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

/** Sums of the rate every 20 minutes; gauges and models fill in outside of radar coverage. */
function total(hours: number): SimulatedProduct['values'] {
  return ({ grid, time }) => {
    const sum = new Float32Array(grid.nx * grid.ny)
    for (let step = 0; step < hours * 3; step++) {
      const at = rateOn(grid, time - (step + 0.5) * 20 * MINUTE)
      for (let k = 0; k < sum.length; k++) sum[k] += at[k] / 3
    }
    return sum.map(tenth)
  }
}

function rateOn(grid: SimulatedGrid, time: number): Float32Array {
  const rates = new Float32Array(grid.nx * grid.ny)
  const step = grid.projection.kind === 'latlon' ? grid.projection.di : 0
  for (let j = 0, k = 0; j < grid.ny; j++) {
    for (let i = 0; i < grid.nx; i++, k++) rates[k] = precipRateAt(grid.la1 - j * step, grid.lo1 + i * step, time)
  }
  return rates
}

const reaches = new Map<string, Float32Array>()

/** Distance to the nearest radar, computed on every fourth point of a fine grid: it is smooth. */
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

let seen: MosaicScan | undefined

function scanOf(grid: SimulatedGrid, time: number): MosaicScan {
  if (seen?.grid.name !== grid.name || seen.time !== time) {
    seen = { grid, time, reach: reachOf(grid), rate: rateOn(grid, time) }
  }
  return seen
}

function bytesOf(product: SimulatedProduct, domain: DomainName, time: number, coarse: number): Uint8Array {
  const sums = product.cadence === HOUR
  // A day's sum on the fine grid is a hundred fields.
  const grid = gridOf(domain, sums && coarse > 1 ? 20 : coarse)
  const scan = sums ? { grid, time, reach: new Float32Array(), rate: new Float32Array() } : scanOf(grid, time)
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

/** How long files are kept. */
const KEPT_MS = 3 * HOUR
const HOST = 'noaa-mrms-pds.s3.amazonaws.com'
const domains = Object.keys(extents) as DomainName[]

function keyOf(product: SimulatedProduct, domain: DomainName, time: number): string {
  const { day, hour, minute, second } = stamp(time)
  return `${domain}/${product.name}/${day}/MRMS_${product.name}_${day}-${hour}${minute}${second}.grib2.gz`
}

/** NOAA's bucket of MRMS grids: every product in every domain it has, from the same storms as the models. */
export function radarSource(coarse: number): SimulatedHost {
  const made = new LRUCache<string, Uint8Array>({ max: 120 })
  const listed = (product: SimulatedProduct, domain: DomainName, time: number): SimulatedListing => {
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
          const kept = product.cadence === HOUR ? 80 * HOUR : KEPT_MS
          for (let time = Math.ceil((now - kept) / product.cadence) * product.cadence; ; time += product.cadence) {
            if (time + past + product.latency > now) break
            const one = listed(product, domain, time + past)
            if (one.key.startsWith(prefix)) yield one
          }
        }
      }
    },
    find(path, _query, now) {
      const parts = /^\/(CONUS|ALASKA|HAWAII)\/([^/]+)\/\d{8}\/[^/]+_(\d{8})-(\d{6})\.grib2\.gz$/.exec(path)
      const product = products.find(({ name }) => name === parts?.[2])
      if (!parts || !product || (product.only && product.only !== parts[1])) return undefined
      const domain = parts[1] as DomainName
      const [day, clock] = [parts[3], parts[4]]
      const time = Date.parse(
        `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${clock.slice(0, 2)}:${clock.slice(2, 4)}:${clock.slice(4)}Z`,
      )
      const known = (time - (product.past ?? 0)) % product.cadence === 0 && time + product.latency <= now
      if (!known || keyOf(product, domain, time) !== path.slice(1)) return undefined
      const resource: MirrorObject = {
        etag: nameTag(path.slice(1)),
        lastModified: time + product.latency,
        type: 'application/gzip',
        body() {
          let bytes = made.get(path)
          if (!bytes) {
            bytes = bytesOf(product, domain, time, coarse)
            made.set(path, bytes)
          }
          return bytes
        },
      }
      return resource
    },
  }
}
