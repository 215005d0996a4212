// Bits are written and read from the least significant one of each byte upwards. A value is a run of zeros, a one, and
// k low bits; a run of ESCAPE zeros announces 16 raw bits instead.

export const ESCAPE: u32 = 24

/** Where the next bit goes: whole bytes are stored already, `kept` holds the `count` (0 to 7) bits after them. */
let at: usize = 0
let kept: u64 = 0
let count: u32 = 0

@inline
export function beginWrite(to: usize): void {
  at = to
  kept = 0
  count = 0
}

/** @param n at most 56 */
@inline
export function write(bits: u64, n: u32): void {
  const all = kept | (bits << count)
  store<u64>(at, all)
  const sum = count + n
  at += sum >> 3
  kept = all >> (sum & 0x38)
  count = sum & 7
}

/** Fills up to the next byte and gives its place. */
@inline
export function endWrite(): usize {
  return at + (count > 0 ? 1 : 0)
}

/** Writes 16 values (fewer at a row's end) in Rice's code. */
export function writeValues(from: usize, n: u32, k: u32): void {
  let to = at
  let all = kept
  let have = count
  const mask = (<u32>1 << k) - 1
  for (let i: u32 = 0; i < n; i++) {
    const value = <u32>load<u16>(from + (<usize>i << 1))
    const quotient = value >> k
    let bits: u64
    let length: u32
    if (quotient < ESCAPE) {
      bits = ((<u64>(value & mask) << 1) | 1) << quotient
      length = quotient + 1 + k
    } else {
      bits = ((<u64>value << 1) | 1) << ESCAPE
      length = ESCAPE + 17
    }
    all |= bits << have
    store<u64>(to, all)
    const sum = have + length
    to += sum >> 3
    all >>= sum & 0x38
    have = sum & 7
  }
  at = to
  kept = all
  count = have
}

@inline
function writeOne(value: u32, k: u32): void {
  const quotient = value >> k
  if (quotient < ESCAPE) write(((<u64>(value & ((1 << k) - 1)) << 1) | 1) << quotient, quotient + 1 + k)
  else write(((<u64>value << 1) | 1) << ESCAPE, ESCAPE + 17)
}

/** Writes a row as runs: how many zeros, then the value after them less one, and so on up to the row's end. */
export function writeRuns(from: usize, n: u32, zeros: u32, k: u32): void {
  let run: u32 = 0
  for (let i: u32 = 0; i < n; i++) {
    const value = <u32>load<u16>(from + (<usize>i << 1))
    if (value === 0) {
      run++
      continue
    }
    writeOne(run, zeros)
    writeOne(value - 1, k)
    run = 0
  }
  if (run > 0) writeOne(run, zeros)
}

/** The next bit to read: its place as a count of bits behind `source`. */
let source: usize = 0
let next: u32 = 0

@inline
export function beginRead(from: usize): void {
  source = from
  next = 0
}

@inline
export function readBit(): u32 {
  const bit = (<u32>load<u8>(source + (next >> 3)) >> (next & 7)) & 1
  next++
  return bit
}

/** The longest value: an escape and its 16 bits. */
const LONGEST: u32 = ESCAPE + 17

/** Reads n values as `writeValues` wrote them. Past the end of broken bits it reads whatever is there, never out of memory. */
export function readValues(to: usize, n: u32, k: u32): void {
  let bit = next
  const mask = (<u32>1 << k) - 1
  // The bits that come next, `have` of them: loading them anew for each value would take longer than all else.
  let word: u64 = 0
  let have: u32 = 0
  const end = to + (<usize>n << 1)
  for (; to < end; to += 2) {
    if (have < LONGEST) {
      word = load<u64>(source + (bit >> 3)) >> (bit & 7)
      have = 64 - (bit & 7)
    }
    const quotient = <u32>ctz<u64>(word)
    let length: u32
    if (quotient < ESCAPE) {
      store<u16>(to, <u16>((quotient << k) | (<u32>(word >> (quotient + 1)) & mask)))
      length = quotient + 1 + k
    } else {
      store<u16>(to, <u16>(word >> (ESCAPE + 1)))
      length = LONGEST
    }
    word >>= length
    have -= length
    bit += length
  }
  next = bit
}

@inline
function readOne(k: u32): u32 {
  const word = load<u64>(source + (next >> 3)) >> (next & 7)
  const quotient = <u32>ctz<u64>(word)
  if (quotient < ESCAPE) {
    next += quotient + 1 + k
    return (quotient << k) | (<u32>(word >> (quotient + 1)) & ((1 << k) - 1))
  }
  next += LONGEST
  return <u32>(word >> (ESCAPE + 1)) & 0xffff
}

/** Zeros for a row's n values, and for those that fill up its last vector. */
@inline
export function clear(to: usize, n: u32): void {
  for (let t: u32 = 0; t < n; t += 8) v128.store(to + (<usize>t << 1), i16x8.splat(0))
}

/** Reads a row as `writeRuns` wrote it. */
export function readRuns(to: usize, n: u32, zeros: u32, k: u32): void {
  clear(to, n)
  for (let i: u32 = 0; i < n; i++) {
    i += readOne(zeros)
    if (i < n) store<u16>(to + (<usize>i << 1), <u16>(readOne(k) + 1))
  }
}
