import { isFault } from '../../ingest/domain/fault.ts'
import { dateText } from '../../ingest/domain/time.ts'
import type { ClimateAtPoint, MetaWarning, SourceFreshness } from '../contract.ts'
import { climateNormals, normalRow } from '../present/climate.ts'
import { round, type Units } from '../present/units.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

export const noNormals: MetaWarning = {
  code: 'no_coverage',
  section: 'climate',
  product_id: 'normals',
  detail: 'No station with normals of temperature is within 150 km.',
}

const notStored: MetaWarning = {
  code: 'not_held',
  section: 'climate',
  detail: 'This installation has no data for "climate".',
}

export const normalsFreshness: SourceFreshness = { source: 'normals', product_id: 'normals' }

/** Normals 1991–2020 of the nearest station: `days` rows, beginning with today's local date. */
export const climate: Section = {
  name: 'climate',
  async build(context: SectionContext): Promise<SectionResult> {
    const climateAtPoint = await context.source('climate')
    if (!climateAtPoint) return { warnings: [notStored], maxAgeSeconds: 3600 }
    const { query, zone, now } = context
    const today = zone.dayOf(now)
    const shared = { freshness: [normalsFreshness], maxAgeSeconds: 3600, expiresAt: zone.startOfDay(today + 1) }
    if (!climateAtPoint.nearest) return { ...shared, warnings: [noNormals] }
    return {
      ...shared,
      value: climateNormals(climateAtPoint.nearest, today, query.days, query.units),
      sources: ['normals'],
    }
  },
}

/**
 * The normals for `daily`; undefined if they were not requested or could not be read. The climate section reports a
 * failure.
 */
export async function dailyNormals(context: SectionContext): Promise<ClimateAtPoint['nearest']> {
  if (!context.query.include.has('climate')) return undefined
  try {
    return (await context.source('climate'))?.nearest
  } catch (error) {
    if (isFault(error)) return undefined
    throw error
  }
}

/**
 * Writes the member `climate` of a row of `daily`. Departures are computed from the published numbers.
 * @param high K
 * @param low K
 */
export function dailyClimate(nearest: ClimateAtPoint['nearest'], day: number, high: number, low: number, units: Units) {
  if (!nearest) return null
  const { normal_high, normal_low } = normalRow(nearest.normals, dateText(day), units.system)
  const departure = (value: number | null, normal: number | null) =>
    value === null || normal === null ? null : round(value - normal, 1)
  return {
    normal_high,
    normal_low,
    high_departure: departure(units.show('temperature', high), normal_high),
    low_departure: departure(units.show('temperature', low), normal_low),
  }
}
