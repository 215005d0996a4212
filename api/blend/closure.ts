import { relativeHumidity } from '../../ingest/domain/weather/derive.ts'
import { feelsLike } from '../../ingest/domain/weather/feels-like.ts'
import {
  NONE,
  RAIN,
  SNOW,
  TYPE_AMOUNT,
  TYPE_PROBABILITY,
  typeAtSurface,
  typeOfFlags,
  UNKNOWN,
  WINTRY_MIX,
} from '../../ingest/domain/weather/precip-type.ts'
import type { Column } from './fields.ts'
import { likeliestType, moveToType } from './type-probabilities.ts'

/** Amounts below half a thousandth of an inch would be published as none in one system and as some in the other, mm. */
export const TRACE = 0.0127

/**
 * Depth of new snow for a depth of liquid where no source gives one: 8 at 0 °C, more in colder air, 5 in melting snow to 18. Near the mean
 * of what is measured, 13 at -7 °C, to which single storms differ by half.
 * @param temperature K
 */
export function snowRatio(temperature: number): number {
  return Number.isNaN(temperature) ? 10 : Math.min(18, Math.max(5, 8 - 0.7 * (temperature - 273.15)))
}

/** Snow and ice of an hour whose liquid was changed follow it: the same share of it, none where it rains or is dry. */
export function closeFrozen(
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
 * Makes the columns agree with each other: Td ≤ T, humidity from both, gust ≥ speed, no amount without a
 * probability, no snow or ice in an hour without precipitation, a type only where there is something to type, and the
 * probabilities of types name that type.
 * @param bound 1 where a probability is that of a longer interval: only an hour with an amount has a type then
 * @param flags rain, snow, freezing rain and ice pellets by a model's flags; called at most once
 */
export function close(
  columns: Readonly<Record<Column, Float64Array>>,
  precipType: Uint8Array,
  count: number,
  bound: Uint8Array,
  flags: () => Float64Array[],
): void {
  const { temperature, dew_point, humidity, wind_speed, wind_gust, feels_like } = columns
  const { precip_probability, precip_amount, snow_amount, ice_amount } = columns
  let flagged: Float64Array[] | undefined
  for (let h = 0; h < count; h++) {
    const t = temperature[h]
    if (dew_point[h] > t) dew_point[h] = t
    const dew = dew_point[h]
    humidity[h] = Number.isNaN(dew) ? Number.NaN : relativeHumidity(t, dew)
    if (wind_gust[h] < wind_speed[h]) wind_gust[h] = wind_speed[h]
    feels_like[h] = feelsLike(t, humidity[h], wind_speed[h])

    let amount = precip_amount[h]
    const probability = precip_probability[h]
    if (amount < TRACE || (probability === 0 && amount > 0)) amount = precip_amount[h] = 0
    if (amount === 0) {
      if (snow_amount[h] > 0) snow_amount[h] = 0
      if (ice_amount[h] > 0) ice_amount[h] = 0
    }
    const likely = probability >= TYPE_PROBABILITY && !(bound[h] && !(amount > 0))
    if (!likely && !(amount >= TYPE_AMOUNT)) {
      precipType[h] = NONE
      continue
    }
    const named = likeliestType(columns, h)
    let type = named
    if (type === UNKNOWN) {
      flagged ??= flags()
      type = typeOfFlags(flagged[0][h], flagged[1][h], flagged[2][h], flagged[3][h])
    }
    type = typeAtSurface(type, t, humidity[h])
    if (type !== named) moveToType(columns, h, type, 1)
    precipType[h] = type
  }
}
