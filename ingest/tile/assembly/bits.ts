// Bits are written and read from the least significant bit of each byte upwards. A Rice-coded value is a run of zero
// bits, a one bit, and k low bits; a run of ESCAPE zero bits is followed by the 16 raw bits of the value instead.

export const ESCAPE: u32 = 24

/** Write position: whole bytes are already stored; `kept` holds the `count` (0 to 7) bits that follow them. */
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

/**
 * Writes a row as runs: first a bit that says whether the row has any value other than zero; then alternately the
 * number of zeros, and the value after them less one. The last number counts the zeros up to the row's end. Residuals
 * after the row's end are zero.
 */
export function writeRuns(from: usize, n: u32, zeros: u32, k: u32): void {
  let before: u32 = 0
  const mask = (<u32>1 << k) - 1
  for (let t: u32 = 0; t < n; t += 8) {
    const x = v128.load(from + (<usize>t << 1))
    let others = <u32>i16x8.bitmask(i16x8.ne(x, i16x8.splat(0)))
    while (others) {
      const i = t + ctz(others)
      others &= others - 1
      if (before === 0) write(1, 1)
      writeRun(i - before, n - before, zeros)
      const value = <u32>load<u16>(from + (<usize>i << 1)) - 1
      const quotient = value >> k
      if (quotient < ESCAPE) write(((<u64>(value & mask) << 1) | 1) << quotient, quotient + 1 + k)
      else write(((<u64>value << 1) | 1) << ESCAPE, ESCAPE + 17)
      before = i + 1
    }
  }
  if (before === 0) write(0, 1)
  else if (before < n) writeRun(n - before, n - before, zeros)
}

/**
 * Writes a number of zeros, at most `left`. The quotient has no terminating bit when it is the greatest possible
 * quotient.
 */
@inline
function writeRun(run: u32, left: u32, zeros: u32): void {
  const quotient = run >> zeros
  const low = <u64>(run & ((1 << zeros) - 1))
  if (quotient >= ESCAPE) write(<u64>run << ESCAPE, ESCAPE + 16)
  else if (quotient < left >> zeros) write(((low << 1) | 1) << quotient, quotient + 1 + zeros)
  else write(low << quotient, quotient + zeros)
}

/** Read position of the first reader, as a number of bits after `source`; then that of the second reader. */
let source: usize = 0
let next: u32 = 0
let second: u32 = 0

/** @param first, other byte offsets after `from` at which the two readers begin */
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

/** Returns the bits from a position on, at least 57 of them. */
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

/** Length in bits of the longest value: an escape and its 16 raw bits. */
export const LONGEST: u32 = ESCAPE + 17

/**
 * Reads n values written by `writeValues`. Beyond the end of corrupt input it returns arbitrary values but never reads
 * outside the memory.
 */
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
 * Reads n values with each of the two readers, whose k may differ. The end of a value is known only after its bits, so
 * two independent readers run in parallel. Each reads two values at a time while both lie within the bits of one load.
 */
export function readTwice(to: usize, otherTo: usize, n: u32, k: u32, otherK: u32): void {
  let bit = next
  let other = second
  const mask = (<u32>1 << k) - 1
  const otherMask = (<u32>1 << otherK) - 1
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
    const sb = rb >> otherK
    const pa = <u32>ctz<u64>(sa)
    const pb = <u32>ctz<u64>(sb)
    const la = qa + pa + 2 + (k << 1)
    const lb = qb + pb + 2 + (otherK << 1)
    if (to + 2 < end && la <= 57 && lb <= 57 && max(max(qa, qb), max(pa, pb)) < ESCAPE) {
      const va = (qa << k) | (<u32>ra & mask)
      const wa = (pa << k) | (<u32>(sa >> (pa + 1)) & mask)
      const vb = (qb << otherK) | (<u32>rb & otherMask)
      const wb = (pb << otherK) | (<u32>(sb >> (pb + 1)) & otherMask)
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
      store<u16>(to + apart, <u16>((qb << otherK) | (<u32>rb & otherMask)))
      other += qb + 1 + otherK
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

/** Writes zeros for a row's n values and for the padding of its last vector. */
@inline
export function clear(to: usize, n: u32): void {
  for (let t: u32 = 0; t < n; t += 8) v128.store(to + (<usize>t << 1), i16x8.splat(0))
}

/** Reads a row written by `writeRuns`. */
export function readRuns(to: usize, n: u32, zeros: u32, k: u32): void {
  clear(to, n)
  const flag = readBit()
  if (!flag) return
  const mask = (<u32>1 << k) - 1
  const maskZeros = (<u32>1 << zeros) - 1
  let bit = next
  for (let i: u32 = 0; i < n; i++) {
    // Number of zeros and the value after them, mostly both within the bits of one load.
    const word = bitsAt(bit)
    const most = min((n - i) >> zeros, ESCAPE)
    const quotient = min(<u32>ctz<u64>(word), most)
    let length = quotient + (quotient < most ? 1 : 0) + zeros
    let run = (quotient << zeros) | (<u32>(word >> (length - zeros)) & maskZeros)
    if (quotient === ESCAPE) {
      run = <u32>(word >> ESCAPE) & 0xffff
      length = ESCAPE + 16
    }
    bit += length
    i += run
    if (i >= n) break
    const behind = word >> length
    const other = <u32>ctz<u64>(behind)
    if (other < ESCAPE && length + other + 1 + k <= 57) {
      store<u16>(to + (<usize>i << 1), <u16>(((other << k) | (<u32>(behind >> (other + 1)) & mask)) + 1))
      bit += other + 1 + k
    } else {
      next = bit
      store<u16>(to + (<usize>i << 1), <u16>(readOne(k) + 1))
      bit = next
    }
  }
  next = bit
}

/**
 * Reads a row of runs in format version 1, which lacks the first bit and writes each number of zeros like any value.
 */
export function readRuns1(to: usize, n: u32, zeros: u32, k: u32): void {
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
