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
  readTwice,
  readValues,
  turnReaders,
} from './bits'
import { BOTH, CONSTANT, FLAGS, GROUP, HALF, HAS_MISSING, KIND, MISSING, rowOf, SPACE, TIME, timesOf } from './block'

/**
 * Decodes one cell of a block.
 * @param codes space for `cells * stride` codes; @param scratch space for `3 * stride` u16
 * @param scales two f64 a variable: value = code * first + second
 * @param out the cell's values as f32, NaN where missing: one variable after the other, without padding
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
  // From the first cell to the wanted one, along its references; without `seek` the bits of other cells are skipped.
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
      // Values past the row's end are overwritten by the next row.
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

/** The cell among those that `wanted` depends on that refers to `c`. */
@inline
function towards(wanted: i32, c: i32, refs: usize): i32 {
  let next = wanted
  while (<i32>load<u16>(refs + (<usize>next << 1)) !== c) next = load<u16>(refs + (<usize>next << 1))
  return next
}

/** Reads the rows of a cell and of one that refers to it in parallel. The space for residuals has those of both. */
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
      // Only the mask of the last cell is needed.
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

/** Reads the rows of one cell; the masks of its gaps go to `scratch`, its residuals to the space after them. */
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

/** Skips the rows of so many cells. */
function passOver(block: usize, cells: i32, layout: usize, variables: i32, scratch: usize): void {
  let bit = place()
  // The next bits, `have` of them: where rows are short they contain many values.
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
      // A mask is a row of as many values without low bits, and comes first.
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

/** Eight residuals, decoded from zigzag. */
@inline
function residuals(e: usize): v128 {
  const z = v128.load(e)
  return v128.xor(i16x8.shr_u(z, 1), i16x8.neg(v128.and(z, i16x8.splat(1))))
}

/** Prefix sums: each lane the sum of those up to it. */
@inline
function sums(d: v128): v128 {
  const none = i16x8.splat(0)
  const two = i16x8.add(d, v128.shuffle<i16>(none, d, 7, 8, 9, 10, 11, 12, 13, 14))
  const four = i16x8.add(two, v128.shuffle<i16>(none, two, 6, 7, 8, 9, 10, 11, 12, 13))
  return i16x8.add(four, v128.shuffle<i16>(none, four, 4, 5, 6, 7, 8, 9, 10, 11))
}

/** Adds the residuals to the prediction, and pads the last vector. @param mode -1: the first cell, along time from `base` */
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
  // BOTH: the sums are added to the reference's row; along time: to the value before the first.
  const upon = mode === BOTH
  let before = i16x8.splat(upon ? 0 : mode === TIME ? load<i16>(r) : base)
  for (let at: usize = 0; at < end; at += 16) {
    const sum = i16x8.add(before, sums(residuals(e + at)))
    v128.store(v + at, upon ? i16x8.add(v128.load(r + at), sum) : sum)
    before = i16x8.splat(i16x8.extract_lane_s(sum, 7))
  }
}
