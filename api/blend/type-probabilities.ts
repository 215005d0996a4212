import {
  FREEZING_RAIN,
  ICE_PELLETS,
  NONE,
  RAIN,
  SNOW,
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

/** Columns of them. */
export const typeProbabilities: readonly string[] = kinds.map(([column]) => column)

type Columns = Readonly<Record<Column, Float64Array>>

/** The type that the probabilities of an hour name; UNKNOWN where they name none. */
export function likeliestType(columns: Columns, h: number): number {
  return typeOfProbabilities(
    columns.precip_type_rain_prob[h]!,
    columns.precip_type_snow_prob[h]!,
    columns.precip_type_freezing_rain_prob[h]!,
    columns.precip_type_ice_pellets_prob[h]!,
  )
}

/**
 * Probabilities (percent) of the types of an hour whose type something else has decided, the air at the surface or a radar: moved
 * to that type by `weight` (0 to 1), and wholly where they would name another one still. An hour without any stays without.
 */
export function moveToType(columns: Columns, h: number, type: number, weight: number): void {
  if (type === NONE || type === UNKNOWN) return
  if (kinds.every(([column]) => Number.isNaN(columns[column][h]!))) return
  for (const [column, kind] of kinds) {
    const model = columns[column][h]! || 0
    columns[column][h] = Math.round(weight * shareOf(kind, type) + (1 - weight) * model)
  }
  if (likeliestType(columns, h) === type) return
  for (const [column, kind] of kinds) columns[column][h] = shareOf(kind, type)
}

/** Percent; a mix is rain and snow in equal parts. */
function shareOf(kind: number, type: number): number {
  if (type === WINTRY_MIX) return kind === RAIN || kind === SNOW ? 50 : 0
  return kind === type ? 100 : 0
}
