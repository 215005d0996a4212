import { MINUTE } from '../../ingest/domain/time.ts'
import { nearestRadar } from '../../ingest/geo/site.ts'
import { instantText, shown } from '../present/text.ts'
import { round } from '../present/units.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

export const radar: Section = {
  name: 'radar',
  async build(context: SectionContext): Promise<SectionResult> {
    const given = await context.radar()
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
    const site = nearestRadar(context.lat, context.lon)
    const json =
      `{"product_id":"${given.reflectivityProduct}","valid_time":${instantText(given.scanTime)}` +
      `,"site":"${site.id}","reflectivity_dbz":${given.reflectivity === undefined ? 'null' : round(given.reflectivity, 1)}` +
      `,"precip_rate":${shown(given.precipRate ?? Number.NaN, context.units.of.precip_amount)}` +
      `,"coverage":"${given.coverage}"}`
    return {
      json,
      warnings: given.warnings.filter(({ fields }) => !fields?.includes('precip_24h')),
      freshness: given.freshness,
      sources: ['NOAA Multi-Radar/Multi-Sensor System (MRMS)'],
      maxAgeSeconds: 60,
      expiresAt: given.scanTime + 15 * MINUTE,
      degraded: given.degraded,
    }
  },
}
