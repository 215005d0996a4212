import { moonPhaseNames, type SunMoon, sunMoon } from '../../ingest/domain/sky/sun-moon.ts'
import { bound, boundTemplate, choice, instant, number } from '../present/members.ts'
import type { Page } from '../present/page.ts'
import { perUnits } from '../present/template.ts'
import { units } from '../present/units.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

export const astro: Section = {
  name: 'astro',
  build(context: SectionContext): SectionResult {
    const today = context.zone.dayOf(context.now)
    return {
      write: (page) => writeAstro(page, context, today),
      maxAgeSeconds: 3600,
      expiresAt: context.zone.startOfDay(today + 1),
    }
  },
}

/**
 * Writes the member `astro` of one local date, from midnight to midnight.
 * @param day days since 1970-01-01 of the local calendar
 */
export function writeAstro(page: Page, context: SectionContext, day: number): void {
  const { zone, sky } = context
  const days = context.once(sunMoonByDay)
  let sunMoonOfDay = days.get(day)
  if (!sunMoonOfDay) days.set(day, (sunMoonOfDay = sunMoon(sky, zone.startOfDay(day), zone.startOfDay(day + 1))))
  page.put(templateOf(page.memory, units.si).from(sunMoonOfDay))
}

/** The sections `astro` and `daily` share this computation, because both show today. */
const sunMoonByDay = (_: SectionContext) => new Map<number, SunMoon>()

const instantMember = (name: string, instantOf: (sky: SunMoon) => number | undefined) =>
  bound(name, instant, (sky: SunMoon) => instantOf(sky) ?? Number.NaN)
const polar = [undefined, 'midnight_sun', 'polar_night'] as const

/** No member of the section has a unit. */
const templateOf = perUnits((memory, units) =>
  boundTemplate<SunMoon>(
    memory,
    [
      {
        name: 'astro',
        members: [
          instantMember('civil_dawn', ({ civilDawn }) => civilDawn),
          instantMember('sunrise', ({ sunrise }) => sunrise),
          instantMember('solar_noon', ({ solarNoon }) => solarNoon),
          instantMember('sunset', ({ sunset }) => sunset),
          instantMember('civil_dusk', ({ civilDusk }) => civilDusk),
          instantMember('moonrise', ({ moonrise }) => moonrise),
          instantMember('moonset', ({ moonset }) => moonset),
          bound('day_length', number('whole'), ({ dayLength }) => dayLength),
          bound('daylight_length', number('whole'), ({ daylightLength }) => daylightLength),
          bound('moon_phase', number('thousandth'), ({ moonPhase }) => moonPhase),
          bound('moon_phase_name', choice(moonPhaseNames), ({ moonPhaseName }) =>
            moonPhaseNames.indexOf(moonPhaseName),
          ),
          bound('moon_illumination', number('thousandth'), ({ moonIllumination }) => moonIllumination),
          bound('polar', choice(polar.map((word) => word ?? null)), (sky) => polar.indexOf(sky.polar)),
        ],
      },
    ],
    units,
  ),
)
