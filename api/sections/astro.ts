import { moonPhaseNames, type SunMoon, sunMoon } from '../../ingest/domain/sun-moon.ts'
import type { Page } from '../present/page.ts'
import { bind, boundTemplate, choice, instant, number, perUnits } from '../present/template.ts'
import { units } from '../present/units.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

type Place = Pick<SectionContext, 'zone' | 'sky'>

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

/** Astro of one local date, from its midnight to the next. @param day days since 1970-01-01 of the local calendar */
export function writeAstro(page: Page, { zone, sky }: Place, day: number): void {
  page.put(templateOf(page.memory, units.si).from(sunMoon(sky, zone.startOfDay(day), zone.startOfDay(day + 1))))
}

const at = (of: (sky: SunMoon) => number | undefined) => bind(instant, (sky: SunMoon) => of(sky) ?? Number.NaN)
const polar = [undefined, 'midnight_sun', 'polar_night'] as const

/** Nothing in it has a unit. */
const templateOf = perUnits((memory, units) =>
  boundTemplate<SunMoon>(
    memory,
    [
      '{"civil_dawn":',
      at(({ civilDawn }) => civilDawn),
      ',"sunrise":',
      at(({ sunrise }) => sunrise),
      ',"solar_noon":',
      at(({ solarNoon }) => solarNoon),
      ',"sunset":',
      at(({ sunset }) => sunset),
      ',"civil_dusk":',
      at(({ civilDusk }) => civilDusk),
      ',"moonrise":',
      at(({ moonrise }) => moonrise),
      ',"moonset":',
      at(({ moonset }) => moonset),
      ',"day_length":',
      bind(number('whole'), ({ dayLength }) => dayLength),
      ',"daylight_length":',
      bind(number('whole'), ({ daylightLength }) => daylightLength),
      ',"moon_phase":',
      bind(number('thousandth'), ({ moonPhase }) => moonPhase),
      ',"moon_phase_name":"',
      bind(choice(moonPhaseNames), ({ moonPhaseName }) => moonPhaseNames.indexOf(moonPhaseName)),
      '","moon_illumination":',
      bind(number('thousandth'), ({ moonIllumination }) => moonIllumination),
      ',"polar":',
      bind(choice(polar.map((word) => JSON.stringify(word ?? null))), (sky) => polar.indexOf(sky.polar)),
      '}',
    ],
    units,
  ),
)
