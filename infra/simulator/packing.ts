import type { SimulatedGrid } from './grids.ts'
import { Octets } from './octets.ts'
import { png } from './png.ts'

export interface PackingDefinition {
  /** 5.0 simple, 5.3 complex with spatial differencing, 5.41 PNG. */
  readonly template: 0 | 3 | 41
  /**
   * Values are rounded to steps of 2^binary
   * 10^decimal.
   */
  readonly decimal: number
  readonly binary?: number
  /** NaN is coded by missing value management 1 (5.3 only); otherwise by a bitmap. */
  readonly order?: 1 | 2
  /** Bits of a PNG sample. */
  readonly bits?: 8 | 16 | 24
  /** Reference value of a PNG, so that sentinels are exact. */
  readonly reference?: number
}

/** Number of bits that `value` needs. */
function bitsFor(value: number): number {
  return value <= 0 ? 0 : Math.floor(Math.log2(value)) + 1
}

class Bits {
  readonly #out: Uint8Array
  #at = 0
  /** Fewer than 8 bits that do not fill a byte yet. */
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

export function pack(values: Float32Array, packing: PackingDefinition, grid: SimulatedGrid): Packed {
  const step = 2 ** (packing.binary ?? 0) / 10 ** packing.decimal
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  let missing = 0
  for (const value of values) {
    if (Number.isNaN(value)) missing++
    else {
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  if (missing === values.length) low = high = 0
  // A reference on a whole step keeps percentages whole numbers within 0 and 100.
  low = Math.floor(low / step + 1e-6) * step
  const reference = Math.fround((packing.reference ?? low) * 10 ** packing.decimal)
  const base = reference / 10 ** packing.decimal
  const most = Math.round((high - base) / step)
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
    const scaled = Uint32Array.from(values, (value) => Math.max(0, Math.round((value - base) / step)))
    return {
      representation: head(values.length, bits).u8(0),
      bitmap: new Octets().u8(255),
      data: new Octets().bytes(png(scaled, grid.nx, grid.ny, bits)),
    }
  }
  if (packing.template === 0) {
    const bits = bitsFor(most)
    const mask = missing > 0 ? new Bits(values.length) : undefined
    const data = new Bits((values.length - missing) * bits)
    for (const value of values) {
      mask?.put(Number.isNaN(value) ? 0 : 1, 1)
      if (bits > 0 && !Number.isNaN(value)) data.put(Math.round((value - base) / step), bits)
    }
    return {
      representation: head(values.length - missing, bits).u8(0),
      bitmap: mask ? new Octets().u8(0).bytes(mask.done()) : new Octets().u8(255),
      data: new Octets().bytes(data.done()),
    }
  }
  return packComplex(values, packing, head, base, step, missing)
}

/** Data template 5.3: spatial differences of the present values, in groups of 32, all ones in a group for missing ones. */
function packComplex(
  values: Float32Array,
  packing: PackingDefinition,
  head: (count: number, bits: number) => Octets,
  base: number,
  step: number,
  missing: number,
): Packed {
  const n = values.length
  const order = packing.order ?? 2
  const MISSING = -1
  const codes = new Int32Array(n)
  const firsts: number[] = []
  let before = 0
  let beforeThat = 0
  let seen = 0
  let least = 0
  for (let i = 0; i < n; i++) {
    const value = values[i]
    if (Number.isNaN(value)) continue
    const code = Math.round((value - base) / step)
    if (seen < order) {
      firsts.push(code)
      codes[i] = 0
    } else {
      codes[i] = order === 1 ? code - before : code - 2 * before + beforeThat
      if (codes[i] < least) least = codes[i]
    }
    beforeThat = before
    before = code
    seen++
  }
  while (firsts.length < order) firsts.push(0)
  seen = 0
  for (let i = 0; i < n; i++) {
    if (Number.isNaN(values[i])) codes[i] = MISSING
    else codes[i] = seen++ < order ? 0 : codes[i] - least
  }
  const length = 32
  const groups = Math.ceil(n / length)
  const refs = new Int32Array(groups)
  const widths = new Uint8Array(groups)
  let mostRef = 0
  let dataBits = 0
  for (let g = 0; g < groups; g++) {
    const end = Math.min(n, (g + 1) * length)
    let low = Number.POSITIVE_INFINITY
    let high = -1
    let holes = 0
    for (let i = g * length; i < end; i++) {
      if (codes[i] === MISSING) holes++
      else {
        if (codes[i] < low) low = codes[i]
        if (codes[i] > high) high = codes[i]
      }
    }
    if (high < 0) refs[g] = MISSING
    else {
      refs[g] = low
      if (low > mostRef) mostRef = low
      widths[g] = high === low && holes === 0 ? 0 : bitsFor(high - low + 1)
    }
    dataBits += widths[g] * (end - g * length)
  }
  const refBits = bitsFor(mostRef + 1)
  if (refBits > 24) throw new Error(`simulated field needs ${refBits} bits a value, 24 at most: give it a coarser step`)
  const widest = widths.reduce((a, b) => Math.max(a, b), 0)
  const narrowest = widths.reduce((a, b) => Math.min(a, b), 255)
  const widthBits = bitsFor(widest - narrowest)
  const out = new Bits(groups * (refBits + widthBits) + dataBits + 64)
  for (const ref of refs) out.put(ref === MISSING ? 2 ** refBits - 1 : ref, refBits)
  out.align()
  for (const width of widths) out.put(width - narrowest, widthBits)
  out.align()
  for (let g = 0; g < groups; g++) {
    const width = widths[g]
    if (width === 0) continue
    const end = Math.min(n, (g + 1) * length)
    for (let i = g * length; i < end; i++) out.put(codes[i] === MISSING ? 2 ** width - 1 : codes[i] - refs[g], width)
  }
  const extra = Math.max(1, Math.ceil((bitsFor(Math.max(...firsts, -least)) + 1) / 8))
  const data = new Octets()
  const wide = (value: number) => {
    const magnitude = Math.abs(value)
    for (let k = extra - 1; k >= 0; k--) {
      const octet = Math.floor(magnitude / 256 ** k) & 255
      data.u8(k === extra - 1 && value < 0 ? octet | 0x80 : octet)
    }
  }
  for (const first of firsts) wide(first)
  wide(least)
  data.bytes(out.done())
  const representation = head(n, refBits).u8(0, 1, 1).f32(9999).u32(255).u32(groups)
  representation
    .u8(narrowest, widthBits)
    .u32(length)
    .u8(1)
    .u32(n - (groups - 1) * length)
    .u8(0)
    .u8(order, extra)
  void missing
  return { representation, bitmap: new Octets().u8(255), data }
}
