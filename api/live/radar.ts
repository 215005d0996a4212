import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { rateOf } from '../../ingest/domain/weather/echo.ts'
import { fallenType } from '../../ingest/nowcast/surface-type.ts'
import { pixelOf } from '../../ingest/tile/frame.ts'
import { type Frame, stateOfCode } from '../../ingest/tile/frame-read.ts'
import type { MetaWarning, PointAt, RadarAtPoint, SourceFreshness } from '../contract.ts'
import type { RadarFrames } from './frames.ts'
import type { Current } from './served-runs.ts'
import type { LiveDeps } from './source.ts'
import { surfaceAir } from './surface-air.ts'

/** Older scans are not used for now. */
export const SCAN_MAX_AGE_MS = 15 * MINUTE
const TOTALS_MAX_AGE_MS = 4 * HOUR
/** Frames this far apart in time are taken as one scan. */
export const MAX_SCAN_SKEW_MS = 6 * MINUTE

export const RATE = 'mrms-precip-rate'
export const FLAG = 'mrms-precip-flag'
/** Best first: near the surface, then the column maximum. */
export const REFLECTIVITIES = ['mrms-reflectivity-surface', 'mrms-reflectivity'] as const
export const DAY_TOTAL = 'mrms-qpe-24h'

/** The value of one frame at one point. */
export interface Look {
  readonly product: string
  readonly validTime: Instant
  readonly state: 'no_coverage' | 'dry' | 'value'
  /** In the product's unit; undefined unless `value`. */
  readonly value?: number
}

/** The newest frame of a product at a point. Undefined: none is stored, or it is older than `maxAgeMs`. */
export async function lookAt(
  radar: RadarFrames,
  product: string,
  at: { lat: number; lon: number; domain: DomainId; now: Instant },
  maxAgeMs: number = SCAN_MAX_AGE_MS,
): Promise<Look | undefined> {
  const time = radar.newestTime(product, at.domain)
  if (time === undefined || at.now - time > maxAgeMs) return undefined
  const frame = await radar.newest(product, at.domain)
  return frame && lookInto(frame, product, at.lat, at.lon)
}

async function lookInto(frame: Frame, product: string, lat: number, lon: number): Promise<Look> {
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

const WITHOUT_SCAN = new Fault('Missing', 'radar: no radar scan is available')

/** The supplier of radar at a point: rate, type, reflectivity, total of the trailing 24 hours. */
export function radarAt(
  radar: RadarFrames,
  current: Pick<Current, 'served'>,
  takes: LiveDeps['takes'] = () => true,
): (at: PointAt) => Promise<RadarAtPoint> {
  const scansTaken = [RATE, ...REFLECTIVITIES].some(takes)
  return async (at) => {
    const [rate, flag, surface, column, total] = await Promise.all([
      lookAt(radar, RATE, at),
      lookAt(radar, FLAG, at),
      lookAt(radar, REFLECTIVITIES[0], at),
      lookAt(radar, REFLECTIVITIES[1], at),
      lookAt(radar, DAY_TOTAL, at, TOTALS_MAX_AGE_MS),
    ])
    const reflectivity = surface && surface.state !== 'no_coverage' ? surface : (column ?? surface)
    const scan = rate ?? reflectivity
    if (!scan && !total) {
      const known = radar.newestTime(RATE, at.domain) ?? radar.newestTime(REFLECTIVITIES[1], at.domain)
      throw known === undefined
        ? WITHOUT_SCAN
        : new Fault('Missing', `radar: the newest scan is ${minutes(at.now - known)} old`)
    }
    const warnings: MetaWarning[] = []
    const fallen = rate ? amountOf(rate) : reflectivity ? amountOf(reflectivity) : undefined
    const falls = (fallen ?? 0) > 0
    const precipType = falls ? await typeAt(flag, scan!, at, current) : fallen === 0 ? 'none' : undefined
    if (!scan && scansTaken) warnings.push(stale(radar, at, ['precip_rate', 'precip_type']))
    if (scan?.state === 'no_coverage' && fallen === undefined) {
      const detail = 'no radar sees this place: whether it rains is not known from the radar'
      warnings.push({ code: 'no_coverage', section: 'current', product_id: RATE, detail, fields: ['precip_rate'] })
    }
    if (total && total.state === 'no_coverage') {
      const detail = 'no radar sees this place: what fell in the last 24 hours is not known from the radar'
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
      validTime: (scan ?? total!).validTime,
      precipRate: fallen,
      precipType,
      precip24h: total?.state === 'dry' ? 0 : total?.value,
      reflectivity: reflectivity?.value,
      reflectivityProduct: reflectivity?.product ?? rate?.product,
      scanTime: scan?.validTime,
      warnings,
      freshness: [scan, total].flatMap((look) => (look ? [freshnessOf(look)] : [])),
      degraded: !scan && scansTaken,
    }
  }
}

const minutes = (span: number): string => `${Math.round(span / MINUTE)} minutes`

function stale(radar: RadarFrames, at: PointAt, fields: readonly string[]): MetaWarning {
  const time = radar.newestTime(RATE, at.domain)
  const detail =
    time === undefined ? 'no radar scan is available' : `the newest radar scan is ${minutes(at.now - time)} old`
  return { code: 'stale_source', section: 'current', product_id: RATE, detail, fields }
}

/** mm/h; undefined without coverage. */
function amountOf({ product, state, value }: Look): number | undefined {
  if (state === 'no_coverage') return undefined
  if (state === 'dry') return 0
  if (product === RATE) return value
  const rate = rateOf(value!)
  return rate >= 0.1 ? Math.round(rate * 10) / 10 : 0
}

async function typeAt(flag: Look | undefined, scan: Look, at: PointAt, current: Pick<Current, 'served'>) {
  const near = flag?.state === 'value' && Math.abs(flag.validTime - scan.validTime) <= MAX_SCAN_SKEW_MS
  return fallenType(near ? flag.value : undefined, await surfaceAir(current, at.cell, at.domain, scan.validTime))
}

export function freshnessOf({ product, validTime }: Pick<Look, 'product' | 'validTime'>): SourceFreshness {
  return { source: 'mrms', product_id: product, referenceTime: validTime, latestValid: validTime }
}
