import { deflateSync } from 'node:zlib'
import type { Grid } from './grids.ts'

/** Writes genuine GRIB2 messages. Signed numbers are sign and magnitude, as the manual on codes wants them. */
class Octets {
  #bytes = new Uint8Array(1024)
  #view = new DataView(this.#bytes.buffer)
  length = 0

  #room(n: number): void {
    if (this.length + n <= this.#bytes.length) return
    const bigger = new Uint8Array(Math.max(this.length + n, this.#bytes.length * 2))
    bigger.set(this.#bytes.subarray(0, this.length))
    this.#bytes = bigger
    this.#view = new DataView(bigger.buffer)
  }
  u8(...values: number[]): this {
    this.#room(values.length)
    for (const value of values) this.#bytes[this.length++] = value
    return this
  }
  u16(value: number): this {
    this.#room(2)
    this.#view.setUint16(this.length, value)
    this.length += 2
    return this
  }
  u32(value: number): this {
    this.#room(4)
    this.#view.setUint32(this.length, value >>> 0)
    this.length += 4
    return this
  }
  s8(value: number): this {
    return this.u8(value < 0 ? 0x80 | -value : value)
  }
  s16(value: number): this {
    return this.u16(value < 0 ? 0x8000 | -value : value)
  }
  s32(value: number): this {
    return this.u32(value < 0 ? (0x80000000 | -value) >>> 0 : value)
  }
  f32(value: number): this {
    this.#room(4)
    this.#view.setFloat32(this.length, value)
    this.length += 4
    return this
  }
  bytes(more: Uint8Array): this {
    this.#room(more.length)
    this.#bytes.set(more, this.length)
    this.length += more.length
    return this
  }
  time(instant: number): this {
    const d = new Date(instant)
    return this.u16(d.getUTCFullYear()).u8(
      d.getUTCMonth() + 1,
      d.getUTCDate(),
      d.getUTCHours(),
      d.getUTCMinutes(),
      d.getUTCSeconds(),
    )
  }
  done(): Uint8Array {
    return this.#bytes.slice(0, this.length)
  }
}

/** What a message says, beside where and when. */
export interface Product {
  readonly discipline: number
  readonly category: number
  readonly number: number
  /** Code table 4.5 and its value: scaled by 10^-scale. */
  readonly surface: { type: number; scale?: number; value: number }
  readonly second?: { type: number; scale?: number; value: number }
  /** Hours after the run at which an instant lies or an interval ends. */
  readonly leadHours: number
  /** Hours that an interval lasts; absent for an instant. */
  readonly windowHours?: number
  /** Code table 4.10: 0 average, 1 accumulation, 2 maximum, 3 minimum. */
  readonly process?: number
  /** Code table 4.7: 2 is how NBM codes a standard deviation. */
  readonly derived?: number
  readonly percentile?: number
  /** Code table 4.9 type with scaled limits. */
  readonly probability?: {
    type: number
    lower?: { scale: number; value: number }
    upper?: { scale: number; value: number }
    number?: number
    of?: number
  }
  /** Code table 4.3; 5 marks a probability in NBM. */
  readonly generating?: number
}

export interface Packing {
  /** 5.0 simple, 5.3 complex with spatial differencing, 5.41 PNG. */
  readonly template: 0 | 3 | 41
  /** Values are kept in steps of 2^binary / 10^decimal. */
  readonly decimal: number
  readonly binary?: number
  /** NaN is kept by missing value management 1 (5.3 only); otherwise by a bitmap. */
  readonly order?: 1 | 2
  /** Bits of a PNG sample. */
  readonly bits?: 8 | 16 | 24
  /** Reference value of a PNG, so that sentinels keep their place. */
  readonly reference?: number
}

export interface Origin {
  readonly centre: number
  readonly subcentre: number
  readonly run: number /** Code table 1.2: 1 start of forecast, 0 analysis, 3 observation. */
  readonly significance?: number
  readonly process?: number
  readonly localTables?: number
  readonly mastertables?: number
}

/**
 * One GRIB2 message.
 * @param values row-major, row 0 at the grid's first point, NaN where missing; rows are turned as the scanning mode says
 * @param local bytes of a local use section: lets a file be brought to a size that is known beforehand
 */
export function gribMessage(
  origin: Origin,
  grid: Grid,
  product: Product,
  packing: Packing,
  values: Float32Array,
  local = 0,
): Uint8Array {
  const stream = (grid.scan & 16) !== 0 ? turnOddRows(values, grid.nx, grid.ny) : values
  const sections: Uint8Array[] = []
  sections.push(
    section(
      1,
      new Octets()
        .u16(origin.centre)
        .u16(origin.subcentre)
        .u8(origin.mastertables ?? 2, origin.localTables ?? 1, origin.significance ?? 1)
        .time(origin.run)
        .u8(0, 1),
    ),
  )
  if (local > 0) sections.push(section(2, new Octets().bytes(new Uint8Array(local))))
  sections.push(section(3, gridSection(grid)))
  sections.push(section(4, productSection(origin, product)))
  const { representation, bitmap, data } = pack(stream, packing, grid)
  sections.push(section(5, representation), section(6, bitmap), section(7, data))
  const total = 16 + sections.reduce((sum, part) => sum + part.length, 0) + 4
  const out = new Octets().bytes(Buffer.from('GRIB')).u16(0).u8(product.discipline, 2).u32(0).u32(total)
  for (const part of sections) out.bytes(part)
  return out.bytes(Buffer.from('7777')).done()
}

function section(number: number, body: Octets): Uint8Array {
  return new Octets()
    .u32(body.length + 5)
    .u8(number)
    .bytes(body.done())
    .done()
}

function turnOddRows(values: Float32Array, nx: number, ny: number): Float32Array {
  const out = values.slice()
  for (let j = 1; j < ny; j += 2) out.subarray(j * nx, (j + 1) * nx).reverse()
  return out
}

function gridSection(grid: Grid): Octets {
  const p = grid.projection
  const template = { lambert: 30, polar: 20, mercator: 10, latlon: 0 }[p.kind]
  const o = new Octets()
    .u8(0)
    .u32(grid.nx * grid.ny)
    .u8(0, 0)
    .u16(template)
  o.u8(grid.earth)
  if (grid.earth === 1) o.u8(0).u32(p.radius)
  else o.u8(0).u32(0)
  o.u8(0).u32(0).u8(0).u32(0).u32(grid.nx).u32(grid.ny)
  const micro = (degrees: number) => Math.round(degrees * 1e6)
  const milli = (metres: number) => Math.round(metres * 1e3)
  const flags = grid.windAlongGrid ? 56 : 48
  if (p.kind === 'latlon') {
    const lastLat = grid.la1 + ((grid.scan & 64) === 0 ? -1 : 1) * (grid.ny - 1) * p.dj
    const lastLon = grid.lo1 + (grid.nx - 1) * p.di
    return o
      .u32(0)
      .u32(0xffffffff)
      .s32(micro(grid.la1))
      .s32(micro(grid.lo1))
      .u8(flags)
      .s32(micro(lastLat))
      .s32(micro(lastLon))
      .u32(micro(p.di))
      .u32(micro(p.dj))
      .u8(grid.scan)
  }
  if (p.kind === 'mercator') {
    const scale = p.radius * Math.cos((p.lad * Math.PI) / 180)
    const y0 = Math.log(Math.tan(Math.PI / 4 + (grid.la1 * Math.PI) / 360))
    const lastLat = (2 * Math.atan(Math.exp(y0 + ((grid.ny - 1) * p.dy) / scale)) - Math.PI / 2) * (180 / Math.PI)
    const lastLon = grid.lo1 + (((grid.nx - 1) * p.dx) / scale) * (180 / Math.PI)
    return o
      .s32(micro(grid.la1))
      .s32(micro(grid.lo1))
      .u8(flags)
      .s32(micro(p.lad))
      .s32(micro(lastLat))
      .s32(micro(lastLon))
      .u8(grid.scan)
      .u32(0)
      .u32(milli(p.dx))
      .u32(milli(p.dy))
  }
  o.s32(micro(grid.la1)).s32(micro(grid.lo1)).u8(flags)
  if (p.kind === 'polar')
    return o.s32(micro(p.lad)).s32(micro(p.lov)).u32(milli(p.dx)).u32(milli(p.dy)).u8(0, grid.scan)
  return o
    .s32(micro(p.latin1))
    .s32(micro(p.lov))
    .u32(milli(p.dx))
    .u32(milli(p.dy))
    .u8(0, grid.scan)
    .s32(micro(p.latin1))
    .s32(micro(p.latin2))
    .s32(-90_000_000)
    .s32(0)
}

function productSection(origin: Origin, product: Product): Octets {
  const interval = product.windowHours !== undefined
  const template = product.probability
    ? interval
      ? 9
      : 5
    : product.percentile !== undefined
      ? interval
        ? 10
        : 6
      : product.derived !== undefined
        ? interval
          ? 12
          : 2
        : interval
          ? 8
          : 0
  const start = product.leadHours - (product.windowHours ?? 0)
  const wholeHours = Number.isInteger(start)
  const o = new Octets().u16(0).u16(template)
  o.u8(
    product.category,
    product.number,
    product.generating ?? (product.probability ? 5 : 2),
    255,
    origin.process ?? 104,
  )
  o.u16(0xffff)
    .u8(255)
    .u8(wholeHours ? 1 : 0)
    .s32(wholeHours ? start : Math.round(start * 60))
  for (const level of [product.surface, product.second ?? { type: 255, value: 0 }])
    o.u8(level.type)
      .s8(level.scale ?? 0)
      .s32(level.value)
  if (product.derived !== undefined) o.u8(product.derived, 255)
  if (product.probability) {
    const { type, lower, upper, number, of } = product.probability
    const limit = (at?: { scale: number; value: number }) => (at ? o.s8(at.scale).s32(at.value) : o.u8(0xff).u32(255))
    o.u8(number ?? 255, of ?? 255, type)
    limit(lower)
    limit(upper)
  }
  if (product.percentile !== undefined) o.u8(product.percentile)
  if (interval) {
    o.time(origin.run + product.leadHours * 3_600_000)
      .u8(1)
      .u32(0)
    o.u8(product.process ?? 1, 2, 1)
      .u32(product.windowHours ?? 0)
      .u8(1)
      .u32(0)
  }
  return o
}

/** Number of bits that hold `value`. */
function bitsFor(value: number): number {
  return value <= 0 ? 0 : Math.floor(Math.log2(value)) + 1
}

class Bits {
  readonly #out: Uint8Array
  #at = 0
  constructor(capacityBits: number) {
    this.#out = new Uint8Array(Math.ceil(capacityBits / 8) + 8)
  }
  put(value: number, width: number): void {
    for (let left = width; left > 0; ) {
      const room = 8 - (this.#at & 7)
      const take = Math.min(room, left)
      const part = Math.floor(value / 2 ** (left - take)) & ((1 << take) - 1)
      this.#out[this.#at >> 3] |= part << (room - take)
      this.#at += take
      left -= take
    }
  }
  align(): void {
    this.#at = (this.#at + 7) & ~7
  }
  done(): Uint8Array {
    return this.#out.subarray(0, (this.#at + 7) >> 3)
  }
}

interface Packed {
  representation: Octets
  bitmap: Octets
  data: Octets
}

function pack(values: Float32Array, packing: Packing, grid: Grid): Packed {
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

/** Data template 5.3: spatial differences of the values that are there, in groups of 32, all ones in a group for what is missing. */
function packComplex(
  values: Float32Array,
  packing: Packing,
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

const CRC = Int32Array.from({ length: 256 }, (_, i) => {
  let c = i
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})

function crc32(bytes: Uint8Array): number {
  let c = -1
  for (const byte of bytes) c = CRC[(c ^ byte) & 255] ^ (c >>> 8)
  return (c ^ -1) >>> 0
}

/** A PNG of grey samples of 8 or 16 bits, or of 24 bits as red, green, blue. */
export function png(samples: Uint32Array, width: number, height: number, bits: 8 | 16 | 24): Uint8Array {
  const each = bits / 8
  const row = width * each + 1
  const raw = new Uint8Array(row * height)
  for (let j = 0, k = 0; j < height; j++) {
    let at = j * row
    raw[at++] = 0
    for (let i = 0; i < width; i++, k++) for (let b = each - 1; b >= 0; b--) raw[at++] = (samples[k] >>> (8 * b)) & 255
  }
  const chunk = (type: string, body: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(type), body])
    return new Octets().u32(body.length).bytes(named).u32(crc32(named)).done()
  }
  const header = new Octets()
    .u32(width)
    .u32(height)
    .u8(bits === 16 ? 16 : 8, bits === 24 ? 2 : 0, 0, 0, 0)
    .done()
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 1 })),
    chunk('IEND', new Uint8Array()),
  ])
}
