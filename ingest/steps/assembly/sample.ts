// From a field to the cells. A map holds one entry of 12 bytes a cell, in the order of the grid, because the field is read
// in its own order then: u32 the point to the lower left (j * nx + i), u16 and u16 how far the cell lies towards i + 1 and
// j + 1 in parts of 65535, u32 the cell's place. Values at cells are codes: round(value * factor + shift) in 16 bits.

const MISSING: i32 = -32768
const PART: f32 = 1.0 / 65535.0

/** What `sample…` found, for the caller to read: least and greatest code, their sum, missing, rejected, overflown. */
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
  found.least = 32767
  found.most = -32768
  found.sum = 0
  found.missing = 0
  found.rejected = 0
  found.beyond = 0
}

/** Mean of the neighbours that are known and within the limits, by their weights; not a number where none is. */
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

@inline
function known(a: f32, b: f32, c: f32, d: f32): bool {
  return a === a || b === b || c === c || d === d
}

/**
 * Smooth fields: weights of the four neighbours. Points that are missing or outside of low … high count for nothing.
 * @param codeLow, codeHigh the variable's range: what lies beyond by a rounding is taken for the end
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
  let least: i32 = 32767
  let most: i32 = -32768
  let sum: i64 = 0
  const end = map + <usize>n * 12
  for (let m = map; m < end; m += 12) {
    const p = field + (<usize>load<u32>(m) << 2)
    const fx = <f32>load<u16>(m, 4) * PART
    const fy = <f32>load<u16>(m, 6) * PART
    const to = out + (<usize>load<u32>(m, 8) << 1)
    const a = load<f32>(p)
    const b = load<f32>(p, 4)
    const c = load<f32>(p + row)
    const d = load<f32>(p + row, 4)
    const lowest = min<f32>(min<f32>(a, b), min<f32>(c, d))
    const highest = max<f32>(max<f32>(a, b), max<f32>(c, d))
    let value: f32
    // Neither holds where one is not a number.
    if (lowest >= low && highest <= high) {
      const lower = a + fx * (b - a)
      value = lower + fy * (c + fx * (d - c) - lower)
    } else {
      value = mend(a, b, c, d, fx, fy, low, high)
      if (value !== value) {
        found.missing++
        if (known(a, b, c, d)) found.rejected++
        store<i16>(to, <i16>MISSING)
        continue
      }
    }
    const scaled = nearest<f32>(max<f32>(codeLow, min<f32>(codeHigh, value * factor + shift)))
    let code = <i32>scaled
    if (code > 32767 || code < -32767) {
      found.beyond++
      code = code > 0 ? 32767 : -32767
    }
    least = min(least, code)
    most = max(most, code)
    sum += code
    store<i16>(to, <i16>code)
  }
  found.least = least
  found.most = most
  found.sum = sum
}

/** Categories: the nearest point, whatever its neighbours hold. */
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
    const m = map + <usize>i * 12
    const right = <usize>(load<u16>(m, 4) > 32767)
    const up = load<u16>(m, 6) > 32767 ? <usize>nx : 0
    const value = load<f32>(field + ((<usize>load<u32>(m) + right + up) << 2))
    const to = out + (<usize>load<u32>(m, 8) << 1)
    if (!(value >= low && value <= high)) {
      found.missing++
      if (value === value) found.rejected++
      store<i16>(to, <i16>MISSING)
      continue
    }
    let code = <i32>nearest<f32>(max<f32>(codeLow, min<f32>(codeHigh, value * factor + shift)))
    if (code > 32767 || code < -32767) {
      found.beyond++
      code = code > 0 ? 32767 : -32767
    }
    found.least = min(found.least, code)
    found.most = max(found.most, code)
    found.sum += code
    store<i16>(to, <i16>code)
  }
}

const DEGREES: f32 = 57.29577951308232

/** Angle of a vector in degrees, 0 to 360, clockwise from north (y); within 0.002 degrees. */
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
 * Vectors: the two components are averaged, then turned into length and the bearing that they point to. Speed's and
 * direction's codes go to `speed` and `direction`, either of which may be 0 (not wanted).
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
  for (let i = 0; i < n; i++) {
    const m = map + <usize>i * 12
    const at = <usize>load<u32>(m) << 2
    const fx = <f32>load<u16>(m, 4) * PART
    const fy = <f32>load<u16>(m, 6) * PART
    const place = <usize>load<u32>(m, 8) << 1
    const p = east + at
    const q = north + at
    const x = mean(load<f32>(p), load<f32>(p, 4), load<f32>(p + row), load<f32>(p + row, 4), fx, fy, high)
    const y = mean(load<f32>(q), load<f32>(q, 4), load<f32>(q + row), load<f32>(q + row, 4), fx, fy, high)
    if (x !== x || y !== y) {
      speedFound.missing++
      directionFound.missing++
      if (speed) store<i16>(speed + place, <i16>MISSING)
      if (direction) store<i16>(direction + place, <i16>MISSING)
      continue
    }
    if (speed) {
      const code = <i32>nearest<f32>(sqrt<f32>(x * x + y * y) * speedFactor)
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
}

@inline
function mean(a: f32, b: f32, c: f32, d: f32, fx: f32, fy: f32, high: f32): f32 {
  const lowest = min<f32>(min<f32>(a, b), min<f32>(c, d))
  const highest = max<f32>(max<f32>(a, b), max<f32>(c, d))
  if (lowest >= -high && highest <= high) {
    const lower = a + fx * (b - a)
    return lower + fy * (c + fx * (d - c) - lower)
  }
  return mend(a, b, c, d, fx, fy, -high, high)
}
