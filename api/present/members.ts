import { dateText, isoSeconds } from '../../ingest/domain/time.ts'
import { type Placeholder, type TextTemplate, textTemplate } from './template.ts'
import type { Quantity, Units } from './units.ts'
import type { WriterMemory } from './writer-memory.ts'

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** What a member shows of a number; NaN of a number or an instant is null. */
export type Shows =
  /** Converted and rounded as the quantity is shown. */
  | { readonly kind: 'number'; readonly quantity: Quantity }
  /** `2026-08-20T12:00:00Z` of milliseconds since 1970. */
  | { readonly kind: 'instant' }
  /** `2026-08-20` of days since 1970. */
  | { readonly kind: 'date' }
  /** One of these values, by index. Any other number is a bug. */
  | { readonly kind: 'choice'; readonly values: readonly Json[] }

export const number = (quantity: Quantity) => ({ kind: 'number', quantity }) as const
export const instant = { kind: 'instant' } as const
export const date = { kind: 'date' } as const
export const choice = (values: readonly Json[]) => ({ kind: 'choice', values }) as const
/** `true` of 1, `false` of 0. */
export const flag = choice([false, true])

/** A member that shows a number. */
export interface ShownMember {
  readonly name: string
  readonly shows: Shows
}
/** The members of one of these objects, by index: several, or none. */
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
  readonly of: (from: From) => number
}
/** The same, with the number that it shows of an object. */
export type BoundMember<From> =
  | (ShownMember & Reads<From>)
  | (ChosenMembers & Reads<From>)
  | ConstantMember
  | ObjectMember<BoundMember<From>>

export const member = (name: string, shows: Shows): ShownMember => ({ name, shows })
export const bound = <From>(name: string, shows: Shows, of: (from: From) => number): ShownMember & Reads<From> => ({
  name,
  shows,
  of,
})

/** Fields as members. */
export const numberMembers = (
  fields: readonly { readonly name: string; readonly quantity: Quantity }[],
): ShownMember[] => fields.map(({ name, quantity }) => member(name, number(quantity)))

/** Consecutive members of an object, described once for both forms of an answer: JSON text and values. */
export interface Template extends TextTemplate {
  /** They begin an object that stays open: a member of this name, or an item of the open list. */
  readonly opens?: { readonly name?: string }
  /** Sets the members from `values`. */
  assign(to: MutableObject): void
}
export type MutableObject = { [name: string]: unknown }

/** V8 keeps an object whose members are set one by one, by variable names, as a hash table: its copy has half the size. */
export const compact = (object: MutableObject): MutableObject => ({ ...object })

/** A template whose numbers are all read from one object. */
export interface BoundTemplate<From> extends Template {
  /** Sets all its values. @returns itself */
  from(from: From): this
}

/** Compiles members: call it with constant ones, once a system of units (`perUnits`). */
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
      for (let i = 0; i < setters.length; i++) setters[i]!(to, values)
    },
  }
}

/** As `template`, with what its numbers are read from. */
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
      for (let i = 0; i < readers.length; i++) values[i] = readers[i]!(source)
      return this
    },
  }
}

function readersOf<From>(members: readonly BoundMember<From>[]): ((from: From) => number)[] {
  return members.flatMap((one) => ('of' in one ? [one.of] : 'members' in one ? readersOf(one.members) : []))
}

/** Each member with its comma before it. */
function piecesOf(members: readonly Member[]): (string | Placeholder)[] {
  return members.flatMap((one): (string | Placeholder)[] => {
    if ('oneOf' in one) return [{ kind: 'choice', texts: one.oneOf.map(constantText) }]
    const name = `,${JSON.stringify(one.name)}:`
    if ('is' in one) return [name + JSON.stringify(one.is)]
    if ('members' in one) return [name, ...opened(piecesOf(one.members)), '}']
    const { shows } = one
    if (shows.kind === 'date') return [`${name}"`, shows, '"']
    if (shows.kind !== 'choice') return [name, shows]
    return [name, { kind: 'choice', texts: shows.values.map((value) => JSON.stringify(value)) }]
  })
}

const constantText = (members: JsonObject) =>
  Object.entries(members)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')

/** The comma before the first member becomes the brace of the object. */
function opened([first, ...rest]: readonly (string | Placeholder)[]): (string | Placeholder)[] {
  if (typeof first !== 'string') throw new Error('an object of a template begins with a member that it always has')
  return [`{${first.slice(1)}`, ...rest]
}

type Setter = (to: MutableObject, values: Float64Array) => void

/** One a member; each number is that of the same placeholder in the text. @param slots counts them */
function settersOf(members: readonly Member[], units: Units, slots = { count: 0 }): Setter[] {
  return members.map((one): Setter => {
    if ('is' in one) {
      const { name, is } = one
      return (to) => {
        to[name] = is
      }
    }
    if ('members' in one) {
      const { name } = one
      const inner = settersOf(one.members, units, slots)
      return (to, values) => {
        const object: MutableObject = {}
        for (const set of inner) set(object, values)
        to[name] = compact(object)
      }
    }
    const slot = slots.count++
    if ('oneOf' in one) {
      const { oneOf } = one
      return (to, values) => {
        Object.assign(to, chosen(oneOf, values[slot]!))
      }
    }
    const { name } = one
    const shown = valueIn(one.shows, units)
    return (to, values) => {
      to[name] = shown(values[slot]!)
    }
  })
}

/** The value that the kernel writes as text. */
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
  if (value === undefined) throw new Error(`a choice of ${list.length}: there is no number ${index}`)
  return value
}
