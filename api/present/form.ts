import { wasm } from './kernels.generated.ts'
import type { Quantity, Units } from './units.ts'

/** A place in a text that is filled from a number; NaN is null where a number or an instant is wanted. */
export type Blank =
  /** Converted and rounded as the quantity is shown. */
  | { readonly kind: 'number'; readonly quantity: Quantity }
  /** `"2026-08-20T12:00:00Z"`, with its quotes. */
  | { readonly kind: 'instant' }
  /** `2026-08-20` of days since 1970. */
  | { readonly kind: 'date' }
  /** One of these texts, by its place among them; any other number is a bug, and throws. */
  | { readonly kind: 'choice'; readonly texts: readonly string[] }

export const number = (quantity: Quantity) => ({ kind: 'number', quantity }) as const
export const instant = { kind: 'instant' } as const
export const date = { kind: 'date' } as const
export const choice = (texts: readonly string[]) => ({ kind: 'choice', texts }) as const
/** `true` of 1, `false` of 0. */
export const flag = choice(['false', 'true'])

/** A blank, and what it is filled with. */
export type Reader<From> = Blank & { readonly of: (from: From) => number }
export const read = <From>(blank: Blank, of: (from: From) => number): Reader<From> => ({ ...blank, of })

/** Constant text with blanks, which is written in one go: an answer holds thousands of numbers. */
export interface Form {
  /** One a blank, in their order: to be set before the form is written. */
  readonly values: Float64Array
  /** Writes it. @param at a place in `desk` with room for all of it and 32 octets more @returns the place behind it */
  write(at: number): number
}

/** A form whose blanks are all read from one thing. */
export interface ReadForm<From> extends Form {
  /** Sets all its values. @returns itself */
  from(from: From): this
}

interface Kernels {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  prepare(at: number): number
  writeForm(parts: number, count: number, values: number, out: number): number
}

const PART = 40
const kinds = { number: 1, instant: 2, date: 3, choice: 4 } as const
/** Numbers that stand ready as text have no more of them. */
const MOST_DECIMALS = 3
/** All forms of all systems of units. */
const FORMS = 160 * 1024
/** Where forms are written. */
const PAPER = 256 * 1024
/** The most octets that a form may need. */
export const MARGIN = 16 * 1024

/** The kernels' memory. It never grows, which would make views of it void. */
export interface Desk {
  readonly bytes: Buffer
  /** Room for one form that is only looked at. */
  readonly scratch: number
  /** From here to the end of `bytes`, answers are put together. */
  readonly paper: number
}

let opened: { readonly kernels: Kernels; readonly desk: Desk; next: number } | undefined

function open() {
  if (opened) return opened
  const kernels = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, 'base64')))
    .exports as unknown as Kernels
  const numbers = 4 * 16_384 * 8
  const wanted = kernels.heapBase() + numbers + FORMS + MARGIN + PAPER + 1024
  kernels.memory.grow(Math.ceil((wanted - kernels.memory.buffer.byteLength) / 65_536))
  const bytes = Buffer.from(kernels.memory.buffer)
  const next = kernels.prepare((kernels.heapBase() + 63) & ~63)
  opened = { kernels, desk: { bytes, scratch: next + FORMS, paper: next + FORMS + MARGIN }, next }
  return opened
}

export function desk(): Desk {
  return open().desk
}

/** Lays out a form for good: of constant pieces, once a system of units. */
export function form(pieces: readonly (string | Blank)[], units: Units): Form {
  const { kernels, desk } = open()
  const parts = partsOf(pieces)
  const most = parts.reduce((sum, part) => sum + longest(part), 0)
  if (most > MARGIN) throw new Error(`a form of up to ${most} octets: make it shorter, of at most ${MARGIN}`)
  const at = room(parts.length * PART)
  const values = room(parts.length * 8)
  const view = new DataView(desk.bytes.buffer)
  for (const [i, { text, blank }] of parts.entries()) {
    const part = at + i * PART
    put(view, part, text)
    if (!blank) continue
    view.setUint32(part + 8, kinds[blank.kind], true)
    if (blank.kind === 'choice') {
      const list = room(blank.texts.length * 8)
      for (const [j, word] of blank.texts.entries()) put(view, list + j * 8, word)
      view.setUint32(part + 12, list, true)
      view.setUint32(part + 32, blank.texts.length, true)
    } else if (blank.kind === 'number') {
      const { scale, offset, decimals } = units.of[blank.quantity]
      if (decimals > MOST_DECIMALS)
        throw new Error(`${blank.quantity} has ${decimals} decimals: at most ${MOST_DECIMALS}`)
      view.setUint32(part + 12, decimals, true)
      view.setFloat64(part + 16, scale, true)
      view.setFloat64(part + 24, offset, true)
      view.setUint32(part + 32, 10 ** decimals, true)
    }
  }
  const blanks = parts.filter(({ blank }) => blank).length
  return {
    values: new Float64Array(desk.bytes.buffer, values, blanks),
    write: (to) => kernels.writeForm(at, parts.length, values, to),
  }
}

/** As `form`, with what its blanks are filled with. */
export function readForm<From>(pieces: readonly (string | Reader<From>)[], units: Units): ReadForm<From> {
  const laid = form(pieces, units)
  const { values } = laid
  const readers = pieces.filter((piece) => typeof piece !== 'string').map(({ of }) => of)
  return {
    ...laid,
    from(given) {
      for (let i = 0; i < readers.length; i++) values[i] = readers[i]!(given)
      return this
    },
  }
}

interface Part {
  text: string
  readonly blank?: Blank
}

/** Each blank with the text before it; the text behind the last blank stands alone. */
function partsOf(pieces: readonly (string | Blank)[]): Part[] {
  const parts: Part[] = []
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else {
      parts.push({ text, blank: piece })
      text = ''
    }
  }
  if (text) parts.push({ text })
  return parts
}

/** Octets of a part at most, its text as it stands and whatever is filled in; what is touched behind it included. */
function longest({ text, blank }: Part): number {
  const texts = blank?.kind === 'choice' ? blank.texts.map((word) => Buffer.byteLength(word)) : [24]
  return Buffer.byteLength(text) + Math.max(...texts) + 32
}

/** Room for so many octets, at a multiple of 8. */
function room(size: number): number {
  const held = open()
  const at = held.next
  held.next = (at + size + 7) & ~7
  if (held.next > held.desk.scratch)
    throw new Error(`the forms need more than the ${FORMS} octets that they have: raise FORMS`)
  return at
}

/** Puts down a text, and at `entry` where it stands and how long it is. */
function put(view: DataView, entry: number, text: string): void {
  const at = room(Buffer.byteLength(text))
  view.setUint32(entry, at, true)
  view.setUint32(entry + 4, open().desk.bytes.write(text, at), true)
}

/** What is made once a system of units. */
export function perUnits<T>(make: (units: Units) => T): (units: Units) => T {
  const made = new Map<Units, T>()
  return (units) => {
    let found = made.get(units)
    if (found === undefined) made.set(units, (found = make(units)))
    return found
  }
}
