/**
 * How a radar or lightning product encodes missing values:
 * - `amount`: below 0 (-1, -3, -999) is unknown; 0 is no precipitation
 * - `echo`: -999 is no coverage, -99 covered without echo; weak echoes have negative dBZ
 * - `share`: below 0 is unknown; 0 is a value like any other
 */
export type ValueKind = 'amount' | 'echo' | 'share'

export type Coverage = 'no_coverage' | 'dry' | 'value'

export function stateOf(kind: ValueKind, value: number): Coverage {
  if (kind === 'echo') return value <= -900 ? 'no_coverage' : value <= -90 ? 'dry' : 'value'
  if (!(value >= 0)) return 'no_coverage'
  return kind === 'amount' && value === 0 ? 'dry' : 'value'
}

/** Rate below which an answer reports no precipitation, mm/h. */
export const WET_RATE = 0.1

/** Returns the dBZ of a rain rate in mm/h; below, the inverse. Both use Z = 200 R^1.6 (Marshall and Palmer 1948). */
export const reflectivityOf = (rate: number): number => 10 * Math.log10(200 * rate ** 1.6)
export const rateOf = (dbz: number): number => (10 ** (dbz / 10) / 200) ** (1 / 1.6)

/**
 * Returns the weight of an echo in the motion search: dB above the reflectivity of drizzle, with a maximum so that hail does not dominate.
 */
export function strengthOf(dbz: number): number {
  return Math.min(50, Math.max(0, dbz - 5))
}
