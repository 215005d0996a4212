import { Fault } from '../domain/fault.ts'

/** Limit of a block before the last run-length decoding: 9 × 100 000 bytes. */
const BLOCK_UNIT = 100_000
const BLOCK_MAGIC = [0x314159, 0x265359] as const
const END_MAGIC = [0x177245, 0x385090] as const
const MAX_CODE_BITS = 20
/** Symbols that one Huffman table decodes before the next selector. */
const GROUP = 50

function corrupt(wanted: string, got: string | number): never {
  throw new Fault('Corrupt', `bzip2: wanted ${wanted}, got ${got}: fetch the file again`)
}

class Bits {
  readonly #octets: Uint8Array
  #at = 0
  #buffer = 0
  #count = 0

  constructor(octets: Uint8Array) {
    this.#octets = octets
  }

  #fill(count: number): void {
    while (this.#count < count && this.#at < this.#octets.length) {
      this.#buffer = ((this.#buffer << 8) | this.#octets[this.#at++]!) >>> 0
      this.#count += 8
    }
  }

  /** The next `count` bits, at most 20, filled up with zeros behind the end of the data. */
  peek(count: number): number {
    this.#fill(count)
    const missing = Math.max(0, count - this.#count)
    return (this.#buffer >>> (this.#count + missing - count)) << missing
  }

  skip(count: number): void {
    this.#fill(count)
    if (this.#count < count) corrupt(`${count} more bits`, 'the end of the data')
    this.#count -= count
    this.#buffer &= 2 ** this.#count - 1
  }

  /** Up to 24 bits. */
  read(count: number): number {
    this.#fill(count)
    if (this.#count < count) corrupt(`${count} more bits`, 'the end of the data')
    const value = this.#buffer >>> (this.#count - count)
    this.#count -= count
    this.#buffer &= 2 ** this.#count - 1
    return value
  }
}

/** Codes of up to this length are found by one look-up. */
const SHORT = 10

/** A canonical Huffman code: by length, the largest code, and the offset of its symbols. */
interface Table {
  /** By the next `SHORT` bits: symbol × 32 + length of its code, 0 where the code is longer. */
  readonly short: Uint16Array
  readonly limits: Int32Array
  readonly offsets: Int32Array
  readonly symbols: Uint16Array
}

function tableOf(lengths: Uint8Array): Table {
  const limits = new Int32Array(MAX_CODE_BITS + 2).fill(-1)
  const offsets = new Int32Array(MAX_CODE_BITS + 2)
  const symbols = new Uint16Array(lengths.length)
  const short = new Uint16Array(1 << SHORT)
  let code = 0
  let index = 0
  for (let length = 1; length <= MAX_CODE_BITS; length++) {
    offsets[length] = index - code
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue
      symbols[index++] = symbol
      if (length <= SHORT) {
        const first = code << (SHORT - length)
        short.fill(symbol * 32 + length, first, first + (1 << (SHORT - length)))
      }
      code++
    }
    limits[length] = code - 1
    code *= 2
  }
  return { short, limits, offsets, symbols }
}

function readSymbol(bits: Bits, { short, limits, offsets, symbols }: Table): number {
  const entry = short[bits.peek(SHORT)]!
  if (entry) {
    bits.skip(entry & 31)
    return entry >> 5
  }
  for (let length = SHORT + 1; length <= MAX_CODE_BITS; length++) {
    const code = bits.peek(length)
    if (code > limits[length]!) continue
    bits.skip(length)
    return symbols[offsets[length]! + code] ?? corrupt('a Huffman code', code)
  }
  return corrupt('a Huffman code', `${MAX_CODE_BITS} bits that are none`)
}

function readTables(bits: Bits, symbols: number, count: number): Table[] {
  return Array.from({ length: count }, () => {
    const lengths = new Uint8Array(symbols)
    let length = bits.read(5)
    for (let symbol = 0; symbol < symbols; symbol++) {
      while (bits.read(1)) length += bits.read(1) ? -1 : 1
      if (length < 1 || length > MAX_CODE_BITS) corrupt(`a code length of 1 to ${MAX_CODE_BITS}`, length)
      lengths[symbol] = length
    }
    return tableOf(lengths)
  })
}

/** The byte values that occur in a block: 16 bits for the ranges in use, 16 for each of them. */
function readAlphabet(bits: Bits): Uint8Array {
  const ranges = bits.read(16)
  const octets: number[] = []
  for (let range = 0; range < 16; range++) {
    if (!(ranges & (0x8000 >> range))) continue
    const used = bits.read(16)
    for (let k = 0; k < 16; k++) if (used & (0x8000 >> k)) octets.push(range * 16 + k)
  }
  if (octets.length === 0) corrupt('a block with symbols', 'none')
  return Uint8Array.from(octets)
}

/** Moves the item at `index` to the front. A loop: lists are short, and `copyWithin` is 8 times slower on them. */
function toFront(list: Uint8Array, index: number): number {
  const item = list[index]!
  for (let k = index; k > 0; k--) list[k] = list[k - 1]!
  list[0] = item
  return item
}

function readSelectors(bits: Bits, tables: number): Uint8Array {
  const count = bits.read(15)
  if (count === 0) corrupt('at least one selector', count)
  const order = Uint8Array.from({ length: tables }, (_, k) => k)
  return Uint8Array.from({ length: count }, () => {
    let index = 0
    while (bits.read(1)) if (++index >= tables) corrupt(`a table below ${tables}`, index)
    return toFront(order, index)
  })
}

/** The last column of the sorted rotations: Huffman codes, runs of the front symbol, move-to-front. */
function readColumn(bits: Bits, column: Uint32Array): number {
  const alphabet = readAlphabet(bits)
  const tables = bits.read(3)
  if (tables < 2 || tables > 6) corrupt('2 to 6 Huffman tables', tables)
  const selectors = readSelectors(bits, tables)
  const codes = readTables(bits, alphabet.length + 2, tables)
  const end = alphabet.length + 1
  let size = 0
  let run = 0
  let weight = 1
  const endRun = () => {
    if (run > column.length - size) corrupt(`a block of at most ${column.length} bytes`, size + run)
    column.fill(alphabet[0]!, size, size + run)
    size += run
    run = 0
    weight = 1
  }
  for (const selector of selectors) {
    for (let k = 0; k < GROUP; k++) {
      const symbol = readSymbol(bits, codes[selector]!)
      if (symbol < 2) {
        // Runs count in a bijective base 2: digits 1 and 2.
        run += weight * (symbol + 1)
        weight *= 2
        if (run > column.length) endRun()
        continue
      }
      if (run > 0) endRun()
      if (symbol === end) return size
      if (size >= column.length) corrupt(`a block of at most ${column.length} bytes`, 'more')
      column[size++] = toFront(alphabet, symbol - 1)
    }
  }
  return corrupt('an end of the block', 'the last selector')
}

/** Links each byte of the last column to the next one of the text, in the upper 24 bits. */
function link(column: Uint32Array, size: number): void {
  const starts = new Uint32Array(256)
  for (let k = 0; k < size; k++) starts[column[k]! & 255]!++
  for (let octet = 0, sum = 0; octet < 256; octet++) {
    const count = starts[octet]!
    starts[octet] = sum
    sum += count
  }
  for (let k = 0; k < size; k++) {
    const to = starts[column[k]! & 255]!++
    column[to] = (column[to]! | (k << 8)) >>> 0
  }
}

const CRC = Uint32Array.from({ length: 256 }, (_, octet) => {
  let crc = octet << 24
  for (let k = 0; k < 8; k++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  return crc >>> 0
})

/** Collects the text and its CRC. */
class Output {
  octets: Uint8Array
  size = 0
  crc = 0xffffffff
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
    this.octets = new Uint8Array(Math.min(limit, 65_536))
  }

  /** Grows the output by at least `count` bytes. */
  reserve(count: number): void {
    const needed = this.size + count
    if (needed > this.#limit) corrupt(`at most ${this.#limit} bytes`, 'more')
    if (needed <= this.octets.length) return
    const larger = new Uint8Array(Math.min(this.#limit, Math.max(this.octets.length * 2, needed)))
    larger.set(this.octets)
    this.octets = larger
  }

  push(octet: number, count: number): void {
    this.reserve(count)
    let { crc } = this
    for (let k = 0; k < count; k++) {
      this.octets[this.size++] = octet
      crc = (crc << 8) ^ CRC[(crc >>> 24) ^ octet]!
    }
    this.crc = crc >>> 0
  }
}

/** Walks the links; four equal bytes are followed by the count of further ones. */
function writeBlock(column: Uint32Array, size: number, origin: number, output: Output): void {
  let at = column[origin]! >>> 8
  let equal = 0
  let last = -1
  for (let k = 0; k < size; k++) {
    const entry = column[at]!
    const octet = entry & 255
    at = entry >>> 8
    if (equal === 4) {
      output.push(last, octet)
      equal = 0
      last = -1
      continue
    }
    equal = octet === last ? equal + 1 : 1
    last = octet
    output.push(octet, 1)
  }
}

/** Decompresses one bzip2 stream. @throws Fault Corrupt where it is none, is longer than `limit`, or a checksum differs */
export function bunzip2(octets: Uint8Array, limit: number): Uint8Array {
  const bits = new Bits(octets)
  const magic = bits.read(24)
  const level = bits.read(8) - 0x30
  if (magic !== 0x425a68 || level < 1 || level > 9) corrupt('BZh1 to BZh9', `0x${magic.toString(16)}`)
  const column = new Uint32Array(level * BLOCK_UNIT)
  const output = new Output(limit)
  let whole = 0
  for (;;) {
    const [first, second] = [bits.read(24), bits.read(24)]
    const crc = (bits.read(16) * 0x10000 + bits.read(16)) >>> 0
    if (first === END_MAGIC[0] && second === END_MAGIC[1]) {
      if (crc !== whole) corrupt(`checksum ${crc.toString(16)}`, whole.toString(16))
      return output.octets.subarray(0, output.size)
    }
    if (first !== BLOCK_MAGIC[0] || second !== BLOCK_MAGIC[1]) corrupt('the start of a block', first.toString(16))
    if (bits.read(1)) corrupt('a block that is not randomized', 'one of bzip2 before 0.9.5')
    const origin = bits.read(24)
    const size = readColumn(bits, column)
    if (origin >= size) corrupt(`an origin below ${size}`, origin)
    link(column, size)
    output.crc = 0xffffffff
    writeBlock(column, size, origin, output)
    const got = ~output.crc >>> 0
    if (got !== crc) corrupt(`block checksum ${crc.toString(16)}`, got.toString(16))
    whole = (((whole << 1) | (whole >>> 31)) ^ crc) >>> 0
  }
}
