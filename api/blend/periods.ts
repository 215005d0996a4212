import type { PointSeries, Series } from '../../ingest/tile/read.ts'

/** NBM at a cell: variables of 12 and 24 hours that have no hour of their own. */
export class Periods {
  /** Newest first. */
  readonly runs: readonly PointSeries[]
  /** Found once an answer: its half days ask for each variable some twenty times, and a run makes a new view each time. */
  readonly #series = new Map<string, readonly Series[]>()

  constructor(runs: readonly PointSeries[]) {
    this.runs = runs
  }

  /** A variable in each run that has it, newest run first. */
  of(variable: string): readonly Series[] {
    let found = this.#series.get(variable)
    if (!found) {
      found = this.runs.map(({ variables }) => variables.get(variable)).filter((series) => series !== undefined)
      this.#series.set(variable, found)
    }
    return found
  }
}
