import { isFault } from '../../ingest/domain/fault.ts'
import { isoSeconds, MINUTE } from '../../ingest/domain/time.ts'
import { SITE_RANGE_KM, SITE_SCAN_MAX_AGE_MS } from '../../ingest/domain/weather/radar-scan.ts'
import type { MetaWarning, SiteAtPoint } from '../contract.ts'
import { round } from '../present/units.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

export const radar: Section = {
  name: 'radar',
  async build(context: SectionContext): Promise<SectionResult> {
    const given = await context.source('radar')
    if (!given) {
      return {
        maxAgeSeconds: 300,
        warnings: [{ code: 'not_held', section: 'radar', detail: 'this installation has no radar data' }],
      }
    }
    if (given.scanTime === undefined) {
      const detail = 'the newest radar scan is older than 15 minutes'
      return { maxAgeSeconds: 30, degraded: true, warnings: [{ code: 'stale_source', section: 'radar', detail }] }
    }
    const site = await context.source('radarSite').catch((error: unknown) => {
      if (!isFault(error)) throw error
      return undefined
    })
    return {
      value: {
        product_id: given.reflectivityProduct,
        valid_time: isoSeconds(given.scanTime),
        site: site ? siteValue(site, context) : null,
        reflectivity_dbz: given.reflectivity === undefined ? null : round(given.reflectivity, 1),
        precip_rate: context.units.show('precip_amount', given.precipRate),
        coverage: given.coverage,
      },
      warnings: [
        ...given.warnings.filter(({ code, fields }) => code !== 'no_coverage' && !fields?.includes('precip_24h')),
        ...silence(site),
      ],
      freshness: given.freshness,
      sources: ['NOAA Multi-Radar/Multi-Sensor System (MRMS)'],
      maxAgeSeconds: 60,
      expiresAt: given.scanTime + 15 * MINUTE,
      degraded: given.degraded,
    }
  },
}

/** A radar that reaches the point without a recent scan: `no_coverage` alone would read as if none reached it. */
function silence(site: SiteAtPoint | undefined): MetaWarning[] {
  if (!site || site.validTime !== undefined || site.site.distance_km > SITE_RANGE_KM) return []
  const detail = `${site.site.name} (${site.site.id}), the nearest radar, has no scan of the last ${SITE_SCAN_MAX_AGE_MS / MINUTE} minutes`
  return [{ code: 'stale_source', section: 'radar', product_id: 'nexrad-l3', detail, fields: ['site'] }]
}

function siteValue({ site, validTime, elevation, ...seen }: SiteAtPoint, { units }: SectionContext) {
  const { id, name, lat, lon, distance_km } = site
  return {
    ...{ id, name, lat, lon, distance_km },
    valid_time: validTime === undefined ? null : isoSeconds(validTime),
    elevation_angle: elevation ?? null,
    coverage: seen.coverage,
    reflectivity_dbz: seen.reflectivity === undefined ? null : round(seen.reflectivity, 1),
    radial_velocity: units.show('wind_speed', seen.velocity),
    storm_relative_velocity: units.show('wind_speed', seen.stormRelativeVelocity),
    hydrometeor: seen.hydrometeor ?? null,
  }
}
