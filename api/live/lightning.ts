import { kilometresBetween, mapperSees } from '../../ingest/domain/shape/field-of-view.ts'
import { MINUTE } from '../../ingest/domain/time.ts'
import type { Flashes } from '../../ingest/tile/flash-file.ts'
import type { LightningAtPoint, MetaWarning, PointAt, SourceFreshness } from '../contract.ts'
import type { RadarFrames } from './frames.ts'
import { freshnessOf, lookAt } from './radar.ts'

export const DENSITY = 'mrms-lightning-density'
export const PROBABILITY = 'mrms-lightning-prob'
/** Kilometres around a place in which flashes are counted. */
export const AROUND = 30
/** A window that ended longer ago is not used for now. */
const WINDOW_MAX_AGE_MS = 5 * MINUTE
/** Files of one satellite in a whole window, and how many of them are enough for a count without a warning. */
const WINDOW_FILES = 30
const MIN_WINDOW_FILES = 27

/** The supplier of lightning around a point, from satellites and the ground network. */
export function lightningAt(radar: RadarFrames): (at: PointAt) => Promise<LightningAtPoint> {
  return async (at) => {
    const [density, probability, flashes] = await Promise.all([
      lookAt(radar, DENSITY, at),
      lookAt(radar, PROBABILITY, at),
      radar.flashes(at.domain),
    ])
    const warnings: MetaWarning[] = []
    const freshness: SourceFreshness[] = []
    for (const look of [density, probability]) if (look) freshness.push(freshnessOf(look))
    const counted = flashes && countFlashes(flashes, at, warnings)
    if (flashes && counted !== undefined) {
      const { end } = flashes.head
      freshness.push({ source: 'glm', product_id: 'glm', referenceTime: end, latestValid: end })
    }
    const lost = [
      ...(radar.newestTime(DENSITY, at.domain) !== undefined && !density ? ['lightning_density'] : []),
      ...(radar.newestTime(PROBABILITY, at.domain) !== undefined && !probability ? ['lightning_prob'] : []),
    ]
    if (lost.length > 0) {
      const detail = 'the newest lightning grid is older than 15 minutes'
      warnings.push({ code: 'stale_source', section: 'current', product_id: DENSITY, detail, fields: lost })
    }
    return {
      flashes: counted?.count,
      nearestKm: counted?.nearestKm,
      window:
        counted && flashes
          ? { start: flashes.head.end - flashes.head.minutes * MINUTE, end: flashes.head.end }
          : undefined,
      density: density?.state === 'dry' ? 0 : density?.value,
      probability: probability?.state === 'dry' ? 0 : probability?.value,
      warnings,
      freshness,
      degraded: warnings.some(({ code }) => code === 'stale_source'),
    }
  }
}

/** Flashes within 30 km, and the nearest of all; undefined where no satellite with a current window covers the place. */
export function countFlashes(
  flashes: Flashes,
  at: Pick<PointAt, 'lat' | 'lon' | 'now'>,
  warnings: MetaWarning[],
): { count: number; nearestKm?: number } | undefined {
  const { end, satellites, minutes } = flashes.head
  const seeing = satellites.filter(({ subpoint }) => mapperSees(subpoint, at.lat, at.lon))
  const about = { section: 'current', product_id: 'glm', fields: ['lightning_flashes'] } as const
  if (seeing.length === 0) {
    warnings.push({ ...about, code: 'no_coverage', detail: 'no lightning mapper sees this place' })
    return undefined
  }
  if (at.now - end > WINDOW_MAX_AGE_MS) {
    const age = Math.round((at.now - end) / MINUTE)
    warnings.push({ ...about, code: 'stale_source', detail: `the newest flashes are ${age} minutes old` })
    return undefined
  }
  const coverage = Math.max(
    ...seeing.map(({ granules }) => granules.filter((t) => t > end - (minutes + 0.5) * MINUTE).length),
  )
  const newest = Math.max(...seeing.flatMap(({ granules }) => granules))
  if (!(newest > end - WINDOW_MAX_AGE_MS)) {
    warnings.push({ ...about, code: 'source_missing', detail: 'the satellite that sees this place is silent' })
    return undefined
  }
  if (coverage < MIN_WINDOW_FILES) {
    const detail = `counted from ${coverage} of ${WINDOW_FILES} files: flashes may be missing`
    warnings.push({ ...about, code: 'degraded', detail })
  }
  let count = 0
  let nearestKm: number | undefined
  const { lat, lon } = flashes
  for (let k = 0; k < lat.length; k++) {
    if (Math.abs(lat[k]! - at.lat) > 5) continue
    const km = kilometresBetween(at.lat, at.lon, lat[k]!, lon[k]!)
    if (km <= AROUND) count++
    if (nearestKm === undefined || km < nearestKm) nearestKm = km
  }
  return { count, nearestKm }
}
