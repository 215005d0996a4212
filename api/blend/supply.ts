import type { BetweenTimes, FieldOrder } from '../../ingest/domain/source-order.ts'
import type { PointSeries, Row } from '../../ingest/tile/read.ts'
import { putValues, timesEdition, timesPlace } from './kernels.ts'

/** A place in the order of a field, by numbers: an answer asks a hundred of them. */
export interface Source {
  /** Number of the dataset. */
  readonly dataset: number
  /** Number of the variable among those that are asked of the dataset. */
  readonly strip: number
  readonly windowHours: number
}

/** The order of a field's sources. */
export interface Recipe<Field extends string> {
  readonly field: Field
  readonly between: BetweenTimes
  readonly from: readonly Source[]
  readonly analyses: readonly Source[]
}

/** Datasets by number, and what is asked of each. */
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

/** A variable of a run, in the kernels' memory. */
export interface Strip {
  readonly times: number
  /** Octets from where the values of its run begin. */
  readonly from: number
  readonly length: number
}

/** What one run gives to an answer. */
export interface Supply {
  /** Of the dataset, by which it is noted whose value an hour has. */
  readonly number: number
  readonly values: number
  /** By number of the variable; undefined where the run does not have it. */
  readonly strips: readonly (Strip | undefined)[]
}

/** Runs by number of the dataset, newest first. */
export type Supplies = readonly (readonly Supply[] | undefined)[]

/** Puts the values down that an answer is made of. */
export function suppliesOf(sources: ReadonlyMap<string, readonly PointSeries[]>): Supplies {
  const supplies: Supply[][] = []
  for (let number = 0; number < asked.length; number++) {
    const runs = sources.get(asked[number].dataset)
    if (runs) supplies[number] = runs.map((run) => supplyOf(run, number))
  }
  return supplies
}

function supplyOf({ variables }: PointSeries, number: number): Supply {
  const { packed: held } = variables
  if (held) return { number, values: putValues(held.values), strips: stripsOf(held.rows, number) }
  const strips = asked[number].variables.map((name) => {
    const series = variables.get(name)
    return series && { times: timesPlace(series.times), from: putValues(series.values), length: series.times.length }
  })
  return { number, values: 0, strips }
}

/** Of runs whose values are stored in one array: the same for all cells. */
const layouts = new WeakMap<object, { readonly edition: object; readonly strips: Supply['strips'] }>()

function stripsOf(rows: ReadonlyMap<string, Row>, number: number): Supply['strips'] {
  const known = layouts.get(rows)
  if (known?.edition === timesEdition()) return known.strips
  const strips = asked[number].variables.map((name) => {
    const row = rows.get(name)
    return row && { times: timesPlace(row.times), from: row.from * 4, length: row.times.length }
  })
  layouts.set(rows, { edition: timesEdition(), strips })
  return strips
}
