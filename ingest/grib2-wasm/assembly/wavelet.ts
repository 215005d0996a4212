import { scaleFour } from './simple'

// The reversible 5/3 wavelet of ISO/IEC 15444-1, annex F. A level's four bands lie in the corners of its rectangle: low
// frequencies left and above. `odd` says that the first sample of a row or column has an odd place (a high one).

/** Column counts that the vertical step takes together: one cache line. */
const TOGETHER: i32 = 16

@inline
function lane(p: usize, k: i32): usize {
  return p + (<usize>k << 2)
}

/** One row: `low` and `high` samples side by side at `row` become interleaved ones there; `line` has room for n + 4 words. */
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

/** 16 columns at once: rows of 16 words in `block`, (n + 4) of them. */
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
  for (let y = 0; y < h; y++) inverseRow(at + <usize>y * pitch, w, oddX, scratch)
  for (let x = 0; x < w; x += TOGETHER) inverseColumns(lane(at, x), pitch, min(TOGETHER, w - x), h, oddY, scratch)
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
