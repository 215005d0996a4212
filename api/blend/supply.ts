import type { PointSeries, TileRow } from '../../ingest/tile/read.ts'
import type { BetweenTimes } from './field-table.ts'
import type { FieldOrder } from './fields.ts'
import { type RunTimes, runTimes } from './row-filler.ts'

/** An entry of a field's order of sources, by numbers instead of names: an answer reads a hundred of them. */
export interface Source {
  /** Number of the dataset. */
  readonly dataset: number
  /** Number of the variable among those of the dataset. */
  readonly strip: number
  readonly windowHours: number
}

/** The sources of a field in order of preference. */
export interface Recipe<Field extends string> {
  readonly field: Field
  readonly between: BetweenTimes
  readonly from: readonly Source[]
  readonly analyses: readonly Source[]
}

/** Datasets by number, and the variables that are read of each. Filled while modules load. */
const asked: { readonly dataset: string; readonly variables: string[] }[] = []

export function numberOf(dataset: string): number {
  const number = asked.findIndex((one) => one.dataset === dataset)
  return number < 0 ? asked.push({ dataset, variables: [] }) - 1 : number
}

/** Names of a source. */
export function nameOf(dataset: number, strip: number): { dataset: string; variable: string } {
  const { dataset: name, variables } = asked[dataset]
  return { dataset: name, variable: variables[strip] }
}

export function sourceOf(dataset: string, variable: string, windowHours = 1): Source {
  const number = numberOf(dataset)
  const { variables } = asked[number]
  const strip = variables.indexOf(variable)
  return { dataset: number, strip: strip < 0 ? variables.push(variable) - 1 : strip, windowHours }
}

export function recipeOf<Field extends string>(
  { between, from, analyses = [] }: FieldOrder,
  field: Field,
): Recipe<Field> {
  const sources = (list: FieldOrder['from']) =>
    list.map(({ dataset, variable, windowHours }) => sourceOf(dataset, variable, windowHours))
  return { field, between, from: sources(from), analyses: sources(analyses) }
}

/** A variable of a run: its values are those from an index on, one for each time. */
export interface Strip {
  readonly times: RunTimes
  readonly from: number
  /** Absent: the values of the run. */
  readonly own?: Float32Array
}

/** By number of the variable; undefined where the run does not have it. */
export type Strips = readonly (Strip | undefined)[]

/** The values of one run in an answer. */
export interface Supply {
  /** Number of the dataset, recorded for each hour that it fills. */
  readonly number: number
  readonly values: Float32Array
  readonly strips: Strips
  /** It has only what is missing in a newer run of the dataset, and may fill hours to come; other earlier runs fill passed hours alone. */
  readonly standsIn?: true
}

/** Runs by number of the dataset, newest first. */
export type Supplies = readonly (readonly Supply[] | undefined)[]

/** What is the same for all cells of a run, computed when the run is first read and dropped with it. */
export class RunLayouts {
  readonly #times = new WeakMap<Float64Array, RunTimes>()
  readonly #strips = new WeakMap<object, Strips>()

  /** The values of an answer, by number of the dataset. */
  suppliesOf(sources: ReadonlyMap<string, readonly PointSeries[]>): Supplies {
    const supplies: Supply[][] = []
    for (let number = 0; number < asked.length; number++) {
      const runs = sources.get(asked[number].dataset)
      if (runs) supplies[number] = runs.map((run) => this.#supplyOf(run, number))
    }
    return supplies
  }

  #supplyOf(series: PointSeries, number: number): Supply {
    const { variables } = series
    const { packed } = variables
    if (packed) {
      let strips = this.#strips.get(packed.rows)
      if (!strips) this.#strips.set(packed.rows, (strips = this.#stripsOf(packed.rows, number)))
      return { number, values: packed.values, strips }
    }
    const strips = asked[number].variables.map((name) => {
      const series = variables.get(name)
      return series && { times: this.#timesOf(series.times), from: 0, own: series.values }
    })
    return { number, values: none, strips, ...('standsIn' in series && { standsIn: true }) }
  }

  #stripsOf(rows: ReadonlyMap<string, TileRow>, number: number): Strips {
    return asked[number].variables.map((name) => {
      const row = rows.get(name)
      return row && { times: this.#timesOf(row.times), from: row.from }
    })
  }

  #timesOf(times: Float64Array): RunTimes {
    let found = this.#times.get(times)
    if (!found) this.#times.set(times, (found = runTimes(times)))
    return found
  }
}

const none = new Float32Array()
