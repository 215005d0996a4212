import { DEFLATE_BLOCK, DEFLATE_CODES, DEFLATE_DISTANCE, DEFLATE_END, fault, OK } from './memory'
import { drain, isFull } from './png-rows'

// RFC 1951. Table entries: bits 0–7 all bits to take (code and extra), 8–11 bits of the code alone, 12 pointer to a
// second table, 13 not a plain length, 14 no such code, 16–30 value, 31 literal.
const LITERAL: u32 = 1 << 31
const SPECIAL: u32 = 1 << 13
const POINTER: u32 = 1 << 12
const INVALID: u32 = SPECIAL | (1 << 14)

const LITERAL_BITS: i32 = 11
const DISTANCE_BITS: i32 = 8
const literalTable: usize = memory.data((2048 + 288 * 16) * 4, 16)
const distanceTable: usize = memory.data((256 + 32 * 128) * 4, 16)
const codeTable: usize = memory.data(128 * 4, 16)
const lengths: usize = memory.data(352, 16)
const codeLengths: usize = memory.data(19)
const lengthBase = memory.data<u16>([3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258])
const lengthExtra = memory.data<u8>([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0])
const order = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15])
const counts: usize = memory.data(64)
const nextCode: usize = memory.data(64)
/** The byte of the pattern for each of 16 lanes, for distances 2 to 15. */
const repeats: usize = memory.data(16 * 16, 16)

for (let distance = 2; distance < 16; distance++) {
  for (let k = 0; k < 16; k++) store<u8>(repeats + <usize>(distance * 16 + k), <u8>(k % distance))
}

let input: usize = 0
let inputEnd: usize = 0
let buffer: u64 = 0
let bitCount: u64 = 0

@inline
function refill(): void {
  buffer |= load<u64>(input) << bitCount
  input += <usize>((63 - bitCount) >> 3)
  bitCount |= 56
}

@inline
function take(bits: u64): u32 {
  const value = <u32>(buffer & ((<u64>1 << bits) - 1))
  buffer >>= bits
  bitCount -= bits
  return value
}

@inline
function overrun(): bool {
  return input - <usize>(bitCount >> 3) > inputEnd
}

/** 0 literals and lengths, 1 distances, 2 the code of the code lengths. */
function entryOf(kind: i32, symbol: i32): u32 {
  if (kind == 2) return <u32>symbol << 16
  if (kind == 0) {
    if (symbol < 256) return LITERAL | (<u32>symbol << 16)
    if (symbol == 256) return SPECIAL
    if (symbol > 285) return INVALID
    const k = symbol - 257
    return (<u32>load<u16>(lengthBase + (<usize>k << 1)) << 16) | <u32>load<u8>(lengthExtra + <usize>k)
  }
  if (symbol > 29) return INVALID
  const extra = symbol < 2 ? 0 : (symbol >> 1) - 1
  const base = symbol < 2 ? symbol + 1 : ((2 + (symbol & 1)) << extra) + 1
  return (<u32>base << 16) | <u32>extra
}

/** Builds a decoding table from code lengths; false if the lengths need more codes than exist. */
function makeTable(kind: i32, from: usize, symbols: i32, table: usize, bits: i32): bool {
  memory.fill(counts, 0, 64)
  for (let s = 0; s < symbols; s++) {
    const slot = counts + (<usize>load<u8>(from + <usize>s) << 2)
    store<u32>(slot, load<u32>(slot) + 1)
  }
  store<u32>(counts, 0)
  let code: u32 = 0
  let longest = 0
  for (let length = 1; length < 16; length++) {
    code = (code + load<u32>(counts + (<usize>(length - 1) << 2))) << 1
    store<u32>(nextCode + (<usize>length << 2), code)
    const count = load<u32>(counts + (<usize>length << 2))
    if (count) longest = length
    if (code + count > <u32>1 << length) return false
  }
  const size: u32 = 1 << bits
  for (let k: u32 = 0; k < size; k++) store<u32>(table + (<usize>k << 2), INVALID)
  let free = size
  const deep = max(longest - bits, 0)
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = <i32>load<u8>(from + <usize>symbol)
    if (length == 0) continue
    const slot = nextCode + (<usize>length << 2)
    const code = load<u32>(slot)
    store<u32>(slot, code + 1)
    let reversed: u32 = 0
    for (let k = 0; k < length; k++) reversed |= ((code >> k) & 1) << (length - 1 - k)
    const entry = entryOf(kind, symbol)
    const extra = entry & 0xff
    if (length <= bits) {
      const full = entry & ~0xff | (<u32>length << 8) | (<u32>length + extra)
      for (let k = reversed; k < size; k += 1 << length) store<u32>(table + (<usize>k << 2), full)
      continue
    }
    const head = table + (<usize>(reversed & (size - 1)) << 2)
    let pointer = load<u32>(head)
    if (!(pointer & POINTER)) {
      pointer = SPECIAL | POINTER | (free << 16) | (<u32>deep << 8) | <u32>bits
      store<u32>(head, pointer)
      for (let k: u32 = 0; k < 1 << deep; k++) store<u32>(table + (<usize>(free + k) << 2), INVALID)
      free += 1 << deep
    }
    const second = table + (<usize>((pointer >> 16) & 0x7fff) << 2)
    const rest = length - bits
    const full = entry & ~0xff | (<u32>rest << 8) | (<u32>rest + extra)
    for (let k = reversed >> bits; k < 1 << deep; k += 1 << rest) store<u32>(second + (<usize>k << 2), full)
  }
  return true
}

function fixedTables(): void {
  for (let s: usize = 0; s < 288; s++) store<u8>(lengths + s, s < 144 ? 8 : s < 256 ? 9 : s < 280 ? 7 : 8)
  for (let s: usize = 0; s < 32; s++) store<u8>(lengths + 288 + s, 5)
  makeTable(0, lengths, 288, literalTable, LITERAL_BITS)
  makeTable(1, lengths + 288, 32, distanceTable, DISTANCE_BITS)
}

function dynamicTables(): i32 {
  refill()
  const literals = <i32>take(5) + 257
  const distances = <i32>take(5) + 1
  const codes = <i32>take(4) + 4
  if (literals > 286 || distances > 30) return fault(DEFLATE_CODES, 286, literals)
  memory.fill(codeLengths, 0, 19)
  for (let k = 0; k < codes; k++) {
    refill()
    store<u8>(codeLengths + <usize>load<u8>(order + <usize>k), <u8>take(3))
  }
  if (!makeTable(2, codeLengths, 19, codeTable, 7)) return fault(DEFLATE_CODES, 19, codes)
  const all = literals + distances
  let s = 0
  while (s < all) {
    refill()
    if (overrun()) return fault(DEFLATE_END, 0, 0)
    const entry = load<u32>(codeTable + <usize>((buffer & 127) << 2))
    if (entry & INVALID) return fault(DEFLATE_CODES, all, s)
    take(<u64>(entry & 0xff))
    const symbol = <i32>(entry >> 16)
    if (symbol < 16) {
      store<u8>(lengths + <usize>(s++), <u8>symbol)
      continue
    }
    let value: u8 = 0
    let count: i32
    if (symbol == 16) {
      if (s == 0) return fault(DEFLATE_CODES, all, s)
      value = load<u8>(lengths + <usize>(s - 1))
      count = 3 + <i32>take(2)
    } else if (symbol == 17) {
      count = 3 + <i32>take(3)
    } else {
      count = 11 + <i32>take(7)
    }
    if (s + count > all) return fault(DEFLATE_CODES, all, s + count)
    memory.fill(lengths + <usize>s, value, count)
    s += count
  }
  if (!makeTable(1, lengths + <usize>literals, distances, distanceTable, DISTANCE_BITS)) return fault(DEFLATE_CODES, 30, distances)
  if (!makeTable(0, lengths, literals, literalTable, LITERAL_BITS)) return fault(DEFLATE_CODES, 286, literals)
  return OK
}

@inline
function copyBack(out: usize, distance: usize, length: usize): void {
  const end = out + length
  if (distance >= 16) {
    let from = out - distance
    while (out < end) {
      v128.store(out, v128.load(from))
      out += 16
      from += 16
    }
    return
  }
  let pattern: v128
  let step: usize = 16
  if (distance == 1) {
    pattern = i8x16.splat(load<u8>(out - 1))
  } else {
    pattern = i8x16.swizzle(v128.load(out - distance), v128.load(repeats + (distance << 4)))
    step = 16 - 16 % distance
  }
  while (out < end) {
    v128.store(out, pattern)
    out += step
  }
}

/**
 * Inflates `size` octets of a zlib stream at `source` through a window of `capacity` octets (at least 128 KB), and passes whole rows to
 * `drain` as they are completed. Stops after the last row. `source` needs 16 readable octets after its end.
 */
export function inflate(source: usize, size: i32, window: usize, capacity: i32): i32 {
  input = source + 2
  inputEnd = source + <usize>size
  buffer = 0
  bitCount = 0
  let out = window
  const limit = window + <usize>capacity - 1024
  let final: u32 = 0
  while (!final) {
    if (overrun()) return fault(DEFLATE_END, 0, 0)
    refill()
    final = take(1)
    const kind = take(2)
    if (kind == 3) return fault(DEFLATE_BLOCK, 2, 3)
    if (kind == 0) {
      take(bitCount & 7)
      input -= <usize>(bitCount >> 3)
      buffer = 0
      bitCount = 0
      if (input + 4 > inputEnd) return fault(DEFLATE_END, 0, 0)
      let length = <i32>load<u16>(input)
      if ((length ^ <i32>load<u16>(input, 2)) != 0xffff) return fault(DEFLATE_BLOCK, length, <f64>(<i32>load<u16>(input, 2) ^ 0xffff))
      input += 4
      if (input + <usize>length > inputEnd) return fault(DEFLATE_END, 0, 0)
      while (length > 0) {
        if (out >= limit) {
          out = drain(out)
          if (isFull()) return OK
        }
        const part = min(length, <i32>(limit + 512 - out))
        memory.copy(out, input, part)
        out += part
        input += part
        length -= part
      }
      continue
    }
    if (kind == 1) {
      fixedTables()
    } else {
      const code = dynamicTables()
      if (code) return code
    }
    while (true) {
      if (out >= limit) {
        out = drain(out)
        if (isFull()) return OK
      }
      refill()
      if (input > inputEnd + 16) return fault(DEFLATE_END, 0, 0)
      let entry = load<u32>(literalTable + <usize>((buffer & 2047) << 2))
      if (entry & LITERAL) {
        take(<u64>(entry & 0xff))
        store<u8>(out++, <u8>(entry >> 16))
        entry = load<u32>(literalTable + <usize>((buffer & 2047) << 2))
        if (entry & LITERAL) {
          take(<u64>(entry & 0xff))
          store<u8>(out++, <u8>(entry >> 16))
          entry = load<u32>(literalTable + <usize>((buffer & 2047) << 2))
          if (entry & LITERAL) {
            take(<u64>(entry & 0xff))
            store<u8>(out++, <u8>(entry >> 16))
            continue
          }
        }
        refill()
      }
      if (entry & SPECIAL) {
        if (entry & POINTER) {
          const at = ((entry >> 16) & 0x7fff) + (<u32>(buffer >> LITERAL_BITS) & ((1 << ((entry >> 8) & 15)) - 1))
          take(LITERAL_BITS)
          entry = load<u32>(literalTable + (<usize>at << 2))
          if (entry & LITERAL) {
            take(<u64>(entry & 0xff))
            store<u8>(out++, <u8>(entry >> 16))
            continue
          }
        }
        if (entry & SPECIAL) {
          if (entry & INVALID & ~SPECIAL) return fault(DEFLATE_CODES, 0, 0)
          take(<u64>(entry & 0xff))
          break
        }
      }
      let code = (entry >> 8) & 15
      const length = ((entry >> 16) & 0x7fff) + (take(<u64>(entry & 0xff)) >> code)
      entry = load<u32>(distanceTable + <usize>((buffer & 255) << 2))
      if (entry & SPECIAL) {
        if (!(entry & POINTER)) return fault(DEFLATE_CODES, 0, 0)
        const at = ((entry >> 16) & 0x7fff) + (<u32>(buffer >> DISTANCE_BITS) & ((1 << ((entry >> 8) & 15)) - 1))
        take(DISTANCE_BITS)
        entry = load<u32>(distanceTable + (<usize>at << 2))
        if (entry & SPECIAL) return fault(DEFLATE_CODES, 0, 0)
      }
      code = (entry >> 8) & 15
      const distance = <usize>(((entry >> 16) & 0x7fff) + (take(<u64>(entry & 0xff)) >> code))
      if (distance > out - window) return fault(DEFLATE_DISTANCE, <f64>(out - window), <f64>distance)
      copyBack(out, distance, length)
      out += length
    }
  }
  drain(out)
  return isFull() ? OK : fault(DEFLATE_END, 0, 0)
}
