import type { PointSeries } from '../../ingest/tile/read.ts'
import { putValues, timesPlace } from './kernels.ts'

/** A variable of a run at the cell, in the kernels' memory; good until the next is asked for. */
export interface Strip {
  readonly times: number
  readonly values: number
  readonly length: number
}

const codes = ['', 'nbm', 'hrrr', 'hrrr-long', 'gfs', 'rtma-ru', 'rtma', 'urma']

/** What one run gives to an answer. Its values are put down at once where they are held at once, else one by one. */
export class Supply {
  /** By which it is noted whose value an hour has. */
  readonly code: number
  readonly #variables: PointSeries['variables']
  #values = 0

  constructor({ dataset, variables }: PointSeries) {
    this.code = Math.max(0, codes.indexOf(dataset))
    this.#variables = variables
  }

  strip(variable: string): Strip | undefined {
    const { held } = this.#variables
    if (!held) {
      const series = this.#variables.get(variable)
      if (!series) return undefined
      return { times: timesPlace(series.times), values: putValues(series.values), length: series.times.length }
    }
    const row = held.rows.get(variable)
    if (!row) return undefined
    this.#values ||= putValues(held.values)
    return { times: timesPlace(row.times), values: this.#values + row.from * 4, length: row.times.length }
  }
}

/** Runs by dataset, newest first. */
export type Supplies = ReadonlyMap<string, readonly Supply[]>

export function suppliesOf(sources: ReadonlyMap<string, readonly PointSeries[]>): Supplies {
  const supplies = new Map<string, Supply[]>()
  for (const [dataset, runs] of sources) {
    const given: Supply[] = []
    for (const run of runs) given.push(new Supply(run))
    supplies.set(dataset, given)
  }
  return supplies
}

/** What a code stands for. */
export const datasetOf = (code: number) => codes[code]
