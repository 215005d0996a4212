import { dateText, isoSeconds } from '../../ingest/domain/time.ts'
import { type Placeholder, type TextTemplate, textTemplate } from './template.ts'
import type { Quantity, Units } from './units.ts'
import type { WriterMemory } from './writer-memory.ts'

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** How a member shows a number. NaN becomes null for a number or an instant. */
export type Shows =
  /** A number, converted and rounded by its quantity. */
  | { readonly kind: 'number'; readonly quantity: Quantity }
  /** Milliseconds since 1970, shown as `2026-08-20T12:00:00Z`. */
  | { readonly kind: 'instant' }
  /** Days since 1970, shown as `2026-08-20`. */
  | { readonly kind: 'date' }
  /** An index into these values. Any other number is a bug. */
  | { readonly kind: 'choice'; readonly values: readonly Json[] }

export const number = (quantity: Quantity) => ({ kind: 'number', quantity }) as const
export const instant = { kind: 'instant' } as const
export const date = { kind: 'date' } as const
export const choice = (values: readonly Json[]) => ({ kind: 'choice', values }) as const
/** 1 is shown as `true`, 0 as `false`. */
export const flag = choice([false, true])

/** A member that shows a number. */
export interface ShownMember {
  readonly name: string
  readonly shows: Shows
}
/** The members of one of these objects, chosen by index: one, several, or none. */
export interface ChosenMembers {
  readonly oneOf: readonly JsonObject[]
}
export interface ConstantMember {
  readonly name: string
  readonly is: Json
}
export interface ObjectMember<Inner> {
  readonly name: string
  readonly members: readonly Inner[]
}
export type Member = ShownMember | ChosenMembers | ConstantMember | ObjectMember<Member>

interface Reads<From> {
  readonly read: (from: From) => number
}
/** A member with a function that reads its number from an object. */
export type BoundMember<From> =
  | (ShownMember & Reads<From>)
  | (ChosenMembers & Reads<From>)
  | ConstantMember
  | ObjectMember<BoundMember<From>>

export const member = (name: string, shows: Shows): ShownMember => ({ name, shows })
export const bound = <From>(name: string, shows: Shows, read: (from: From) => number): ShownMember & Reads<From> => ({
  name,
  shows,
  read,
})

/** Members that show the numbers of fields. */
export const numberMembers = (
  fields: readonly { readonly name: string; readonly quantity: Quantity }[],
): ShownMember[] => fields.map(({ name, quantity }) => member(name, number(quantity)))

/** Consecutive members of an object, described once for both forms of an answer: JSON text and values. */
export interface Template extends TextTemplate {
  /** Present if the members begin an object that stays open: a member of this name, or an item of the open list. */
  readonly opens?: { readonly name?: string }
  /** Sets the members of an object from `values`. */
  assign(to: MutableObject): void
}
export type MutableObject = { [name: string]: unknown }

/**
 * Copies an object. V8 stores an object whose members were set one by one, by variable names, as a hash table; the
 * copy has half the size.
 */
export const compact = (object: MutableObject): MutableObject => ({ ...object })

/** A template whose numbers are all read from one object. */
export interface BoundTemplate<From> extends Template {
  /** Sets all values of the template. @returns the template */
  from(from: From): this
}

/** Compiles members into a template. Call it with constant members, once for each system of units (`perUnits`). */
export function template(
  memory: WriterMemory,
  members: readonly Member[],
  units: Units,
  opens?: Template['opens'],
): Template {
  const pieces = piecesOf(members)
  const prefix = opens && (opens.name === undefined ? ',' : `,${JSON.stringify(opens.name)}:`)
  const text = textTemplate(memory, prefix === undefined ? pieces : [prefix, ...opened(pieces)], units)
  const setters = settersOf(members, units)
  const { values } = text
  return {
    ...text,
    opens,
    assign(to) {
      for (const set of setters) set(to, values)
    },
  }
}

/** Compiles members into a template whose numbers are read from an object. */
export function boundTemplate<From>(
  memory: WriterMemory,
  members: readonly BoundMember<From>[],
  units: Units,
  opens?: Template['opens'],
): BoundTemplate<From> {
  const compiled = template(memory, members, units, opens)
  const { values } = compiled
  const readers = readersOf(members)
  return {
    ...compiled,
    from(source) {
      for (const [i, read] of readers.entries()) values[i] = read(source)
      return this
    },
  }
}

function readersOf<From>(members: readonly BoundMember<From>[]): ((from: From) => number)[] {
  return members.flatMap((entry) =>
    'read' in entry ? [entry.read] : 'members' in entry ? readersOf(entry.members) : [],
  )
}

/** The text of each member, with a comma before it. */
function piecesOf(members: readonly Member[]): (string | Placeholder)[] {
  return members.flatMap((entry): (string | Placeholder)[] => {
    if ('oneOf' in entry) return [{ kind: 'choice', texts: entry.oneOf.map(constantText) }]
    const name = `,${JSON.stringify(entry.name)}:`
    if ('is' in entry) return [name + JSON.stringify(entry.is)]
    if ('members' in entry) return [name, ...opened(piecesOf(entry.members)), '}']
    const { shows } = entry
    if (shows.kind === 'date') return [`${name}"`, shows, '"']
    if (shows.kind !== 'choice') return [name, shows]
    return [name, { kind: 'choice', texts: shows.values.map((value) => JSON.stringify(value)) }]
  })
}

const constantText = (members: JsonObject) =>
  Object.entries(members)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')

/** Begins an object: the comma before the first member becomes a brace. */
function opened([first, ...following]: readonly (string | Placeholder)[]): (string | Placeholder)[] {
  if (typeof first !== 'string')
    throw new Error('An object of a template must begin with a member that is always present.')
  return [`{${first.slice(1)}`, ...following]
}

type Setter = (to: MutableObject, values: Float64Array) => void

/**
 * Returns a setter for each member. Each reads the number of the same placeholder as in the text.
 * @param slots counts the numbers
 */
function settersOf(members: readonly Member[], units: Units, slots = { count: 0 }): Setter[] {
  return members.map((entry): Setter => {
    if ('is' in entry) {
      const { name, is } = entry
      return (to) => {
        to[name] = is
      }
    }
    if ('members' in entry) {
      const { name } = entry
      const inner = settersOf(entry.members, units, slots)
      return (to, values) => {
        const object: MutableObject = {}
        for (const set of inner) set(object, values)
        to[name] = compact(object)
      }
    }
    const slot = slots.count++
    if ('oneOf' in entry) {
      const { oneOf } = entry
      return (to, values) => {
        Object.assign(to, chosen(oneOf, values[slot] ?? Number.NaN))
      }
    }
    const { name } = entry
    const show = valueIn(entry.shows, units)
    return (to, values) => {
      to[name] = show(values[slot] ?? Number.NaN)
    }
  })
}

/** Returns a function that gives the value which the kernel writes as text. */
function valueIn(shows: Shows, units: Units): (value: number) => Json {
  switch (shows.kind) {
    case 'number':
      return (value) => units.show(shows.quantity, value)
    case 'instant':
      return (value) => (Number.isNaN(value) ? null : isoSeconds(value))
    case 'date':
      return dateText
    case 'choice':
      return (value) => chosen(shows.values, value)
  }
}

function chosen<T>(list: readonly T[], index: number): T {
  const value = list[index]
  if (value === undefined) throw new Error(`A choice of ${list.length} values has no value ${index}.`)
  return value
}
