import type { Quantity, Units } from './units.ts'
import { MAX_TEMPLATE_BYTES, type WriterMemory } from './writer-memory.ts'

/** A part of a text that is filled with a number. NaN becomes null if a number or an instant is expected. */
export type Placeholder =
  /** A number, converted and rounded by its quantity. */
  | { readonly kind: 'number'; readonly quantity: Quantity }
  /** Milliseconds since 1970, written as `"2026-08-20T12:00:00Z"` with the quotes. */
  | { readonly kind: 'instant' }
  /** Days since 1970, written as `2026-08-20`. */
  | { readonly kind: 'date' }
  /** An index into these texts. Any other number is a bug: the kernel traps. */
  | { readonly kind: 'choice'; readonly texts: readonly string[] }

/** Constant text with placeholders, which one call writes: an answer has thousands of numbers. */
export interface TextTemplate {
  /** One number for each placeholder, in their order. They must be set before the template is written. */
  readonly values: Float64Array
  /**
   * @param address in the writer memory, with `MAX_TEMPLATE_BYTES` free after it
   * @returns the address after the last byte
   */
  write(address: number): number
}

/** Bytes of a compiled part; see assembly/index.ts. */
const PART_BYTES = 40
const KINDS = { number: 1, instant: 2, date: 3, choice: 4 } as const
/** Greatest number of decimals in the number tables. */
const MAX_DECIMALS = 3

/**
 * Compiles a text into the writer memory, where it stays. Call it with constant pieces, once for each system of units
 * (`perUnits`).
 */
export function textTemplate(
  memory: WriterMemory,
  pieces: readonly (string | Placeholder)[],
  units: Units,
): TextTemplate {
  const parts = partsOf(pieces)
  const most = parts.reduce((sum, part) => sum + maxBytes(part), 0)
  if (most > MAX_TEMPLATE_BYTES)
    throw new Error(
      `A template may have at most ${MAX_TEMPLATE_BYTES} bytes, but this one has up to ${most}. Split it.`,
    )
  const compiled = memory.allocate(parts.length * PART_BYTES)
  const slot = memory.allocate(parts.length * 8)
  for (const [i, { text, placeholder }] of parts.entries()) {
    const part = compiled + i * PART_BYTES
    memory.storeText(part, text)
    if (!placeholder) continue
    memory.setUint32(part + 8, KINDS[placeholder.kind])
    if (placeholder.kind === 'choice') {
      const list = memory.allocate(placeholder.texts.length * 8)
      for (const [j, word] of placeholder.texts.entries()) memory.storeText(list + j * 8, word)
      memory.setUint32(part + 12, list)
      memory.setUint32(part + 32, placeholder.texts.length)
    } else if (placeholder.kind === 'number') {
      const { scale, offset, decimals } = units.conversions[placeholder.quantity]
      if (decimals > MAX_DECIMALS)
        throw new Error(
          `A quantity may have at most ${MAX_DECIMALS} decimals, but ${placeholder.quantity} has ${decimals}.`,
        )
      memory.setUint32(part + 12, decimals)
      memory.setFloat64(part + 16, scale)
      memory.setFloat64(part + 24, offset)
      memory.setUint32(part + 32, 10 ** decimals)
    }
  }
  const values = new Float64Array(parts.filter(({ placeholder }) => placeholder).length)
  const count = parts.length
  return { values, write: (address) => memory.writeTemplate(compiled, count, slot, values, address) }
}

interface TemplatePart {
  text: string
  readonly placeholder?: Placeholder
}

/** Each placeholder with the text before it. The text after the last placeholder is a separate part. */
function partsOf(pieces: readonly (string | Placeholder)[]): TemplatePart[] {
  const parts: TemplatePart[] = []
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else {
      parts.push({ text, placeholder: piece })
      text = ''
    }
  }
  if (text) parts.push({ text })
  return parts
}

/** The most bytes that a part writes, including those that the kernel touches after the end of the part. */
function maxBytes({ text, placeholder }: TemplatePart): number {
  const texts = placeholder?.kind === 'choice' ? placeholder.texts.map((word) => Buffer.byteLength(word)) : [24]
  return Buffer.byteLength(text) + Math.max(...texts) + 32
}

/**
 * Returns templates that are compiled once for each memory and system of units.
 * @param make a constant of its module
 */
export function perUnits<T>(
  make: (memory: WriterMemory, units: Units) => T,
): (memory: WriterMemory, units: Units) => T {
  return (memory, units) => memory.compiled(make, units)
}
