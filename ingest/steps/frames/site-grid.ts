import { readLevel3 } from '../../decode/radar/nexrad-l3.ts'
import { samplerOf } from '../../decode/radar/nexrad-l3-sample.ts'
import { Fault } from '../../domain/fault.ts'
import { entryOf, nth } from '../../domain/nth.ts'
import type { Instant } from '../../domain/time.ts'
import { SITE_RANGE_KM } from '../../domain/weather/radar-scan.ts'
import type { FrameGrid } from '../../tile/frame.ts'
import { writeFrame } from '../../tile/frame-write.ts'

export interface SiteScanTask {
  readonly kind: 'site-scan'
  readonly bytes: Uint8Array
  readonly product: string
  readonly domain: 'conus' | 'alaska' | 'hawaii'
  readonly unit: string
  readonly source: string
}

export interface SiteScanResult {
  readonly bytes: Uint8Array
  readonly code: number
  readonly volumeTime: Instant
  readonly site: string | undefined
  readonly lat: number
  readonly lon: number
  readonly elevation: number | undefined
  readonly coveragePattern: number
}

/** Spacing of 1 km at the middle of the country, like the national mosaic. Finer gates near the radar are sampled by nearest neighbour. */
const STEP = 0.01
const KM_PER_DEGREE = 111.2
const METRES_PER_SECOND_PER_KNOT = 0.514444
/** Codes of a row: no coverage or a range-folded echo; coverage without echo; then values in steps of the unit. */
const OUTSIDE = 0
const NOTHING = 1
const FIRST = 2
/** Smallest value of a product; smaller values would collide with codes of `echo`. */
const LEAST = -89
const QUANTUM = 0.5
/** The largest values of the products; for velocities, the wind of the strongest tornado. */
const GREATEST: Readonly<Record<string, number>> = { dBZ: 95, 'm/s': 150, class: 20 }

/** Converts a product in polar coordinates to a frame around its radar. @throws Fault Corrupt */
export function makeSiteScan({ bytes, product, domain, unit, source }: SiteScanTask): SiteScanResult {
  const read = readLevel3(bytes)
  const sample = samplerOf(read)
  if (!sample) throw new Fault('Corrupt', `${source}: product ${read.code} has no values by azimuth`)
  const unitOfFile = read.kind!.unit
  if (unitOfFile !== unit && !(unitOfFile === 'kt' && unit === 'm/s'))
    throw new Fault('Corrupt', `${source}: must be ${product} in ${unit}, but is product ${read.code} in ${unitOfFile}`)
  if (nth(read.radials, 0).widths.some((width) => !(width > 0)))
    throw new Fault(
      'Corrupt',
      `${source}: the width of a radial is 0, so the end of the file is missing. Fetch the file again.`,
    )
  const scale = unitOfFile === 'kt' ? METRES_PER_SECOND_PER_KNOT : 1
  const grid = gridAround(read.lat, read.lon)
  const row = new Uint8Array(2 * grid.nx)
  const each = (take: (rows: Uint8Array) => void) => {
    for (let j = 0; j < grid.ny; j++) {
      const lat = grid.north - j * STEP
      for (let i = 0; i < grid.nx; i++) {
        const at = sample(lat, grid.west + i * STEP)
        const isCovered = at.state !== 'outside' && at.rangeKm <= SITE_RANGE_KM
        let code = OUTSIDE
        if (isCovered && at.state === 'value') code = FIRST + Math.max(0, Math.round((at.value - LEAST) / QUANTUM))
        else if (isCovered && at.state === 'below_threshold') code = NOTHING
        row[2 * i] = code >> 8
        row[2 * i + 1] = code & 255
      }
      take(row)
    }
  }
  const meaning = (code: number) =>
    code === OUTSIDE ? -999 : code === NOTHING ? -99 : (LEAST + (code - FIRST) * QUANTUM) * scale
  const subject = { product, domain, validTime: read.volumeTime, grid, unit, source }
  const frame = writeFrame(subject, { each: 2, read: each, meaning, values: 'echo' })
  const greatest = entryOf(GREATEST, unit)
  if (frame.most > greatest) {
    const detail = `${source}: values must be at most ${greatest} ${unit}, but reach ${frame.most.toFixed(1)}`
    throw new Fault('Corrupt', detail, { reason: 'range' })
  }
  const { code, volumeTime, site, lat, lon, elevation, coveragePattern } = read
  return { bytes: frame.bytes, code, volumeTime, site, lat, lon, elevation, coveragePattern }
}

function gridAround(lat: number, lon: number): FrameGrid {
  const rows = Math.ceil(SITE_RANGE_KM / KM_PER_DEGREE / STEP)
  // Meridians converge towards the pole, so the northern edge needs the most columns.
  const narrow = Math.cos(((lat + rows * STEP) * Math.PI) / 180)
  const columns = Math.ceil(SITE_RANGE_KM / (KM_PER_DEGREE * narrow) / STEP)
  const hundredths = (degrees: number) => Math.round(degrees * 100) / 100
  return {
    nx: 2 * columns + 1,
    ny: 2 * rows + 1,
    north: hundredths(lat + rows * STEP),
    west: hundredths(lon - columns * STEP),
    dLat: STEP,
    dLon: STEP,
  }
}
