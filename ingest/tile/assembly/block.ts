import {
  beginRead,
  beginWrite,
  bitsAt,
  clear,
  endWrite,
  ESCAPE,
  goTo,
  LONGEST,
  place,
  readBit,
  readRuns,
  readTwice,
  readValues,
  turnReaders,
  write,
  writeRuns,
  writeValues,
} from './bits'

// A block: some cells of one parent, every variable and time of a run. FORMAT.md says what the bytes mean.
//
// A row is one variable at one cell, its codes in the order of the times. In memory a cell's rows lie behind each other,
// each padded to a whole number of vectors; `layout` holds two words a variable: the place of its row in values, and its
// number of times.

export const MISSING: i32 = -32768
const GROUP: i32 = 16
/** Rows shorter than this carry no flags for their groups. */
const FLAGS: i32 = 8

// How a value is predicted, from r (the reference cell's row), and v (its own).
const SPACE: i32 = 0 // r[t]
const BOTH: i32 = 1 // r[t] + v[t-1] - r[t-1]
const TIME: i32 = 2 // v[t-1]
const HALF: i32 = 3 // r[t] + (v[t-1] - r[t-1]) / 2

const HAS_MISSING: i32 = 64
const CONSTANT: i32 = 128
/** Octets that say how a variable is coded. */
const KIND: i32 = 4

@inline
function rowOf(layout: usize, v: i32): i32 {
  return load<i32>(layout + (<usize>v << 3))
}

@inline
function timesOf(layout: usize, v: i32): i32 {
  return load<i32>(layout + (<usize>v << 3) + 4)
}

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

/** Lanes of the last vector of a row that hold values. */
@inline
function tail(n: i32): v128 {
  const lanes = i16x8(0, 1, 2, 3, 4, 5, 6, 7)
  return i16x8.lt_s(lanes, i16x8.splat(<i16>n))
}

/** Each lane one to the right, the last of `before` in front. */
@inline
function later(before: v128, now: v128): v128 {
  return v128.shuffle<i16>(before, now, 7, 8, 9, 10, 11, 12, 13, 14)
}

/**
 * Encodes a block.
 * @param codes rows of cell 0, 1, …: `stride` values a cell; those that are missing get a filler
 * @param refs one u16 a cell: the cell it is compared with (cell 0: itself)
 * @param scratch cells * stride u16 for the residuals, and as much again for the masks
 * @returns the place behind the last byte; at most 8 bytes more are touched
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
    // Residuals behind the row's end are zero.
    const any = n > 8 ? v128.or(v128.load(group), v128.load(group, 16)) : v128.load(group)
    if (v128.any_true(any)) {
      write(1, 1)
      writeValues(group, n, k)
    } else write(0, 1)
  }
}

/** Chooses how one variable is predicted, leaves its residuals in `residuals`, and writes the octets that say so. */
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
  let lacks = i16x8.splat(0)
  for (let c = 0; c < cells; c++) {
    const p = first + <usize>c * step
    for (let t = 0; t <= last; t += 8) {
      const x = v128.load(p + (<usize>t << 1))
      const within = t === last ? ending : i16x8.splat(-1)
      differs = v128.or(differs, v128.andnot(within, i16x8.eq(x, same)))
      lacks = v128.or(lacks, v128.and(within, i16x8.eq(x, missing)))
    }
  }
  if (!v128.any_true(differs)) {
    store<u16>(to, <u16>CONSTANT)
    store<i16>(to + 2, head)
    return to + KIND
  }
  const holes = v128.any_true(lacks)
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
    // Value by value, or as runs of zeros: whichever should take fewer bits.
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

/** Puts the value before it into each gap of a row, and into `mask` where gaps begin and end. */
function fillRow(p: usize, r: usize, root: bool, base: i16, times: i32, mask: usize): void {
  let hold = root ? base : load<i16>(r)
  let was: u16 = 0
  for (let t = 0; t < times; t++) {
    const place = <usize>t << 1
    const x = load<i16>(p + place)
    const gone: u16 = <i32>x === MISSING ? 1 : 0
    store<u16>(mask + place, gone ^ was)
    was = gone
    if (gone) store<i16>(p + place, hold)
    else hold = x
  }
  const end = (times + 7) & ~7
  for (let t = times; t < end; t++) store<u16>(mask + (<usize>t << 1), 0)
}

/**
 * Decodes one cell of a block.
 * @param codes room for `cells * stride` codes; @param scratch room for `3 * stride` u16
 * @param scales two f64 a variable: value = code * first + second
 * @param out where the cell's values go as f32, NaN where missing: the variables behind each other, without padding
 */
export function decodeCell(
  block: usize,
  cells: i32,
  stride: i32,
  refs: usize,
  layout: usize,
  variables: i32,
  seek: bool,
  wanted: i32,
  codes: usize,
  scratch: usize,
  scales: usize,
  out: usize,
): void {
  const offsets = block + <usize>(variables * KIND)
  const body = seek ? offsets + (<usize>cells << 2) : offsets
  const step = <usize>stride << 1
  // From the first cell down to the wanted one, those that it leans on; without `seek` the others' bits are passed over.
  if (seek) {
    for (let c = 0; ; ) {
      const next = c === wanted ? c : towards(wanted, c, refs)
      beginRead(body, load<u32>(offsets + (<usize>c << 2)), load<u32>(offsets + (<usize>next << 2)))
      if (c === next) decodeRows(block, c, stride, refs, layout, variables, codes, scratch)
      else decodeTwo(block, c, next, stride, refs, layout, variables, codes, scratch)
      if (next === wanted) break
      c = towards(wanted, next, refs)
    }
  } else {
    beginRead(body, 0, 0)
    for (let c = 0; ; ) {
      decodeRows(block, c, stride, refs, layout, variables, codes, scratch)
      if (c === wanted) break
      const next = towards(wanted, c, refs)
      passOver(block, next - c - 1, layout, variables, scratch)
      c = next
    }
  }
  const cell = codes + <usize>wanted * step
  let to = out
  for (let v = 0; v < variables; v++) {
    const row = <usize>rowOf(layout, v) << 1
    const times = timesOf(layout, v)
    const type = <i32>load<u8>(block + <usize>(v * KIND))
    const scale = load<f64>(scales + (<usize>v << 4))
    const shift = load<f64>(scales + (<usize>v << 4) + 8)
    if (type & CONSTANT) {
      const code = <i32>load<i16>(block + <usize>(v * KIND) + 2)
      const value: f32 = code === MISSING ? f32.NaN : <f32>(<f64>code * scale + shift)
      for (let t = 0; t < times; t++) {
        store<f32>(to, value)
        to += 4
      }
    } else if (type & HAS_MISSING) {
      let gone: u16 = 0
      for (let t = 0; t < times; t++) {
        const place = row + (<usize>t << 1)
        gone ^= load<u16>(scratch + place)
        const code = <i32>load<i16>(cell + place)
        store<f32>(to, gone ? f32.NaN : <f32>(<f64>code * scale + shift))
        to += 4
      }
    } else {
      // What goes beyond the row's end is written over by the next one.
      scaleRow(cell + row, times, scale, shift, to)
      to += <usize>times << 2
    }
  }
}

@inline
function scaleRow(codes: usize, times: i32, scale: f64, shift: f64, to: usize): void {
  const by = f64x2.splat(scale)
  const plus = f64x2.splat(shift)
  for (let t = 0; t < times; t += 4) {
    const code = i32x4.extend_low_i16x8_s(v128.load64_zero(codes + (<usize>t << 1)))
    const low = f64x2.add(f64x2.mul(f64x2.convert_low_i32x4_s(code), by), plus)
    const high = f64x2.add(f64x2.mul(f64x2.convert_low_i32x4_s(v128.shuffle<i64>(code, code, 1, 1)), by), plus)
    const first = f32x4.demote_f64x2_zero(low)
    v128.store(to + (<usize>t << 2), v128.shuffle<i64>(first, f32x4.demote_f64x2_zero(high), 0, 2))
  }
}

/** Of the cells that `wanted` leans on the one that leans on `c`. */
@inline
function towards(wanted: i32, c: i32, refs: usize): i32 {
  let next = wanted
  while (<i32>load<u16>(refs + (<usize>next << 1)) !== c) next = load<u16>(refs + (<usize>next << 1))
  return next
}

/** Reads the rows of a cell and of one that leans on it, beside each other. The room for residuals holds those of both. */
function decodeTwo(
  block: usize,
  c: i32,
  next: i32,
  stride: i32,
  refs: usize,
  layout: usize,
  variables: i32,
  codes: usize,
  scratch: usize,
): void {
  const step = <usize>stride << 1
  const cell = codes + <usize>c * step
  const ref = codes + <usize>load<u16>(refs + (<usize>c << 1)) * step
  const following = codes + <usize>next * step
  const residuals = scratch + step
  for (let v = 0; v < variables; v++) {
    const type = <i32>load<u8>(block + <usize>(v * KIND))
    if (type & CONSTANT) continue
    const row = <usize>rowOf(layout, v) << 1
    const times = timesOf(layout, v)
    const k: u32 = (type >> 2) & 15
    const runs: u32 = load<u8>(block + <usize>(v * KIND) + 1)
    const first = residuals + row
    const other = first + step
    if (type & HAS_MISSING) {
      // Only the mask of the cell that was read last is looked at.
      readRow(scratch + row, times, 0, 0)
      turnReaders()
      readRow(scratch + row, times, 0, 0)
      turnReaders()
    }
    if (runs || times < FLAGS) {
      readRow(first, times, k, runs)
      turnReaders()
      readRow(other, times, k, runs)
      turnReaders()
    } else {
      for (let t = 0; t < times; t += GROUP) {
        const at = <usize>t << 1
        const n = min(GROUP, times - t)
        const any = readBit()
        turnReaders()
        const anyOther = readBit()
        turnReaders()
        if (any & anyOther) readTwice(first + at, other + at, n, k)
        else {
          if (any) readValues(first + at, n, k)
          else clear(first + at, n)
          turnReaders()
          if (anyOther) readValues(other + at, n, k)
          else clear(other + at, n)
          turnReaders()
        }
      }
    }
    const base = load<i16>(block + <usize>(v * KIND) + 2)
    rebuild(cell + row, ref + row, first, times, c === 0 ? -1 : type & 3, base)
    rebuild(following + row, cell + row, other, times, type & 3, base)
  }
}

/** Reads the rows of one cell; the masks of its gaps go to `scratch`, its residuals through the room behind them. */
function decodeRows(
  block: usize,
  c: i32,
  stride: i32,
  refs: usize,
  layout: usize,
  variables: i32,
  codes: usize,
  scratch: usize,
): void {
  const step = <usize>stride << 1
  const cell = codes + <usize>c * step
  const ref = codes + <usize>load<u16>(refs + (<usize>c << 1)) * step
  const residuals = scratch + step
  for (let v = 0; v < variables; v++) {
    const type = <i32>load<u8>(block + <usize>(v * KIND))
    if (type & CONSTANT) continue
    const row = <usize>rowOf(layout, v) << 1
    const times = timesOf(layout, v)
    if (type & HAS_MISSING) readRow(scratch + row, times, 0, 0)
    readRow(residuals + row, times, (type >> 2) & 15, load<u8>(block + <usize>(v * KIND) + 1))
    const base = load<i16>(block + <usize>(v * KIND) + 2)
    rebuild(cell + row, ref + row, residuals + row, times, c === 0 ? -1 : type & 3, base)
  }
}

/** Reads past the rows of so many cells. */
function passOver(block: usize, cells: i32, layout: usize, variables: i32, scratch: usize): void {
  let bit = place()
  // The bits that come next, `have` of them: where rows are short many values lie within them.
  let word: u64 = 0
  let have: u32 = 0
  for (let c = 0; c < cells; c++) {
    for (let v = 0; v < variables; v++) {
      const type = <i32>load<u8>(block + <usize>(v * KIND))
      if (type & CONSTANT) continue
      const times = timesOf(layout, v)
      const k: u32 = (type >> 2) & 15
      if (times >= FLAGS) {
        goTo(bit)
        if (type & HAS_MISSING) readRow(scratch, times, 0, 0)
        readRow(scratch, times, k, load<u8>(block + <usize>(v * KIND) + 1))
        bit = place()
        have = 0
        continue
      }
      // A mask is as many values without low bits, and comes first.
      for (let t = type & HAS_MISSING ? -times : 0; t < times; t++) {
        if (have < LONGEST) {
          word = bitsAt(bit)
          have = 57
        }
        const quotient = <u32>ctz<u64>(word)
        const length = quotient < ESCAPE ? quotient + 1 + (t < 0 ? 0 : k) : LONGEST
        word >>= length
        have -= length
        bit += length
      }
    }
  }
  goTo(bit)
}

function readRow(to: usize, times: i32, k: u32, runs: u32): void {
  if (runs) {
    readRuns(to, times, runs - 1, k)
    return
  }
  if (times < FLAGS) {
    readValues(to, times, k)
    return
  }
  for (let t = 0; t < times; t += GROUP) {
    const group = to + (<usize>t << 1)
    const n = min(GROUP, times - t)
    if (readBit()) readValues(group, n, k)
    else clear(group, n)
  }
}

/** Eight residuals, of zigzag. */
@inline
function residuals(e: usize): v128 {
  const z = v128.load(e)
  return v128.xor(i16x8.shr_u(z, 1), i16x8.neg(v128.and(z, i16x8.splat(1))))
}

/** Each lane the sum of those up to it. */
@inline
function sums(d: v128): v128 {
  const none = i16x8.splat(0)
  const two = i16x8.add(d, v128.shuffle<i16>(none, d, 7, 8, 9, 10, 11, 12, 13, 14))
  const four = i16x8.add(two, v128.shuffle<i16>(none, two, 6, 7, 8, 9, 10, 11, 12, 13))
  return i16x8.add(four, v128.shuffle<i16>(none, four, 4, 5, 6, 7, 8, 9, 10, 11))
}

/** Adds the residuals to what was predicted, and fills up the last vector. @param mode -1: the first cell, along time from `base` */
function rebuild(v: usize, r: usize, e: usize, times: i32, mode: i32, base: i16): void {
  if (mode === HALF) {
    let a: i32 = 0
    for (let t = 0; t < times; t++) {
      const z = <i32>load<u16>(e + (<usize>t << 1))
      a = <i32>(<i16>((a >> 1) + ((z >> 1) ^ -(z & 1))))
      store<i16>(v + (<usize>t << 1), <i16>(<i32>load<i16>(r + (<usize>t << 1)) + a))
    }
    return
  }
  const end = <usize>times << 1
  if (mode === SPACE) {
    for (let at: usize = 0; at < end; at += 16) v128.store(v + at, i16x8.add(v128.load(r + at), residuals(e + at)))
    return
  }
  // BOTH: what is summed goes upon the reference's row; along time: upon the value before the first.
  const upon = mode === BOTH
  let before = i16x8.splat(upon ? 0 : mode === TIME ? load<i16>(r) : base)
  for (let at: usize = 0; at < end; at += 16) {
    const sum = i16x8.add(before, sums(residuals(e + at)))
    v128.store(v + at, upon ? i16x8.add(v128.load(r + at), sum) : sum)
    before = i16x8.splat(i16x8.extract_lane_s(sum, 7))
  }
}
