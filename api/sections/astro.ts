import { type SunMoon, sunMoon } from '../../ingest/domain/sun-moon.ts'
import { instantOrNull } from '../present/text.ts'
import { round } from '../present/units.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

export const astro: Section = {
  name: 'astro',
  build(context: SectionContext): SectionResult {
    const today = context.zone.dayOf(context.now)
    return {
      json: astroText(context, today),
      maxAgeSeconds: 3600,
      expiresAt: context.zone.startOfDay(today + 1),
    }
  },
}

/** Astro of one local date, from its midnight to the next. @param day days since 1970-01-01 of the local calendar */
export function astroText(context: Pick<SectionContext, 'zone' | 'sky'>, day: number): string {
  const { zone, sky } = context
  return text(sunMoon(sky, zone.startOfDay(day), zone.startOfDay(day + 1)))
}

function text(of: SunMoon): string {
  return (
    `{"civil_dawn":${instantOrNull(of.civilDawn)},"sunrise":${instantOrNull(of.sunrise)}` +
    `,"solar_noon":${instantOrNull(of.solarNoon)},"sunset":${instantOrNull(of.sunset)}` +
    `,"civil_dusk":${instantOrNull(of.civilDusk)},"moonrise":${instantOrNull(of.moonrise)}` +
    `,"moonset":${instantOrNull(of.moonset)},"day_length":${of.dayLength},"daylight_length":${of.daylightLength}` +
    `,"moon_phase":${round(of.moonPhase, 3)},"moon_phase_name":"${of.moonPhaseName}"` +
    `,"moon_illumination":${round(of.moonIllumination, 3)},"polar":${of.polar ? `"${of.polar}"` : 'null'}}`
  )
}
