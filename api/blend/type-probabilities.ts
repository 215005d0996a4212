import { nth } from '../../ingest/domain/nth.ts'
import {
  FREEZING_RAIN,
  ICE_PELLETS,
  NONE,
  RAIN,
  SNOW,
  typeOfAir,
  typeOfProbabilities,
  UNKNOWN,
  WINTRY_MIX,
} from '../../ingest/domain/weather/precip-type.ts'
import type { Column } from './fields.ts'

const kinds = [
  ['precip_type_rain_prob', RAIN],
  ['precip_type_snow_prob', SNOW],
  ['precip_type_freezing_rain_prob', FREEZING_RAIN],
  ['precip_type_ice_pellets_prob', ICE_PELLETS],
] as const satisfies readonly (readonly [Column, number])[]

/** Columns with the probabilities of types. */
export const typeProbabilities: readonly string[] = kinds.map(([column]) => column)

type Columns = Readonly<Record<Column, Float64Array>>

/** The type that the probabilities of an hour indicate; UNKNOWN if they indicate none. */
export function likeliestType(columns: Columns, h: number): number {
  return typeOfProbabilities(
    columns.precip_type_rain_prob[h]!,
    columns.precip_type_snow_prob[h]!,
    columns.precip_type_freezing_rain_prob[h]!,
    columns.precip_type_ice_pellets_prob[h]!,
  )
}

/**
 * Moves the probabilities of the types of an hour (percent) by `weight` (0 to 1) to the type that the air at the
 * surface or a radar has determined. They move completely if they would still indicate another type. If rain freezes at
 * the surface only the probability of rain moves; the probability of snow, which may also fall, is unchanged. An hour
 * without probabilities is unchanged.
 */
export function moveToType(columns: Columns, h: number, type: number, weight: number): void {
  if (type === NONE || type === UNKNOWN) return
  if (kinds.every(([column]) => Number.isNaN(columns[column][h]!))) return
  if (type === FREEZING_RAIN) {
    const { precip_type_rain_prob: rain, precip_type_freezing_rain_prob: freezing } = columns
    freezing[h] = (freezing[h]! || 0) + (rain[h]! || 0)
    rain[h] = 0
    if (likeliestType(columns, h) === type) return
  }
  for (const [column, probabilityType] of kinds) {
    const model = columns[column][h]! || 0
    columns[column][h] = Math.round(weight * shareOf(probabilityType, type) + (1 - weight) * model)
  }
  if (likeliestType(columns, h) === type) return
  for (const [column, probabilityType] of kinds) columns[column][h] = shareOf(probabilityType, type)
}

/** A type and its probability, percent. */
export interface WeightedType {
  readonly type: number
  readonly weight: number
}

/**
 * Blends the probabilities of the types of an hour with the types of the nowcast, each in proportion to its chance. An
 * hour without probabilities is unchanged.
 * @param nowcast types that the nowcast expects, with the chance of each
 * @param model type of the hour by the model, which is used if the model has no probabilities of types
 * @param weight weight of the model, 0 to 1
 * @returns the likeliest type if anything falls; `model` if the nowcast expects nothing
 */
export function blendTypes(
  columns: Columns,
  h: number,
  nowcast: readonly WeightedType[],
  model: number,
  weight: number,
): number {
  if (!nowcast.some((expected) => expected.type !== NONE && expected.weight > 0)) return model
  const chance = weight * (columns.precip_probability[h]! || 0)
  const hasProbabilities = kinds.some(([column]) => columns[column][h]! > 0)
  const sums = kinds.map(([column, kind]) => {
    const share = hasProbabilities ? columns[column][h]! || 0 : model === NONE ? 0 : shareOf(kind, model)
    return (chance * share) / 100
  })
  for (const expected of nowcast) {
    const type = expected.type === UNKNOWN ? typeOfAir(columns.temperature[h]!, columns.humidity[h]!) : expected.type
    for (const [i, [, kind]] of kinds.entries()) sums[i]! += (expected.weight * shareOf(kind, type)) / 100
  }
  const sum = sums.reduce((a, b) => a + b, 0)
  if (hasProbabilities)
    for (const [i, [column]] of kinds.entries()) columns[column][h] = Math.round((100 * nth(sums, i)) / sum)
  const [rain = 0, snow = 0, freezing = 0, pellets = 0] = sums
  return typeOfProbabilities(rain, snow, freezing, pellets)
}

/** Percent; a mix counts as rain and snow in equal parts. */
function shareOf(probabilityType: number, type: number): number {
  if (type === WINTRY_MIX) return probabilityType === RAIN || probabilityType === SNOW ? 50 : 0
  return probabilityType === type ? 100 : 0
}
