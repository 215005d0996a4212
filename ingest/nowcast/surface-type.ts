/** What is known of the air where precipitation lands. Kelvin; flags as the model's categories. */
export interface SurfaceAir {
  readonly temperature?: number
  readonly wetBulb?: number
  readonly rain?: boolean
  readonly snow?: boolean
  readonly freezingRain?: boolean
  readonly icePellets?: boolean
}

export type FallenType = 'rain' | 'snow' | 'freezing_rain' | 'wintry_mix' | 'unknown'

/** MRMS surface precipitation types. There is none for freezing rain or sleet: those need the air. */
const SNOW_FLAG = 3
/** Stratiform rain, warm and cool: what may still be melting. Convective rain, hail and tropical rain are not. */
const STRATIFORM = new Set([1, 10])
const RAIN_FLAGS = new Set([1, 6, 7, 10, 91, 96])

const FREEZING = 273.15
/** Snow survives the way down to a wet bulb a little above freezing. */
const MELTED = FREEZING + 1.3
/** Warmer than this at the wet bulb nothing frozen but hail arrives. */
const SURELY_RAIN = FREEZING + 3

/**
 * The type of what falls, from the radar's own flag and the air at the surface. The flag says rain or snow; a wet bulb at or below
 * freezing, or the model's freezing rain, makes rain freeze; the model's sleet, its rain and snow together, or a wet bulb just above
 * freezing under stratiform precipitation make it a mix. Without a flag the model's categories decide, without those nothing does.
 */
export function fallenType(flag: number | undefined, air: SurfaceAir): FallenType {
  const wet = air.wetBulb ?? air.temperature
  if (flag === SNOW_FLAG) {
    if (wet !== undefined && wet >= SURELY_RAIN) return 'rain'
    return air.icePellets || (air.rain && air.snow) ? 'wintry_mix' : 'snow'
  }
  if (flag !== undefined && RAIN_FLAGS.has(flag)) {
    if (wet !== undefined && wet >= SURELY_RAIN) return 'rain'
    const frozenGround = wet !== undefined && wet <= FREEZING
    if (air.icePellets || (air.rain && air.snow)) return 'wintry_mix'
    if (frozenGround || (air.freezingRain && !(air.temperature !== undefined && air.temperature > FREEZING + 1))) {
      return 'freezing_rain'
    }
    return STRATIFORM.has(flag) && wet !== undefined && wet < MELTED ? 'wintry_mix' : 'rain'
  }
  if (air.icePellets || (air.rain && air.snow)) return 'wintry_mix'
  if (air.freezingRain) return 'freezing_rain'
  if (air.snow) return 'snow'
  return air.rain ? 'rain' : 'unknown'
}
