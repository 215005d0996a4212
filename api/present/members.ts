import { written } from './page.ts'
import { type BoundPlaceholder, bind, boundTemplate, number, type Placeholder, perUnits } from './template.ts'
import type { Quantity, Units } from './units.ts'
import type { WriterMemory } from './writer-memory.ts'

export interface MemberField {
  readonly name: string
  readonly quantity: Quantity
}

/** A member, and the number that it shows. */
export interface ReadField<From> extends MemberField {
  of(from: From): number
}

export const readFrom = <From>(name: string, quantity: Quantity, of: (from: From) => number): ReadField<From> => ({
  name,
  quantity,
  of,
})

/** Fields as pieces of a template: members, each with its comma before it. */
export function memberPieces(fields: readonly MemberField[]): (string | Placeholder)[] {
  return fields.flatMap(({ name, quantity }) => [`,"${name}":`, number(quantity)])
}

/** The same with what they are read from. */
export function readPieces<From>(fields: readonly ReadField<From>[]): (string | BoundPlaceholder<From>)[] {
  return fields.flatMap(({ name, quantity, of }) => [`,"${name}":`, bind(number(quantity), of)])
}

/** Fields as pieces of a template: an object of them alone. */
export function objectPieces(fields: readonly MemberField[]): (string | Placeholder)[] {
  return fields.flatMap(({ name, quantity }, i) => [`${i === 0 ? '{' : ','}"${name}":`, number(quantity)]).concat('}')
}

/**
 * `,"name":value` for each field, converted and rounded, each with its comma before it.
 * @param fields a constant list: it is compiled once for each system of units
 */
export function membersText<From>(
  fields: readonly ReadField<From>[],
): (memory: WriterMemory, from: From, units: Units) => string {
  const templateOf = perUnits((memory, units) => boundTemplate(memory, readPieces(fields), units))
  return (memory, from, units) => written(memory, (page) => page.put(templateOf(memory, units).from(from)))
}
