import {
  beginRead,
  bitsAt,
  clear,
  ESCAPE,
  goTo,
  LONGEST,
  place,
  readBit,
  readRuns,
  readRuns1,
  readTwice,
  readValues,
  turnReaders,
} from './bits'
import {
  BASE,
  BOTH,
  CODING,
  CODINGS,
  CONSTANT,
  FIRST_K,
  FIRST_PREDICTION,
  GROUP,
  GROUPED_MASKS,
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
import { readKinds } from './kinds'

/** Prediction of a row of the first cell, along time. */
const FIRST: i32 = -1

/**
 * Decodes one cell of a block.
 * @param block its bytes after the members; @param seek of version 1: whether it has offsets
 * @param kinds space for 8 bytes a variable
 * @param codes space for `cells * stride` codes; @param scratch space for `3 * stride` u16
 * @param scales two f64 a variable: value = code * first + second
 * @param out the cell's values as f32, NaN if missing: one variable after the other, without padding
 */
export function decodeCell(
  block: usize,
  cells: i32,
  stride: i32,
  refs: usize,
  layout: usize,
  variables: i32,
  version: i32,
  seek: bool,
  wanted: i32,
  kinds: usize,
  codes: usize,
  scratch: usize,
  scales: usize,
  out: usize,
): void {
  const wide = version === 1 ? (seek ? 4 : 0) : <i32>load<u8>(block)
  const offsets = readKinds(version === 1 ? block : block + 1, variables, layout, kinds, version)
  const body = offsets + <usize>(cells * wide)
  const step = <usize>stride << 1
  // Follows the references from the first cell to the requested cell; without offsets the bits of other cells are read
  // and skipped.
  if (wide) {
    for (let c = 0; ; ) {
      const next = c === wanted ? c : towards(wanted, c, refs)
      beginRead(body, offsetAt(offsets, c, wide), offsetAt(offsets, next, wide))
      if (c === next) decodeRows(kinds, c, stride, refs, layout, variables, codes, scratch)
      else decodeTwo(kinds, c, next, stride, refs, layout, variables, codes, scratch)
      if (next === wanted) break
      c = towards(wanted, next, refs)
    }
  } else {
    beginRead(body, 0, 0)
    for (let c = 0; ; ) {
      decodeRows(kinds, c, stride, refs, layout, variables, codes, scratch)
      if (c === wanted) break
      const next = towards(wanted, c, refs)
      passOver(kinds, next - c - 1, layout, variables, scratch)
      c = next
    }
  }
  const cell = codes + <usize>wanted * step
  let to = out
  for (let v = 0; v < variables; v++) {
    const row = <usize>rowOf(layout, v) << 1
    const times = timesOf(layout, v)
    const kind = kindOf(kinds, v)
    const coding = <i32>load<u8>(kind + CODING)
    const scale = load<f64>(scales + (<usize>v << 4))
    const shift = load<f64>(scales + (<usize>v << 4) + 8)
    if (coding & CONSTANT) {
      const code = <i32>load<i16>(kind + BASE)
      const value: f32 = code === MISSING ? f32.NaN : <f32>(<f64>code * scale + shift)
      for (let t = 0; t < times; t++) {
        store<f32>(to, value)
        to += 4
      }
    } else if (coding & HAS_MISSING) {
      let gone: u16 = 0
      for (let t = 0; t < times; t++) {
        const place = row + (<usize>t << 1)
        gone ^= load<u16>(scratch + place)
        const code = <i32>load<i16>(cell + place)
        store<f32>(to, gone ? f32.NaN : <f32>(<f64>code * scale + shift))
        to += 4
      }
    } else {
      // Values beyond the row's end are overwritten by the next row.
      scaleRow(cell + row, times, scale, shift, to)
      to += <usize>times << 2
    }
  }
}

/** Returns the offset of a cell's rows in the body; offsets have 2 or 4 bytes. */
@inline
function offsetAt(offsets: usize, c: i32, wide: i32): u32 {
  return wide === 2 ? <u32>load<u16>(offsets + (<usize>c << 1)) : load<u32>(offsets + (<usize>c << 2))
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

/** Returns the next cell on the chain of references from `c` to `wanted`: the cell that refers directly to `c`. */
@inline
function towards(wanted: i32, c: i32, refs: usize): i32 {
  let next = wanted
  while (<i32>load<u16>(refs + (<usize>next << 1)) !== c) next = load<u16>(refs + (<usize>next << 1))
  return next
}

/**
 * Reads the rows of a cell and of a cell that refers to it in parallel. The residuals of both go to the space for
 * residuals.
 */
function decodeTwo(
  kinds: usize,
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
    const kind = kindOf(kinds, v)
    const flags = <i32>load<u8>(kind + CODING)
    if (flags & CONSTANT) continue
    const coding = flags & CODINGS
    const row = <usize>rowOf(layout, v) << 1
    const times = timesOf(layout, v)
    const k: u32 = load<u8>(kind + K)
    const firstK = c === 0 ? <u32>load<u8>(kind + FIRST_K) : k
    const first = residuals + row
    const other = first + step
    if (flags & HAS_MISSING) {
      // Only the mask of the last cell is needed.
      readMask(scratch + row, times, flags)
      turnReaders()
      readMask(scratch + row, times, flags)
      turnReaders()
    }
    if (coding >= RUNS) {
      const zeros: u32 = load<u8>(kind + ZEROS)
      readRow(first, times, coding, firstK, zeros)
      turnReaders()
      readRow(other, times, coding, k, zeros)
      turnReaders()
    } else if (coding === PLAIN) {
      readTwice(first, other, times, firstK, k)
    } else {
      for (let t = 0; t < times; t += GROUP) {
        const at = <usize>t << 1
        const n = min(GROUP, times - t)
        const any = readBit()
        turnReaders()
        const anyOther = readBit()
        turnReaders()
        if (any & anyOther) readTwice(first + at, other + at, n, firstK, k)
        else {
          if (any) readValues(first + at, n, firstK)
          else clear(first + at, n)
          turnReaders()
          if (anyOther) readValues(other + at, n, k)
          else clear(other + at, n)
          turnReaders()
        }
      }
    }
    const base = load<i16>(kind + BASE)
    const prediction = <i32>load<u8>(kind + PREDICTION)
    rebuild(cell + row, ref + row, first, times, c === 0 ? firstOf(kind) : prediction, base)
    rebuild(following + row, cell + row, other, times, prediction, base)
  }
}

@inline
function firstOf(kind: usize): i32 {
  return <i32>load<u8>(kind + FIRST_PREDICTION) === LINEAR ? LINEAR : FIRST
}

/** Reads the rows of one cell; the masks of its gaps go to `scratch`, its residuals to the space after them. */
function decodeRows(
  kinds: usize,
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
    const kind = kindOf(kinds, v)
    const flags = <i32>load<u8>(kind + CODING)
    if (flags & CONSTANT) continue
    const row = <usize>rowOf(layout, v) << 1
    const times = timesOf(layout, v)
    if (flags & HAS_MISSING) readMask(scratch + row, times, flags)
    const k: u32 = c === 0 ? load<u8>(kind + FIRST_K) : load<u8>(kind + K)
    readRow(residuals + row, times, flags & CODINGS, k, load<u8>(kind + ZEROS))
    const prediction = c === 0 ? firstOf(kind) : <i32>load<u8>(kind + PREDICTION)
    rebuild(cell + row, ref + row, residuals + row, times, prediction, load<i16>(kind + BASE))
  }
}

/** Skips the rows of this many cells; the first cell must not be among them. */
function passOver(kinds: usize, cells: i32, layout: usize, variables: i32, scratch: usize): void {
  let bit = place()
  // The next `have` bits: if rows are short, they contain many values.
  let word: u64 = 0
  let have: u32 = 0
  for (let c = 0; c < cells; c++) {
    for (let v = 0; v < variables; v++) {
      // PREDICTION, CODING, K and ZEROS at once.
      const kind = load<u32>(kindOf(kinds, v))
      const flags = <i32>(kind >> 8) & 255
      if (flags & CONSTANT) continue
      const coding = flags & CODINGS
      const times = timesOf(layout, v)
      if (times > GROUP || coding >= RUNS) {
        goTo(bit)
        if (flags & HAS_MISSING) readMask(scratch, times, flags)
        readRow(scratch, times, coding, (kind >> 16) & 255, kind >> 24)
        bit = place()
        have = 0
        continue
      }
      const k = (kind >> 16) & 255
      if (flags === PLAIN) {
        for (let t = 0; t < times; t++) {
          if (have < LONGEST) {
            word = bitsAt(bit)
            have = 57
          }
          const quotient = <u32>ctz<u64>(word)
          const length = quotient < ESCAPE ? quotient + 1 + k : LONGEST
          word >>= length
          have -= length
          bit += length
        }
        continue
      }
      // A mask is a row of values without low bits, and precedes the values.
      for (let mask = flags & HAS_MISSING ? 1 : 0; mask >= 0; mask--) {
        if (mask ? flags & GROUPED_MASKS : coding === GROUPS) {
          if (have === 0) {
            word = bitsAt(bit)
            have = 57
          }
          const flag = word & 1
          word >>= 1
          have--
          bit++
          if (!flag) continue
        }
        for (let t = 0; t < times; t++) {
          if (have < LONGEST) {
            word = bitsAt(bit)
            have = 57
          }
          const quotient = <u32>ctz<u64>(word)
          const length = quotient < ESCAPE ? quotient + 1 + (mask ? 0 : k) : LONGEST
          word >>= length
          have -= length
          bit += length
        }
      }
    }
  }
  goTo(bit)
}

@inline
function readMask(to: usize, times: i32, flags: i32): void {
  readRow(to, times, flags & GROUPED_MASKS ? GROUPS : PLAIN, 0, 0)
}

function readRow(to: usize, times: i32, coding: i32, k: u32, zeros: u32): void {
  if (coding >= RUNS) {
    if (coding === RUNS) readRuns(to, times, zeros, k)
    else readRuns1(to, times, zeros, k)
    return
  }
  if (coding === PLAIN) {
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

/** Decodes eight residuals from zigzag coding. */
@inline
function residuals(e: usize): v128 {
  const z = v128.load(e)
  return v128.xor(i16x8.shr_u(z, 1), i16x8.neg(v128.and(z, i16x8.splat(1))))
}

/** Prefix sums: each lane receives the sum of the lanes up to it. */
@inline
function sums(d: v128): v128 {
  const none = i16x8.splat(0)
  const two = i16x8.add(d, v128.shuffle<i16>(none, d, 7, 8, 9, 10, 11, 12, 13, 14))
  const four = i16x8.add(two, v128.shuffle<i16>(none, two, 6, 7, 8, 9, 10, 11, 12, 13))
  return i16x8.add(four, v128.shuffle<i16>(none, four, 4, 5, 6, 7, 8, 9, 10, 11))
}

/**
 * Adds the residuals to the prediction, and pads the last vector.
 * @param mode FIRST or LINEAR, which predict the first cell along time from `base`
 */
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
  if (mode === LINEAR) {
    let before = i16x8.splat(base)
    let slope = i16x8.splat(0)
    for (let at: usize = 0; at < end; at += 16) {
      const slopes = i16x8.add(slope, sums(residuals(e + at)))
      const sum = i16x8.add(before, sums(slopes))
      v128.store(v + at, sum)
      slope = i16x8.splat(i16x8.extract_lane_s(slopes, 7))
      before = i16x8.splat(i16x8.extract_lane_s(sum, 7))
    }
    return
  }
  // BOTH adds the sums to the row of the reference; LINEAR and FIRST add them to the value before the first.
  const upon = mode === BOTH
  let before = i16x8.splat(upon ? 0 : mode === TIME ? load<i16>(r) : base)
  for (let at: usize = 0; at < end; at += 16) {
    const sum = i16x8.add(before, sums(residuals(e + at)))
    v128.store(v + at, upon ? i16x8.add(v128.load(r + at), sum) : sum)
    before = i16x8.splat(i16x8.extract_lane_s(sum, 7))
  }
}
