// Bits are written and read from the least significant one of each byte upwards. A value is a run of zeros, a one, and k low bits; a run of
// ESCAPE zeros is followed by 16 raw bits instead.

export const ESCAPE: u32 = 24

/** Write position: whole bytes are stored already, `kept` has the `count` (0 to 7) bits after them. */
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

/** Pads to the next byte and returns its address. */
@inline
export function endWrite(): usize {
  return at + (count > 0 ? 1 : 0)
}

/** Writes 16 values (fewer at a row's end) in Rice coding. */
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

/** Writes a row as runs: number of zeros, then the value after them less one, and so on up to the row's end. */
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

/** Read position: a number of bits after `source`; and that of a second reader. */
let source: usize = 0
let next: u32 = 0
let second: u32 = 0

/** @param first, other bytes after `from` at which the two readers begin */
@inline
export function beginRead(from: usize, first: u32, other: u32): void {
  source = from
  next = first << 3
  second = other << 3
}

/** Position of the next bit to read. */
@inline
export function place(): u32 {
  return next
}

@inline
export function goTo(bit: u32): void {
  next = bit
}

/** Swaps the two readers. */
@inline
export function turnReaders(): void {
  const first = next
  next = second
  second = first
}

/** The bits from a position on, at least 57 of them. */
@inline
export function bitsAt(bit: u32): u64 {
  return load<u64>(source + (bit >> 3)) >> (bit & 7)
}

@inline
export function readBit(): u32 {
  const bit = (<u32>load<u8>(source + (next >> 3)) >> (next & 7)) & 1
  next++
  return bit
}

/** The longest value: an escape and its 16 bits. */
export const LONGEST: u32 = ESCAPE + 17

/** Reads n values written by `writeValues`. Past the end of corrupt bits it reads whatever is there, never out of memory. */
export function readValues(to: usize, n: u32, k: u32): void {
  let bit = next
  const mask = (<u32>1 << k) - 1
  // The next bits, `have` of them: loading them again for each value would dominate the time.
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

/**
 * Reads n values with each of the two readers: the end of a value is known only after its bits, so two independent readers
 * run in parallel. Two values of each at a time, as long as both lie within the bits of one load.
 */
export function readTwice(to: usize, otherTo: usize, n: u32, k: u32): void {
  let bit = next
  let other = second
  const mask = (<u32>1 << k) - 1
  const apart = otherTo - to
  const end = to + (<usize>n << 1)
  while (to < end) {
    const a = bitsAt(bit)
    const b = bitsAt(other)
    const qa = <u32>ctz<u64>(a)
    const qb = <u32>ctz<u64>(b)
    const ra = a >> (qa + 1)
    const rb = b >> (qb + 1)
    const sa = ra >> k
    const sb = rb >> k
    const pa = <u32>ctz<u64>(sa)
    const pb = <u32>ctz<u64>(sb)
    const la = qa + pa + 2 + (k << 1)
    const lb = qb + pb + 2 + (k << 1)
    if (to + 2 < end && la <= 57 && lb <= 57 && max(max(qa, qb), max(pa, pb)) < ESCAPE) {
      const va = (qa << k) | (<u32>ra & mask)
      const wa = (pa << k) | (<u32>(sa >> (pa + 1)) & mask)
      const vb = (qb << k) | (<u32>rb & mask)
      const wb = (pb << k) | (<u32>(sb >> (pb + 1)) & mask)
      store<u32>(to, va | (wa << 16))
      store<u32>(to + apart, vb | (wb << 16))
      bit += la
      other += lb
      to += 4
      continue
    }
    if (qa < ESCAPE) {
      store<u16>(to, <u16>((qa << k) | (<u32>ra & mask)))
      bit += qa + 1 + k
    } else {
      store<u16>(to, <u16>(a >> (ESCAPE + 1)))
      bit += LONGEST
    }
    if (qb < ESCAPE) {
      store<u16>(to + apart, <u16>((qb << k) | (<u32>rb & mask)))
      other += qb + 1 + k
    } else {
      store<u16>(to + apart, <u16>(b >> (ESCAPE + 1)))
      other += LONGEST
    }
    to += 2
  }
  next = bit
  second = other
}

@inline
function readOne(k: u32): u32 {
  const word = bitsAt(next)
  const quotient = <u32>ctz<u64>(word)
  if (quotient < ESCAPE) {
    next += quotient + 1 + k
    return (quotient << k) | (<u32>(word >> (quotient + 1)) & ((1 << k) - 1))
  }
  next += LONGEST
  return <u32>(word >> (ESCAPE + 1)) & 0xffff
}

/** Zeros for a row's n values, and for the padding of its last vector. */
@inline
export function clear(to: usize, n: u32): void {
  for (let t: u32 = 0; t < n; t += 8) v128.store(to + (<usize>t << 1), i16x8.splat(0))
}

/** Reads a row written by `writeRuns`. */
export function readRuns(to: usize, n: u32, zeros: u32, k: u32): void {
  clear(to, n)
  const mask = (<u32>1 << k) - 1
  const maskZeros = (<u32>1 << zeros) - 1
  let bit = next
  for (let i: u32 = 0; i < n; i++) {
    // Number of zeros and the value after them, mostly both within the bits of one load.
    const word = bitsAt(bit)
    const quotient = <u32>ctz<u64>(word)
    const rest = word >> (quotient + 1)
    const behind = rest >> zeros
    const other = <u32>ctz<u64>(behind)
    const length = quotient + 1 + zeros
    const both = length + other + 1 + k
    if (both <= 57 && max(quotient, other) < ESCAPE) {
      i += (quotient << zeros) | (<u32>rest & maskZeros)
      if (i < n) store<u16>(to + (<usize>i << 1), <u16>(((other << k) | (<u32>(behind >> (other + 1)) & mask)) + 1))
      bit += i < n ? both : length
    } else {
      next = bit
      i += readOne(zeros)
      if (i < n) store<u16>(to + (<usize>i << 1), <u16>(readOne(k) + 1))
      bit = next
    }
  }
  next = bit
}
