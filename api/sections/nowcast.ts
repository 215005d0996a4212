import { isFault } from '../../ingest/domain/fault.ts'
import { isoSeconds, MINUTE } from '../../ingest/domain/time.ts'
import { STRETCH } from '../../ingest/nowcast/advection.ts'
import { intensityOf } from '../../ingest/nowcast/summary.ts'
import type { NowcastAtPoint } from '../contract.ts'
import { MRMS_ATTRIBUTION } from '../present/meta.ts'
import { round } from '../present/units.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

/** Scans arrive every two minutes. */
const MAX_AGE_SECONDS = 60
/** Greatest age of the scan. With an older scan the section is absent. */
const ANCHOR_MAX_AGE_MS = 15 * MINUTE

export const nowcast: Section = {
  name: 'nowcast',
  async build(context: SectionContext): Promise<SectionResult> {
    try {
      const nowcastAtPoint = await context.nowcast()
      if (!nowcastAtPoint) {
        return {
          maxAgeSeconds: 300,
          warnings: [{ code: 'not_held', section: 'nowcast', detail: 'This installation has no radar data.' }],
        }
      }
      return {
        value: nowcastOf(nowcastAtPoint, context),
        warnings: nowcastAtPoint.warnings,
        freshness: nowcastAtPoint.freshness,
        sources: [MRMS_ATTRIBUTION],
        maxAgeSeconds: MAX_AGE_SECONDS,
        expiresAt: nowcastAtPoint.anchor + ANCHOR_MAX_AGE_MS,
      }
    } catch (error) {
      if (!isFault(error, 'Missing')) throw error
      const isStale = error.details['stale'] === true
      const product_id = typeof error.details['product'] === 'string' ? error.details['product'] : undefined
      const code = isStale ? 'stale_source' : 'source_missing'
      return {
        maxAgeSeconds: 30,
        degraded: true,
        warnings: [{ code, section: 'nowcast', product_id, detail: error.message }],
      }
    }
  },
}

/** The Nowcast object of the answer. */
function nowcastOf({ anchor, summary, points }: NowcastAtPoint, { units }: SectionContext) {
  return {
    interval_seconds: STRETCH * 60,
    generated_at: isoSeconds(anchor),
    summary: {
      starts_at: summary.startsAt === undefined ? null : isoSeconds(summary.startsAt),
      ends_at: summary.endsAt === undefined ? null : isoSeconds(summary.endsAt),
      duration_minutes: summary.durationMinutes ?? null,
      type: summary.type,
      peak_intensity: summary.peakIntensity,
      already_occurring: summary.alreadyOccurring,
    },
    points: points.map(({ time, type, rate, dbz, probability }) => ({
      time: isoSeconds(time),
      type,
      intensity_dbz: round(dbz, 1),
      intensity: intensityOf(rate ?? 0, type),
      precip_rate: units.show('precip_amount', rate),
      precip_probability: units.show('percent', probability),
    })),
  }
}
