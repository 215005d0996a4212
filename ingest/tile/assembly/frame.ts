// Radar frames: PNG rows back to samples, samples to codes, codes to runs. One linear memory, laid out by the caller.

/** 65536 marks: 1 where a sample occurred. */
const MARKS: usize = 65536
/** 65536 codes of 16 bits: what each sample becomes. */
const CODES: usize = 131072
/** One unit's codes, 16 bits each, and its two planes of bytes. */
const UNIT: usize = 262144
const PLANES: usize = 524288
/** Per row and unit column the sample that fills that stretch of the row, or -1. */
const STRETCHES: usize = 655360
/** Room for that many stretches. */
export const MOST_STRETCHES: i32 = 524288
/** Free for the caller from here on. */
export const FREE: i32 = 2752512
/** Pixels along one side of a unit. */
const SIDE: i32 = 256

/**
 * Undoes the filters of a PNG's rows in place: `rows` rows of one filter octet and `length` octets, `each` octets a
 * sample (1 or 2), and notes which samples occur.
 * Radar pictures are long stretches of one value, so sixteen octets that repeat are passed over at once.
 * @returns -1, or the row whose filter is not one of PNG's five
 */
export function unfilter(source: usize, rows: i32, length: i32, each: i32): i32 {
  const stride = length + 1
  const across = (length / each + SIDE - 1) / SIDE
  for (let j: i32 = 0; j < rows; j++) {
    const row = source + <usize>j * <usize>stride + 1
    const above = j > 0 ? row - <usize>stride : 0
    const filter = load<u8>(row - 1)
    if (filter == 0) {
    } else if (filter == 1) {
      sub(row, length, each)
    } else if (filter == 2) {
      if (above) up(row, above, length)
    } else if (filter == 3) {
      average(row, above, length, each)
    } else if (filter == 4) {
      if (above) paeth(row, above, length, each)
      else sub(row, length, each)
    } else {
      return j
    }
    mark(row, length, each, STRETCHES + ((<usize>j * <usize>across) << 2))
  }
  return -1
}

@inline
function isZero(at: usize): bool {
  return !v128.any_true(v128.load(at))
}

/** Sixteen octets of one sample: 1 or 2 octets wide. */
@inline
function splatBefore(at: usize, each: i32): v128 {
  return each == 2 ? i16x8.splat(load<i16>(at - 2)) : i8x16.splat(load<i8>(at - 1))
}

function sub(row: usize, length: i32, each: i32): void {
  let k: i32 = each
  while (k < length) {
    while (k + 16 <= length && isZero(row + k)) {
      v128.store(row + k, splatBefore(row + k, each))
      k += 16
    }
    const stop = min(k + 16, length)
    for (; k < stop; k++) store<u8>(row + k, load<u8>(row + k) + load<u8>(row + k - each))
  }
}

function up(row: usize, above: usize, length: i32): void {
  let k: i32 = 0
  for (; k + 16 <= length; k += 16) v128.store(row + k, i8x16.add(v128.load(row + k), v128.load(above + k)))
  for (; k < length; k++) store<u8>(row + k, load<u8>(row + k) + load<u8>(above + k))
}

function average(row: usize, above: usize, length: i32, each: i32): void {
  let k: i32 = 0
  for (; k < each; k++) store<u8>(row + k, load<u8>(row + k) + <u8>((above ? <u32>load<u8>(above + k) : 0) >> 1))
  if (!above) {
    for (; k < length; k++) store<u8>(row + k, load<u8>(row + k) + <u8>(<u32>load<u8>(row + k - each) >> 1))
    return
  }
  while (k < length) {
    // (a + a) >> 1 is a: residuals of 0 below a stretch of what stands left go on with it.
    while (k + 16 <= length && isZero(row + k)) {
      const left = splatBefore(row + k, each)
      if (v128.any_true(v128.xor(left, v128.load(above + k)))) break
      v128.store(row + k, left)
      k += 16
    }
    const stop = min(k + 16, length)
    for (; k < stop; k++) {
      const mean = (<u32>load<u8>(row + k - each) + <u32>load<u8>(above + k)) >> 1
      store<u8>(row + k, load<u8>(row + k) + <u8>mean)
    }
  }
}

function paeth(row: usize, above: usize, length: i32, each: i32): void {
  let k: i32 = 0
  for (; k < each; k++) store<u8>(row + k, load<u8>(row + k) + load<u8>(above + k))
  while (k < length) {
    while (k + 16 <= length && isZero(row + k)) {
      const over = v128.load(above + k)
      const left = splatBefore(row + k, each)
      const corner = splatBefore(above + k, each)
      // Left as upper left: the predictor is what stands above. Above all as upper left: it is what stands left.
      if (!v128.any_true(v128.xor(left, corner))) v128.store(row + k, over)
      else if (!v128.any_true(v128.xor(over, corner))) v128.store(row + k, left)
      else break
      k += 16
    }
    const stop = min(k + 16, length)
    for (; k < stop; k++) {
      const a = <i32>load<u8>(row + k - each)
      const b = <i32>load<u8>(above + k)
      const c = <i32>load<u8>(above + k - each)
      const pa = abs(b - c)
      const pb = abs(a - c)
      const pc = abs(a + b - c - c)
      const predicted = pa <= pb && pa <= pc ? a : pb <= pc ? b : c
      store<u8>(row + k, load<u8>(row + k) + <u8>predicted)
    }
  }
}

@inline
function sampleAt(at: usize, each: i32): u32 {
  return each == 2 ? <u32>bswap<u16>(load<u16>(at)) : <u32>load<u8>(at)
}

/** Notes which samples occur in a row, and which of its stretches are one sample throughout. */
function mark(row: usize, length: i32, each: i32, stretches: usize): void {
  const side = SIDE * each
  for (let start: i32 = 0; start < length; start += side) {
    const stop = min(start + side, length)
    const sample = sampleAt(row + start, each)
    let k: i32 = start
    const same = each == 2 ? i16x8.splat(load<i16>(row + start)) : i8x16.splat(load<i8>(row + start))
    while (k + 16 <= stop && !v128.any_true(v128.xor(same, v128.load(row + k)))) k += 16
    while (k < stop && sampleAt(row + k, each) == sample) k += each
    store<u8>(MARKS + <usize>sample, 1)
    store<i32>(stretches, k < stop ? -1 : <i32>sample)
    while (k < stop) {
      const left = each == 2 ? i16x8.splat(load<i16>(row + k - 2)) : i8x16.splat(load<i8>(row + k - 1))
      while (k + 16 <= stop && !v128.any_true(v128.xor(left, v128.load(row + k)))) k += 16
      const end = min(k + 16, stop)
      for (; k < end; k += each) store<u8>(MARKS + <usize>sampleAt(row + k, each), 1)
    }
    stretches += 4
  }
}

/** Summary of the last unit that `encode` made. */
export let highest: i32 = 0
/** How many of its codes are 0, and how many are 1. */
export let zeros: i32 = 0
export let ones: i32 = 0

/**
 * The codes of one unit (`width` × `height` samples from column `x`, row `y`; both multiples of 256) as runs at `out`:
 * the low octets of all its codes, and where a code is above 255 the high octets after them.
 * @param wide whether any code of the frame is above 255
 * @returns octets written; 0 where every code is the same (`highest`); negative: that many octets, with a high plane
 */
export function encode(
  source: usize,
  stride: i32,
  each: i32,
  x: i32,
  y: i32,
  width: i32,
  height: i32,
  out: usize,
  wide: i32,
): i32 {
  const count = width * height
  const across = ((stride - 1) / each + SIDE - 1) / SIDE
  const first = STRETCHES + ((<usize>y * <usize>across + <usize>(x / SIDE)) << 2)
  const next = <usize>across << 2
  const sample = load<i32>(first)
  if (sample >= 0) {
    let j: i32 = 1
    while (j < height && load<i32>(first + <usize>j * next) == sample) j++
    if (j == height) {
      highest = <i32>load<u16>(CODES + (<usize>sample << 1))
      zeros = highest == 0 ? count : 0
      ones = highest == 1 ? count : 0
      return 0
    }
  }
  for (let j: i32 = 0; j < height; j++) {
    const at = <usize>j * <usize>width
    const stretch = load<i32>(first + <usize>j * next)
    const row = source + <usize>(y + j) * <usize>stride + 1 + <usize>(x * each)
    if (wide) wideRow(row, width, each, stretch, UNIT + (at << 1))
    else narrowRow(row, width, each, stretch, PLANES + at)
  }
  if (!wide) {
    tallyNarrow(count)
    if (same) return 0
    return <i32>(runs(PLANES, count, out) - out)
  }
  tally(count)
  if (same) return 0
  plane(count, 0)
  let end = runs(PLANES, count, out)
  if (highest <= 255) return <i32>(end - out)
  plane(count, 8)
  end = runs(PLANES, count, end)
  return -(<i32>(end - out))
}

let same: bool = false

function wideRow(row: usize, width: i32, each: i32, stretch: i32, to: usize): void {
  if (stretch >= 0) {
    const code = load<u16>(CODES + (<usize>stretch << 1))
    const all = i16x8.splat(code)
    let i: i32 = 0
    for (; i + 8 <= width; i += 8) v128.store(to + (<usize>i << 1), all)
    for (; i < width; i++) store<u16>(to + (<usize>i << 1), code)
    return
  }
  for (let i: i32 = 0; i < width; i++) {
    store<u16>(to + (<usize>i << 1), load<u16>(CODES + (<usize>sampleAt(row + <usize>(i * each), each) << 1)))
  }
}

function narrowRow(row: usize, width: i32, each: i32, stretch: i32, to: usize): void {
  if (stretch >= 0) {
    memory.fill(to, load<u8>(CODES + (<usize>stretch << 1)), width)
    return
  }
  if (each == 2) {
    for (let i: i32 = 0; i < width; i++) {
      store<u8>(to + i, load<u8>(CODES + (<usize>bswap<u16>(load<u16>(row + (<usize>i << 1))) << 1)))
    }
  } else {
    for (let i: i32 = 0; i < width; i++) {
      store<u8>(to + i, load<u8>(CODES + (<usize>load<u8>(row + i) << 1)))
    }
  }
}

function tallyNarrow(count: i32): void {
  zeros = 0
  ones = 0
  let lowest = i8x16.splat(-1)
  let most = i8x16.splat(0)
  const one = i8x16.splat(1)
  let at: usize = PLANES
  let k: i32 = 0
  for (; k + 16 <= count; k += 16) {
    const codes = v128.load(at)
    zeros += popcnt(i8x16.bitmask(i8x16.eq(codes, i8x16.splat(0))))
    ones += popcnt(i8x16.bitmask(i8x16.eq(codes, one)))
    lowest = i8x16.min_u(lowest, codes)
    most = i8x16.max_u(most, codes)
    at += 16
  }
  store<v128>(UNIT, lowest)
  store<v128>(UNIT + 16, most)
  let low: i32 = 255
  let high: i32 = 0
  for (let lane: i32 = 0; lane < 16; lane++) {
    low = min(low, <i32>load<u8>(UNIT + lane))
    high = max(high, <i32>load<u8>(UNIT + 16 + lane))
  }
  for (; k < count; k++) {
    const code = <i32>load<u8>(at)
    if (code == 0) zeros++
    else if (code == 1) ones++
    low = min(low, code)
    high = max(high, code)
    at += 1
  }
  highest = high
  same = low == high
}

function tally(count: i32): void {
  zeros = 0
  ones = 0
  let lowest = i16x8.splat(-1)
  let most = i16x8.splat(0)
  const one = i16x8.splat(1)
  let at: usize = UNIT
  let k: i32 = 0
  for (; k + 8 <= count; k += 8) {
    const codes = v128.load(at)
    zeros += popcnt(i16x8.bitmask(i16x8.eq(codes, i16x8.splat(0))))
    ones += popcnt(i16x8.bitmask(i16x8.eq(codes, one)))
    lowest = i16x8.min_u(lowest, codes)
    most = i16x8.max_u(most, codes)
    at += 16
  }
  store<v128>(PLANES, lowest)
  store<v128>(PLANES + 16, most)
  let low: i32 = 65535
  let high: i32 = 0
  for (let lane: i32 = 0; lane < 8; lane++) {
    low = min(low, <i32>load<u16>(PLANES + (lane << 1)))
    high = max(high, <i32>load<u16>(PLANES + 16 + (lane << 1)))
  }
  for (; k < count; k++) {
    const code = <i32>load<u16>(at)
    if (code == 0) zeros++
    else if (code == 1) ones++
    low = min(low, code)
    high = max(high, code)
    at += 2
  }
  highest = high
  same = low == high
}

function plane(count: i32, shift: i32): void {
  let from: usize = UNIT
  let to: usize = PLANES
  let k: i32 = 0
  const mask = i16x8.splat(255)
  for (; k + 16 <= count; k += 16) {
    const a = v128.and(i16x8.shr_u(v128.load(from), shift), mask)
    const b = v128.and(i16x8.shr_u(v128.load(from + 16), shift), mask)
    v128.store(to, i8x16.narrow_i16x8_u(a, b))
    from += 32
    to += 16
  }
  for (; k < count; k++) {
    store<u8>(to, <u8>(<u32>load<u16>(from) >> shift))
    from += 2
    to += 1
  }
}

/** Octet runs: 0–127: as many and one more octets follow as they are; 128–254: the next octet 3–129 times; 255: a count of 16 bits, little end first, then the octet. */
function runs(from: usize, count: i32, out: usize): usize {
  let k: i32 = 0
  let literals: i32 = 0
  while (k < count) {
    const value = load<u8>(from + k)
    let n: i32 = k + 1
    while (n < count && n - k < 20 && load<u8>(from + n) == value) n++
    if (n - k == 20) {
      const same = i8x16.splat(value)
      while (n + 16 <= count && n - k + 16 <= 65535 && !v128.any_true(v128.xor(same, v128.load(from + n)))) n += 16
      while (n < count && n - k < 65535 && load<u8>(from + n) == value) n++
    }
    const length = n - k
    if (length < 3) {
      literals += length
      k = n
      continue
    }
    out = copyLiterals(from + k - literals, literals, out)
    literals = 0
    if (length <= 129) {
      store<u8>(out, <u8>(length + 125))
      store<u8>(out + 1, value)
      out += 2
    } else {
      store<u8>(out, 255)
      store<u16>(out + 1, <u16>length)
      store<u8>(out + 3, value)
      out += 4
    }
    k = n
  }
  return copyLiterals(from + k - literals, literals, out)
}

function copyLiterals(from: usize, count: i32, out: usize): usize {
  while (count > 0) {
    const part = min(count, 128)
    store<u8>(out, <u8>(part - 1))
    memory.copy(out + 1, from, part)
    from += part
    out += part + 1
    count -= part
  }
  return out
}
