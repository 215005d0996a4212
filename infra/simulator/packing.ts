import type { SimulatedGrid } from './grids.ts'
import { Octets } from './octets.ts'
import { png } from './png.ts'

export interface PackingDefinition {
  /** Data representation template: 5.0 simple, 5.3 complex with spatial differencing, 5.41 PNG. */
  readonly template: 0 | 3 | 41
  /** Values are rounded to steps of 2^binary × 10^-decimal. */
  readonly decimal: number
  readonly binary?: number
  /** Order of spatial differences (5.3). NaN is coded by missing value management 1 there, and by a bitmap otherwise. */
  readonly order?: 1 | 2
  /** Whether a field of one value has no groups (5.3), as RRFS writes it. */
  readonly noGroups?: true
  /** Bits of a PNG sample. */
  readonly bits?: 8 | 16 | 24
  /** Reference value of a PNG, which makes sentinels exact. */
  readonly reference?: number
}

/** Returns the number of bits that `value` needs. */
function bitsFor(value: number): number {
  return value <= 0 ? 0 : Math.floor(Math.log2(value)) + 1
}

class Bits {
  readonly #out: Uint8Array
  #at = 0
  /** Bits that do not fill a byte yet. */
  #pending = 0
  #bitCount = 0
  constructor(capacityBits: number) {
    this.#out = new Uint8Array(Math.ceil(capacityBits / 8) + 16)
  }
  /** @param width at most 24 */
  put(value: number, width: number): void {
    this.#pending = (this.#pending << width) | value
    this.#bitCount += width
    while (this.#bitCount >= 8) {
      this.#bitCount -= 8
      this.#out[this.#at++] = this.#pending >>> this.#bitCount
    }
    this.#pending &= (1 << this.#bitCount) - 1
  }
  align(): void {
    if (this.#bitCount > 0) this.put(0, 8 - this.#bitCount)
  }
  done(): Uint8Array {
    this.align()
    return this.#out.subarray(0, this.#at)
  }
}

interface Packed {
  representation: Octets
  bitmap: Octets
  data: Octets
}

/** Packs values, of which NaN is missing, into sections 5, 6 and 7. */
export function pack(values: Float32Array, packing: PackingDefinition, grid: SimulatedGrid): Packed {
  const step = 2 ** (packing.binary ?? 0) / 10 ** packing.decimal
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  let missing = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (Number.isNaN(value)) missing++
    else {
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  if (missing === values.length) low = high = 0
  // A reference at a whole step keeps percentages whole numbers from 0 to 100.
  low = Math.floor(low / step + 1e-6) * step
  const reference = Math.fround((packing.reference ?? low) * 10 ** packing.decimal)
  const base = reference / 10 ** packing.decimal
  const maxCode = Math.round((high - base) / step)
  const head = (count: number, bits: number) =>
    new Octets()
      .u32(count)
      .u16(packing.template)
      .f32(reference)
      .s16(packing.binary ?? 0)
      .s16(packing.decimal)
      .u8(bits)

  if (packing.template === 41) {
    const bits = packing.bits ?? 16
    // `from` of a typed array reads an iterator, which takes ten times as long as a loop.
    const scaled = new Uint32Array(values.length)
    for (let i = 0; i < values.length; i++) scaled[i] = Math.max(0, Math.round((values[i]! - base) / step))
    return {
      representation: head(values.length, bits).u8(0),
      bitmap: new Octets().u8(255),
      data: new Octets().bytes(png(scaled, grid.nx, grid.ny, bits)),
    }
  }
  if (packing.template === 0) {
    const bits = bitsFor(maxCode)
    const mask = missing > 0 ? new Bits(values.length) : undefined
    const data = new Bits((values.length - missing) * bits)
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!
      mask?.put(Number.isNaN(value) ? 0 : 1, 1)
      if (bits > 0 && !Number.isNaN(value)) data.put(Math.round((value - base) / step), bits)
    }
    return {
      representation: head(values.length - missing, bits).u8(0),
      bitmap: mask ? new Octets().u8(0).bytes(mask.done()) : new Octets().u8(255),
      data: new Octets().bytes(data.done()),
    }
  }
  if (packing.noGroups && maxCode === 0 && missing === 0) return packConstant(values.length, head)
  return packComplex(values, packing, head, base, step)
}

/** Packs a field of one value by data template 5.3 without any group: its reference is the value. */
function packConstant(count: number, head: (count: number, bits: number) => Octets): Packed {
  const representation = head(count, 0).u8(0, 1, 0).f32(9999).u32(255).u32(0).u8(0, 0).u32(0).u8(1).u32(0).u8(0, 2, 1)
  return { representation, bitmap: new Octets().u8(255), data: new Octets() }
}

/** Marks a missing value in codes and group references. */
const MISSING = -1
/** Number of values in a group. */
const GROUP_LENGTH = 32

/** Values as spatial differences, from which their minimum is subtracted so that they are not negative. */
interface Differences {
  readonly codes: Int32Array
  /** The first values, which have no difference. */
  readonly firsts: readonly number[]
  readonly minimum: number
}

function differencesOf(values: Float32Array, order: 1 | 2, base: number, step: number): Differences {
  const codes = new Int32Array(values.length)
  const firsts: number[] = []
  let previous = 0
  let secondPrevious = 0
  let count = 0
  let minimum = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (Number.isNaN(value)) continue
    const code = Math.round((value - base) / step)
    if (count < order) firsts.push(code)
    else {
      const difference = order === 1 ? code - previous : code - 2 * previous + secondPrevious
      codes[i] = difference
      if (difference < minimum) minimum = difference
    }
    secondPrevious = previous
    previous = code
    count++
  }
  while (firsts.length < order) firsts.push(0)
  count = 0
  for (let i = 0; i < codes.length; i++) {
    if (Number.isNaN(values[i]!)) codes[i] = MISSING
    else if (count++ >= order) codes[i]! -= minimum
  }
  return { codes, firsts, minimum }
}

interface Groups {
  readonly references: Int32Array
  readonly widths: Uint8Array
  readonly maxReference: number
  readonly dataBits: number
}

function groupsOf(codes: Int32Array): Groups {
  const count = Math.ceil(codes.length / GROUP_LENGTH)
  const references = new Int32Array(count)
  const widths = new Uint8Array(count)
  let maxReference = 0
  let dataBits = 0
  for (let g = 0; g < count; g++) {
    const end = Math.min(codes.length, (g + 1) * GROUP_LENGTH)
    let low = 2 ** 31
    let high = -1
    let hasMissing = false
    for (let i = g * GROUP_LENGTH; i < end; i++) {
      const code = codes[i]!
      if (code === MISSING) hasMissing = true
      else {
        if (code < low) low = code
        if (code > high) high = code
      }
    }
    const width = high < 0 || (high === low && !hasMissing) ? 0 : bitsFor(high - low + 1)
    references[g] = high < 0 ? MISSING : low
    widths[g] = width
    if (high >= 0 && low > maxReference) maxReference = low
    dataBits += width * (end - g * GROUP_LENGTH)
  }
  return { references, widths, maxReference, dataBits }
}

/**
 * Packs by data template 5.3: spatial differences of the present values in groups, with all bits set for a missing
 * value.
 */
function packComplex(
  values: Float32Array,
  packing: PackingDefinition,
  head: (count: number, bits: number) => Octets,
  base: number,
  step: number,
): Packed {
  const order = packing.order ?? 2
  const { codes, firsts, minimum } = differencesOf(values, order, base, step)
  const { references, widths, maxReference, dataBits } = groupsOf(codes)
  const referenceBits = bitsFor(maxReference + 1)
  if (referenceBits > 24)
    throw new Error(`simulated field needs ${referenceBits} bits a value, 24 at most: give it a coarser step`)
  const widest = widths.reduce((a, b) => Math.max(a, b), 0)
  const narrowest = widths.reduce((a, b) => Math.min(a, b), 255)
  const widthBits = bitsFor(widest - narrowest)
  const out = new Bits(widths.length * (referenceBits + widthBits) + dataBits + 64)
  for (const reference of references) out.put(reference === MISSING ? 2 ** referenceBits - 1 : reference, referenceBits)
  out.align()
  for (const width of widths) out.put(width - narrowest, widthBits)
  out.align()
  for (let g = 0; g < widths.length; g++) {
    const width = widths[g]!
    if (width === 0) continue
    const reference = references[g]!
    const end = Math.min(codes.length, (g + 1) * GROUP_LENGTH)
    for (let i = g * GROUP_LENGTH; i < end; i++) {
      const code = codes[i]!
      out.put(code === MISSING ? 2 ** width - 1 : code - reference, width)
    }
  }
  const extraOctets = Math.max(1, Math.ceil((bitsFor(Math.max(...firsts, -minimum)) + 1) / 8))
  const data = new Octets()
  for (const value of [...firsts, minimum]) {
    const magnitude = Math.abs(value)
    for (let k = extraOctets - 1; k >= 0; k--) {
      const octet = Math.floor(magnitude / 256 ** k) & 255
      data.u8(k === extraOctets - 1 && value < 0 ? octet | 0x80 : octet)
    }
  }
  data.bytes(out.done())
  const representation = head(values.length, referenceBits)
    .u8(0, 1, 1)
    .f32(9999)
    .u32(255)
    .u32(widths.length)
    .u8(narrowest, widthBits)
    .u32(GROUP_LENGTH)
    .u8(1)
    .u32(values.length - (widths.length - 1) * GROUP_LENGTH)
    .u8(0)
    .u8(order, extraOctets)
  return { representation, bitmap: new Octets().u8(255), data }
}
