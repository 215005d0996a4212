import { wetBulb } from './derive.ts'

/** Values of `precip_type`; a code is the index in this list. */
export const precipTypes = ['none', 'rain', 'snow', 'freezing_rain', 'ice_pellets', 'wintry_mix', 'unknown'] as const
export type PrecipWord = (typeof precipTypes)[number]

export const NONE = 0
export const RAIN = 1
export const SNOW = 2
export const FREEZING_RAIN = 3
export const ICE_PELLETS = 4
export const WINTRY_MIX = 5
export const UNKNOWN = 6

/**
 * Minimum probability (percent) or amount (mm) of precipitation to have a type. The amount is the least that is published as
 * 0.010 inches, so that no row shows a measurable amount without naming it.
 */
export const TYPE_PROBABILITY = 15
export const TYPE_AMOUNT = 0.2413

/** Minimum share (percent) of each of two types that make a mix. */
const MIX_SHARE = 30

/**
 * Returns the type with the largest of four probabilities (percent, NaN unknown), the more hazardous of equal types, or `wintry_mix` if rain
 * and snow, or snow and an icy type, share it.
 */
export function typeOfProbabilities(rain: number, snow: number, freezing: number, pellets: number): number {
  const r = rain || 0
  const s = snow || 0
  const f = freezing || 0
  const p = pellets || 0
  const sum = r + s + f + p
  if (sum < 1) return UNKNOWN
  const share = (MIX_SHARE / 100) * sum
  if (s >= share && (r >= share || f + p >= share)) return WINTRY_MIX
  const most = Math.max(r, s, f, p)
  if (f === most) return FREEZING_RAIN
  if (p === most) return ICE_PELLETS
  return s === most ? SNOW : RAIN
}

/** Returns the type from a model's categorical flags (0 or 1, NaN unknown), which may be set together. */
export function typeOfFlags(rain: number, snow: number, freezing: number, pellets: number): number {
  if (freezing >= 0.5) return FREEZING_RAIN
  if (pellets >= 0.5) return snow >= 0.5 || rain >= 0.5 ? WINTRY_MIX : ICE_PELLETS
  if (snow >= 0.5) return rain >= 0.5 ? WINTRY_MIX : SNOW
  return rain >= 0.5 ? RAIN : UNKNOWN
}

/** Returns the type from the air alone: snow at a wet-bulb temperature of 0.5 °C or less, mixed up to 1.5 °C. */
export function typeOfAir(temperature: number, humidity: number): number {
  if (Number.isNaN(temperature)) return UNKNOWN
  const bulb = (Number.isNaN(humidity) ? temperature : wetBulb(temperature, humidity)) - 273.15
  if (bulb <= 0.5) return SNOW
  return bulb <= 1.5 ? WINTRY_MIX : RAIN
}

/** Highest air temperature of freezing rain, K (0.5 °C). */
const FREEZING_RAIN_MAX = 273.65
/** Distance of the air temperature from freezing beyond which a reported type is not plausible, K. */
const OVERRULE_BEYOND = 5
const ZERO_C = 273.15

/**
 * Checks a type from radar or model against the surface air (K, percent): rain freezes in air at or below 0 °C, and becomes snow in colder
 * air. The type is unchanged if the air is unknown (NaN).
 */
export function typeAtSurface(type: number, temperature: number, humidity: number): number {
  if (type === NONE || Number.isNaN(temperature)) return type
  if (type === UNKNOWN) return typeOfAir(temperature, humidity)
  if (type === FREEZING_RAIN && temperature > FREEZING_RAIN_MAX) return typeOfAir(temperature, humidity)
  if (type !== RAIN) return temperature > ZERO_C + OVERRULE_BEYOND ? RAIN : type
  if (temperature > ZERO_C) return RAIN
  return temperature < ZERO_C - OVERRULE_BEYOND ? SNOW : FREEZING_RAIN
}
