import { relativeHumidity } from '../../ingest/domain/weather/derive.ts'
import { feelsLike } from '../../ingest/domain/weather/feels-like.ts'
import {
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

/**
 * Smaller amounts become 0: they would be published as 0 in one system of units and as some amount in the other, mm.
 */
export const TRACE = 0.0127

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
 * Makes the columns agree with each other: the dew point is at most the temperature, humidity follows from both, the
 * gust is at least the wind speed, an amount needs a probability, an hour without precipitation has no snow or ice, an
 * hour has a type only if something may fall, and the probabilities of types name that type.
 * @param bound 1 where a probability is that of a longer interval: such an hour has a type only if it has an amount
 * @param typeByFlags the type of an hour by a model's flags
 */
export function makeConsistent(
  columns: Readonly<Record<Column, Float64Array>>,
  precipType: Uint8Array,
  count: number,
  bound: Uint8Array,
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
    const probability = precip_probability[h]!
    if (amount < TRACE || (probability === 0 && amount > 0)) amount = precip_amount[h] = 0
    if (amount === 0) {
      if (snow_amount[h]! > 0) snow_amount[h] = 0
      if (ice_amount[h]! > 0) ice_amount[h] = 0
    }
    const likely = probability >= TYPE_PROBABILITY && !(bound[h] && !(amount > 0))
    if (!likely && !(amount >= TYPE_AMOUNT)) {
      precipType[h] = NONE
      continue
    }
    const named = likeliestType(columns, h)
    let type = named
    if (type === UNKNOWN) type = typeByFlags(h)
    type = typeAtSurface(type, t, humidity[h]!)
    if (type !== named) moveToType(columns, h, type, 1)
    precipType[h] = type
  }
}
