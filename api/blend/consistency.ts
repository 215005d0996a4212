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
 * Smaller amounts become 0, because they would be published as 0 in one system of units and as a nonzero amount in the
 * other, mm.
 */
export const TRACE = 0.0127

/**
 * Amount (mm) of an hour whose words mention precipitation although no source has an amount: the smallest amount that
 * both systems of units show.
 */
export const LEAST_AMOUNT = 0.013
/**
 * Smallest amount (mm) that is published as nonzero, and the smallest probability (percent) of an hour with such an
 * amount.
 */
export const SHOWN_AMOUNT = 0.127
export const SHOWN_PROBABILITY = 5
/**
 * Greatest plausible amount of an hour divided by its chance, mm. The chance is raised so that an amount from the
 * nowcast does not contradict it.
 */
const MAX_CONDITIONAL_AMOUNT = 75
/** Depth of new snow from which an hour counts as an hour with snow, mm. */
const NAMED_SNOW = 25.4
/**
 * Clouds (percent) of an hour in which precipitation is likely, and the probability (percent) from which it is likely.
 */
const LEAST_CLOUDS = 60
const CLOUDY_PROBABILITY = 55

/**
 * Ratio of the depth of new snow to the depth of its liquid, used if no source has the snow: 8 at 0 °C, up to 18 in
 * colder air, and down to 5 in melting snow. It is close to the mean of measurements (13 at -7 °C), from which single
 * storms differ by half.
 * @param temperature K
 */
export function snowRatio(temperature: number): number {
  return Number.isNaN(temperature) ? 10 : Math.min(18, Math.max(5, 8 - 0.7 * (temperature - 273.15)))
}

/**
 * Scales the snow and ice of an hour by the same factor as its liquid. An hour of rain or without precipitation has
 * neither.
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
 * Makes chance, amount, thunder and clouds of an hour consistent: a chance that words mention has an amount, a
 * noticeable amount has a chance, thunder is at most as likely as precipitation, and likely precipitation has clouds,
 * whose total is consistent with its layers.
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

/** Makes the clouds of an hour consistent with its chance and with each other. */
export function alignClouds(columns: Readonly<Record<Column, Float64Array>>, h: number): void {
  const { precip_probability, cloud_cover } = columns
  if (precip_probability[h]! >= CLOUDY_PROBABILITY && cloud_cover[h]! < LEAST_CLOUDS) cloud_cover[h] = LEAST_CLOUDS
  changeSky(columns, h, alignLayers)
}

/** Greatest probability of thunder (percent) that may exceed the chance of precipitation: a slight chance. */
export const MAX_DRY_THUNDER = 24

/**
 * Limits a probability of thunder so that it exceeds the chance of precipitation by at most a slight chance.
 * @param dryThunder probability (percent) that may exceed the chance
 */
export function cappedThunder(thunder: number, chance: number, dryThunder = MAX_DRY_THUNDER): number {
  return thunder > chance ? Math.max(chance, Math.min(thunder, dryThunder)) : thunder
}

/** Raises the chance of an hour to the smallest chance with which its amount is plausible. */
export function raiseChance(
  { precip_amount, precip_probability }: Readonly<Record<Column, Float64Array>>,
  h: number,
): void {
  const least = Math.min(100, Math.ceil((100 * precip_amount[h]!) / MAX_CONDITIONAL_AMOUNT))
  if (precip_probability[h]! > 0 && precip_probability[h]! < least) precip_probability[h] = least
}

/** Temperature (K) above which snow has melted if its probability is 0. */
const MELTED_FROM = 278.15
/** Greatest probability (percent) of snow that does not change the type of an hour. */
const MAX_MINOR_SNOW = 29

/**
 * Resolves an hour that has snow although its probability of snow is 0. In mild air the snow is removed. Otherwise
 * probability is moved from the most likely type to snow, according to the share of the liquid that falls as snow.
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
 * Makes the columns consistent with each other. The dew point is at most the temperature, humidity follows from both,
 * and the gust is at least the wind speed. Chance, amount, thunder and clouds of an hour agree (`alignHour`). An hour
 * without precipitation has no snow or ice, an hour has a type only if something may fall, and the probabilities of
 * types indicate that type.
 * @param typeByFlags returns the type of an hour by a model's flags
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
    // For rain in freezing air, the amounts of snow and ice determine the type.
    type =
      surface === FREEZING_RAIN && type !== surface && snow_amount[h]! > 0 && !(ice_amount[h]! > 0) ? SNOW : surface
    if (type !== SNOW && snow_amount[h]! >= NAMED_SNOW) type = WINTRY_MIX
    if (type !== named) moveToType(columns, h, type, 1)
    precipType[h] = type
    alignSnow(columns, h)
  }
}
