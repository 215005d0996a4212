import { type Blank, desk, form, number, type Reader, read } from './form.ts'
import type { Quantity, Units } from './units.ts'

/** Numbers of one object, written as JSON in one go. */
export interface Members {
  /** Canonical, one a field, NaN for null: to be set before each `text`. */
  readonly values: Float64Array
  /** `,"name":value` for each field, converted and rounded, each with its comma before it. */
  text(): string
}

export interface MemberField {
  readonly name: string
  readonly quantity: Quantity
}

/** A number that is read from something. */
export interface ReadField<From> extends MemberField {
  of(from: From): number
}

export const readFrom = <From>(name: string, quantity: Quantity, of: (from: From) => number): ReadField<From> => ({
  name,
  quantity,
  of,
})

/** Fields as pieces of a form: members, each with its comma before it. */
export function memberPieces(fields: readonly MemberField[]): (string | Blank)[] {
  return fields.flatMap(({ name, quantity }) => [`,"${name}":`, number(quantity)])
}

/** The same with what they are read from. */
export function readPieces<From>(fields: readonly ReadField<From>[]): (string | Reader<From>)[] {
  return fields.flatMap(({ name, quantity, of }) => [`,"${name}":`, read(number(quantity), of)])
}

/** Fields as pieces of a form: an object of them alone. */
export function objectPieces(fields: readonly MemberField[]): (string | Blank)[] {
  return fields.flatMap(({ name, quantity }, i) => [`${i === 0 ? '{' : ','}"${name}":`, number(quantity)]).concat('}')
}

/** Its numbers as members, each with its comma before it. @param fields a constant list */
export function membersText<From>(fields: readonly ReadField<From>[], from: From, units: Units): string {
  const { values, text } = membersOf(fields, units)
  for (let i = 0; i < values.length; i++) values[i] = fields[i]!.of(from)
  return text()
}

const laid = new Map<readonly MemberField[], Map<Units, Members>>()

/** @param fields a constant list: it is laid out once a system of units, and kept */
export function membersOf(fields: readonly MemberField[], units: Units): Members {
  let systems = laid.get(fields)
  if (!systems) laid.set(fields, (systems = new Map()))
  let found = systems.get(units)
  if (!found) systems.set(units, (found = lay(fields, units)))
  return found
}

function lay(fields: readonly MemberField[], units: Units): Members {
  const { values, write } = form(memberPieces(fields), units)
  const { bytes, scratch } = desk()
  return { values, text: () => bytes.toString('latin1', scratch, write(scratch)) }
}
