import { fields, instant } from '../domain/dataset/field.ts'
import type { Want } from '../domain/dataset/want.ts'
import { directionBy, optional, required } from './wants.ts'

/** The messages of RTMA and URMA, which use the same encoding. Both give winds as speed and as direction from true north. */
export const analysed: readonly Want[] = [
  required('temperature', instant(fields.temperature)),
  required('dew_point', instant(fields.dewPoint)),
  required('wind_speed', instant(fields.wind)),
  directionBy(instant(fields.windDirection), instant(fields.wind)),
  optional('wind_gust', instant(fields.gust10m)),
  optional('visibility', instant(fields.visibility)),
  optional('cloud_cover', instant(fields.cloudTotal)),
  // 20,000 m is the top of the scale. Like NBM's 88,888 m, it means that there is no ceiling.
  optional('cloud_ceiling', instant(fields.ceiling), { missing: [20000, 88888] }),
  optional('surface_pressure', instant(fields.surfacePressure)),
  optional('terrain_height', instant(fields.terrain)),
]
