import type { z } from 'zod'
import { PAST_HOURS, PAST_VARIABLES } from '../../ingest/domain/dataset/past-hours.ts'
import { analyses, type BetweenTimes, type FieldDefinition, type FieldMember, fieldTable } from './field-table.ts'

type FieldName = keyof typeof fieldTable
type Only<Kind> = { [K in FieldName]: (typeof fieldTable)[K] extends { only: Kind } ? K : never }[FieldName]
type ShownField = { [K in FieldName]: (typeof fieldTable)[K] extends { member: object } ? K : never }[FieldName]
/** Field that is blended only with `include=uncertainty`. */
export type UncertaintyField = Only<'uncertainty'>
/** Name of a column of a forecast. */
export type Column = Exclude<FieldName, Only<'type'>>
type HourField = Exclude<ShownField, UncertaintyField>

const rows = Object.entries(fieldTable) as [FieldName, FieldDefinition][]
const namesOf = <N extends FieldName>(isChosen: (row: FieldDefinition) => boolean) =>
  rows.filter(([, row]) => isChosen(row)).map(([name]) => name as N)

/** Fields that are blended into every answer, in the order of blending. */
export const blendedFields = namesOf<Exclude<Column, UncertaintyField | Only<'computed'>>>(({ only }) => !only)
export const uncertaintyFields = namesOf<UncertaintyField>(({ only }) => only === 'uncertainty')
/** Columns that are published as whole numbers. */
export const wholeFields: ReadonlySet<Column> = new Set(namesOf<Column>(({ isRounded }) => isRounded === true))
/** The member of an answer that shows a column; undefined if no member depends on this column alone. */
export function shownAs(column: Column): string | undefined {
  const row: FieldDefinition = fieldTable[column]
  return row.member ? column : row.shownAs
}

/** One source of a field. */
export interface FieldSource {
  readonly dataset: string
  /** Name in the variable table, if it differs from that of the field. */
  readonly variable: string
  /** Hours of the variable's interval, if it is longer than one hour. */
  readonly windowHours?: number
}

export interface FieldOrder {
  /** Name of a member of Hourly, or of a quantity from which members of Hourly and Daily are computed. */
  readonly field: string
  readonly between: BetweenTimes
  readonly from: readonly FieldSource[]
  readonly analyses?: readonly FieldSource[]
  readonly canBeNone?: true
}

const pastVariables: readonly string[] = PAST_VARIABLES
const analysesOf = (field: string) => [...analyses, ...(pastVariables.includes(field) ? [PAST_HOURS] : [])]

/** The datasets of each field, in order of precedence. */
export const sourceOrder: readonly FieldOrder[] = rows
  .filter(([, { only }]) => only !== 'computed')
  .map(([field, { between, from, analysed, canBeNone }]) => ({
    field,
    between,
    from: from.map((source) => {
      if (typeof source === 'string') return { dataset: source, variable: field }
      const [dataset, windowHours] = source
      return windowHours === 1
        ? { dataset, variable: field }
        : { dataset, variable: `${field}_${windowHours}h`, windowHours }
    }),
    ...(canBeNone && { canBeNone }),
    ...(analysed && { analyses: analysesOf(field).map((dataset) => ({ dataset, variable: field })) }),
  }))

const byField = new Map(sourceOrder.map((order) => [order.field, order]))
/** The sources of a field that is not computed. */
export function orderOf(field: Exclude<FieldName, Only<'computed'>>): FieldOrder {
  const order = byField.get(field)
  if (!order) throw new Error(`${field} has no sources. List its datasets in api/blend/field-table.ts.`)
  return order
}

/** A numeric member of a row: the column it is read from, and its quantity. */
export interface NumberField<C extends Column = Column> extends FieldMember {
  readonly name: C
}

const shownFields = rows.flatMap(([name, { member, only }]) =>
  member ? [{ name: name as Column, only, ...member }] : [],
)
/** The numeric members of Hourly, in the order of the answer. */
export const hourlyNumbers: readonly NumberField[] = shownFields
  .filter(({ only }) => only !== 'uncertainty')
  .sort((a, b) => (a.place ?? 0) - (b.place ?? 0))
/** The members of HourlyUncertainty. */
export const hourlyUncertainty = shownFields.filter(
  ({ only }) => only === 'uncertainty',
) as NumberField<UncertaintyField>[]

type FieldSchemas<N extends string, S> = Readonly<Record<N, S>>
const schemasOf = <N extends Column>(fields: readonly NumberField[]) =>
  Object.fromEntries(fields.map(({ name, schema }) => [name, schema])) as FieldSchemas<N, z.ZodNumber>
/** Schemas of the members, with their descriptions. */
export const fieldSchemas = schemasOf<HourField>(hourlyNumbers)
export const uncertaintySchemas = schemasOf<UncertaintyField>(hourlyUncertainty)
