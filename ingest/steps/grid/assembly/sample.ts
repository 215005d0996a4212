// Interpolation from a field to the cells. A mapping has one entry of 8 bytes for each cell: a u32 with the grid point
// to the lower left (j * nx + i), and two u16 with the cell's offset towards i + 1 and towards j + 1 in parts of 65535.
// Entries are in the order of the cells, in which neighbours are also close to each other in the grid. This is as fast
// as the order of the grid, which would scatter the stored codes. Values at cells are codes: round(value * factor +
// shift) in 16 bits.

const MISSING: i32 = -32768
const PART: f32 = 1.0 / 65535.0

/**
 * Results of `sample…` for the caller: smallest and largest code, their sum, the numbers of missing and of rejected
 * cells, and whether a code did not fit.
 */
@unmanaged
export class Found {
  least: i32
  most: i32
  sum: i64
  missing: i32
  rejected: i32
  beyond: i32
}

@inline
function begin(found: Found): void {
  found.least = i32.MAX_VALUE
  found.most = i32.MIN_VALUE
  found.sum = 0
  found.missing = 0
  found.rejected = 0
  found.beyond = 0
}

/** Returns the weighted mean of the known neighbours within the limits; NaN if there are none. */
function mend(a: f32, b: f32, c: f32, d: f32, fx: f32, fy: f32, low: f32, high: f32): f32 {
  const gx: f32 = 1 - fx
  const gy: f32 = 1 - fy
  let sum: f32 = 0
  let weight: f32 = 0
  if (a >= low && a <= high) {
    weight += gx * gy
    sum += gx * gy * a
  }
  if (b >= low && b <= high) {
    weight += fx * gy
    sum += fx * gy * b
  }
  if (c >= low && c <= high) {
    weight += gx * fy
    sum += gx * fy * c
  }
  if (d >= low && d <= high) {
    weight += fx * fy
    sum += fx * fy * d
  }
  return weight > 0.001 ? sum / weight : f32.NaN
}

/** Returns whether a neighbour has a value that was rejected. */
@inline
function refused(a: f32, b: f32, c: f32, d: f32, low: f32, high: f32): bool {
  return a < low || a > high || b < low || b > high || c < low || c > high || d < low || d > high
}

/** Bytes of one entry, and of four entries. */
const ENTRY: usize = 8
const FOUR: usize = 32

/** Number of cells after which their sum is flushed: this many codes of 19 bits fit a lane of 32 bits. */
const RUN: usize = 4096 * FOUR

/** The field's points around four cells: lower left and right, upper left and right, with one cell in each lane. */
let lowerLeft: v128 = i32x4.splat(0)
let lowerRight: v128 = i32x4.splat(0)
let upperLeft: v128 = i32x4.splat(0)
let upperRight: v128 = i32x4.splat(0)

@inline
function gatherFour(field: usize, row: usize, m: usize): void {
  const p0 = field + (<usize>load<u32>(m) << 2)
  const p1 = field + (<usize>load<u32>(m, 8) << 2)
  const p2 = field + (<usize>load<u32>(m, 16) << 2)
  const p3 = field + (<usize>load<u32>(m, 24) << 2)
  const below0 = v128.load64_lane(p1, v128.load64_zero(p0), 1)
  const below2 = v128.load64_lane(p3, v128.load64_zero(p2), 1)
  const above0 = v128.load64_lane(p1 + row, v128.load64_zero(p0 + row), 1)
  const above2 = v128.load64_lane(p3 + row, v128.load64_zero(p2 + row), 1)
  lowerLeft = v128.shuffle<f32>(below0, below2, 0, 2, 4, 6)
  lowerRight = v128.shuffle<f32>(below0, below2, 1, 3, 5, 7)
  upperLeft = v128.shuffle<f32>(above0, above2, 0, 2, 4, 6)
  upperRight = v128.shuffle<f32>(above0, above2, 1, 3, 5, 7)
}

/** Offsets of four cells towards i + 1, and towards j + 1. */
@inline
function partsOf(m: usize): v128 {
  return v128.shuffle<i32>(v128.load(m), v128.load(m, 16), 1, 3, 5, 7)
}

@inline
function right(parts: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_u(v128.and(parts, i32x4.splat(0xffff))), f32x4.splat(PART))
}

@inline
function up(parts: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_u(i32x4.shr_u(parts, 16)), f32x4.splat(PART))
}

/** Interpolates between points that are all valid. */
@inline
function between(a: v128, b: v128, c: v128, d: v128, fx: v128, fy: v128): v128 {
  const lower = f32x4.add(a, f32x4.mul(fx, f32x4.sub(b, a)))
  const upper = f32x4.add(c, f32x4.mul(fx, f32x4.sub(d, c)))
  return f32x4.add(lower, f32x4.mul(fy, f32x4.sub(upper, lower)))
}

/** Applies `mend` to four cells; the masks mark the valid neighbours. */
@inline
function mendFour(
  a: v128, b: v128, c: v128, d: v128,
  okA: v128, okB: v128, okC: v128, okD: v128,
  fx: v128, fy: v128,
): v128 {
  const gx = f32x4.sub(f32x4.splat(1), fx)
  const gy = f32x4.sub(f32x4.splat(1), fy)
  const wa = f32x4.mul(gx, gy)
  const wb = f32x4.mul(fx, gy)
  const wc = f32x4.mul(gx, fy)
  const wd = f32x4.mul(fx, fy)
  let weight = v128.and(wa, okA)
  let sum = v128.and(f32x4.mul(wa, a), okA)
  weight = f32x4.add(weight, v128.and(wb, okB))
  sum = f32x4.add(sum, v128.and(f32x4.mul(wb, b), okB))
  weight = f32x4.add(weight, v128.and(wc, okC))
  sum = f32x4.add(sum, v128.and(f32x4.mul(wc, c), okC))
  weight = f32x4.add(weight, v128.and(wd, okD))
  sum = f32x4.add(sum, v128.and(f32x4.mul(wd, d), okD))
  return v128.bitselect(f32x4.div(sum, weight), f32x4.splat(f32.NaN), f32x4.gt(weight, f32x4.splat(0.001)))
}

@inline
function within(x: v128, low: v128, high: v128): v128 {
  return v128.and(f32x4.ge(x, low), f32x4.le(x, high))
}

@inline
function beyond(x: v128, low: v128, high: v128): v128 {
  return v128.or(f32x4.lt(x, low), f32x4.gt(x, high))
}

/** Stores the low halves of four lanes whose values fit. */
@inline
function putFour(out: usize, code: v128): void {
  v128.store64_lane(out, i16x8.narrow_i32x4_s(code, code), 0)
}

/**
 * Samples smooth fields with the weights of the four neighbours. Points that are missing or outside low … high are
 * ignored. Four cells are computed at once: 6 ms for 1.55 million cells, a third of which is spent waiting for memory.
 * @param codeLow, codeHigh the variable's range: values that exceed it by a rounding error are clamped
 */
export function sampleBilinear(
  field: usize,
  nx: i32,
  map: usize,
  n: i32,
  low: f32,
  high: f32,
  factor: f32,
  shift: f32,
  codeLow: f32,
  codeHigh: f32,
  out: usize,
  found: Found,
): void {
  begin(found)
  const row = <usize>nx << 2
  const lows = f32x4.splat(low)
  const highs = f32x4.splat(high)
  const factors = f32x4.splat(factor)
  const shifts = f32x4.splat(shift)
  const first = i32x4.splat(<i32>nearest<f32>(codeLow))
  const last = i32x4.splat(<i32>nearest<f32>(codeHigh))
  let least = i32x4.splat(i32.MAX_VALUE)
  let most = i32x4.splat(i32.MIN_VALUE)
  let sum: i64 = 0
  const end = map + <usize>n * ENTRY
  const whole = map + <usize>(n & ~3) * ENTRY
  let m = map
  while (m < whole) {
    const stop = min(whole, m + RUN)
    let sums = i32x4.splat(0)
    for (; m < stop; m += FOUR) {
      const parts = partsOf(m)
      const fx = right(parts)
      const fy = up(parts)
      gatherFour(field, row, m)
      const a = lowerLeft
      const b = lowerRight
      const c = upperLeft
      const d = upperRight
      // Both comparisons are false if an operand is NaN.
      const okA = within(a, lows, highs)
      const okB = within(b, lows, highs)
      const okC = within(c, lows, highs)
      const okD = within(d, lows, highs)
      const valid = v128.and(v128.and(okA, okB), v128.and(okC, okD))
      const smooth = between(a, b, c, d, fx, fy)
      if (i32x4.all_true(valid)) {
        let code = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.add(f32x4.mul(smooth, factors), shifts)))
        code = i32x4.max_s(first, i32x4.min_s(last, code))
        least = i32x4.min_s(least, code)
        most = i32x4.max_s(most, code)
        sums = i32x4.add(sums, code)
        putFour(out, code)
      } else if (v128.any_true(v128.or(v128.or(f32x4.eq(a, a), f32x4.eq(b, b)), v128.or(f32x4.eq(c, c), f32x4.eq(d, d))))) {
        // A rejected point is counted even if the cell has a value: a sentinel at every fourth point leaves each cell
        // three points.
        const odd = v128.or(
          v128.or(beyond(a, lows, highs), beyond(b, lows, highs)),
          v128.or(beyond(c, lows, highs), beyond(d, lows, highs)),
        )
        found.rejected += popcnt(i32x4.bitmask(odd))
        // A cell's value does not depend on the three cells that are computed with it.
        const value = v128.bitselect(smooth, mendFour(a, b, c, d, okA, okB, okC, okD, fx, fy), valid)
        const known = f32x4.eq(value, value)
        found.missing += 4 - popcnt(i32x4.bitmask(known))
        let code = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.add(f32x4.mul(value, factors), shifts)))
        code = i32x4.max_s(first, i32x4.min_s(last, code))
        least = v128.bitselect(i32x4.min_s(least, code), least, known)
        most = v128.bitselect(i32x4.max_s(most, code), most, known)
        sums = i32x4.add(sums, v128.and(code, known))
        putFour(out, v128.bitselect(code, i32x4.splat(MISSING), known))
      } else {
        found.missing += 4
        putFour(out, i32x4.splat(MISSING))
      }
      out += 8
    }
    sum += total(sums)
  }
  for (; m < end; m += ENTRY, out += 2) sum += oneCell(field, row, m, low, high, factor, shift, codeLow, codeHigh, out, found)
  found.least = min(found.least, lesser(least))
  found.most = max(found.most, greater(most))
  found.sum = sum
  if (found.least < -32767 || found.most > 32767) found.beyond = 1
}

@inline
function total(x: v128): i64 {
  return (
    <i64>i32x4.extract_lane(x, 0) +
    <i64>i32x4.extract_lane(x, 1) +
    <i64>i32x4.extract_lane(x, 2) +
    <i64>i32x4.extract_lane(x, 3)
  )
}

@inline
function lesser(x: v128): i32 {
  return min(
    min(i32x4.extract_lane(x, 0), i32x4.extract_lane(x, 1)),
    min(i32x4.extract_lane(x, 2), i32x4.extract_lane(x, 3)),
  )
}

@inline
function greater(x: v128): i32 {
  return max(
    max(i32x4.extract_lane(x, 0), i32x4.extract_lane(x, 1)),
    max(i32x4.extract_lane(x, 2), i32x4.extract_lane(x, 3)),
  )
}

/** Computes one cell with all checks. Stores its code and returns it for the sum (0 if missing). */
function oneCell(
  field: usize,
  row: usize,
  m: usize,
  low: f32,
  high: f32,
  factor: f32,
  shift: f32,
  codeLow: f32,
  codeHigh: f32,
  out: usize,
  found: Found,
): i32 {
  const p = field + (<usize>load<u32>(m) << 2)
  const a = load<f32>(p)
  const b = load<f32>(p, 4)
  const c = load<f32>(p + row)
  const d = load<f32>(p + row, 4)
  const fx = <f32>load<u16>(m, 4) * PART
  const fy = <f32>load<u16>(m, 6) * PART
  const valid = a >= low && a <= high && b >= low && b <= high && c >= low && c <= high && d >= low && d <= high
  const lower = a + fx * (b - a)
  const value = valid ? lower + fy * (c + fx * (d - c) - lower) : mend(a, b, c, d, fx, fy, low, high)
  // A rejected point is counted even if the cell has a value: a sentinel at every fourth point leaves each cell three
  // points.
  if (refused(a, b, c, d, low, high)) found.rejected++
  if (value !== value) {
    found.missing++
    store<i16>(out, <i16>MISSING)
    return 0
  }
  const code = <i32>nearest<f32>(max<f32>(codeLow, min<f32>(codeHigh, value * factor + shift)))
  found.least = min(found.least, code)
  found.most = max(found.most, code)
  store<i16>(out, <i16>code)
  return code
}

/** Samples categories from the nearest point, whatever its neighbours are. */
export function sampleNearest(
  field: usize,
  nx: i32,
  map: usize,
  n: i32,
  low: f32,
  high: f32,
  factor: f32,
  shift: f32,
  codeLow: f32,
  codeHigh: f32,
  out: usize,
  found: Found,
): void {
  begin(found)
  for (let i = 0; i < n; i++) {
    const m = map + <usize>i * ENTRY
    const right = <usize>(load<u16>(m, 4) > 32767)
    const up = load<u16>(m, 6) > 32767 ? <usize>nx : 0
    const value = load<f32>(field + ((<usize>load<u32>(m) + right + up) << 2))
    const to = out + (<usize>i << 1)
    if (!(value >= low && value <= high)) {
      found.missing++
      if (value === value) found.rejected++
      store<i16>(to, <i16>MISSING)
      continue
    }
    const code = <i32>nearest<f32>(max<f32>(codeLow, min<f32>(codeHigh, value * factor + shift)))
    found.least = min(found.least, code)
    found.most = max(found.most, code)
    found.sum += code
    store<i16>(to, <i16>code)
  }
  if (found.least < -32767 || found.most > 32767) found.beyond = 1
}

const DEGREES: f32 = 57.29577951308232

/** Returns the angle of a vector in degrees, 0 to 360, clockwise from north (y), within 0.002 degrees. */
@inline
function bearing(x: f32, y: f32): f32 {
  const ax = abs<f32>(x)
  const ay = abs<f32>(y)
  const big = max<f32>(ax, ay)
  if (big === 0) return 0
  const t = min<f32>(ax, ay) / big
  const s = t * t
  // Abramowitz and Stegun 4.4.49: |error| < 1e-5 radians.
  let angle = t * (0.9998660 + s * (-0.3302995 + s * (0.1801410 + s * (-0.0851330 + s * 0.0208351)))) * DEGREES
  if (ax > ay) angle = 90 - angle
  if (y < 0) angle = 180 - angle
  return x < 0 ? 360 - angle : angle
}

/**
 * Samples vectors: averages the two components, then converts them to length and bearing. A point with an unknown
 * component or with a length above `high` is used for neither component. The codes of speed and direction go to `speed`
 * and `direction`; either may be 0 (not requested).
 * @param high maximum wind
 */
export function sampleWind(
  east: usize,
  north: usize,
  nx: i32,
  map: usize,
  n: i32,
  high: f32,
  speedFactor: f32,
  directionFactor: f32,
  turn: f32,
  speed: usize,
  direction: usize,
  speedFound: Found,
  directionFound: Found,
): void {
  begin(speedFound)
  begin(directionFound)
  const row = <usize>nx << 2
  const full = <i32>nearest<f32>(360 * directionFactor)
  const fulls = i32x4.splat(full)
  const highest = f32x4.splat(high * high)
  const speedFactors = f32x4.splat(speedFactor)
  const directionFactors = f32x4.splat(directionFactor)
  const turns = f32x4.splat(turn)
  const circle = f32x4.splat(360)
  let leastSpeed = i32x4.splat(i32.MAX_VALUE)
  let mostSpeed = i32x4.splat(i32.MIN_VALUE)
  let leastDirection = i32x4.splat(i32.MAX_VALUE)
  let mostDirection = i32x4.splat(i32.MIN_VALUE)
  const whole = n & ~3
  let i = 0
  while (i < whole) {
    const stop = min(whole, i + 4096)
    let speeds = i32x4.splat(0)
    let directions = i32x4.splat(0)
    for (; i < stop; i += 4) {
      const m = map + <usize>i * ENTRY
      const to = <usize>i << 1
      gatherFour(east, row, m)
      const ua = lowerLeft
      const ub = lowerRight
      const uc = upperLeft
      const ud = upperRight
      gatherFour(north, row, m)
      const va = lowerLeft
      const vb = lowerRight
      const vc = upperLeft
      const vd = upperRight
      // This is false if a component is NaN.
      const valid = v128.and(
        v128.and(f32x4.le(squares(ua, va), highest), f32x4.le(squares(ub, vb), highest)),
        v128.and(f32x4.le(squares(uc, vc), highest), f32x4.le(squares(ud, vd), highest)),
      )
      if (!i32x4.all_true(valid)) {
        for (let k = i; k < i + 4; k++)
          oneVector(east, north, row, map, k, high, speedFactor, directionFactor, turn, full, speed, direction, speedFound, directionFound)
        continue
      }
      const parts = partsOf(m)
      const fx = right(parts)
      const fy = up(parts)
      const x = between(ua, ub, uc, ud, fx, fy)
      const y = between(va, vb, vc, vd, fx, fy)
      if (speed) {
        const length = f32x4.sqrt(squares(x, y))
        const code = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(length, speedFactors)))
        const fitting = i32x4.min_s(code, i32x4.splat(32767))
        speedFound.beyond += popcnt(i32x4.bitmask(i32x4.gt_s(code, fitting)))
        leastSpeed = i32x4.min_s(leastSpeed, fitting)
        mostSpeed = i32x4.max_s(mostSpeed, fitting)
        speeds = i32x4.add(speeds, fitting)
        putFour(speed + to, fitting)
      }
      if (direction) {
        let angle = f32x4.add(bearings(x, y), turns)
        angle = f32x4.sub(angle, v128.and(circle, f32x4.ge(angle, circle)))
        let code = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(angle, directionFactors)))
        code = i32x4.sub(code, v128.and(fulls, i32x4.ge_s(code, fulls)))
        leastDirection = i32x4.min_s(leastDirection, code)
        mostDirection = i32x4.max_s(mostDirection, code)
        directions = i32x4.add(directions, code)
        putFour(direction + to, code)
      }
    }
    speedFound.sum += total(speeds)
    directionFound.sum += total(directions)
  }
  for (; i < n; i++)
    oneVector(east, north, row, map, i, high, speedFactor, directionFactor, turn, full, speed, direction, speedFound, directionFound)
  speedFound.least = min(speedFound.least, lesser(leastSpeed))
  speedFound.most = max(speedFound.most, greater(mostSpeed))
  directionFound.least = min(directionFound.least, lesser(leastDirection))
  directionFound.most = max(directionFound.most, greater(mostDirection))
}

@inline
function squares(x: v128, y: v128): v128 {
  return f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y))
}

/** Returns the `bearing` of four vectors. */
@inline
function bearings(x: v128, y: v128): v128 {
  const zero = f32x4.splat(0)
  const ax = f32x4.abs(x)
  const ay = f32x4.abs(y)
  const big = f32x4.max(ax, ay)
  const t = f32x4.div(f32x4.min(ax, ay), big)
  const s = f32x4.mul(t, t)
  let p = f32x4.add(f32x4.splat(-0.0851330), f32x4.mul(s, f32x4.splat(0.0208351)))
  p = f32x4.add(f32x4.splat(0.1801410), f32x4.mul(s, p))
  p = f32x4.add(f32x4.splat(-0.3302995), f32x4.mul(s, p))
  p = f32x4.add(f32x4.splat(0.9998660), f32x4.mul(s, p))
  let angle = f32x4.mul(f32x4.mul(t, p), f32x4.splat(DEGREES))
  angle = v128.bitselect(f32x4.sub(f32x4.splat(90), angle), angle, f32x4.gt(ax, ay))
  angle = v128.bitselect(f32x4.sub(f32x4.splat(180), angle), angle, f32x4.lt(y, zero))
  angle = v128.bitselect(f32x4.sub(f32x4.splat(360), angle), angle, f32x4.lt(x, zero))
  return v128.andnot(angle, f32x4.eq(big, zero))
}

/** Computes one cell of `sampleWind` with all checks. */
function oneVector(
  east: usize,
  north: usize,
  row: usize,
  map: usize,
  i: i32,
  high: f32,
  speedFactor: f32,
  directionFactor: f32,
  turn: f32,
  full: i32,
  speed: usize,
  direction: usize,
  speedFound: Found,
  directionFound: Found,
): void {
  const m = map + <usize>i * ENTRY
  const at = <usize>load<u32>(m) << 2
  const fx = <f32>load<u16>(m, 4) * PART
  const fy = <f32>load<u16>(m, 6) * PART
  const place = <usize>i << 1
  const highest = f32x4.splat(high * high)
  const u = fourPoints(east + at, row)
  const v = fourPoints(north + at, row)
  const uu = f32x4.mul(u, u)
  const vv = f32x4.mul(v, v)
  const lengths = f32x4.add(uu, vv)
  const valid = f32x4.le(lengths, highest)
  let x: f32
  let y: f32
  if (i32x4.all_true(valid)) {
    x = weighted(u, fx, fy)
    y = weighted(v, fx, fy)
  } else {
    // Rejected points are counted even if the cell has a value, as in `oneCell`, and even if the other component is
    // unknown.
    const refused = v128.or(f32x4.gt(lengths, highest), v128.or(f32x4.gt(uu, highest), f32x4.gt(vv, highest)))
    if (v128.any_true(refused)) {
      speedFound.rejected++
      directionFound.rejected++
    }
    x = meanOf(v128.bitselect(u, f32x4.splat(f32.NaN), valid), fx, fy, high)
    y = meanOf(v128.bitselect(v, f32x4.splat(f32.NaN), valid), fx, fy, high)
    if (x !== x) {
      speedFound.missing++
      directionFound.missing++
      if (speed) store<i16>(speed + place, <i16>MISSING)
      if (direction) store<i16>(direction + place, <i16>MISSING)
      return
    }
  }
  const length = sqrt<f32>(x * x + y * y)
  if (speed) {
    const code = <i32>nearest<f32>(length * speedFactor)
    const within = min(code, 32767)
    if (code > 32767) speedFound.beyond++
    speedFound.least = min(speedFound.least, within)
    speedFound.most = max(speedFound.most, within)
    speedFound.sum += within
    store<i16>(speed + place, <i16>within)
  }
  if (direction) {
    let angle = bearing(x, y) + turn
    if (angle >= 360) angle -= 360
    let code = <i32>nearest<f32>(angle * directionFactor)
    if (code >= full) code -= full
    directionFound.least = min(directionFound.least, code)
    directionFound.most = max(directionFound.most, code)
    directionFound.sum += code
    store<i16>(direction + place, <i16>code)
  }
}

/** The four points around a cell: lower left and right, upper left and right. */
@inline
function fourPoints(p: usize, row: usize): v128 {
  return v128.shuffle<i64>(v128.load64_zero(p), v128.load64_zero(p + row), 0, 2)
}

@inline
function weighted(four: v128, fx: f32, fy: f32): f32 {
  const a = f32x4.extract_lane(four, 0)
  const b = f32x4.extract_lane(four, 1)
  const c = f32x4.extract_lane(four, 2)
  const d = f32x4.extract_lane(four, 3)
  const lower = a + fx * (b - a)
  return lower + fy * (c + fx * (d - c) - lower)
}

function meanOf(four: v128, fx: f32, fy: f32, high: f32): f32 {
  const a = f32x4.extract_lane(four, 0)
  const b = f32x4.extract_lane(four, 1)
  const c = f32x4.extract_lane(four, 2)
  const d = f32x4.extract_lane(four, 3)
  return mend(a, b, c, d, fx, fy, -high, high)
}
