import { beginWrite, endWrite, write, writeRuns, writeValues } from './bits'
import {
  BASE,
  BOTH,
  CODING,
  CODINGS,
  CONSTANT,
  FIRST_K,
  FIRST_PREDICTION,
  GROUP,
  GROUPS,
  HALF,
  HAS_MISSING,
  K,
  kindOf,
  LINEAR,
  MISSING,
  PLAIN,
  PREDICTION,
  rowOf,
  RUNS,
  SPACE,
  TIME,
  timesOf,
  ZEROS,
} from './block'
import { MAX_K, MAX_ZEROS_K, writeConstant, writeKind } from './kinds'

@inline
function bitsFor(sum: u64, n: u64, most: u32): u32 {
  // The best k for a geometric distribution is near log2(mean * ln 2).
  let k: u32 = 0
  while (k < most && (n << (k + 1)) < (sum * 177) >> 8) k++
  return k
}

/**
 * Number of bits that Rice coding with this k writes in addition to the one bit and the low bits of each value; exact
 * if the sums are exact.
 */
@inline
function quotients(k: u32, sum: u64, one: u64, two: u64): u64 {
  return k === 1 ? one : k === 2 ? two : sum >> k
}

/**
 * The best k for n values: estimated from their sum; for small values computed exactly from the sums of their halves
 * and quarters.
 */
function bestK(n: u64, sum: u64, one: u64, two: u64): u32 {
  const k = bitsFor(sum, max<u64>(n, 1), MAX_K)
  if (k > 2) return k
  if (n + two < one) return 2
  return n + one < sum ? 1 : 0
}

@inline
function zigzag(e: v128): v128 {
  return v128.xor(i16x8.shl(e, 1), i16x8.shr_s(e, 15))
}

@inline
function magnitude(e: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.abs(e))
}

@inline
function total(sum: v128): u64 {
  return (
    <u64>i32x4.extract_lane(sum, 0) +
    <u64>i32x4.extract_lane(sum, 1) +
    <u64>i32x4.extract_lane(sum, 2) +
    <u64>i32x4.extract_lane(sum, 3)
  )
}

/** Marks the lanes of a row's last vector that have values. */
@inline
function tail(n: i32): v128 {
  const lanes = i16x8(0, 1, 2, 3, 4, 5, 6, 7)
  return i16x8.lt_s(lanes, i16x8.splat(<i16>n))
}

/** Shifts each lane by one to the right; the last lane of `before` becomes the first. */
@inline
function later(before: v128, now: v128): v128 {
  return v128.shuffle<i16>(before, now, 7, 8, 9, 10, 11, 12, 13, 14)
}

/** Number of times below which a row is short. */
const SHORT: i32 = 8

/**
 * Encodes a block.
 * @param codes rows of cell 0, 1, …: `stride` values a cell; missing ones are replaced by a filler
 * @param refs one u16 a cell: its reference cell (cell 0: itself)
 * @param kinds space for 8 bytes a variable
 * @param scratch cells * stride u16 for the residuals, and as much again for the masks
 * @returns the address after the last byte; up to 8 more bytes are overwritten
 */
export function encodeBlock(
  codes: usize,
  cells: i32,
  stride: i32,
  refs: usize,
  layout: usize,
  variables: i32,
  seek: bool,
  kinds: usize,
  scratch: usize,
  out: usize,
): usize {
  const masks = scratch + ((<usize>cells * <usize>stride) << 1)
  let to = out + 1
  for (let v = 0; v < variables; v++) {
    const times = timesOf(layout, v)
    // If cells are skipped by reading them instead of by their offsets, flags of short rows cost more time than they save bits.
    const mayFlag = seek || times >= SHORT
    to = analyse(codes, cells, stride, refs, rowOf(layout, v), times, mayFlag, kindOf(kinds, v), scratch, masks, to)
  }
  const offsets = to
  // Offsets of 4 bytes, which are narrowed below if 2 bytes are enough.
  if (seek) to += <usize>cells << 2
  const body = to
  beginWrite(to)
  for (let c = 0; c < cells; c++) {
    if (seek) {
      to = endWrite()
      store<u32>(offsets + (<usize>c << 2), <u32>(to - body))
      beginWrite(to)
    }
    const cell = (<usize>c * <usize>stride) << 1
    for (let v = 0; v < variables; v++) {
      const kind = kindOf(kinds, v)
      const flags = <i32>load<u8>(kind + CODING)
      if (flags & CONSTANT) continue
      const row = cell + (<usize>rowOf(layout, v) << 1)
      const times = timesOf(layout, v)
      if (flags & HAS_MISSING) writeGroups(masks + row, times, 0)
      const k: u32 = c === 0 ? load<u8>(kind + FIRST_K) : load<u8>(kind + K)
      const coding = flags & CODINGS
      if (coding === GROUPS) writeGroups(scratch + row, times, k)
      else if (coding === PLAIN) writeValues(scratch + row, times, k)
      else writeRuns(scratch + row, times, load<u8>(kind + ZEROS), k)
    }
  }
  const end = endWrite()
  if (!seek) {
    store<u8>(out, 0)
    return end
  }
  if (end - body > 0xffff) {
    store<u8>(out, 4)
    return end
  }
  store<u8>(out, 2)
  for (let c = 0; c < cells; c++) store<u16>(offsets + (<usize>c << 1), <u16>load<u32>(offsets + (<usize>c << 2)))
  memory.copy(offsets + (<usize>cells << 1), body, end - body)
  return end - (<usize>cells << 1)
}

function writeGroups(from: usize, times: i32, k: u32): void {
  for (let t = 0; t < times; t += GROUP) {
    const group = from + (<usize>t << 1)
    const n = min(GROUP, times - t)
    // Residuals beyond the row's end are zero.
    const any = n > 8 ? v128.or(v128.load(group), v128.load(group, 16)) : v128.load(group)
    if (v128.any_true(any)) {
      write(1, 1)
      writeValues(group, n, k)
    } else write(0, 1)
  }
}

/** Chooses the coding of one variable, leaves its residuals in `residuals`, and writes its description to `to`. */
function analyse(
  codes: usize,
  cells: i32,
  stride: i32,
  refs: usize,
  row: i32,
  times: i32,
  mayFlag: bool,
  kind: usize,
  residuals: usize,
  masks: usize,
  to: usize,
): usize {
  const step = <usize>stride << 1
  const first = codes + (<usize>row << 1)
  const last = (times - 1) & ~7
  const ending = tail(times - last)
  const missing = i16x8.splat(<i16>MISSING)
  const head = load<i16>(first)
  const same = i16x8.splat(head)
  let differs = i16x8.splat(0)
  let gaps = i16x8.splat(0)
  for (let c = 0; c < cells; c++) {
    const p = first + <usize>c * step
    for (let t = 0; t <= last; t += 8) {
      const x = v128.load(p + (<usize>t << 1))
      const within = t === last ? ending : i16x8.splat(-1)
      differs = v128.or(differs, v128.andnot(within, i16x8.eq(x, same)))
      gaps = v128.or(gaps, v128.and(within, i16x8.eq(x, missing)))
    }
  }
  if (!v128.any_true(differs)) {
    store<u8>(kind + CODING, <u8>CONSTANT)
    return writeConstant(<i32>head, to)
  }
  const holes = v128.any_true(gaps)
  let base: i16 = head
  if (holes) {
    base = <i16>firstValue(first, cells, step, times)
    for (let c = 0; c < cells; c++) {
      const p = first + <usize>c * step
      const r = first + <usize>load<u16>(refs + (<usize>c << 1)) * step
      fillRow(p, r, c === 0, base, times, masks + (p - codes))
    }
  }
  store<i16>(kind + BASE, base)
  analyseFirst(first, times, base, kind, residuals + (first - codes))

  let space = i32x4.splat(0)
  let both = i32x4.splat(0)
  let time = i32x4.splat(0)
  let half = i32x4.splat(0)
  for (let c = 1; c < cells; c++) {
    const p = first + <usize>c * step
    const r = first + <usize>load<u16>(refs + (<usize>c << 1)) * step
    let before = i16x8.splat(0)
    let past = i16x8.splat(load<i16>(r))
    for (let t = 0; t <= last; t += 8) {
      const x = v128.load(p + (<usize>t << 1))
      let a = i16x8.sub(x, v128.load(r + (<usize>t << 1)))
      let d = i16x8.sub(x, later(past, x))
      const a1 = later(before, a)
      before = a
      past = x
      let b = i16x8.sub(a, a1)
      let h = i16x8.sub(a, i16x8.shr_s(a1, 1))
      if (t === last) {
        a = v128.and(a, ending)
        b = v128.and(b, ending)
        d = v128.and(d, ending)
        h = v128.and(h, ending)
      }
      space = i32x4.add(space, magnitude(a))
      both = i32x4.add(both, magnitude(b))
      time = i32x4.add(time, magnitude(d))
      half = i32x4.add(half, magnitude(h))
    }
  }
  let mode = SPACE
  let least = total(space)
  if (total(both) < least) {
    least = total(both)
    mode = BOTH
  }
  if (total(time) < least) {
    least = total(time)
    mode = TIME
  }
  if (total(half) < least) mode = HALF
  store<u8>(kind + PREDICTION, <u8>mode)

  let magnitudes = i32x4.splat(0)
  let halves = i32x4.splat(0)
  let quarters = i32x4.splat(0)
  let others: u64 = 0
  /** Groups and rows with others than zeros, and the values of these groups. */
  let busyGroups: u64 = 0
  let busyRows: u64 = 0
  let values: u64 = 0
  for (let c = 1; c < cells; c++) {
    const p = first + <usize>c * step
    const r = first + <usize>load<u16>(refs + (<usize>c << 1)) * step
    const e = residuals + (p - codes)
    let before = i16x8.splat(0)
    let past = i16x8.splat(load<i16>(r))
    let inRow: u32 = 0
    let inGroup: u32 = 0
    for (let t = 0; t <= last; t += 8) {
      const x = v128.load(p + (<usize>t << 1))
      let found: v128
      if (mode === TIME) {
        found = i16x8.sub(x, later(past, x))
        past = x
      } else {
        const a = i16x8.sub(x, v128.load(r + (<usize>t << 1)))
        if (mode === SPACE) found = a
        else {
          const a1 = later(before, a)
          before = a
          found = mode === BOTH ? i16x8.sub(a, a1) : i16x8.sub(a, i16x8.shr_s(a1, 1))
        }
      }
      found = zigzag(found)
      if (t === last) found = v128.and(found, ending)
      v128.store(e + (<usize>t << 1), found)
      const busy = 8 - <u32>popcnt(i16x8.bitmask(i16x8.eq(found, i16x8.splat(0))))
      inGroup += busy
      if (t & 8 || t === last) {
        if (inGroup > 0) {
          busyGroups++
          values += <u64>min(GROUP, times - (t & ~15))
        }
        inRow += inGroup
        inGroup = 0
      }
      magnitudes = i32x4.add(magnitudes, i32x4.extadd_pairwise_i16x8_u(found))
      halves = i32x4.add(halves, i32x4.extadd_pairwise_i16x8_u(i16x8.shr_u(found, 1)))
      quarters = i32x4.add(quarters, i32x4.extadd_pairwise_i16x8_u(i16x8.shr_u(found, 2)))
    }
    if (inRow > 0) busyRows++
    others += inRow
  }
  const rows = <u64>(cells - 1)
  const sum = total(magnitudes)
  const n = rows * <u64>times
  const one = total(halves)
  const two = total(quarters)
  const groups = rows * <u64>((times + GROUP - 1) / GROUP)
  const plainK = bestK(n, sum, one, two)
  const groupedK = bestK(values, sum, one, two)
  const plain = n * <u64>(plainK + 1) + quotients(plainK, sum, one, two)
  const grouped = groups + values * <u64>(groupedK + 1) + quotients(groupedK, sum, one, two)
  let coding = mayFlag && grouped < plain ? GROUPS : PLAIN
  let k = coding === GROUPS ? groupedK : plainK
  let zeros: u32 = 0
  if (mayFlag && others > 0) {
    // Size as runs: the bits of the rows that have nonzero residuals. Each number of zeros is rounded down by half of the range of its low bits.
    const gone = busyRows * <u64>times - others
    const ends = others + busyRows
    const kZeros = bitsFor(gone, ends, MAX_ZEROS_K)
    const down = (ends * ((1 << kZeros) - 1)) >> 1
    const kRest = bitsFor(sum - others, others, MAX_K)
    const rest = kRest > 0 ? (sum - others) >> kRest : sum - others
    const runs = rows + others * (kRest + 1) + rest + ends * (kZeros + 1) + ((gone > down ? gone - down : 0) >> kZeros)
    // Two readers decode values in parallel, but not runs.
    if (((runs - busyRows) * 9) >> 3 < min(plain, grouped)) {
      coding = RUNS
      k = kRest
      zeros = kZeros
    }
  }
  store<u8>(kind + CODING, <u8>(coding | (holes ? HAS_MISSING : 0)))
  store<u8>(kind + K, <u8>k)
  store<u8>(kind + ZEROS, <u8>zeros)
  return writeKind(kind, to)
}

/**
 * The first cell has no reference: its row is predicted along time, by the previous value or by the line through the
 * previous two.
 */
function analyseFirst(p: usize, times: i32, base: i16, kind: usize, e: usize): void {
  const last = (times - 1) & ~7
  const ending = tail(times - last)
  let byTime = i32x4.splat(0)
  let byLine = i32x4.splat(0)
  let past = i16x8.splat(base)
  let slope = i16x8.splat(0)
  for (let t = 0; t <= last; t += 8) {
    const x = v128.load(p + (<usize>t << 1))
    const d = i16x8.sub(x, later(past, x))
    let one = zigzag(d)
    let other = zigzag(i16x8.sub(d, later(slope, d)))
    past = x
    slope = d
    if (t === last) {
      one = v128.and(one, ending)
      other = v128.and(other, ending)
    }
    v128.store(e + (<usize>t << 1), one)
    byTime = i32x4.add(byTime, i32x4.extadd_pairwise_i16x8_u(one))
    byLine = i32x4.add(byLine, i32x4.extadd_pairwise_i16x8_u(other))
  }
  const linear = total(byLine) < total(byTime)
  store<u8>(kind + FIRST_PREDICTION, <u8>(linear ? LINEAR : TIME))
  store<u8>(kind + FIRST_K, <u8>bitsFor(total(linear ? byLine : byTime), <u64>times, MAX_K))
  if (!linear) return
  past = i16x8.splat(base)
  slope = i16x8.splat(0)
  for (let t = 0; t <= last; t += 8) {
    const x = v128.load(p + (<usize>t << 1))
    const d = i16x8.sub(x, later(past, x))
    const found = zigzag(i16x8.sub(d, later(slope, d)))
    past = x
    slope = d
    v128.store(e + (<usize>t << 1), t === last ? v128.and(found, ending) : found)
  }
}

function firstValue(first: usize, cells: i32, step: usize, times: i32): i32 {
  for (let c = 0; c < cells; c++) {
    const p = first + <usize>c * step
    for (let t = 0; t < times; t++) {
      const x = <i32>load<i16>(p + (<usize>t << 1))
      if (x !== MISSING) return x
    }
  }
  return 0
}

/** Fills each gap of a row with the value before it, and marks in `mask` where gaps begin and end. */
function fillRow(p: usize, r: usize, root: bool, base: i16, times: i32, mask: usize): void {
  let previous = root ? base : load<i16>(r)
  let was: u16 = 0
  for (let t = 0; t < times; t++) {
    const place = <usize>t << 1
    const x = load<i16>(p + place)
    const gone: u16 = <i32>x === MISSING ? 1 : 0
    store<u16>(mask + place, gone ^ was)
    was = gone
    if (gone) store<i16>(p + place, previous)
    else previous = x
  }
  const end = (times + 7) & ~7
  for (let t = times; t < end; t++) store<u16>(mask + (<usize>t << 1), 0)
}
