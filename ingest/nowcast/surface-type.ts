/** The air near the ground: temperatures in K, and the precipitation categories of a model. */
export interface SurfaceAir {
  readonly temperature?: number
  readonly wetBulb?: number
  readonly rain?: boolean
  readonly snow?: boolean
  readonly freezingRain?: boolean
  readonly icePellets?: boolean
}

export type FallenType = 'rain' | 'snow' | 'freezing_rain' | 'wintry_mix' | 'unknown'

/**
 * MRMS surface precipitation types. They do not include freezing rain or sleet, which depend on the air near the
 * ground.
 */
const SNOW_FLAG = 3
/** Stratiform rain, warm and cool, may be melting snow. Convective rain, hail and tropical rain cannot be. */
const STRATIFORM: ReadonlySet<number> = new Set([1, 10])
const RAIN_FLAGS: ReadonlySet<number> = new Set([1, 6, 7, 10, 91, 96])

const FREEZING = 273.15
/** Freezing rain needs air of at most 0.5 °C; in warmer air rain does not freeze on the ground. */
const FREEZING_RAIN_MAX = FREEZING + 0.5
/** The air overrules the radar's flag only if its temperature is further than this from freezing. */
const OVERRULE_BEYOND = 5
/** Below this wet-bulb temperature snow reaches the ground partly unmelted. */
const MELTED = FREEZING + 1.3

/** Type at the ground of what the radar flags as rain. */
function rainAtGround(flag: number, air: SurfaceAir): FallenType {
  const { temperature, wetBulb = temperature } = air
  const mixed = air.icePellets || (air.rain && air.snow)
  if (temperature === undefined) return air.freezingRain ? 'freezing_rain' : mixed ? 'wintry_mix' : 'rain'
  if (temperature < FREEZING - OVERRULE_BEYOND) return 'snow'
  if (temperature > FREEZING + OVERRULE_BEYOND) return 'rain'
  // The ground is below freezing: rain freezes on it, even where the model has rain and snow; sleet bounces.
  if (temperature <= FREEZING) return air.icePellets && !air.freezingRain ? 'wintry_mix' : 'freezing_rain'
  if (air.freezingRain && temperature <= FREEZING_RAIN_MAX) return 'freezing_rain'
  return mixed || (STRATIFORM.has(flag) && wetBulb! < MELTED) ? 'wintry_mix' : 'rain'
}

/** Type without a radar flag: the model's categories, with freezing rain only if the air is cold enough for it. */
function typeByModel({ temperature, rain, snow, freezingRain, icePellets }: SurfaceAir): FallenType {
  const warm = temperature !== undefined && temperature > FREEZING + OVERRULE_BEYOND
  if (warm && (rain || snow || freezingRain || icePellets)) return 'rain'
  if (freezingRain && (temperature === undefined || temperature <= FREEZING_RAIN_MAX)) return 'freezing_rain'
  if (icePellets || (rain && snow)) return 'wintry_mix'
  if (snow) return 'snow'
  return rain || freezingRain ? 'rain' : 'unknown'
}

/**
 * Returns the precipitation type from the radar's flag (MRMS PrecipFlag, undefined if there is none) and the air at the
 * surface.
 */
export function fallenType(flag: number | undefined, air: SurfaceAir): FallenType {
  if (flag === SNOW_FLAG) {
    if (air.temperature !== undefined && air.temperature > FREEZING + OVERRULE_BEYOND) return 'rain'
    return air.icePellets || (air.rain && air.snow) ? 'wintry_mix' : 'snow'
  }
  return flag !== undefined && RAIN_FLAGS.has(flag) ? rainAtGround(flag, air) : typeByModel(air)
}
