// The irreversible 9/7 wavelet of ISO/IEC 15444-1, annex F, on floats, laid out as the 5/3 one. Rounding shows in the last
// bit of a sample, so the order of every operation is that of OpenJPEG, by which others read such fields: rows before
// columns, single precision, and 2 / K as the number below, with no gain taken from the steps of the high bands for it.
const ALPHA: f32 = -1.586134342
const BETA: f32 = -0.052980118
const GAMMA: f32 = 0.882911075
const DELTA: f32 = 0.443506852
const K: f32 = 1.230174105
const TWICE_INVERSE_K: f32 = 1.625732422

/** Rows or columns that are lifted together: four lanes of four floats. A sample of all of them is one line. */
const TOGETHER: i32 = 16
const LINE: usize = 64

/** Every second sample from `first` on takes its part of both neighbours; at the ends the one there is counts twice. */
function lift(block: usize, n: i32, first: i32, part: f32): void {
  const parts = f32x4.splat(part)
  for (let k = first; k < n; k += 2) {
    const at = block + <usize>k * LINE
    const before = k > 0 ? at - LINE : at + LINE
    const after = k + 1 < n ? at + LINE : at - LINE
    for (let c: usize = 0; c < LINE; c += 16) {
      const sum = f32x4.add(v128.load(before + c), v128.load(after + c))
      v128.store(at + c, f32x4.add(v128.load(at + c), f32x4.mul(sum, parts)))
    }
  }
}

function scale(block: usize, n: i32, first: i32, factor: f32): void {
  const factors = f32x4.splat(factor)
  for (let k = first; k < n; k += 2) {
    const at = block + <usize>k * LINE
    for (let c: usize = 0; c < LINE; c += 16) v128.store(at + c, f32x4.mul(v128.load(at + c), factors))
  }
}

/** Lines of `n` interleaved samples, `odd` if the first is a high one. One sample alone stays as it is. */
function inverse(block: usize, n: i32, odd: i32): void {
  if (n == 1) return
  scale(block, n, odd, K)
  scale(block, n, 1 - odd, TWICE_INVERSE_K)
  lift(block, n, odd, -DELTA)
  lift(block, n, 1 - odd, -GAMMA)
  lift(block, n, odd, -BETA)
  lift(block, n, 1 - odd, -ALPHA)
}

/** Index of sample k of an interleaved line among `n`: the low ones first, then the high ones. */
@inline
function apart(k: i32, lows: i32, odd: i32): i32 {
  return (k & 1) == odd ? (k - odd) >> 1 : lows + ((k - 1 + odd) >> 1)
}

/** One level: the rectangle of w × h floats at `at`, rows `stride` apart. `scratch` has 64 × max(w, h) octets. */
export function inverseLevel97(at: usize, stride: i32, w: i32, h: i32, oddX: i32, oddY: i32, scratch: usize): void {
  const pitch = <usize>stride << 2
  const across = (w + 1 - oddX) >> 1
  const down = (h + 1 - oddY) >> 1
  for (let y = 0; y < h; y += TOGETHER) {
    const rows = min(TOGETHER, h - y)
    const first = at + <usize>y * pitch
    for (let r = 0; r < rows; r++) {
      const row = first + <usize>r * pitch
      for (let k = 0; k < w; k++) {
        store<f32>(scratch + <usize>k * LINE + (<usize>r << 2), load<f32>(row + (<usize>apart(k, across, oddX) << 2)))
      }
    }
    inverse(scratch, w, oddX)
    for (let r = 0; r < rows; r++) {
      const row = first + <usize>r * pitch
      for (let k = 0; k < w; k++) {
        store<f32>(row + (<usize>k << 2), load<f32>(scratch + <usize>k * LINE + (<usize>r << 2)))
      }
    }
  }
  for (let x = 0; x < w; x += TOGETHER) {
    const octets = <usize>min(TOGETHER, w - x) << 2
    const first = at + (<usize>x << 2)
    for (let k = 0; k < h; k++) {
      memory.copy(scratch + <usize>k * LINE, first + <usize>apart(k, down, oddY) * pitch, octets)
    }
    inverse(scratch, h, oddY)
    for (let k = 0; k < h; k++) memory.copy(first + <usize>k * pitch, scratch + <usize>k * LINE, octets)
  }
}

/** Floats of a tile, rounded to even, shifted by `shift` and kept within [least, most], become base + sample × step. */
export function wavesToFloats(
  from: usize, w: i32, h: i32, shift: f64, least: f64, most: f64, base: f64, step: f64, to: usize, stride: i32,
): void {
  for (let y = 0; y < h; y++) {
    const row = from + (<usize>y * <usize>w << 2)
    const out = to + (<usize>y * <usize>stride << 2)
    for (let x: usize = 0; x < <usize>w << 2; x += 4) {
      const v = <f64>nearest<f32>(load<f32>(row + x)) + shift
      // NaN, which only a corrupt step gives, becomes the least value.
      store<f32>(out + x, <f32>(base + step * (v > least ? min(v, most) : least)))
    }
  }
}
