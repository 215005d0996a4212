import { z } from 'zod'
import { isoSeconds } from '../../ingest/domain/time.ts'
import { ceilingFt } from '../../ingest/domain/weather/observation.ts'
import { ageMinutes } from '../present/observation.ts'
import { doc, measured, part } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { round } from '../present/units.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

/** METARs are read every minute. */
const MAX_AGE_SECONDS = 60

export const metarSchema = z
  .strictObject({
    station_id: member.station_id,
    distance_km: member.distance_km,
    observed_at: member.observed_at,
    age_min: measured(z.number(), 'minutes', 11, 'Age of the report'),
    ceiling_ft: member.ceiling_ft.nullish(),
    layers: z
      .array(
        z.strictObject({
          cover: member.cover,
          base_ft: member.base_ft.nullish(),
          convective: doc(z.string().optional(), 'Convective cloud: CB or TCU', 'CB'),
        }),
      )
      .optional()
      .describe('Layers of clouds, the lowest first'),
    weather: member.weather.optional(),
  })
  .meta({ id: 'Metar' })

/** The newest report of the station that represents the point. */
export const metar: Section = {
  name: 'metar',
  schema: part(metarSchema, 'Newest report of the nearest station'),
  async build(context: SectionContext): Promise<SectionResult> {
    const observations = await context.source('observations')
    if (!observations) {
      const detail = 'This installation has no METAR source.'
      return { maxAgeSeconds: 300, warnings: [{ code: 'not_held', section: 'metar', detail }] }
    }
    const { nearest, warnings, freshness, degraded, nextChange } = observations
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
