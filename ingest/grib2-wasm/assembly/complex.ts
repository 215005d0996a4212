import { fourFields, maskRow, oneField, unpackFields, WIDEST } from './bits'
import {
  NEEDS_DOUBLE,
  emit,
  fault,
  FIRST_VALUE,
  GROUP_DATA_TOO_LONG,
  GROUP_HEADERS_TOO_LONG,
  GROUP_LENGTHS,
  GROUP_WIDTH,
  OK,
  PORTION,
} from './memory'
import { isExact, scaleFour, scaleFourExact } from './simple'
import { turnRow } from './scan'

/** Integer that marks a missing point. The wide path below ensures that real data never have this value. */
const HOLE: i32 = i32.MIN_VALUE
/** Number of points that are unpacked before they are summed and scaled: 16 KB, so that they stay in the nearest cache. */
const BLOCK: i32 = 4096

@inline
function unsigned(base: usize, octets: i32): u64 {
  let value: u64 = 0
  for (let k = 0; k < octets; k++) value = (value << 8) | <u64>load<u8>(base + <usize>k)
  return value
}

@inline
function signed(base: usize, octets: i32): i64 {
  const value = unsigned(base, octets)
  const sign = <u64>1 << (8 * octets - 1)
  return value & sign ? -<i64>(value ^ sign) : <i64>value
}

// State of the second pass, which is carried from block to block.
let previous: i32 = 0
let slope: i32 = 0
let least: i32 = 0
let first: i32 = 0
let second: i32 = 0
let seen: i32 = 0
let done: i32 = 0
let turned: i32 = 0
/** Number of points that have been emitted: point k is at k − gone. */
let gone: i32 = 0
/** Scaling in single precision loses nothing while all integers stay below 2^24: `high` gathers their bits. */
let exact: bool = false
let high: i32 = 0

/**
 * Data templates 5.2 and 5.3: section 7 from octet 6 at `source`, `size` octets; `n` values into `out` (32 bytes of slack
 * behind), `scratch` has space for 3 × groups + 24 words. `nx` is the row length if every second row runs backwards and is
 * to be turned here, else 0. `order` 0 is template 5.2. With `streaming`, `out` has space for a part only (2 × PORTION +
 * 2 × BLOCK + nx floats) and finished points are emitted. With `single`, scaling is done in single precision where that
 * is exact for integers below 2^24; NEEDS_DOUBLE reports larger ones.
 */
export function unpackComplex(
  source: usize, size: i32, n: i32, scratch: usize, out: usize,
  base: f64, step: f64, bits: i32, management: i32,
  groups: i32, widthLeast: i32, widthBits: i32, lengthLeast: i32, lengthStep: i32, lengthLast: i32, lengthBits: i32,
  order: i32, extra: i32, nx: i32, streaming: bool, single: bool,
): i32 {
  const head = (order + (order ? 1 : 0)) * extra
  const headers = <i64>head + ((<i64>groups * bits + 7) >> 3) + ((<i64>groups * widthBits + 7) >> 3) + ((<i64>groups * lengthBits + 7) >> 3)
  if (headers > <i64>size) return fault(GROUP_HEADERS_TOO_LONG, <f64>headers, <f64>size)
  least = 0
  first = 0
  second = 0
  if (order && extra) {
    // Packed values are unsigned; only the minimum difference has a sign.
    const one = unsigned(source, extra)
    const two: u64 = order == 2 ? unsigned(source + extra, extra) : 0
    const most = <u64>i32.MAX_VALUE
    if (one > most || two > most) return fault(FIRST_VALUE, <f64>most, <f64>max(one, two))
    first = <i32>one
    second = <i32>two
    least = <i32>signed(source + order * extra, extra)
  }
  const references = scratch
  const widths = references + (<usize>(groups + 8) << 2)
  const lengths = widths + (<usize>(groups + 8) << 2)
  let p = source + head
  unpackFields(p, 0, groups, bits, references)
  p += <usize>((<i64>groups * bits + 7) >> 3)
  unpackFields(p, 0, groups, widthBits, widths)
  p += <usize>((<i64>groups * widthBits + 7) >> 3)
  unpackFields(p, 0, groups, lengthBits, lengths)
  p += <usize>((<i64>groups * lengthBits + 7) >> 3)

  let total: i64 = 0
  let dataBits: i64 = 0
  for (let g = 0; g < groups; g++) {
    const at = <usize>g << 2
    const width = <i64>load<u32>(widths + at) + <i64>widthLeast
    if (width > 31) return fault(GROUP_WIDTH, 31, <f64>width)
    store<i32>(widths + at, <i32>width)
    const length = g == groups - 1 ? <i64><u32>lengthLast : <i64><u32>lengthLeast + <i64>load<u32>(lengths + at) * <i64>lengthStep
    total += length
    if (total > <i64>n) return fault(GROUP_LENGTHS, <f64>n, <f64>total)
    store<i32>(lengths + at, <i32>length)
    dataBits += width * length
  }
  if (total != <i64>n) return fault(GROUP_LENGTHS, <f64>n, <f64>total)
  if (dataBits > (<i64>size - headers) * 8) return fault(GROUP_DATA_TOO_LONG, <f64>((dataBits + 7) >> 3), <f64>(<i64>size - headers))

  previous = 0
  slope = 0
  seen = 0
  done = 0
  turned = 0
  gone = 0
  exact = single && isExact(24, base, step)
  high = 0
  // The missing value of a group without width is marked by its reference alone: all bits set (or all but one). References
  // of no bits have all of them set too: NDFD writes fields of zeros and holes that way.
  const hole1 = (<u32>1 << bits) - 1
  let bit: u64 = 0
  let at: i32 = 0
  for (let g = 0; g < groups; g++) {
    const slot = <usize>g << 2
    const width = load<i32>(widths + slot)
    let reference = load<u32>(references + slot)
    if (width == 0 && management && (reference == hole1 || (management == 2 && reference == hole1 - 1))) reference = <u32>HOLE
    let left = load<i32>(lengths + slot)
    while (left > 0) {
      const length = min(left, BLOCK)
      const to = out + (<usize>(at - gone) << 2)
      if (width == 0) {
        const four = i32x4.splat(reference)
        for (let i = 0; i < length; i += 4) v128.store(to + (<usize>i << 2), four)
      } else if (width <= WIDEST) {
        unpackGroup(p, bit, length, width, reference, management, to)
      } else {
        unpackWide(p, bit, length, width, reference, management, to)
      }
      bit += <u64>width * <u64>length
      at += length
      left -= length
      if (at - done >= BLOCK) {
        finish(out, at & ~3, base, step, order, management, nx)
        if (streaming) handOn(out, at, nx ? turned * nx : done, PORTION)
      }
    }
  }
  finish(out, n, base, step, order, management, nx)
  if (streaming) handOn(out, n, n, 1)
  return exact && high & 0xff000000 ? NEEDS_DOUBLE : OK
}

/** Emits the points before `ready` if there are `least` of them, and moves those up to `at` to the front. */
function handOn(out: usize, at: i32, ready: i32, least: i32): void {
  const count = ready - gone
  if (count < least) return
  emit(out, count)
  memory.copy(out, out + (<usize>count << 2), <usize>(at - ready) << 2)
  gone = ready
}

function unpackWide(base: usize, firstBit: u64, n: i32, width: i32, reference: i32, management: i32, out: usize): void {
  const none = (<u32>1 << width) - 1
  for (let i = 0; i < n; i++) {
    const field = oneField(base, firstBit + <u64>i * width, width)
    const hole = management && (field == none || (management == 2 && field == none - 1))
    store<u32>(out + (<usize>i << 2), hole ? <u32>HOLE : field + reference)
  }
}

@inline
function unpackGroup(base: usize, firstBit: u64, n: i32, width: i32, reference: i32, management: i32, out: usize): void {
  const phase = <i32>(firstBit & 7)
  const second = phase + 4 * width
  const row1 = maskRow(width, phase)
  const row2 = maskRow(width, second & 7)
  const mask1 = v128.load(row1)
  const factor1 = v128.load(row1, 16)
  const mask2 = v128.load(row2)
  const factor2 = v128.load(row2, 16)
  const drop = 32 - width
  const half = <usize>(second >> 3)
  const add = i32x4.splat(reference)
  let p = base + <usize>(firstBit >> 3)
  if (management == 0) {
    for (let i = 0; i < n; i += 8) {
      v128.store(out, i32x4.add(add, fourFields(p, mask1, factor1, drop)))
      v128.store(out, i32x4.add(add, fourFields(p + half, mask2, factor2, drop)), 16)
      out += 32
      p += width
    }
    return
  }
  // Larger fields are missing: all bits set, and with management 2 also all but one.
  const most = i32x4.splat((1 << width) - 1 - management)
  const hole = i32x4.splat(HOLE)
  for (let i = 0; i < n; i += 8) {
    const low = fourFields(p, mask1, factor1, drop)
    const high = fourFields(p + half, mask2, factor2, drop)
    v128.store(out, v128.bitselect(hole, i32x4.add(add, low), i32x4.gt_s(low, most)))
    v128.store(out, v128.bitselect(hole, i32x4.add(add, high), i32x4.gt_s(high, most)), 16)
    out += 32
    p += width
  }
}

/** Decodes one value of the difference chain; the first `order` values are stored directly. */
@inline
function next(difference: i32, order: i32): i32 {
  if (order == 0) return difference
  let value: i32
  if (seen < order) {
    value = seen == 0 ? first : second
    slope = value - previous
    seen++
  } else if (order == 1) {
    value = previous + difference + least
  } else {
    slope += difference + least
    value = previous + slope
  }
  previous = value
  return value
}

@inline
function one(p: usize, base: f64, step: f64, order: i32, management: i32): void {
  const difference = load<i32>(p)
  if (management && difference == HOLE) {
    store<f32>(p, NaN)
    return
  }
  store<f32>(p, <f32>(base + step * <f64>next(difference, order)))
}

/** Returns the prefix sum over the lanes. */
@inline
function runningSum(v: v128): v128 {
  const zero = i32x4.splat(0)
  const pairs = i32x4.add(v, v128.shuffle<i32>(zero, v, 0, 4, 5, 6))
  return i32x4.add(pairs, v128.shuffle<i32>(zero, pairs, 0, 0, 4, 5))
}

@inline
function last(v: v128): v128 {
  return v128.shuffle<i32>(v, v, 3, 3, 3, 3)
}

/** Converts the integers [done, to) to floats in place, and reverses whole rows once they are complete. */
function finish(out: usize, to: i32, base: f64, step: f64, order: i32, management: i32, nx: i32): void {
  let i = done
  while (i < to && seen < order) one(out + (<usize>(i++ - gone) << 2), base, step, order, management)
  while (i < to && i & 3) one(out + (<usize>(i++ - gone) << 2), base, step, order, management)
  const bases = f64x2.splat(base)
  const steps = f64x2.splat(step)
  const leasts = i32x4.splat(least)
  const hole = i32x4.splat(HOLE)
  const nans = f32x4.splat(NaN)
  let p = out + (<usize>(i - gone) << 2)
  const baseSingles = f32x4.splat(<f32>base)
  const stepSingles = f32x4.splat(<f32>step)
  const single = exact
  let bits = i32x4.splat(0)
  let carry = i32x4.splat(previous)
  let rise = i32x4.splat(slope)
  for (; i + 4 <= to; i += 4) {
    let v = v128.load(p)
    if (management) {
      const holes = i32x4.eq(v, hole)
      if (v128.any_true(holes)) {
        if (i32x4.all_true(holes)) {
          v128.store(p, nans)
          p += 16
          continue
        }
        if (order == 0) {
          v128.store(p, v128.bitselect(nans, scaleFour(v, bases, steps), holes))
          p += 16
          continue
        }
        // Missing points are not part of the chain. A zero in their place (after the constant was added) would continue the slope, so these
        // four points are decoded one by one.
        previous = i32x4.extract_lane(carry, 0)
        slope = i32x4.extract_lane(rise, 0)
        for (let k: usize = 0; k < 16; k += 4) one(p + k, base, step, order, management)
        carry = i32x4.splat(previous)
        rise = i32x4.splat(slope)
        p += 16
        continue
      }
    }
    if (order) {
      v = i32x4.add(v, leasts)
      if (order == 2) {
        const sums = runningSum(v)
        v = i32x4.add(sums, rise)
        rise = i32x4.add(rise, last(sums))
      }
      const sums = runningSum(v)
      v = i32x4.add(sums, carry)
      carry = i32x4.add(carry, last(sums))
    }
    if (single) {
      bits = v128.or(bits, i32x4.abs(v))
      v128.store(p, scaleFourExact(v, baseSingles, stepSingles))
    } else {
      v128.store(p, scaleFour(v, bases, steps))
    }
    p += 16
  }
  high |= i32x4.extract_lane(bits, 0) | i32x4.extract_lane(bits, 1) | i32x4.extract_lane(bits, 2) | i32x4.extract_lane(bits, 3)
  previous = i32x4.extract_lane(carry, 0)
  slope = i32x4.extract_lane(rise, 0)
  while (i < to) one(out + (<usize>(i++ - gone) << 2), base, step, order, management)
  done = to
  if (nx) {
    while ((turned + 1) * nx <= done) {
      if (turned & 1) turnRow(out + (<usize>(turned * nx - gone) << 2), nx)
      turned++
    }
  }
}
