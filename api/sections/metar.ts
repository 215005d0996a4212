import { z } from 'zod'
import { ceilingFt } from '../../ingest/domain/observation.ts'
import { isoSeconds } from '../../ingest/domain/time.ts'
import { ageMinutes } from '../present/observation.ts'
import { round } from '../present/units.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

/** The cache of METARs is read every minute. */
const MAX_AGE_SECONDS = 60

export const metarSchema = z
  .strictObject({
    station_id: z.string(),
    distance_km: z.number(),
    observed_at: z.iso.datetime(),
    age_min: z.number(),
    ceiling_ft: z.int().nullable().optional(),
    layers: z
      .array(
        z.strictObject({
          cover: z.string(),
          base_ft: z.int().nullable().optional(),
          convective: z.string().optional(),
        }),
      )
      .optional(),
    weather: z.array(z.string()).optional(),
  })
  .meta({ id: 'Metar' })

/** The newest report of the station that represents the point. */
export const metar: Section = {
  name: 'metar',
  schema: metarSchema,
  async build(context: SectionContext): Promise<SectionResult> {
    const found = await context.source('observations')
    if (!found) {
      const detail = 'this installation has no METAR source'
      return { maxAgeSeconds: 300, warnings: [{ code: 'not_held', section: 'metar', detail }] }
    }
    const { nearest, warnings, freshness, degraded, nextChange } = found
    if (!nearest) return { maxAgeSeconds: MAX_AGE_SECONDS, warnings, freshness, degraded }
    const { report, km } = nearest
    const ceiling = ceilingFt(report.layers)
    return {
      value: {
        station_id: report.station,
        distance_km: round(km ?? 0, 1),
        observed_at: isoSeconds(report.observedAt),
        age_min: ageMinutes(report, context.now),
        ...(ceiling === undefined ? {} : { ceiling_ft: ceiling }),
        ...(report.layers ? { layers: report.layers } : {}),
        weather: report.weather,
      },
      warnings,
      freshness,
      degraded,
      sources: ['metar'],
      maxAgeSeconds: MAX_AGE_SECONDS,
      expiresAt: nextChange,
    }
  },
}
