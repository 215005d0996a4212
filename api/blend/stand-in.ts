import type { CellVariables, PointSeries } from '../../ingest/tile/read.ts'

/** An earlier run that may fill future hours. */
export interface StandIn extends PointSeries {
  readonly standsIn: true
}

/**
 * The values of an earlier run at the times that a newer run of the same dataset lacks, because of a missing hour or a
 * missing variable. At all other times it has none, so that a value that the newer run omits on purpose (no ceiling) is
 * not taken from the earlier run.
 */
export function standIn(earlier: PointSeries, newer: PointSeries): StandIn {
  const get: CellVariables['get'] = (name) => {
    const series = earlier.variables.get(name)
    if (!series) return undefined
    const newerTimes = new Set(newer.variables.get(name)?.times)
    const values = series.values.map((value, index) => {
      const time = series.times[index] ?? newer.run
      return time <= newer.run || newerTimes.has(time) ? Number.NaN : value
    })
    return { ...series, values }
  }
  return { ...earlier, variables: { get, keys: () => earlier.variables.keys() }, standsIn: true }
}
