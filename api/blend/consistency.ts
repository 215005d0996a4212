import { relativeHumidity } from '../../ingest/domain/weather/derive.ts'
import { feelsLike } from '../../ingest/domain/weather/feels-like.ts'
import {
  FREEZING_RAIN,
  NONE,
  RAIN,
  SNOW,
  TYPE_AMOUNT,
  TYPE_PROBABILITY,
  typeAtSurface,
  UNKNOWN,
  WINTRY_MIX,
} from '../../ingest/domain/weather/precip-type.ts'
import type { Column } from './fields.ts'
import { likeliestType, moveToType } from './type-probabilities.ts'
import { alignLayers, changeSky } from './wet-sky.ts'

/**
 * Smaller amounts become 0: they would be published as 0 in one system of units and as some amount in the other, mm.
 */
export const TRACE = 0.0127

/** Amount (mm) of an hour whose chance words name although no source gives an amount: the least that both systems show. */
export const LEAST_AMOUNT = 0.013
/** Least amount (mm) that rounds to a published amount, and the least probability (percent) of an hour that has it. */
export const SHOWN_AMOUNT = 0.127
export const SHOWN_PROBABILITY = 5
/** Greatest amount of an hour divided by its chance, mm: an amount from the nowcast must not deny the chance beside it. */
const MAX_CONDITIONAL_AMOUNT = 75
/** Depth of new snow of an hour, mm, that its type names. */
const NAMED_SNOW = 25.4
/** Clouds (percent) of an hour in which precipitation is likely, and the probability (percent) from which it is. */
const LEAST_CLOUDS = 60
const CLOUDY_PROBABILITY = 55

/**
 * Ratio of the depth of new snow to the depth of its liquid, if no source gives the snow: 8 at 0 °C, more in colder
 * air up to 18, down to 5 in melting snow. It is near the mean of measurements, 13 at -7 °C, from which single storms
 * differ by half.
 * @param temperature K
 */
export function snowRatio(temperature: number): number {
  return Number.isNaN(temperature) ? 10 : Math.min(18, Math.max(5, 8 - 0.7 * (temperature - 273.15)))
}

/**
 * Scales snow and ice of an hour whose liquid was changed by the same share; an hour of rain or without precipitation
 * has neither.
 * @param before liquid of the hour before the change, mm
 */
export function scaleFrozen(
  { precip_amount, snow_amount, ice_amount, temperature }: Readonly<Record<Column, Float64Array>>,
  h: number,
  before: number,
  type: number,
): void {
  const amount = precip_amount[h]!
  const share = before > 0 ? amount / before : 0
  if (amount === 0 || type === RAIN) {
    if (snow_amount[h]! > 0) snow_amount[h] = 0
    if (ice_amount[h]! > 0) ice_amount[h] = 0
    return
  }
  if (ice_amount[h]! > 0) ice_amount[h] = ice_amount[h]! * share
  if (snow_amount[h]! > 0 && share > 0) snow_amount[h] = snow_amount[h]! * share
  else if (type === SNOW) snow_amount[h] = amount * snowRatio(temperature[h]!)
  else if (type === WINTRY_MIX) snow_amount[h] = (amount / 2) * snowRatio(temperature[h]!)
}

/**
 * Makes chance, amount, thunder and clouds of an hour agree: a chance that words name has an amount, a noticeable amount
 * has a chance, thunder is at most as likely as precipitation, and likely precipitation has clouds, whose total agrees
 * with its layers.
 * @param dryThunder probability of thunder (percent) that may exceed the chance of precipitation
 */
export function alignHour(columns: Readonly<Record<Column, Float64Array>>, h: number, dryThunder = 0): void {
  const { precip_amount, precip_probability, thunderstorm_probability } = columns
  if (precip_probability[h]! >= TYPE_PROBABILITY && precip_amount[h] === 0) precip_amount[h] = LEAST_AMOUNT
  if (precip_amount[h]! >= SHOWN_AMOUNT && precip_probability[h]! < SHOWN_PROBABILITY) {
    precip_probability[h] = SHOWN_PROBABILITY
  }
  thunderstorm_probability[h] = cappedThunder(thunderstorm_probability[h]!, precip_probability[h]!, dryThunder)
  alignClouds(columns, h)
}

/** Makes the clouds of an hour agree with its chance and with each other. */
export function alignClouds(columns: Readonly<Record<Column, Float64Array>>, h: number): void {
  const { precip_probability, cloud_cover } = columns
  if (precip_probability[h]! >= CLOUDY_PROBABILITY && cloud_cover[h]! < LEAST_CLOUDS) cloud_cover[h] = LEAST_CLOUDS
  changeSky(columns, h, alignLayers)
}

/** Greatest probability of thunder (percent) that may exceed the chance of precipitation: a slight chance. */
export const MAX_DRY_THUNDER = 24

/**
 * Returns a probability of thunder that exceeds the chance of precipitation beside it by no more than a slight chance.
 * @param dryThunder probability (percent) that may exceed the chance
 */
export function cappedThunder(thunder: number, chance: number, dryThunder = MAX_DRY_THUNDER): number {
  return thunder > chance ? Math.max(chance, Math.min(thunder, dryThunder)) : thunder
}

/** Raises the chance of an hour to the least with which its amount is possible. */
export function raiseChance(
  { precip_amount, precip_probability }: Readonly<Record<Column, Float64Array>>,
  h: number,
): void {
  const least = Math.min(100, Math.ceil((100 * precip_amount[h]!) / MAX_CONDITIONAL_AMOUNT))
  if (precip_probability[h]! > 0 && precip_probability[h]! < least) precip_probability[h] = least
}

/** Temperature (K) from which snow that no probability names has melted. */
const MELTED_FROM = 278.15
/** Greatest probability (percent) of snow that leaves the named type of an hour as it is. */
const MAX_MINOR_SNOW = 29

/**
 * Makes snow of an hour and the probability of snow agree if that is 0: in mild air there is no snow, else the
 * likeliest type gives snow the share of the liquid that falls as snow.
 */
export function alignSnow(columns: Readonly<Record<Column, Float64Array>>, h: number): void {
  const { snow_amount, precip_amount, temperature, precip_type_snow_prob: snow } = columns
  const { precip_type_rain_prob: rain, precip_type_freezing_rain_prob: freezing } = columns
  if (!(snow_amount[h]! > 0) || !(snow[h]! < 0.5)) return
  if (temperature[h]! > MELTED_FROM) {
    snow_amount[h] = 0
    return
  }
  const others = [rain, freezing, columns.precip_type_ice_pellets_prob]
  const likeliest = others.reduce((a, b) => ((b[h] || 0) > (a[h] || 0) ? b : a))
  const share = (100 * snow_amount[h]!) / snowRatio(temperature[h]!) / precip_amount[h]!
  snow[h] = Math.max(1, Math.min(MAX_MINOR_SNOW, Math.round(share)))
  if (likeliest[h]! > 0) likeliest[h] = likeliest[h]! - snow[h]!
}

/**
 * Makes the columns agree with each other: the dew point is at most the temperature, humidity follows from both, the
 * gust is at least the wind speed, chance, amount, thunder and clouds of an hour agree (`alignHour`), an hour without
 * precipitation has no snow or ice, an hour has a type only if something may fall, and the probabilities of types name
 * that type.
 * @param typeByFlags the type of an hour by a model's flags
 */
export function makeConsistent(
  columns: Readonly<Record<Column, Float64Array>>,
  precipType: Uint8Array,
  count: number,
  typeByFlags: (h: number) => number,
): void {
  const { temperature, dew_point, humidity, wind_speed, wind_gust, feels_like } = columns
  const { precip_probability, precip_amount, snow_amount, ice_amount } = columns
  for (let h = 0; h < count; h++) {
    const t = temperature[h]!
    if (dew_point[h]! > t) dew_point[h] = t
    const dew = dew_point[h]!
    humidity[h] = Number.isNaN(dew) ? Number.NaN : relativeHumidity(t, dew)
    if (wind_gust[h]! < wind_speed[h]!) wind_gust[h] = wind_speed[h]!
    feels_like[h] = feelsLike(t, humidity[h]!, wind_speed[h]!)

    let amount = precip_amount[h]!
    if (amount < TRACE || (precip_probability[h] === 0 && amount > 0)) precip_amount[h] = 0
    raiseChance(columns, h)
    alignHour(columns, h)
    amount = precip_amount[h]!
    const probability = precip_probability[h]!
    if (amount === 0) {
      if (snow_amount[h]! > 0) snow_amount[h] = 0
      if (ice_amount[h]! > 0) ice_amount[h] = 0
    }
    if (!(probability >= TYPE_PROBABILITY) && !(amount >= TYPE_AMOUNT)) {
      precipType[h] = NONE
      alignSnow(columns, h)
      continue
    }
    const named = likeliestType(columns, h)
    let type = named
    if (type === UNKNOWN) type = typeByFlags(h)
    const surface = typeAtSurface(type, t, humidity[h]!)
    // Of rain in freezing air the amounts of snow and ice decide what it is.
    type =
      surface === FREEZING_RAIN && type !== surface && snow_amount[h]! > 0 && !(ice_amount[h]! > 0) ? SNOW : surface
    if (type !== SNOW && snow_amount[h]! >= NAMED_SNOW) type = WINTRY_MIX
    if (type !== named) moveToType(columns, h, type, 1)
    precipType[h] = type
    alignSnow(columns, h)
  }
}
