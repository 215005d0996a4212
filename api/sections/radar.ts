import { isFault } from '../../ingest/domain/fault.ts'
import { isoSeconds, MINUTE } from '../../ingest/domain/time.ts'
import { SITE_RANGE_KM, SITE_SCAN_MAX_AGE_MS } from '../../ingest/domain/weather/radar-scan.ts'
import type { MetaWarning, SiteAtPoint } from '../contract.ts'
import { MRMS_ATTRIBUTION } from '../present/meta.ts'
import { round } from '../present/units.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

export const radar: Section = {
  name: 'radar',
  async build(context: SectionContext): Promise<SectionResult> {
    const radarAtPoint = await context.source('radar')
    if (!radarAtPoint) {
      return {
        maxAgeSeconds: 300,
        warnings: [{ code: 'not_held', section: 'radar', detail: 'This installation has no radar data.' }],
      }
    }
    if (radarAtPoint.scanTime === undefined) {
      const detail = 'The newest radar scan is older than 15 minutes.'
      return { maxAgeSeconds: 30, degraded: true, warnings: [{ code: 'stale_source', section: 'radar', detail }] }
    }
    const site = await context.source('radarSite').catch((error: unknown) => {
      if (!isFault(error)) throw error
      return undefined
    })
    return {
      value: {
        product_id: radarAtPoint.reflectivityProduct,
        valid_time: isoSeconds(radarAtPoint.scanTime),
        site: site ? siteValue(site, context) : null,
        reflectivity_dbz: radarAtPoint.reflectivity === undefined ? null : round(radarAtPoint.reflectivity, 1),
        precip_rate: context.units.show('precip_amount', radarAtPoint.precipRate),
        coverage: radarAtPoint.coverage,
      },
      warnings: [
        ...radarAtPoint.warnings.filter(
          ({ code, fields }) => code !== 'no_coverage' && !fields?.includes('precip_24h'),
        ),
        ...silentSite(site),
      ],
      freshness: radarAtPoint.freshness,
      sources: [MRMS_ATTRIBUTION],
      maxAgeSeconds: 60,
      expiresAt: radarAtPoint.scanTime + 15 * MINUTE,
      degraded: radarAtPoint.degraded,
    }
  },
}

/**
 * Returns the warning that a radar reaches the point but has no recent scan. Without it, `no_coverage` would suggest
 * that no radar reaches the point.
 */
function silentSite(site: SiteAtPoint | undefined): MetaWarning[] {
  if (!site || site.validTime !== undefined || site.site.distance_km > SITE_RANGE_KM) return []
  const detail = `${site.site.name} (${site.site.id}), the nearest radar, has no scan of the last ${SITE_SCAN_MAX_AGE_MS / MINUTE} minutes.`
  return [{ code: 'stale_source', section: 'radar', product_id: 'nexrad-l3', detail, fields: ['site'] }]
}

function siteValue({ site, validTime, elevation, ...observed }: SiteAtPoint, { units }: SectionContext) {
  const { id, name, lat, lon, distance_km } = site
  return {
    ...{ id, name, lat, lon, distance_km },
    valid_time: validTime === undefined ? null : isoSeconds(validTime),
    elevation_angle: elevation ?? null,
    coverage: observed.coverage,
    reflectivity_dbz: observed.reflectivity === undefined ? null : round(observed.reflectivity, 1),
    radial_velocity: units.show('wind_speed', observed.velocity),
    storm_relative_velocity: units.show('wind_speed', observed.stormRelativeVelocity),
    hydrometeor: observed.hydrometeor ?? null,
  }
}
