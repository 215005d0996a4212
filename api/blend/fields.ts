import type { z } from 'zod'
import { PAST_HOURS, PAST_VARIABLES } from '../../ingest/domain/dataset/past-hours.ts'
import { analyses, type BetweenTimes, type FieldDefinition, type FieldMember, fieldTable } from './field-table.ts'

type FieldName = keyof typeof fieldTable
type Only<Kind> = { [K in FieldName]: (typeof fieldTable)[K] extends { only: Kind } ? K : never }[FieldName]
type ShownField = { [K in FieldName]: (typeof fieldTable)[K] extends { member: object } ? K : never }[FieldName]
/** Only with `include=uncertainty`. */
export type UncertaintyField = Only<'uncertainty'>
/** Column of a forecast. */
export type Column = Exclude<FieldName, Only<'type'>>
type HourField = Exclude<ShownField, UncertaintyField>

const rows = Object.entries(fieldTable) as [FieldName, FieldDefinition][]
const namesOf = <N extends FieldName>(chosen: (row: FieldDefinition) => boolean) =>
  rows.filter(([, row]) => chosen(row)).map(([name]) => name as N)

/** Fields that always are blended, in the order of blending. */
export const blendedFields = namesOf<Exclude<Column, UncertaintyField | Only<'computed'>>>(({ only }) => !only)
export const uncertaintyFields = namesOf<UncertaintyField>(({ only }) => only === 'uncertainty')
/** Columns that are published as whole numbers. */
export const wholeFields: ReadonlySet<Column> = new Set(namesOf<Column>(({ whole }) => whole === true))
/** What an answer shows of a column; undefined: nothing depends on it alone. */
export function shownAs(column: Column): string | undefined {
  const row: FieldDefinition = fieldTable[column]
  return row.member ? column : row.shownAs
}

/** One source of a field. */
export interface FieldSource {
  readonly dataset: string
  /** Name in the variable table, where it is not the field's own. */
  readonly variable: string
  /** Hours of the variable's interval, where it is longer than the field's hour. */
  readonly windowHours?: number
}

export interface FieldOrder {
  /** Name in Hourly, or of a quantity from which Hourly and Daily are computed. */
  readonly field: string
  readonly between: BetweenTimes
  readonly from: readonly FieldSource[]
  readonly analyses?: readonly FieldSource[]
}

const past: readonly string[] = PAST_VARIABLES
const analysesOf = (field: string) => [...analyses, ...(past.includes(field) ? [PAST_HOURS] : [])]

/** Which field comes from which dataset, in which order. */
export const sourceOrder: readonly FieldOrder[] = rows
  .filter(([, { only }]) => only !== 'computed')
  .map(([field, { between, from, analysed }]) => ({
    field,
    between,
    from: from.map((one) => {
      if (typeof one === 'string') return { dataset: one, variable: field }
      const [dataset, windowHours] = one
      return windowHours === 1
        ? { dataset, variable: field }
        : { dataset, variable: `${field}_${windowHours}h`, windowHours }
    }),
    ...(analysed && { analyses: analysesOf(field).map((dataset) => ({ dataset, variable: field })) }),
  }))

const byField = new Map(sourceOrder.map((order) => [order.field, order]))
export const orderOf = (field: Exclude<FieldName, Only<'computed'>>): FieldOrder => byField.get(field)!

/** A numeric member of a row: the column it is read from, what it measures. */
export interface NumberField<C extends Column = Column> extends FieldMember {
  readonly name: C
}

const shown = rows.flatMap(([name, { member, only }]) => (member ? [{ name: name as Column, only, ...member }] : []))
/** The numbers of Hourly, in the order of the answer. */
export const hourlyNumbers: readonly NumberField[] = shown
  .filter(({ only }) => only !== 'uncertainty')
  .sort((left, right) => left.place! - right.place!)
/** HourlyUncertainty. */
export const hourlyUncertainty = shown.filter(({ only }) => only === 'uncertainty') as NumberField<UncertaintyField>[]

type FieldSchemas<N extends string, S> = Readonly<Record<N, S>>
const schemasOf = <N extends Column>(fields: readonly NumberField[]) =>
  Object.fromEntries(fields.map(({ name, schema }) => [name, schema])) as FieldSchemas<N, z.ZodNumber>
/** FieldSchemas of the members, with what they mean. */
export const fieldSchemas = schemasOf<HourField>(hourlyNumbers)
export const uncertaintySchemas = schemasOf<UncertaintyField>(hourlyUncertainty)
