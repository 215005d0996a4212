import { emit, fault, OK, PNG_FILTER, PORTION } from './memory'
import { unpackSimple } from './simple'

// Consumes inflated octets as rows of a PNG. It reverses their filters into one of two row buffers, and converts them to floats or passes them on.
let windowStart: usize = 0
let row: usize = 0
let rowOctets: usize = 0
let rowsLeft: i32 = 0
let pixel: i32 = 0
let width: i32 = 0
let bits: i32 = 0
let here: usize = 0
let above: usize = 0
let target: usize = 0
/** Address at which to continue after the finished floats were emitted; 0 if all floats remain in memory. */
let first: usize = 0
/** Whether rows are emitted as octets, not as floats. */
let plain: bool = false
let valueBase: f64 = 0
let valueStep: f64 = 0
let problem: i32 = 0

/** Whether all rows are complete, or one could not be read. */
@inline
export function isFull(): bool {
  return rowsLeft == 0 || problem != 0
}

/** Processes the complete rows, then moves the bytes that are still needed (32 KB of history) to the front of the window. */
export function drain(end: usize): usize {
  while (rowsLeft > 0 && row + rowOctets <= end) {
    problem = unfilter(load<u8>(row), row + 1, <i32>rowOctets - 1)
    if (problem) return end
    if (plain) {
      memory.copy(target, here, rowOctets - 1)
      target += rowOctets - 1
    } else {
      unpackSimple(here, width, bits, valueBase, valueStep, target)
      target += <usize>width << 2
    }
    const swap = above
    above = here
    here = swap
    row += rowOctets
    rowsLeft--
    if (first && (rowsLeft == 0 || target - first >= <usize>PORTION << 2)) {
      emit(first, <i32>(plain ? target - first : (target - first) >> 2))
      target = first
    }
  }
  const history = end > windowStart + 32768 ? end - 32768 : windowStart
  const keep = min(row, history)
  const gone = keep - windowStart
  memory.copy(windowStart, keep, end - keep)
  row -= gone
  return end - gone
}

@inline
function runningBytes(v: v128, pixel: i32): v128 {
  const zero = i8x16.splat(0)
  if (pixel == 1) v = i8x16.add(v, v128.shuffle<u8>(zero, v, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30))
  if (pixel <= 2) v = i8x16.add(v, v128.shuffle<u8>(zero, v, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29))
  v = i8x16.add(v, v128.shuffle<u8>(zero, v, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27))
  return i8x16.add(v, v128.shuffle<u8>(zero, v, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23))
}

@inline
function lastPixel(v: v128, pixel: i32): v128 {
  if (pixel == 1) return v128.shuffle<u8>(v, v, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15)
  if (pixel == 2) return v128.shuffle<u16>(v, v, 7, 7, 7, 7, 7, 7, 7, 7)
  return v128.shuffle<u32>(v, v, 3, 3, 3, 3)
}

function sub(from: usize, n: i32): void {
  if (pixel == 3) {
    for (let k = 0; k < n; k++) store<u8>(here + k, load<u8>(from + k) + load<u8>(here + k - 3))
    return
  }
  let carry = i8x16.splat(0)
  for (let k = 0; k < n; k += 16) {
    const v = i8x16.add(runningBytes(v128.load(from + k), pixel), carry)
    v128.store(here + k, v)
    carry = lastPixel(v, pixel)
  }
}

/** Returns the pixel whose last octet is `at` − 1, repeated as often as it fits into a vector. */
@inline
function repeated(at: usize): v128 {
  const word = v128.load32_zero(at - pixel)
  if (pixel == 1) return i8x16.swizzle(word, i8x16.splat(0))
  if (pixel == 2) return i8x16.swizzle(word, i16x8.splat(0x0100))
  if (pixel == 3) return i8x16.swizzle(word, i8x16(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0))
  return i8x16.swizzle(word, i32x4.splat(0x03020100))
}

/**
 * If a field is constant, as most of a radar mosaic is, the filtered octets are 0 and the row above predicts what the pixel to
 * the left predicts: filters 3 and 4 then repeat that pixel. Writes such octets from k on and gives where they end.
 */
@inline
function constant(from: usize, k: i32, n: i32): i32 {
  const left = repeated(here + k)
  const step = pixel == 3 ? 15 : 16
  while (k < n) {
    const same = v128.and(i8x16.eq(v128.load(from + k), i8x16.splat(0)), i8x16.eq(v128.load(above + k), left))
    if (!i8x16.all_true(same)) break
    v128.store(here + k, left)
    k += step
  }
  return min(k, n)
}

function average(from: usize, n: i32): void {
  let k = 0
  while (k < n) {
    k = constant(from, k, n)
    const end = min(k + 16, n)
    for (; k < end; k++) {
      const left = <u32>load<u8>(here + k - pixel)
      const up = <u32>load<u8>(above + k)
      store<u8>(here + k, <u8>(<u32>load<u8>(from + k) + ((left + up) >> 1)))
    }
  }
}

/** Reverses the filter of all octets of a pixel at once, in 16-bit lanes. */
function paeth(from: usize, n: i32): void {
  const low = i16x8.splat(255)
  const step = pixel == 3 ? 15 : 16
  const mask = pixel == 4 ? <u32>-1 : (<u32>1 << (8 * pixel)) - 1
  let k = 0
  while (k < n) {
    // In a constant run, the corner must also equal the pixel to the left.
    if (load<u32>(from + k) == 0 && ((load<u32>(here + k - pixel) ^ load<u32>(above + k - pixel)) & mask) == 0) k = constant(from, k, n)
    let left = i16x8.extend_low_i8x16_u(v128.load32_zero(here + k - pixel))
    let corner = i16x8.extend_low_i8x16_u(v128.load32_zero(above + k - pixel))
    const end = min(k + step, n)
    for (; k < end; k += pixel) {
      const up = i16x8.extend_low_i8x16_u(v128.load32_zero(above + k))
      const raw = i16x8.extend_low_i8x16_u(v128.load32_zero(from + k))
      const upStep = i16x8.sub(up, corner)
      const leftStep = i16x8.sub(left, corner)
      const a = i16x8.abs(upStep)
      const b = i16x8.abs(leftStep)
      const c = i16x8.abs(i16x8.add(upStep, leftStep))
      const least = i16x8.min_s(i16x8.min_s(a, b), c)
      const guess = v128.bitselect(left, v128.bitselect(up, corner, i16x8.eq(least, b)), i16x8.eq(least, a))
      left = v128.and(i16x8.add(raw, guess), low)
      corner = up
      // This writes four octets; the next pixel overwrites those beyond this pixel.
      v128.store32_lane(here + k, i8x16.narrow_i16x8_u(left, left), 0)
    }
  }
}

function unfilter(filter: u8, from: usize, n: i32): i32 {
  switch (filter) {
    case 0:
      memory.copy(here, from, n)
      return OK
    case 1:
      sub(from, n)
      return OK
    case 2:
      for (let k = 0; k < n; k += 16) v128.store(here + k, i8x16.add(v128.load(from + k), v128.load(above + k)))
      return OK
    case 3:
      average(from, n)
      return OK
    case 4:
      paeth(from, n)
      return OK
    default:
      return fault(PNG_FILTER, 4, filter)
  }
}

/** Expects `rows` rows of `columns` pixels at `window`. The parameters are those of `unpackPng`. */
export function beginRows(
  columns: i32, rows: i32, depth: i32, window: usize, buffers: usize, base: f64, step: f64, out: usize, streaming: bool, raw: bool,
): void {
  const octets = <i32>((<i64>columns * depth + 7) >> 3)
  const pitch = (octets + 127) & ~63
  memory.fill(buffers, 0, 2 * pitch + 64)
  windowStart = window
  row = window
  rowOctets = <usize>octets + 1
  rowsLeft = rows
  pixel = max(depth >> 3, 1)
  width = columns
  bits = depth
  here = buffers + 64
  above = here + pitch
  target = out
  first = streaming ? out : 0
  plain = raw
  valueBase = base
  valueStep = step
  problem = OK
}

/** Returns the fault of the row that could not be read, or OK. */
export function rowFault(): i32 {
  return problem
}
