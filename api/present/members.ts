import { wasm } from './kernels.generated.ts'
import type { Quantity, Units } from './units.ts'

/** Numbers of one object, written as JSON in one go: an answer holds thousands. */
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

/** Its numbers as members, each with its comma before it. @param fields a constant list */
export function membersText<From>(fields: readonly ReadField<From>[], from: From, units: Units): string {
  const { values, text } = membersOf(fields, units)
  for (let i = 0; i < values.length; i++) values[i] = fields[i]!.of(from)
  return text()
}

interface Kernels {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  writeMembers(fields: number, count: number, values: number, out: number): number
}

const FIELD = 40
/** All lists of fields of all systems of units, and one object's text; never grown, which would make views of it void. */
const PAGES = 8
const TEXT = 16_384

let opened: { readonly kernels: Kernels; readonly bytes: Buffer; next: number; readonly out: number } | undefined

function room() {
  if (opened) return opened
  const module = new WebAssembly.Module(Buffer.from(wasm, 'base64'))
  const kernels = new WebAssembly.Instance(module).exports as unknown as Kernels
  kernels.memory.grow(PAGES)
  const out = (kernels.heapBase() + 63) & ~63
  opened = { kernels, bytes: Buffer.from(kernels.memory.buffer), next: out + TEXT, out }
  return opened
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
  const held = room()
  const { kernels, bytes, out } = held
  const keys = fields.map(({ name }) => `,"${name}":`)
  const at = held.next
  const valuesAt = at + fields.length * FIELD
  let keyAt = valuesAt + fields.length * 8
  const view = new DataView(bytes.buffer)
  for (const [i, { quantity }] of fields.entries()) {
    const { scale, offset, decimals } = units.of[quantity]
    const length = bytes.write(keys[i]!, keyAt)
    for (const [place, word] of [keyAt, length, decimals, 10 ** decimals].entries())
      view.setUint32(at + i * FIELD + place * 4, word, true)
    view.setFloat64(at + i * FIELD + 16, scale, true)
    view.setFloat64(at + i * FIELD + 24, offset, true)
    keyAt += length
  }
  held.next = (keyAt + 23) & ~7
  return {
    values: new Float64Array(bytes.buffer, valuesAt, fields.length),
    text: () => bytes.toString('latin1', out, kernels.writeMembers(at, fields.length, valuesAt, out)),
  }
}
