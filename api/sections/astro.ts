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

/** The member `astro` of one local date, from its midnight to the next. @param day days since 1970-01-01 of the local calendar */
export function writeAstro(page: Page, context: SectionContext, day: number): void {
  const { zone, sky } = context
  const known = context.once(knownDays)
  let found = known.get(day)
  if (!found) known.set(day, (found = sunMoon(sky, zone.startOfDay(day), zone.startOfDay(day + 1))))
  page.put(templateOf(page.memory, units.si).from(found))
}

/** Today is in the sections `astro` and `daily`. */
const knownDays = (_: SectionContext) => new Map<number, SunMoon>()

const at = (name: string, of: (sky: SunMoon) => number | undefined) =>
  bound(name, instant, (sky: SunMoon) => of(sky) ?? Number.NaN)
const polar = [undefined, 'midnight_sun', 'polar_night'] as const

/** Nothing in it has a unit. */
const templateOf = perUnits((memory, units) =>
  boundTemplate<SunMoon>(
    memory,
    [
      {
        name: 'astro',
        members: [
          at('civil_dawn', ({ civilDawn }) => civilDawn),
          at('sunrise', ({ sunrise }) => sunrise),
          at('solar_noon', ({ solarNoon }) => solarNoon),
          at('sunset', ({ sunset }) => sunset),
          at('civil_dusk', ({ civilDusk }) => civilDusk),
          at('moonrise', ({ moonrise }) => moonrise),
          at('moonset', ({ moonset }) => moonset),
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
