import { scaleFour } from './simple'

// The reversible 5/3 wavelet of ISO/IEC 15444-1, annex F. A level's four bands lie in the corners of its rectangle: low
// frequencies left and above. `odd` is 1 where the first sample of a row or column has an odd index (a high one).

/** Column counts that the vertical step takes together: one cache line. */
const TOGETHER: i32 = 16

@inline
function lane(p: usize, k: i32): usize {
  return p + (<usize>k << 2)
}

/** One row: `low` and `high` samples side by side at `row` become interleaved ones there; `line` has space for n + 4 words. */
function inverseRow(row: usize, n: i32, odd: i32, line: usize): void {
  if (n == 1) {
    if (odd) store<i32>(row, load<i32>(row) / 2)
    return
  }
  const lows = (n + 1 - odd) >> 1
  const high = lane(row, lows)
  // Sample k of the row stands at line + k + 2; one mirrored sample on each side is all that the filters reach for.
  const base = lane(line, 2)
  let k = 0
  let p = lane(base, odd)
  for (; k < lows; k++, p += 8) store<i32>(p, load<i32>(lane(row, k)))
  const highs = n - lows
  p = lane(base, 1 - odd)
  for (k = 0; k < highs; k++, p += 8) store<i32>(p, load<i32>(lane(high, k)))
  store<i32>(lane(base, -1), load<i32>(lane(base, 1)))
  store<i32>(lane(base, n), load<i32>(lane(base, n - 2)))
  for (k = odd; k < n; k += 2) {
    const at = lane(base, k)
    store<i32>(at, load<i32>(at) - ((load<i32>(at - 4) + load<i32>(at + 4) + 2) >> 2))
  }
  store<i32>(lane(base, -1), load<i32>(lane(base, 1)))
  store<i32>(lane(base, n), load<i32>(lane(base, n - 2)))
  for (k = 1 - odd; k < n; k += 2) {
    const at = lane(base, k)
    store<i32>(at, load<i32>(at) + ((load<i32>(at - 4) + load<i32>(at + 4)) >> 1))
  }
  memory.copy(row, base, <usize>n << 2)
}

@inline
export function evenOf(low: v128, before: v128, after: v128): v128 {
  return i32x4.sub(low, i32x4.shr_s(i32x4.add(i32x4.add(before, after), i32x4.splat(2)), 2))
}

@inline
export function oddOf(high: v128, before: v128, after: v128): v128 {
  return i32x4.add(high, i32x4.shr_s(i32x4.add(before, after), 1))
}

@inline
function evenAt(low: usize, high: usize, highs: i32, k: i32): i32 {
  return load<i32>(lane(low, k)) - ((load<i32>(lane(high, max(k - 1, 0))) + load<i32>(lane(high, min(k, highs - 1))) + 2) >> 2)
}

/** The same for rows that begin with a low sample, four at a time: to `to`, which lies elsewhere. */
export function inverseEvenRow(low: usize, n: i32, to: usize): void {
  const lows = (n + 1) >> 1
  const highs = n - lows
  const high = lane(low, lows)
  let k = 0
  let d = v128.load(high)
  let e = evenOf(v128.load(low), v128.shuffle<i32>(d, d, 0, 0, 1, 2), d)
  for (; k + 8 <= highs; k += 4) {
    const nextD = v128.load(lane(high, k), 16)
    const nextE = evenOf(v128.load(lane(low, k), 16), v128.shuffle<i32>(d, nextD, 3, 4, 5, 6), nextD)
    const o = oddOf(d, e, v128.shuffle<i32>(e, nextE, 1, 2, 3, 4))
    v128.store(to, v128.shuffle<i32>(e, o, 0, 4, 1, 5))
    v128.store(to, v128.shuffle<i32>(e, o, 2, 6, 3, 7), 16)
    to += 32
    d = nextD
    e = nextE
  }
  let even = evenAt(low, high, highs, k)
  for (; k < lows; k++, to += 8) {
    const after = evenAt(low, high, highs, min(k + 1, lows - 1))
    store<i32>(to, even)
    if (k < highs) store<i32>(to, load<i32>(lane(high, k)) + ((even + after) >> 1), 4)
    even = after
  }
}

/** Columns that begin with a low sample, 16 at once in one walk down the rows; results gather in `block`, then go back. */
function inverseEvenColumns(column: usize, stride: usize, n: i32, block: usize): void {
  const lows = (n + 1) >> 1
  const highs = n - lows
  let low = column
  let high = column + <usize>lows * stride
  let to = block
  for (let c: usize = 0; c < 64; c += 32) {
    low = column + c
    high = column + <usize>lows * stride + c
    to = block + c
    let d0 = v128.load(high)
    let d1 = v128.load(high, 16)
    let e0 = evenOf(v128.load(low), d0, d0)
    let e1 = evenOf(v128.load(low, 16), d1, d1)
    for (let k = 1; k < lows; k++) {
      low += stride
      // Behind the last high row (an odd count) the one before is mirrored.
      if (k < highs) high += stride
      const nextD0 = v128.load(high)
      const nextD1 = v128.load(high, 16)
      const nextE0 = evenOf(v128.load(low), d0, nextD0)
      const nextE1 = evenOf(v128.load(low, 16), d1, nextD1)
      v128.store(to, e0)
      v128.store(to, e1, 16)
      v128.store(to, oddOf(d0, e0, nextE0), 64)
      v128.store(to, oddOf(d1, e1, nextE1), 80)
      to += 128
      d0 = nextD0
      d1 = nextD1
      e0 = nextE0
      e1 = nextE1
    }
    v128.store(to, e0)
    v128.store(to, e1, 16)
    if (highs == lows) {
      v128.store(to, oddOf(d0, e0, e0), 64)
      v128.store(to, oddOf(d1, e1, e1), 80)
    }
  }
  let from = block
  for (let k = 0; k < n; k++, from += 64, column += stride) {
    v128.store(column, v128.load(from))
    v128.store(column, v128.load(from, 16), 16)
    v128.store(column, v128.load(from, 32), 32)
    v128.store(column, v128.load(from, 48), 48)
  }
}

/** Up to 16 columns at once: rows of 16 words in `block`, (n + 4) of them. */
function inverseColumns(column: usize, stride: usize, columns: i32, n: i32, odd: i32, block: usize): void {
  const octets = <usize>columns << 2
  const line: usize = TOGETHER << 2
  const base = block + 2 * line
  const lows = (n + 1 - odd) >> 1
  for (let k = 0; k < lows; k++) memory.copy(base + <usize>(2 * k + odd) * line, column + <usize>k * stride, octets)
  for (let k = 0; k < n - lows; k++) {
    memory.copy(base + <usize>(2 * k + 1 - odd) * line, column + <usize>(lows + k) * stride, octets)
  }
  if (n == 1) {
    if (odd) for (let k = 0; k < columns; k++) store<i32>(lane(base, k), load<i32>(lane(base, k)) / 2)
  } else {
    const two = i32x4.splat(2)
    memory.copy(base - line, base + line, line)
    memory.copy(base + <usize>n * line, base + <usize>(n - 2) * line, line)
    for (let k = odd; k < n; k += 2) {
      const at = base + <usize>k * line
      for (let c: usize = 0; c < line; c += 16) {
        const sum = i32x4.add(i32x4.add(v128.load(at - line + c), v128.load(at + line + c)), two)
        v128.store(at + c, i32x4.sub(v128.load(at + c), i32x4.shr_s(sum, 2)))
      }
    }
    memory.copy(base - line, base + line, line)
    memory.copy(base + <usize>n * line, base + <usize>(n - 2) * line, line)
    for (let k = 1 - odd; k < n; k += 2) {
      const at = base + <usize>k * line
      for (let c: usize = 0; c < line; c += 16) {
        const sum = i32x4.add(v128.load(at - line + c), v128.load(at + line + c))
        v128.store(at + c, i32x4.add(v128.load(at + c), i32x4.shr_s(sum, 1)))
      }
    }
  }
  for (let k = 0; k < n; k++) memory.copy(column + <usize>k * stride, base + <usize>k * line, octets)
}

/** One level: the rectangle of w × h words at `at`, rows `stride` words apart. `scratch` has 64 × (max(w, h) + 8) octets. */
export function inverseLevel(at: usize, stride: i32, w: i32, h: i32, oddX: i32, oddY: i32, scratch: usize): void {
  const pitch = <usize>stride << 2
  for (let y = 0; y < h; y++) {
    const row = at + <usize>y * pitch
    if (oddX || w == 1) {
      inverseRow(row, w, oddX, scratch)
    } else {
      inverseEvenRow(row, w, scratch)
      memory.copy(row, scratch, <usize>w << 2)
    }
  }
  for (let x = 0; x < w; x += TOGETHER) {
    if (oddY || h == 1 || x + TOGETHER > w) inverseColumns(lane(at, x), pitch, min(TOGETHER, w - x), h, oddY, scratch)
    else inverseEvenColumns(lane(at, x), pitch, h, scratch)
  }
}

/** Samples of a tile to floats: shifted by `shift`, kept within [least, most], base + sample × step. */
export function samplesToFloats(
  from: usize, w: i32, h: i32, shift: i32, least: i32, most: i32, base: f64, step: f64, to: usize, stride: i32,
): void {
  const shifts = i32x4.splat(shift)
  const leasts = i32x4.splat(least)
  const mosts = i32x4.splat(most)
  const bases = f64x2.splat(base)
  const steps = f64x2.splat(step)
  for (let y = 0; y < h; y++) {
    const row = from + (<usize>y * <usize>w << 2)
    const out = to + (<usize>y * <usize>stride << 2)
    let x = 0
    for (; x + 4 <= w; x += 4) {
      const v = i32x4.min_s(i32x4.max_s(i32x4.add(v128.load(lane(row, x)), shifts), leasts), mosts)
      v128.store(lane(out, x), scaleFour(v, bases, steps))
    }
    for (; x < w; x++) {
      const v = min(max(load<i32>(lane(row, x)) + shift, least), most)
      store<f32>(lane(out, x), <f32>(base + step * <f64>v))
    }
  }
}
