/**
 * Rotates components along a grid's axes to east and north, in place.
 * @param angles cosines and sines of the points, two consecutive arrays of n f32
 */
export function turnWind(u: usize, v: usize, n: i32, angles: usize): void {
  const sines = angles + (<usize>n << 2)
  const whole = n & ~3
  for (let i = 0; i < whole; i += 4) {
    const p = <usize>i << 2
    const c = v128.load(angles + p)
    const s = v128.load(sines + p)
    const x = v128.load(u + p)
    const y = v128.load(v + p)
    v128.store(u + p, f32x4.add(f32x4.mul(x, c), f32x4.mul(y, s)))
    v128.store(v + p, f32x4.sub(f32x4.mul(y, c), f32x4.mul(x, s)))
  }
  for (let i = whole; i < n; i++) {
    const p = <usize>i << 2
    const c = load<f32>(angles + p)
    const s = load<f32>(sines + p)
    const x = load<f32>(u + p)
    const y = load<f32>(v + p)
    store<f32>(u + p, x * c + y * s)
    store<f32>(v + p, y * c - x * s)
  }
}

/**
 * Returns the sine of a fraction of a turn in -0.5 … 0.5, within 1e-5. A corrected parabola is not precise enough, so
 * the function folds the argument and evaluates a Taylor series.
 */
@inline
function sine(turns: v128): v128 {
  // sin(2 pi t) is folded to -0.25 … 0.25, where it is odd and smooth.
  const half = f32x4.splat(0.5)
  const quarter = f32x4.splat(0.25)
  const sign = v128.and(turns, i32x4.splat(0x80000000))
  let t = f32x4.abs(turns)
  t = v128.bitselect(f32x4.sub(half, t), t, f32x4.gt(t, quarter))
  const x = f32x4.mul(t, f32x4.splat(6.283185307179586))
  const s = f32x4.mul(x, x)
  let y = f32x4.add(f32x4.splat(-1.9515295891e-4), f32x4.mul(s, f32x4.splat(2.7557314297e-6)))
  y = f32x4.add(f32x4.splat(8.3333337680e-3), f32x4.mul(s, y))
  y = f32x4.add(f32x4.splat(-1.6666667163e-1), f32x4.mul(s, y))
  y = f32x4.add(x, f32x4.mul(x, f32x4.mul(s, y)))
  return v128.xor(y, sign)
}

@inline
function folded(turns: v128): v128 {
  return f32x4.sub(turns, f32x4.nearest(turns))
}

/**
 * Converts direction (degrees) and speed to vectors: `direction` then has the component towards east, `speed` the
 * component towards north. Calm points keep a small length, so that their direction counts if all points are calm. A
 * negative speed and an invalid direction become a length that no wind has, which `sampleWind` rejects; NaN stays NaN.
 */
export function fromDirection(direction: usize, speed: usize, n: i32): void {
  for (let i = 0; i < n; i += 4) {
    const p = <usize>i << 2
    const degrees = v128.load(direction + p)
    const given = v128.load(speed + p)
    const turns = f32x4.mul(degrees, f32x4.splat(1.0 / 360.0))
    // A smaller excess is a rounding error of the packing.
    const none = v128.or(
      f32x4.lt(given, f32x4.splat(-0.5)),
      v128.or(f32x4.lt(degrees, f32x4.splat(-1)), f32x4.gt(degrees, f32x4.splat(361))),
    )
    const length = f32x4.max(given, f32x4.splat(0.01))
    const far = f32x4.splat(1e9)
    const east = f32x4.mul(length, sine(folded(turns)))
    const north = f32x4.mul(length, sine(folded(f32x4.add(turns, f32x4.splat(0.25)))))
    v128.store(direction + p, v128.bitselect(far, east, none))
    v128.store(speed + p, v128.bitselect(far, north, none))
  }
}
