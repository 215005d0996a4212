import type { CellVariables, PointSeries } from '../../ingest/tile/read.ts'

/** An earlier run that may fill hours to come. */
export interface StandIn extends PointSeries {
  readonly standsIn: true
}

/**
 * What an earlier run has at the times that are missing in a newer run of the same dataset: a lost hour, a lost variable. Everywhere else it is
 * undefined, so that a value that the newer run leaves out on purpose (no ceiling) is not taken from the earlier one.
 */
export function standIn(earlier: PointSeries, newer: PointSeries): StandIn {
  const get: CellVariables['get'] = (name) => {
    const series = earlier.variables.get(name)
    if (!series) return undefined
    const known = new Set(newer.variables.get(name)?.times)
    const values = series.values.map((value, index) => {
      const time = series.times[index]!
      return time <= newer.run || known.has(time) ? Number.NaN : value
    })
    return { ...series, values }
  }
  return { ...earlier, variables: { get, keys: () => earlier.variables.keys() }, standsIn: true }
}
