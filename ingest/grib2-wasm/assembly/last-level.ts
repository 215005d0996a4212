import { emit, PORTION } from './memory'
import { isExact, scaleFour, scaleFourExact } from './simple'
import { evenOf, inverseEvenRow, oddOf } from './wavelet'

// The last level of the reversible wavelet of an image that begins at even coordinates. The rows are processed in one pass: each is
// inverted horizontally, then vertically with the preceding rows, and converted to floats while it is in the cache.

/** Address of the next row of floats, and its scale. */
let next: usize = 0
let exact: bool = false
let shifts: v128 = i32x4.splat(0)
let leasts: v128 = i32x4.splat(0)
let mosts: v128 = i32x4.splat(0)
let bases: v128 = i32x4.splat(0)
let steps: v128 = i32x4.splat(0)

@inline
function floats(samples: v128): v128 {
  const v = i32x4.min_s(i32x4.max_s(i32x4.add(samples, shifts), leasts), mosts)
  return exact ? scaleFourExact(v, bases, steps) : scaleFour(v, bases, steps)
}

/**
 * Inverts the rectangle of w × h words at `at` (w at least 4, h at least 2) and emits its samples row by row as floats: shifted by `shift`, kept
 * within [least, most], base + sample × step. `scratch` has 20 × (w + 16) octets for rows, behind them space for
 * PORTION floats and two rows.
 */
export function finishLevel(
  at: usize, w: i32, h: i32, shift: i32, least: i32, most: i32, base: f64, step: f64, scratch: usize,
): void {
  const pitch = <usize>w << 2
  const lows = (h + 1) >> 1
  const highs = h - lows
  const bits = 32 - clz<i32>(max(most, -least))
  exact = isExact(bits, base, step)
  shifts = i32x4.splat(shift)
  leasts = i32x4.splat(least)
  mosts = i32x4.splat(most)
  bases = exact ? f32x4.splat(<f32>base) : f64x2.splat(base)
  steps = exact ? f32x4.splat(<f32>step) : f64x2.splat(step)
  const line = pitch + 64
  // These are the horizontally inverted rows, and the even rows in their final form, of this iteration and the previous one.
  const row = scratch
  let high = scratch + line
  let highBefore = high
  let highNext = scratch + 2 * line
  let even = scratch + 3 * line
  let evenBefore = scratch + 4 * line
  const out = scratch + 5 * line
  next = out
  for (let k = 0; k < lows; k++, at += pitch) {
    inverseEvenRow(at, w, row)
    // After the last high row (an odd count) the preceding row is mirrored.
    highBefore = high
    if (k < highs) {
      inverseEvenRow(at + <usize>lows * pitch, w, highNext)
      high = highNext
      highNext = highBefore
    }
    if (k == 0) firstRow(row, high, even, w)
    else twoRows(row, highBefore, high, evenBefore, even, w)
    const swap = even
    even = evenBefore
    evenBefore = swap
    const count = <i32>((next - out) >> 2)
    if (count >= PORTION) {
      emit(out, count)
      next = out
    }
  }
  if (highs == lows) lastRow(high, evenBefore, w)
  emit(out, <i32>((next - out) >> 2))
}

/** The last four samples of a row overlap the preceding ones, so that nothing is written beyond the row. */
@inline
function vectorAt(x: i32, w: i32): usize {
  return <usize>min(x, w - 4) << 2
}

function firstRow(low: usize, high: usize, even: usize, w: i32): void {
  for (let x = 0; x < w; x += 4) {
    const p = vectorAt(x, w)
    const d = v128.load(high + p)
    const e = evenOf(v128.load(low + p), d, d)
    v128.store(even + p, e)
    v128.store(next + p, floats(e))
  }
  next += <usize>w << 2
}

/** Computes the odd row between two even rows, and the second of the even rows. */
function twoRows(low: usize, before: usize, high: usize, evenBefore: usize, even: usize, w: i32): void {
  const second = next + (<usize>w << 2)
  for (let x = 0; x < w; x += 4) {
    const p = vectorAt(x, w)
    const d = v128.load(before + p)
    const e = evenOf(v128.load(low + p), d, v128.load(high + p))
    v128.store(even + p, e)
    v128.store(next + p, floats(oddOf(d, v128.load(evenBefore + p), e)))
    v128.store(second + p, floats(e))
  }
  next = second + (<usize>w << 2)
}

function lastRow(high: usize, even: usize, w: i32): void {
  for (let x = 0; x < w; x += 4) {
    const p = vectorAt(x, w)
    const e = v128.load(even + p)
    v128.store(next + p, floats(oddOf(v128.load(high + p), e, e)))
  }
  next += <usize>w << 2
}
