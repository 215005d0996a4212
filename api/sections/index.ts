import { alerts } from './alerts.ts'
import { astro } from './astro.ts'
import { climate } from './climate.ts'
import { current } from './current.ts'
import { daily } from './daily.ts'
import { discussions, guidance } from './guidance.ts'
import { hourly } from './hourly.ts'
import { metar } from './metar.ts'
import { narrations } from './narrations.ts'
import { nowcast } from './nowcast.ts'
import { outlooks } from './outlooks.ts'
import { provenance } from './provenance.ts'
import { radar } from './radar.ts'
import type { Section } from './section.ts'

/** The sections of the answer in their order. A token of `include` that is not the name of a section adds a warning. */
export const sections: readonly Section[] = [
  current,
  hourly,
  daily,
  alerts,
  outlooks,
  astro,
  narrations,
  guidance,
  discussions,
  nowcast,
  radar,
  metar,
  climate,
  provenance,
]
