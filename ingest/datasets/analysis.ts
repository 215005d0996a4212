import { fields, instant } from '../domain/field.ts'
import type { Want } from '../domain/want.ts'
import { directionBy, like, need } from './wants.ts'

/** What RTMA and URMA analyse, in the same coding. Winds are given as speed and direction from true north too. */
export const analysed: readonly Want[] = [
  need('temperature', instant(fields.temperature)),
  need('dew_point', instant(fields.dewPoint)),
  need('wind_speed', instant(fields.wind)),
  directionBy(instant(fields.windDirection), instant(fields.wind)),
  like('wind_gust', instant(fields.gust10m)),
  like('visibility', instant(fields.visibility)),
  like('cloud_cover', instant(fields.cloudTotal)),
  // 20,000 m is the top of the scale and, like NBM's 88,888, means that there is no ceiling.
  like('cloud_ceiling', instant(fields.ceiling), { missing: [20000, 88888] }),
  like('surface_pressure', instant(fields.surfacePressure)),
  like('terrain_height', instant(fields.terrain)),
]
