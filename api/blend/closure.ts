import { relativeHumidity } from '../../ingest/domain/derive.ts'
import { feelsLike } from '../../ingest/domain/feels-like.ts'
import {
  NONE,
  TYPE_AMOUNT,
  TYPE_PROBABILITY,
  typeOfAir,
  typeOfFlags,
  typeOfProbabilities,
  UNKNOWN,
} from '../../ingest/domain/precip-type.ts'
import type { Column } from './columns.ts'

/** Amounts below half a thousandth of an inch would be published as none in one system and as some in the other, mm. */
const TRACE = 0.0127

/**
 * Makes the columns agree with each other: Td ≤ T, humidity from both, gust ≥ speed, no amount without a
 * probability, no snow or ice in an hour without precipitation, a type only where there is something to type.
 * @returns whether a probability was put where a source gives amounts alone
 * @param flags rain, snow, freezing rain and ice pellets by a model's flags; asked for at most once
 */
export function close(
  columns: Readonly<Record<Column, Float64Array>>,
  precipType: Uint8Array,
  count: number,
  flags: () => Float64Array[],
): boolean {
  let estimated = false
  const c = columns
  let flagged: Float64Array[] | undefined
  for (let h = 0; h < count; h++) {
    const t = c.temperature[h]!
    if (c.dew_point[h]! > t) c.dew_point[h] = t
    const dew = c.dew_point[h]!
    c.humidity[h] = Number.isNaN(dew) ? Number.NaN : relativeHumidity(t, dew)
    if (c.wind_gust[h]! < c.wind_speed[h]!) c.wind_gust[h] = c.wind_speed[h]!
    // What is compared with thresholds is compared as it is published.
    c.thunderstorm_probability[h] = Math.round(c.thunderstorm_probability[h]!)
    c.cape[h] = Math.round(c.cape[h]!)
    c.cloud_cover[h] = Math.round(c.cloud_cover[h]!)
    c.wind_direction[h] = Math.round(c.wind_direction[h]!) % 360
    c.feels_like[h] = feelsLike(t, c.humidity[h]!, c.wind_speed[h]!)

    if (closePrecipitation(c, h)) estimated = true
    const probability = c.precip_probability[h]!
    const amount = c.precip_amount[h]!
    if (!(probability >= TYPE_PROBABILITY) && !(amount >= TYPE_AMOUNT)) {
      precipType[h] = NONE
      continue
    }
    let type = typeOfProbabilities(
      c.precip_type_rain_prob[h]!,
      c.precip_type_snow_prob[h]!,
      c.precip_type_freezing_rain_prob[h]!,
      c.precip_type_ice_pellets_prob[h]!,
    )
    if (type === UNKNOWN) {
      flagged ??= flags()
      type = typeOfFlags(flagged[0]![h]!, flagged[1]![h]!, flagged[2]![h]!, flagged[3]![h]!)
    }
    precipType[h] = type === UNKNOWN ? typeOfAir(t, c.humidity[h]!) : type
  }
  return estimated
}

/** @returns whether the probability was estimated from the amount */
function closePrecipitation(c: Readonly<Record<Column, Float64Array>>, h: number): boolean {
  const given = Math.round(c.precip_probability[h]!)
  let amount = c.precip_amount[h]!
  if (amount < TRACE || (given === 0 && amount > 0)) amount = c.precip_amount[h] = 0
  if (amount === 0) {
    if (c.snow_amount[h]! > 0) c.snow_amount[h] = 0
    if (c.ice_amount[h]! > 0) c.ice_amount[h] = 0
  }
  // A source that gives amounts alone: what it expects is as likely as not, and less where it is next to nothing.
  const estimated = Number.isNaN(given) && amount > 0
  c.precip_probability[h] = estimated ? (amount >= TYPE_AMOUNT ? 50 : 15) : given
  return estimated
}
