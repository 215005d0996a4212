/** The air near the ground: K, and the categories of a model. */
export interface SurfaceAir {
  readonly temperature?: number
  readonly wetBulb?: number
  readonly rain?: boolean
  readonly snow?: boolean
  readonly freezingRain?: boolean
  readonly icePellets?: boolean
}

export type FallenType = 'rain' | 'snow' | 'freezing_rain' | 'wintry_mix' | 'unknown'

/** MRMS surface precipitation types. None is freezing rain or sleet: the air decides these. */
const SNOW_FLAG = 3
/** Stratiform rain, warm and cool, may be melting snow. Convective rain, hail and tropical rain may not. */
const STRATIFORM: ReadonlySet<number> = new Set([1, 10])
const RAIN_FLAGS: ReadonlySet<number> = new Set([1, 6, 7, 10, 91, 96])

const FREEZING = 273.15
/** Freezing rain needs air of at most 0.5 °C; in warmer air rain does not freeze on the ground. */
const FREEZING_RAIN_MAX = FREEZING + 0.5
/** The radar's flag is overruled only by air that is further than this beyond freezing. */
const OVERRULE_BEYOND = 5
/** Below this wet bulb snow reaches the ground partly unmelted. */
const MELTED = FREEZING + 1.3

/** Rain by the radar's flag: its type when it reaches the ground. */
function rainAtGround(flag: number, air: SurfaceAir): FallenType {
  const { temperature, wetBulb = temperature } = air
  const mixed = air.icePellets || (air.rain && air.snow)
  if (temperature === undefined) return air.freezingRain ? 'freezing_rain' : mixed ? 'wintry_mix' : 'rain'
  if (temperature < FREEZING - OVERRULE_BEYOND) return 'snow'
  if (temperature > FREEZING + OVERRULE_BEYOND) return 'rain'
  // Ground below freezing: rain freezes on it, also where the model has rain and snow; sleet bounces.
  if (temperature <= FREEZING) return air.icePellets && !air.freezingRain ? 'wintry_mix' : 'freezing_rain'
  if (air.freezingRain && temperature <= FREEZING_RAIN_MAX) return 'freezing_rain'
  return mixed || (STRATIFORM.has(flag) && wetBulb! < MELTED) ? 'wintry_mix' : 'rain'
}

/** Without a radar flag: the model's categories, with freezing rain only where the air is cold enough for it. */
function typeByModel({ temperature, rain, snow, freezingRain, icePellets }: SurfaceAir): FallenType {
  const warm = temperature !== undefined && temperature > FREEZING + OVERRULE_BEYOND
  if (warm && (rain || snow || freezingRain || icePellets)) return 'rain'
  if (freezingRain && (temperature === undefined || temperature <= FREEZING_RAIN_MAX)) return 'freezing_rain'
  if (icePellets || (rain && snow)) return 'wintry_mix'
  if (snow) return 'snow'
  return rain || freezingRain ? 'rain' : 'unknown'
}

/** The precipitation type, from the radar's flag (MRMS PrecipFlag, undefined without one) and the air at the surface. */
export function fallenType(flag: number | undefined, air: SurfaceAir): FallenType {
  if (flag === SNOW_FLAG) {
    if (air.temperature !== undefined && air.temperature > FREEZING + OVERRULE_BEYOND) return 'rain'
    return air.icePellets || (air.rain && air.snow) ? 'wintry_mix' : 'snow'
  }
  return flag !== undefined && RAIN_FLAGS.has(flag) ? rainAtGround(flag, air) : typeByModel(air)
}
