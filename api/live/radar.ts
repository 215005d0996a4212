import { catalog, datasetOf } from '../../ingest/catalog.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { rateOf, WET_RATE } from '../../ingest/domain/weather/echo.ts'
import { fallenType } from '../../ingest/nowcast/surface-type.ts'
import { pixelOf } from '../../ingest/tile/frame.ts'
import { type Frame, stateOfCode } from '../../ingest/tile/frame-read.ts'
import type { MetaWarning, PointAt, RadarAtPoint, SourceFreshness } from '../contract.ts'
import type { RadarFrames } from './frames.ts'
import type { Current } from './served-runs.ts'
import type { LiveDeps } from './source.ts'
import { surfaceAir } from './surface-air.ts'

/** Age limit, ms: older scans do not describe the present. */
export const SCAN_MAX_AGE_MS = 15 * MINUTE
const TOTALS_MAX_AGE_MS = 4 * HOUR
/** Frames of several products belong to one scan if their times differ by at most this. */
export const MAX_SCAN_SKEW_MS = 6 * MINUTE

export const RATE = datasetOf('precip_rate').id
export const FLAG = datasetOf('precip_type').id
const SURFACE_REFLECTIVITY = datasetOf('surface_reflectivity').id
const COMPOSITE_REFLECTIVITY = datasetOf('composite_reflectivity').id
/** Best first: reflectivity near the surface, then the maximum of the column. */
export const REFLECTIVITIES = [SURFACE_REFLECTIVITY, COMPOSITE_REFLECTIVITY] as const
export const DAY_TOTAL = datasetOf('precip_24h').id

/** The value of one frame at one point. */
export interface FrameSample {
  readonly product: string
  readonly validTime: Instant
  readonly state: 'no_coverage' | 'dry' | 'value'
  /** The value in the product's unit; undefined unless the state is `value`. */
  readonly value?: number
}

/** Samples the newest frame of a product at a point. @returns undefined if no frame is stored, or the newest is older than `maxAgeMs` */
export async function sampleNewest(
  radar: RadarFrames,
  product: string,
  at: { lat: number; lon: number; domain: DomainId; now: Instant },
  maxAgeMs: number = SCAN_MAX_AGE_MS,
): Promise<FrameSample | undefined> {
  const time = radar.newestTime(product, at.domain)
  if (time === undefined || at.now - time > maxAgeMs) return undefined
  const frame = await radar.newest(product, at.domain)
  return frame && sampleFrame(frame, product, at.lat, at.lon)
}

async function sampleFrame(frame: Frame, product: string, lat: number, lon: number): Promise<FrameSample> {
  const pixel = pixelOf(frame.head.grid, lat, lon)
  const x = Math.round(pixel.x)
  const y = Math.round(pixel.y)
  const code = (await frame.load([{ left: x, top: y, right: x, bottom: y }])).code(x, y)
  const state = stateOfCode(code)
  return {
    product,
    validTime: frame.head.validTime,
    state,
    value: state === 'value' ? frame.value(code) : undefined,
  }
}

const families = new Map(catalog.map(({ id, family }) => [id, family ?? id]))

const WITHOUT_SCAN = new Fault('Missing', 'radar: no radar scan is available')

/** The supplier of radar at a point: rate, type, reflectivity, and the total of the last 24 hours. @throws Fault Missing without any recent frame */
export function radarAt(
  radar: RadarFrames,
  current: Pick<Current, 'served'>,
  takes: LiveDeps['takes'] = () => true,
): (at: PointAt) => Promise<RadarAtPoint> {
  const hasScans = [RATE, ...REFLECTIVITIES].some(takes)
  return async (at) => {
    const [rate, flag, surface, column, total] = await Promise.all([
      sampleNewest(radar, RATE, at),
      sampleNewest(radar, FLAG, at),
      sampleNewest(radar, SURFACE_REFLECTIVITY, at),
      sampleNewest(radar, COMPOSITE_REFLECTIVITY, at),
      sampleNewest(radar, DAY_TOTAL, at, TOTALS_MAX_AGE_MS),
    ])
    const reflectivity = surface && surface.state !== 'no_coverage' ? surface : (column ?? surface)
    const scan = rate ?? reflectivity
    const validTime = (scan ?? total)?.validTime
    if (validTime === undefined) {
      const newest = radar.newestTime(RATE, at.domain) ?? radar.newestTime(COMPOSITE_REFLECTIVITY, at.domain)
      throw newest === undefined
        ? WITHOUT_SCAN
        : new Fault('Missing', `radar: the newest scan is ${minutes(at.now - newest)} old`)
    }
    const warnings: MetaWarning[] = []
    const precipRate = scan && rateIn(scan)
    const precipType =
      scan && precipRate ? await typeAt(flag, scan, at, current) : precipRate === 0 ? 'none' : undefined
    if (!scan && hasScans) warnings.push(staleWarning(radar, at, ['precip_rate', 'precip_type']))
    if (scan?.state === 'no_coverage' && precipRate === undefined) {
      const detail = 'no radar sees this place: whether it rains is not known from the radar'
      warnings.push({ code: 'no_coverage', section: 'current', product_id: RATE, detail, fields: ['precip_rate'] })
    }
    if (total && total.state === 'no_coverage') {
      const detail = 'no radar sees this place: the amount of the last 24 hours is not known from the radar'
      warnings.push({ code: 'no_coverage', section: 'current', product_id: DAY_TOTAL, detail, fields: ['precip_24h'] })
    }
    if (!total && takes(DAY_TOTAL)) {
      const detail = 'no accumulation of the last 24 hours is available'
      warnings.push({
        code: 'source_missing',
        section: 'current',
        product_id: DAY_TOTAL,
        detail,
        fields: ['precip_24h'],
      })
    }
    return {
      coverage: scan?.state ?? 'no_coverage',
      validTime,
      precipRate,
      precipType,
      precip24h: total?.state === 'dry' ? 0 : total?.value,
      reflectivity: reflectivity?.value,
      reflectivityProduct: reflectivity?.product ?? rate?.product,
      scanTime: scan?.validTime,
      warnings,
      freshness: [scan, total].flatMap((sample) => (sample ? [freshnessOf(sample)] : [])),
      degraded: !scan && hasScans,
    }
  }
}

const minutes = (milliseconds: number): string => `${Math.round(milliseconds / MINUTE)} minutes`

function staleWarning(radar: RadarFrames, at: PointAt, fields: readonly string[]): MetaWarning {
  const time = radar.newestTime(RATE, at.domain)
  const detail =
    time === undefined ? 'no radar scan is available' : `the newest radar scan is ${minutes(at.now - time)} old`
  return { code: 'stale_source', section: 'current', product_id: RATE, detail, fields }
}

/** Precipitation rate of a sample of rate or reflectivity, mm/h; undefined without coverage. */
function rateIn({ product, state, value }: FrameSample): number | undefined {
  if (state === 'no_coverage') return undefined
  if (state === 'dry' || value === undefined) return 0
  if (product === RATE) return value
  const rate = rateOf(value)
  return rate >= WET_RATE ? Math.round(rate * 10) / 10 : 0
}

/** Type of the precipitation at a point, from the flag of the same scan and the air near the surface. */
async function typeAt(flag: FrameSample | undefined, scan: FrameSample, at: PointAt, current: Pick<Current, 'served'>) {
  const isSameScan = flag?.state === 'value' && Math.abs(flag.validTime - scan.validTime) <= MAX_SCAN_SKEW_MS
  return fallenType(isSameScan ? flag.value : undefined, await surfaceAir(current, at.cell, at.domain, scan.validTime))
}

export function freshnessOf({ product, validTime }: Pick<FrameSample, 'product' | 'validTime'>): SourceFreshness {
  return {
    source: families.get(product) ?? product,
    product_id: product,
    referenceTime: validTime,
    latestValid: validTime,
  }
}
