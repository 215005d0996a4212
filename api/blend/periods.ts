import type { PointSeries, Series } from '../../ingest/tile/read.ts'

/** Variables of NBM and REFS at a cell that have intervals of 12 and 24 hours. */
export class Periods {
  /** Runs of NBM, then of REFS if it was read, each newest first. */
  readonly runs: readonly PointSeries[]
  /**
   * Series by variable, looked up once for each answer, because its half days read each variable some twenty times and
   * a run creates a new view each time.
   */
  readonly #series = new Map<string, readonly Series[]>()

  constructor(runs: readonly PointSeries[]) {
    this.runs = runs
  }

  /** The series of a variable in each run that has it, newest run first. */
  seriesOf(variable: string): readonly Series[] {
    let series = this.#series.get(variable)
    if (!series) {
      series = this.runs.map(({ variables }) => variables.get(variable)).filter((values) => values !== undefined)
      this.#series.set(variable, series)
    }
    return series
  }
}
