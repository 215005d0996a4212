import type { PointSeries, TileRow } from '../../ingest/tile/read.ts'
import type { BetweenTimes } from './field-table.ts'
import type { FieldOrder } from './fields.ts'
import { type RunTimes, runTimes } from './row-filler.ts'

/**
 * An entry in the order of sources of a field, as numbers instead of names, because an answer reads a hundred entries.
 */
export interface Source {
  readonly names: { readonly dataset: string; readonly variable: string }
  /** Number of the dataset. */
  readonly dataset: number
  /** Number of the variable among the variables of the dataset. */
  readonly variable: number
  readonly windowHours: number
}

/** The sources of a field in order of preference. */
export interface FieldSources<Field extends string> {
  readonly field: Field
  readonly between: BetweenTimes
  readonly from: readonly Source[]
  readonly analyses: readonly Source[]
  readonly canBeNone?: true | undefined
}

interface NumberedDataset {
  readonly number: number
  readonly dataset: string
  /** The variables that are read from the dataset; the index of a variable is its number. */
  readonly variables: string[]
}

/** All datasets that fields are read from. The table is filled while modules load. */
const numberedDatasets: NumberedDataset[] = []

function numbered(dataset: string): NumberedDataset {
  const existing = numberedDatasets.find((entry) => entry.dataset === dataset)
  if (existing) return existing
  const entry = { number: numberedDatasets.length, dataset, variables: [] }
  numberedDatasets.push(entry)
  return entry
}

export function numberOf(dataset: string): number {
  return numbered(dataset).number
}

export function sourceOf(dataset: string, variable: string, windowHours = 1): Source {
  const { number, variables } = numbered(dataset)
  const index = variables.indexOf(variable)
  return {
    names: { dataset, variable },
    dataset: number,
    variable: index < 0 ? variables.push(variable) - 1 : index,
    windowHours,
  }
}

export function fieldSourcesOf<Field extends string>(
  { between, from, analyses = [], canBeNone }: FieldOrder,
  field: Field,
): FieldSources<Field> {
  const sources = (list: FieldOrder['from']) =>
    list.map(({ dataset, variable, windowHours }) => sourceOf(dataset, variable, windowHours))
  return { field, between, from: sources(from), analyses: sources(analyses), canBeNone }
}

/** Position of a variable's values, which start at index `from`, one for each time. */
export interface VariableLayout {
  readonly times: RunTimes
  readonly from: number
  /** Values of this variable alone; if absent, `from` is an index into the values of the run. */
  readonly own?: Float32Array
}

/** Indexed by the number of the variable; undefined if the run does not have the variable. */
export type VariableLayouts = readonly (VariableLayout | undefined)[]

/** The values of one run at one cell. */
export interface RunValues {
  /** Number of the dataset, recorded for each hour that the run fills. */
  readonly number: number
  readonly values: Float32Array
  readonly layouts: VariableLayouts
  /**
   * Whether the run has only values that a newer run of the dataset lacks. Such a run may fill future hours; other
   * earlier runs fill only passed hours.
   */
  readonly standsIn?: true
}

/** Runs by number of the dataset, newest first. */
export type RunsByDataset = readonly (readonly RunValues[] | undefined)[]

/**
 * The layouts of runs, which are the same for all cells. They are computed when a run is first read and dropped with
 * the run.
 */
export class RunLayouts {
  readonly #times = new WeakMap<Float64Array, RunTimes>()
  readonly #layouts = new WeakMap<object, VariableLayouts>()

  /** The values of an answer, by number of the dataset. */
  runsOf(sources: ReadonlyMap<string, readonly PointSeries[]>): RunsByDataset {
    return numberedDatasets.map((entry) => sources.get(entry.dataset)?.map((run) => this.#valuesOf(run, entry)))
  }

  #valuesOf(series: PointSeries, { number, variables: names }: NumberedDataset): RunValues {
    const { variables } = series
    const { packed } = variables
    if (packed) {
      let layouts = this.#layouts.get(packed.rows)
      if (!layouts) this.#layouts.set(packed.rows, (layouts = this.#layoutsOf(packed.rows, names)))
      return { number, values: packed.values, layouts }
    }
    const layouts = names.map((name) => {
      const values = variables.get(name)
      return values && { times: this.#timesOf(values.times), from: 0, own: values.values }
    })
    return { number, values: noValues, layouts, ...('standsIn' in series && { standsIn: true }) }
  }

  #layoutsOf(rows: ReadonlyMap<string, TileRow>, names: readonly string[]): VariableLayouts {
    return names.map((name) => {
      const row = rows.get(name)
      return row && { times: this.#timesOf(row.times), from: row.from }
    })
  }

  #timesOf(times: Float64Array): RunTimes {
    let known = this.#times.get(times)
    if (!known) this.#times.set(times, (known = runTimes(times)))
    return known
  }
}

const noValues = new Float32Array()
