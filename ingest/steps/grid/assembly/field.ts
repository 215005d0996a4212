/** Sets values within `near` of a sentinel to missing. */
export function maskValue(field: usize, n: i32, value: f32, near: f32): void {
  const least = f32x4.splat(value - near)
  const most = f32x4.splat(value + near)
  const none = f32x4.splat(f32.NaN)
  const whole = n & ~3
  let p = field
  for (let i = 0; i < whole; i += 4) {
    const x = v128.load(p)
    v128.store(p, v128.bitselect(none, x, v128.and(f32x4.ge(x, least), f32x4.le(x, most))))
    p += 16
  }
  for (let i = whole; i < n; i++) {
    const x = load<f32>(p)
    if (x >= value - near && x <= value + near) store<f32>(p, f32.NaN)
    p += 4
  }
}

let rows: f64 = 0
let columns: f64 = 0
let share: f64 = 0

/**
 * Second result of `roughness`: mean difference of neighbouring rows divided by the same difference after every second
 * row is reversed. It is below 1 if the rows are right, and 2 or more if they are mirrored, even for fields that are
 * nearly constant. It is NaN under the same condition as the first result.
 */
export function mirrored(): f64 {
  return share
}

/**
 * Mean difference of neighbouring rows divided by the larger of the differences of neighbouring columns and of rows two
 * apart, from every eighth row. It is about 1 or less. If every second row is mirrored it is 10 or more, because rows
 * two apart still match. A field that varies only from south to north gives 0.5. It is NaN if too little of the field
 * varies.
 */
export function roughness(field: usize, nx: i32, ny: i32): f64 {
  rows = 0
  columns = 0
  let second: f64 = 0
  let comparable: f64 = 0
  let reversed: f64 = 0
  let varying: i32 = 0
  for (let j = 0; j + 2 < ny; j += 8) {
    const row = field + ((<usize>j * <usize>nx) << 2)
    const below = row + (<usize>nx << 2)
    const beyond = below + (<usize>nx << 2)
    let across = f32x4.splat(0)
    let along = f32x4.splat(0)
    let twice = f32x4.splat(0)
    let straight = f32x4.splat(0)
    let turned = f32x4.splat(0)
    for (let i = 0; i + 5 <= nx; i += 4) {
      const p = <usize>i << 2
      const x = v128.load(row + p)
      const d = f32x4.abs(f32x4.sub(x, v128.load(below + p)))
      const e = f32x4.abs(f32x4.sub(x, v128.load(row + p, 4)))
      const g = f32x4.abs(f32x4.sub(x, v128.load(beyond + p)))
      // Points with a missing neighbour are skipped.
      const known = v128.and(v128.and(f32x4.eq(d, d), f32x4.eq(e, e)), f32x4.eq(g, g))
      across = f32x4.add(across, v128.and(d, known))
      along = f32x4.add(along, v128.and(e, known))
      twice = f32x4.add(twice, v128.and(g, known))
      const back = v128.load(below + (<usize>(nx - 4 - i) << 2))
      const h = f32x4.abs(f32x4.sub(x, v128.shuffle<f32>(back, back, 3, 2, 1, 0)))
      const both = v128.and(known, f32x4.eq(h, h))
      straight = f32x4.add(straight, v128.and(d, both))
      turned = f32x4.add(turned, v128.and(h, both))
      const changes = v128.and(known, f32x4.gt(f32x4.add(d, e), f32x4.splat(0)))
      varying += popcnt(i32x4.bitmask(changes))
    }
    rows += lanes(across)
    columns += lanes(along)
    second += lanes(twice)
    comparable += lanes(straight)
    reversed += lanes(turned)
  }
  share = varying < ENOUGH ? f64.NaN : comparable / reversed
  return varying < ENOUGH ? f64.NaN : rows / max(columns, second)
}

/** Minimum number of points that differ from a neighbour: a shower of a dozen points gives no meaningful ratio. */
const ENOUGH: i32 = 64

@inline
function lanes(x: v128): f64 {
  return (
    <f64>f32x4.extract_lane(x, 0) +
    <f64>f32x4.extract_lane(x, 1) +
    <f64>f32x4.extract_lane(x, 2) +
    <f64>f32x4.extract_lane(x, 3)
  )
}
