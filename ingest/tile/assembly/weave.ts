import { MISSING } from './block'
import { unpackGroup } from './slab'

/**
 * Transposes one group of cells from slabs (one time, all cells) to rows (one cell, all times) for one variable.
 * @param cursors one u32 a time: the start of the group in that time's slab, 0 if there is no slab; advanced past the
 * group
 * @param scales two f32 a time: code = round(slab's code * first + second); if first is 0 the code is unchanged
 * @param rows address of the first cell's row; @param stride values from one cell to the next
 * @param room space for 8 groups of 64 codes
 */
export function turnGroup(
  cursors: usize,
  scales: usize,
  times: i32,
  cells: i32,
  rows: usize,
  stride: i32,
  room: usize,
): void {
  const step = <usize>stride << 1
  const none = i16x8.splat(<i16>MISSING)
  for (let t = 0; t < times; t += 8) {
    const n = min(8, times - t)
    for (let k = 0; k < n; k++) {
      const cursor = cursors + (<usize>(t + k) << 2)
      const at = <usize>load<u32>(cursor)
      const to = room + (<usize>k << 7)
      if (at === 0) {
        for (let i = 0; i < cells; i += 8) v128.store(to + (<usize>i << 1), none)
        continue
      }
      store<u32>(cursor, <u32>unpackGroup(at, cells, to))
      const scale = load<f32>(scales + (<usize>(t + k) << 3))
      if (scale !== 0) rescale(to, cells, scale, load<f32>(scales + (<usize>(t + k) << 3) + 4))
    }
    const to = rows + (<usize>t << 1)
    for (let c = 0; c < cells; c += 8) turnEight(room + (<usize>c << 1), min(8, cells - c), to + <usize>c * step, step)
  }
}

function rescale(codes: usize, n: i32, scale: f32, shift: f32): void {
  for (let i = 0; i < n; i++) {
    const p = codes + (<usize>i << 1)
    const x = <i32>load<i16>(p)
    if (x === MISSING) continue
    const y = <i32>nearest<f32>(<f32>x * scale + shift)
    store<i16>(p, <i16>max(-32767, min(32767, y)))
  }
}

/** Transposes eight times of eight cells; the last rows may be fewer. */
@inline
function turnEight(from: usize, cells: i32, to: usize, step: usize): void {
  const a0 = v128.load(from)
  const a1 = v128.load(from, 128)
  const a2 = v128.load(from, 256)
  const a3 = v128.load(from, 384)
  const a4 = v128.load(from, 512)
  const a5 = v128.load(from, 640)
  const a6 = v128.load(from, 768)
  const a7 = v128.load(from, 896)
  const b0 = v128.shuffle<i16>(a0, a1, 0, 8, 1, 9, 2, 10, 3, 11)
  const b1 = v128.shuffle<i16>(a0, a1, 4, 12, 5, 13, 6, 14, 7, 15)
  const b2 = v128.shuffle<i16>(a2, a3, 0, 8, 1, 9, 2, 10, 3, 11)
  const b3 = v128.shuffle<i16>(a2, a3, 4, 12, 5, 13, 6, 14, 7, 15)
  const b4 = v128.shuffle<i16>(a4, a5, 0, 8, 1, 9, 2, 10, 3, 11)
  const b5 = v128.shuffle<i16>(a4, a5, 4, 12, 5, 13, 6, 14, 7, 15)
  const b6 = v128.shuffle<i16>(a6, a7, 0, 8, 1, 9, 2, 10, 3, 11)
  const b7 = v128.shuffle<i16>(a6, a7, 4, 12, 5, 13, 6, 14, 7, 15)
  const c0 = v128.shuffle<i32>(b0, b2, 0, 4, 1, 5)
  const c1 = v128.shuffle<i32>(b0, b2, 2, 6, 3, 7)
  const c2 = v128.shuffle<i32>(b1, b3, 0, 4, 1, 5)
  const c3 = v128.shuffle<i32>(b1, b3, 2, 6, 3, 7)
  const c4 = v128.shuffle<i32>(b4, b6, 0, 4, 1, 5)
  const c5 = v128.shuffle<i32>(b4, b6, 2, 6, 3, 7)
  const c6 = v128.shuffle<i32>(b5, b7, 0, 4, 1, 5)
  const c7 = v128.shuffle<i32>(b5, b7, 2, 6, 3, 7)
  v128.store(to, v128.shuffle<i64>(c0, c4, 0, 2))
  if (cells > 1) v128.store(to + step, v128.shuffle<i64>(c0, c4, 1, 3))
  if (cells > 2) v128.store(to + step * 2, v128.shuffle<i64>(c1, c5, 0, 2))
  if (cells > 3) v128.store(to + step * 3, v128.shuffle<i64>(c1, c5, 1, 3))
  if (cells > 4) v128.store(to + step * 4, v128.shuffle<i64>(c2, c6, 0, 2))
  if (cells > 5) v128.store(to + step * 5, v128.shuffle<i64>(c2, c6, 1, 3))
  if (cells > 6) v128.store(to + step * 6, v128.shuffle<i64>(c3, c7, 0, 2))
  if (cells > 7) v128.store(to + step * 7, v128.shuffle<i64>(c3, c7, 1, 3))
}
