import { datasetOf } from '../../ingest/catalog.ts'
import { kilometresBetween, mapperSees } from '../../ingest/domain/shape/field-of-view.ts'
import { MINUTE } from '../../ingest/domain/time.ts'
import type { Flashes } from '../../ingest/tile/flash-file.ts'
import type { LightningAtPoint, MetaWarning, PointAt, SourceFreshness } from '../contract.ts'
import type { RadarFrames } from './frames.ts'
import { freshnessOf, sampleNewest } from './radar.ts'

export const DENSITY = datasetOf('lightning_density').id
export const PROBABILITY = datasetOf('lightning_probability').id
export const FLASHES = datasetOf('lightning_flashes').id
/** Flashes are counted within this distance of a point. */
const COUNT_RADIUS_KM = 30
/** Flashes that are farther north or south than this, in degrees, are skipped without computing their distance. */
const MAX_LATITUDE_DISTANCE = 5
/** A window of flashes that ended longer ago is not used. */
const WINDOW_MAX_AGE_MS = 5 * MINUTE
/** Number of files of one satellite in a complete window. */
const WINDOW_FILES = 30
/** Minimum number of files for a count without a warning. */
const MIN_WINDOW_FILES = 27

/** The supplier of lightning near a point, from satellites and the ground network. */
export function lightningAt(radar: RadarFrames): (at: PointAt) => Promise<LightningAtPoint> {
  return async (at) => {
    const [density, probability, flashes] = await Promise.all([
      sampleNewest(radar, DENSITY, at),
      sampleNewest(radar, PROBABILITY, at),
      radar.flashes(at.domain),
    ])
    const warnings: MetaWarning[] = []
    const freshness: SourceFreshness[] = []
    for (const sample of [density, probability]) if (sample) freshness.push(freshnessOf(sample))
    const nearby = flashes && countFlashes(flashes, at, warnings)
    if (flashes && nearby !== undefined) {
      const { end } = flashes.head
      freshness.push({ source: FLASHES, product_id: FLASHES, referenceTime: end, latestValid: end })
    }
    const outdatedFields = [
      ...(radar.newestTime(DENSITY, at.domain) !== undefined && !density ? ['lightning_density'] : []),
      ...(radar.newestTime(PROBABILITY, at.domain) !== undefined && !probability ? ['lightning_prob'] : []),
    ]
    if (outdatedFields.length > 0) {
      const detail = 'the newest lightning grid is older than 15 minutes'
      warnings.push({ code: 'stale_source', section: 'current', product_id: DENSITY, detail, fields: outdatedFields })
    }
    return {
      flashes: nearby?.count,
      nearestKm: nearby?.nearestKm,
      window:
        nearby && flashes
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

/**
 * The number of flashes within 30 km, and the distance of the nearest flash, km. Reasons for a missing or incomplete count are added to
 * `warnings`. @returns undefined if no satellite with a current window covers the point
 */
export function countFlashes(
  flashes: Flashes,
  at: Pick<PointAt, 'lat' | 'lon' | 'now'>,
  warnings: MetaWarning[],
): { count: number; nearestKm?: number } | undefined {
  const { end, satellites, minutes } = flashes.head
  const covering = satellites.filter(({ subpoint }) => mapperSees(subpoint, at.lat, at.lon))
  const about = { section: 'current', product_id: FLASHES, fields: ['lightning_flashes'] } as const
  if (covering.length === 0) {
    warnings.push({ ...about, code: 'no_coverage', detail: 'no lightning mapper sees this place' })
    return undefined
  }
  if (at.now - end > WINDOW_MAX_AGE_MS) {
    const age = Math.round((at.now - end) / MINUTE)
    warnings.push({ ...about, code: 'stale_source', detail: `the newest flashes are ${age} minutes old` })
    return undefined
  }
  const coverage = Math.max(
    ...covering.map(({ granules }) => granules.filter((t) => t > end - (minutes + 0.5) * MINUTE).length),
  )
  const newest = Math.max(...covering.flatMap(({ granules }) => granules))
  if (!(newest > end - WINDOW_MAX_AGE_MS)) {
    warnings.push({ ...about, code: 'source_missing', detail: 'the satellite that sees this place sends no data' })
    return undefined
  }
  if (coverage < MIN_WINDOW_FILES) {
    const detail = `counted from ${coverage} of ${WINDOW_FILES} files: flashes may be missing`
    warnings.push({ ...about, code: 'degraded', detail })
  }
  let count = 0
  let nearestKm: number | undefined
  for (const [i, lat] of flashes.lat.entries()) {
    const lon = flashes.lon[i]
    if (lon === undefined || Math.abs(lat - at.lat) > MAX_LATITUDE_DISTANCE) continue
    const km = kilometresBetween(at.lat, at.lon, lat, lon)
    if (km <= COUNT_RADIUS_KM) count++
    if (nearestKm === undefined || km < nearestKm) nearestKm = km
  }
  return { count, nearestKm }
}
