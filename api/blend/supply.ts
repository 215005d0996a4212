import type { BetweenTimes, FieldOrder } from '../../ingest/domain/source-order.ts'
import type { PointSeries, Row } from '../../ingest/tile/read.ts'
import type { BlendMemory, Strips } from './memory.ts'

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

/** The values of one run in an answer. */
export interface Supply {
  /** Number of the dataset, recorded for each hour that it fills. */
  readonly number: number
  readonly values: number
  readonly strips: Strips
}

/** Runs by number of the dataset, newest first. */
export type Supplies = readonly (readonly Supply[] | undefined)[]

/** Stores the values of an answer in the kernels' memory. @throws RegionFull */
export function suppliesOf(memory: BlendMemory, sources: ReadonlyMap<string, readonly PointSeries[]>): Supplies {
  const supplies: Supply[][] = []
  for (let number = 0; number < asked.length; number++) {
    const runs = sources.get(asked[number].dataset)
    if (runs) supplies[number] = runs.map((run) => supplyOf(memory, run, number))
  }
  return supplies
}

function supplyOf(memory: BlendMemory, { variables }: PointSeries, number: number): Supply {
  const { packed } = variables
  if (packed) {
    const values = memory.putValues(packed.values)
    return { number, values, strips: memory.stripsOf(packed.rows, () => stripsOf(memory, packed.rows, number)) }
  }
  const strips = asked[number].variables.map((name) => {
    const series = variables.get(name)
    if (!series) return undefined
    const { times, values } = series
    return { times: memory.timesOffset(times), from: memory.putValues(values), length: times.length }
  })
  return { number, values: 0, strips }
}

function stripsOf(memory: BlendMemory, rows: ReadonlyMap<string, Row>, number: number): Strips {
  return asked[number].variables.map((name) => {
    const row = rows.get(name)
    return row && { times: memory.timesOffset(row.times), from: row.from * 4, length: row.times.length }
  })
}
