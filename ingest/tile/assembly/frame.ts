// Encodes radar frames: samples become runs of equal samples, these become codes, and codes become byte runs. The
// caller lays out the one linear memory.

/** 65536 marks: 1 if a sample with this value occurred. */
const MARKS: usize = 65536
/** 65536 codes of 16 bits, by sample. */
const CODES: usize = 131072
/** Start of the runs of each row in each column of units. */
const STARTS: usize = 262144
/** Capacity of that table. */
export const MOST_STARTS: i32 = 524288
/** Input area for rows, with its size in bytes; a vector read may extend beyond it. */
export const EXCHANGE: i32 = 2359296
export const EXCHANGE_BYTES: i32 = 1048576
/** Output area for the byte runs of a unit: two planes in the worst case. */
export const OUT: i32 = 3407936
/**
 * Runs of samples, from here to the end of the memory, 16 bits each: the sample in the high half, its length in the low
 * half.
 */
export const FREE: i32 = 3670016
/** Pixels along one side of a unit. */
const SIDE: i32 = 256

@inline
function sampleAt(at: usize, each: i32): u32 {
  return each == 2 ? <u32>bswap<u16>(load<u16>(at)) : <u32>load<u8>(at)
}

/** Bits that are set where a sample differs from the next: sixteen samples of one byte, or eight samples of two. */
@inline
function changes(at: usize, each: i32): u32 {
  const here = v128.load(at)
  if (each == 2) return <u32>i16x8.bitmask(i16x8.ne(here, v128.load(at + 2)))
  return <u32>i8x16.bitmask(i8x16.ne(here, v128.load(at + 1)))
}

/** Whether 64 bytes equal the 64 bytes one sample later. */
@inline
function steady(at: usize, each: i32): bool {
  const next = at + <usize>each
  const a = v128.or(v128.xor(v128.load(at), v128.load(next)), v128.xor(v128.load(at + 16), v128.load(next + 16)))
  const b = v128.or(v128.xor(v128.load(at + 32), v128.load(next + 32)), v128.xor(v128.load(at + 48), v128.load(next + 48)))
  return !v128.any_true(v128.or(a, b))
}

/**
 * Reads `rows` rows of samples from the input area, beginning with row `row` of the frame: `length` bytes a row, `each`
 * bytes a sample (1 or 2, high byte first). Marks the samples that occur, and writes runs of equal samples to `to`; a
 * run does not extend beyond its row or its column of units. The output must have space for as many runs as there are
 * samples.
 * @returns the address after the runs
 */
export function take(to: usize, row: i32, rows: i32, length: i32, each: i32): usize {
  const across = (length / each + SIDE - 1) / SIDE
  const side = SIDE * each
  const vector = 16 / each
  let from: usize = <usize>EXCHANGE
  let starts = STARTS + ((<usize>row * <usize>across) << 2)
  for (let j = 0; j < rows; j++) {
    for (let start: i32 = 0; start < length; start += side) {
      const at = from + <usize>start
      const last = min(side, length - start) / each - 1
      store<u32>(starts, <u32>to)
      starts += 4
      let begun: i32 = 0
      let k: i32 = 0
      while (k < last) {
        const here = at + <usize>(k * each)
        if (k + 4 * vector <= last && steady(here, each)) {
          k += 4 * vector
          continue
        }
        let bits = changes(here, each)
        if (last - k < vector) bits &= (1 << (last - k)) - 1
        while (bits) {
          const end = k + <i32>ctz(bits) + 1
          bits &= bits - 1
          const sample = sampleAt(at + <usize>((end - 1) * each), each)
          store<u8>(MARKS + <usize>sample, 1)
          store<u32>(to, (sample << 16) | <u32>(end - begun))
          to += 4
          begun = end
        }
        k += vector
      }
      const sample = sampleAt(at + <usize>(last * each), each)
      store<u8>(MARKS + <usize>sample, 1)
      store<u32>(to, (sample << 16) | <u32>(last + 1 - begun))
      to += 4
    }
    from += <usize>length
  }
  return to
}

/** Summary of the last unit that `encode` wrote. */
export let highest: i32 = 0
/** Number of its codes that are 0, and that are 1. */
export let zeros: i32 = 0
export let ones: i32 = 0

/**
 * Encodes one unit (`width` × `height` samples from column `x`, row `y`, both multiples of 256; `across` units in a row
 * of units) as byte runs at OUT: the low bytes of all codes, followed by the high bytes if any code is above 255.
 * @returns the number of bytes written; 0 if all codes are equal (to `highest`); negative if the bytes include a high
 * plane
 */
export function encode(x: i32, y: i32, width: i32, height: i32, across: i32): i32 {
  const first = STARTS + ((<usize>y * <usize>across + <usize>(x / SIDE)) << 2)
  const next = <usize>across << 2
  tally(first, next, width, height)
  if (same) return 0
  const out: usize = <usize>OUT
  let end = plane(first, next, width, height, 0, out)
  if (highest <= 255) return <i32>(end - out)
  end = plane(first, next, width, height, 8, end)
  return -(<i32>(end - out))
}

let same: bool = false

function tally(starts: usize, next: usize, width: i32, height: i32): void {
  let none: i32 = 0
  let dry: i32 = 0
  let low: i32 = 65535
  let high: i32 = 0
  for (let j: i32 = 0; j < height; j++) {
    let at = <usize>load<u32>(starts + <usize>j * next)
    for (let left = width; left > 0; at += 4) {
      const stretch = load<u32>(at)
      const length = <i32>(stretch & 0xffff)
      const code = <i32>load<u16>(CODES + (<usize>(stretch >> 16) << 1))
      none += code == 0 ? length : 0
      dry += code == 1 ? length : 0
      low = min(low, code)
      high = max(high, code)
      left -= length
    }
  }
  zeros = none
  ones = dry
  highest = high
  same = low == high
}

/** The pending literals: the address of their control byte, and their number. */
let control: usize = 0
let literals: i32 = 0

/**
 * Writes one byte of every code of a unit as runs. Control byte 0–127: this many and one more literal bytes follow;
 * 128–254: the next byte repeats 3–129 times; 255: a count of 16 bits, little-endian, then the byte that repeats.
 */
function plane(starts: usize, next: usize, width: i32, height: i32, shift: i32, out: usize): usize {
  literals = 0
  let value: u32 = 0
  let length: i32 = 0
  for (let j: i32 = 0; j < height; j++) {
    let at = <usize>load<u32>(starts + <usize>j * next)
    for (let left = width; left > 0; at += 4) {
      const stretch = load<u32>(at)
      const count = <i32>(stretch & 0xffff)
      const octet = (<u32>load<u16>(CODES + (<usize>(stretch >> 16) << 1)) >> shift) & 255
      left -= count
      if (octet == value && length + count <= 65535) {
        length += count
        continue
      }
      out = run(value, length, out)
      value = octet
      length = count
    }
  }
  out = run(value, length, out)
  if (literals > 0) store<u8>(control, <u8>(literals - 1))
  return out
}

@inline
function run(value: u32, length: i32, out: usize): usize {
  if (length < 3) {
    for (let n = 0; n < length; n++) {
      if (literals == 0) control = out++
      store<u8>(out++, <u8>value)
      if (++literals == 128) {
        store<u8>(control, 127)
        literals = 0
      }
    }
    return out
  }
  if (literals > 0) {
    store<u8>(control, <u8>(literals - 1))
    literals = 0
  }
  if (length <= 129) {
    store<u8>(out, <u8>(length + 125))
    store<u8>(out + 1, <u8>value)
    return out + 2
  }
  store<u8>(out, 255)
  store<u16>(out + 1, <u16>length)
  store<u8>(out + 3, <u8>value)
  return out + 4
}
