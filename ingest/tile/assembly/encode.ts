import { beginWrite, endWrite, write, writeRuns, writeValues } from './bits'
import { BOTH, CONSTANT, FLAGS, GROUP, HALF, HAS_MISSING, KIND, MISSING, rowOf, SPACE, TIME, timesOf } from './block'

@inline
function bitsFor(sum: u64, n: u64): u32 {
  // The best k of a geometric distribution is near log2(mean * ln 2).
  let k: u32 = 0
  while (k < 14 && (n << (k + 1)) < (sum * 177) >> 8) k++
  return k
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

/** Lanes of the last vector of a row that have values. */
@inline
function tail(n: i32): v128 {
  const lanes = i16x8(0, 1, 2, 3, 4, 5, 6, 7)
  return i16x8.lt_s(lanes, i16x8.splat(<i16>n))
}

/** Shifts each lane one to the right, the last of `before` in front. */
@inline
function later(before: v128, now: v128): v128 {
  return v128.shuffle<i16>(before, now, 7, 8, 9, 10, 11, 12, 13, 14)
}

/**
 * Encodes a block.
 * @param codes rows of cell 0, 1, …: `stride` values a cell; missing ones are replaced by a filler
 * @param refs one u16 a cell: its reference cell (cell 0: itself)
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
  scratch: usize,
  out: usize,
): usize {
  const masks = scratch + ((<usize>cells * <usize>stride) << 1)
  let to = out
  for (let v = 0; v < variables; v++) {
    to = analyse(codes, cells, stride, refs, rowOf(layout, v), timesOf(layout, v), scratch, masks, to)
  }
  const offsets = to
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
      const type = <i32>load<u8>(out + <usize>(v * KIND))
      if (type & CONSTANT) continue
      const row = cell + (<usize>rowOf(layout, v) << 1)
      if (type & HAS_MISSING) writeRow(masks + row, timesOf(layout, v), 0, 0)
      writeRow(scratch + row, timesOf(layout, v), (type >> 2) & 15, load<u8>(out + <usize>(v * KIND) + 1))
    }
  }
  return endWrite()
}

/** @param runs 0: value by value; else one more than the k of the runs of zeros */
function writeRow(from: usize, times: i32, k: u32, runs: u32): void {
  if (runs) {
    writeRuns(from, times, runs - 1, k)
    return
  }
  if (times < FLAGS) {
    writeValues(from, times, k)
    return
  }
  for (let t = 0; t < times; t += GROUP) {
    const group = from + (<usize>t << 1)
    const n = min(GROUP, times - t)
    // Residuals after the row's end are zero.
    const any = n > 8 ? v128.or(v128.load(group), v128.load(group, 16)) : v128.load(group)
    if (v128.any_true(any)) {
      write(1, 1)
      writeValues(group, n, k)
    } else write(0, 1)
  }
}

/** Chooses the prediction of one variable, leaves its residuals in `residuals`, and writes its description bytes. */
function analyse(
  codes: usize,
  cells: i32,
  stride: i32,
  refs: usize,
  row: i32,
  times: i32,
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
    store<u16>(to, <u16>CONSTANT)
    store<i16>(to + 2, head)
    return to + KIND
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

  let sum: u64 = 0
  let n: u64 = 0
  let others: u64 = 0
  for (let c = 0; c < cells; c++) {
    const p = first + <usize>c * step
    const r = first + <usize>load<u16>(refs + (<usize>c << 1)) * step
    const e = residuals + (p - codes)
    const how = c === 0 ? TIME : mode
    let before = i16x8.splat(0)
    let past = i16x8.splat(c === 0 ? base : load<i16>(r))
    let magnitudes = i32x4.splat(0)
    for (let t = 0; t <= last; t += 8) {
      const x = v128.load(p + (<usize>t << 1))
      let found: v128
      if (how === TIME) {
        found = i16x8.sub(x, later(past, x))
        past = x
      } else {
        const a = i16x8.sub(x, v128.load(r + (<usize>t << 1)))
        if (how === SPACE) found = a
        else {
          const a1 = later(before, a)
          before = a
          found = how === BOTH ? i16x8.sub(a, a1) : i16x8.sub(a, i16x8.shr_s(a1, 1))
        }
      }
      found = zigzag(found)
      if (t === last) found = v128.and(found, ending)
      v128.store(e + (<usize>t << 1), found)
      const busy = 8 - <u32>popcnt(i16x8.bitmask(i16x8.eq(found, i16x8.splat(0))))
      others += busy
      if (times < FLAGS || busy > 0) n += 8
      magnitudes = i32x4.add(magnitudes, i32x4.extadd_pairwise_i16x8_u(found))
    }
    sum += total(magnitudes)
  }
  if (times < FLAGS) n = (n >> 3) * <u64>times
  let k = bitsFor(sum, max<u64>(n, 1))
  let runs: u32 = 0
  if (times >= FLAGS && others > 0) {
    // Value by value, or as runs of zeros: whichever is estimated to take fewer bits.
    const plain = n * (k + 1) + (sum >> k) + (<u64>(cells * times) >> 4)
    const zeros = <u64>(cells * times) - others
    const ends = others + <u64>cells
    const kRest = bitsFor(sum - others, others)
    const kZeros = bitsFor(zeros, ends)
    if (others * (kRest + 1) + ((sum - others) >> kRest) + ends * (kZeros + 1) + (zeros >> kZeros) < plain) {
      k = kRest
      runs = kZeros + 1
    }
  }
  store<u8>(to, <u8>(mode | (k << 2) | (holes ? HAS_MISSING : 0)))
  store<u8>(to + 1, <u8>runs)
  store<i16>(to + 2, base)
  return to + KIND
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
