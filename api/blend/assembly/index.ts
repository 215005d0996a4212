// One field at a time is filled on an hourly axis: a row of f64, one an hour, NaN where nothing is known yet. Sources come
// first one first, and each only fills hours that still are NaN. Of times there are two lists behind each other: f64, hours
// since 1970, and u32, the first full hour that is not before each. Values are f32, NaN where missing.

/** A gap of a source may be bridged over this many of its missing steps, and never over more than 12 hours. */
const MISSING_STEPS = 2
const LONGEST_BRIDGE = 12
/** Slopes are by the millisecond. */
const HOUR: f64 = 3600000

// How values between two times are found.
const LINEAR = 0
/** Degrees, on the unit vector. */
const DIRECTION = 1
/** A cubic through the neighbours, kept near their range. */
const SMOOTH = 2
/** As a fraction of clear-sky radiation. */
const SOLAR = 3

/** From JavaScript: results must be equal to those computed there. */
@external("host", "exp")
declare function exp(x: f64): f64
/** Sine of the sun's height. @param hour since 1970 */
@external("host", "sun")
declare function sun(hour: f64): f64

/** The axis: its first hour, since 1970, the number of its hours, and of those that are shown. */
let start: f64 = 0
let count: i32 = 0
let shown: i32 = 0
/** The row that is filled, its range of hours that may be NaN, and the address of the source of each hour (a byte each), 0 for none. */
let row: usize = 0
let first: i32 = 0
let last: i32 = 0
let marks: usize = 0

/** The first address that callers may use. */
export function heapBase(): usize {
  return __heap_base
}

/** Begins an answer. @param hour of the axis' begin, since 1970 */
export function begin(hour: f64, hours: i32, hoursShown: i32): void {
  start = hour
  count = hours
  shown = hoursShown
}

/** Begins a row: all unknown. (All bits set are a NaN.) @param noted where it is noted which source an hour is of, or 0 */
export function open(out: usize, noted: usize): void {
  row = out
  marks = noted
  first = 0
  last = count - 1
  memory.fill(out, 0xff, <usize>count << 3)
}

/** Whether an hour of the row is still NaN. */
export function hasMissing(): bool {
  while (first <= last && known(at(first))) first++
  while (first <= last && known(at(last))) last--
  return first <= last
}

@inline
function known(value: f64): bool {
  return value == value
}

@inline
function at(hour: i32): f64 {
  return load<f64>(row + (<usize>hour << 3))
}

@inline
function put(hour: i32, value: f64): void {
  store<f64>(row + (<usize>hour << 3), value)
}

@inline
function valueOf(values: usize, j: i32): f64 {
  return <f64>load<f32>(values + (<usize>j << 2))
}

@inline
function timeOf(times: usize, j: i32): f64 {
  return load<f64>(times + (<usize>j << 3))
}

/** The first index whose time is at most 12 h before the gap: interpolation into the gap starts there or later. */
function firstUseful(times: usize, n: i32): i32 {
  const from = start + <f64>(first - LONGEST_BRIDGE)
  let low = 0
  let high = n
  while (low < high) {
    const middle = (low + high) >> 1
    if (timeOf(times, middle) < from) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * A source's values at their hours, and those between two of its times. Nothing is carried beyond its first or last value.
 * @param before hours from there on are not filled @param id noted of every hour that is filled
 */
export function fillBetween(times: usize, values: usize, n: i32, before: i32, kind: i32, id: i32): void {
  const end = min(last, before - 1)
  if (first > end) return
  const hours = times + (<usize>n << 3)
  const origin = <i32>start
  let previous = -1
  let previousHour: f64 = NaN
  let previousValue: f64 = NaN
  /** The first full hour after the previous time. */
  let next = 0
  for (let j = firstUseful(times, n); j < n; j++) {
    const value = valueOf(values, j)
    if (!known(value)) continue
    const hour = timeOf(times, j) - start
    /** The first full hour that is not before the time. */
    const h = load<i32>(hours + (<usize>j << 2)) - origin
    if (next < h && hour - previousHour <= LONGEST_BRIDGE && j - previous <= MISSING_STEPS + 1) {
      const from = max(first, next)
      const to = min(end, h - 1)
      if (marks) for (let k = from; k <= to; k++) if (!known(at(k))) store<u8>(marks + k, <u8>id)
      if (kind == SMOOTH) bridgeSmooth(times, values, n, previous, j, from, to)
      else if (kind == SOLAR) bridgeSolar(times, values, previous, j, from, to)
      else bridgeStraight(previousValue, value, previousHour, hour, from, to, kind == DIRECTION)
    }
    previous = j
    previousHour = hour
    previousValue = value
    next = h
    if (<f64>h == hour) {
      next++
      if (h >= first && h <= end && !known(at(h))) {
        put(h, value)
        if (marks) store<u8>(marks + h, <u8>id)
      }
    }
    if (next > end) break
  }
}

/** Hours `from` to `to`, which lie between two known values, straight or on the unit vector. */
@inline
function bridgeStraight(a: f64, b: f64, begin: f64, end: f64, from: i32, to: i32, turning: bool): void {
  const step = end - begin
  const turn = turning ? onCircle(b - a + 540) - 180 : b - a
  for (let h = from; h <= to; h++) {
    if (known(at(h))) continue
    const value = a + turn * ((<f64>h - begin) / step)
    put(h, turning ? onCircle(value + 360) : value)
  }
}

/** Degrees modulo 360, exactly, with the sign of the remainder; inputs are at most slightly out of range. */
@inline
function onCircle(degrees: f64): f64 {
  if (degrees >= 0 && degrees < 360) return degrees
  return degrees >= 360 && degrees < 720 ? degrees - 360 : degrees % 360
}

/** Cubic Hermite with slopes from the neighbours (one-sided at an end or hole), kept within a fifth of the range around it. */
function bridgeSmooth(times: usize, values: usize, n: i32, i: i32, j: i32, from: i32, to: i32): void {
  const a = valueOf(values, i)
  const b = valueOf(values, j)
  const begin = timeOf(times, i)
  const step = (timeOf(times, j) - begin) * HOUR
  const straight = (b - a) / step
  const before = i > 0 ? valueOf(values, i - 1) : NaN
  const after = j + 1 < n ? valueOf(values, j + 1) : NaN
  let left = straight
  let right = straight
  let low = Math.min(a, b)
  let high = Math.max(a, b)
  let least = low
  let most = high
  if (known(before)) {
    const stepBefore = (begin - timeOf(times, i - 1)) * HOUR
    left = slope(stepBefore, step, (a - before) / stepBefore, straight)
    least = Math.min(least, before)
    most = Math.max(most, before)
  }
  if (known(after)) {
    const stepAfter = (timeOf(times, j + 1) - timeOf(times, j)) * HOUR
    right = slope(step, stepAfter, straight, (after - b) / stepAfter)
    least = Math.min(least, after)
    most = Math.max(most, after)
  }
  const room = 0.2 * (most - least)
  low -= room
  high += room
  for (let h = from; h <= to; h++) {
    if (known(at(h))) continue
    const u = ((start + <f64>h - begin) * HOUR) / step
    const u2 = u * u
    const u3 = u2 * u
    const value =
      (2 * u3 - 3 * u2 + 1) * a + (u3 - 2 * u2 + u) * step * left + (3 * u2 - 2 * u3) * b + (u3 - u2) * step * right
    put(h, Math.min(high, Math.max(low, value)))
  }
}

/** Slope of the parabola through three points at the middle one. */
@inline
function slope(left: f64, right: f64, leftSlope: f64, rightSlope: f64): f64 {
  return (leftSlope * right + rightSlope * left) / (left + right)
}

/** Both ends as shares of the sun's height, the share between them, times the height at the hour. */
function bridgeSolar(times: usize, values: usize, i: i32, j: i32, from: i32, to: i32): void {
  const a = valueOf(values, i)
  const b = valueOf(values, j)
  const begin = timeOf(times, i)
  const step = timeOf(times, j) - begin
  const sunA = sun(begin)
  const sunB = sun(timeOf(times, j))
  const shareA = sunA > 0.05 ? a / sunA : NaN
  const shareB = sunB > 0.05 ? b / sunB : NaN
  for (let h = from; h <= to; h++) {
    if (known(at(h))) continue
    const hour = start + <f64>h
    const u = (hour - begin) / step
    const now = sun(hour)
    if (now <= 0) put(h, 0)
    else if (known(shareA)) put(h, (known(shareB) ? shareA + (shareB - shareA) * u : shareA) * now)
    else put(h, known(shareB) ? shareB * now : a + (b - a) * u)
  }
}

/** The value of the nearest time, the later one of two, at most 3 hours away and never beyond an end; NaN there means NaN here. */
export function fillNearest(times: usize, values: usize, n: i32, before: i32): void {
  if (n == 0) return
  const end = min(last, before - 1)
  let j = 0
  for (let h = first; h <= end; h++) {
    if (known(at(h))) continue
    const hour = start + <f64>h
    if (hour < timeOf(times, 0)) continue
    if (hour > timeOf(times, n - 1)) return
    while (j + 1 < n && Math.abs(timeOf(times, j + 1) - hour) <= Math.abs(timeOf(times, j) - hour)) j++
    if (Math.abs(timeOf(times, j) - hour) <= 3) put(h, valueOf(values, j))
  }
}

/** Values of an hourly interval, at its end. */
export function fillHourly(times: usize, values: usize, n: i32, before: i32): void {
  const end = min(last, before - 1)
  for (let j = firstUseful(times, n); j < n; j++) {
    const hour = timeOf(times, j) - start
    if (hour > <f64>end) return
    if (hour < <f64>first || Math.floor(hour) != hour) continue
    const h = <i32>hour
    if (!known(at(h))) put(h, valueOf(values, j))
  }
}

/**
 * Deals the sum of each interval out to its hours that are still NaN: what the known hours leave, by the guide's shares
 * where the guide knows them all, else equally. Sums stay.
 * @param guide a row of shares, or 0 @returns whether any hour that is shown was filled
 */
export function fillSplit(times: usize, values: usize, n: i32, before: i32, window: i32, guide: usize): bool {
  const reach = min(count, before)
  const end = min(last, before - 1)
  let filled = false
  for (let j = firstUseful(times, n); j < n; j++) {
    const hour = timeOf(times, j) - start
    if (hour - <f64>(window - 1) > <f64>end) break
    const sum = valueOf(values, j)
    if (!known(sum) || hour < <f64>first || Math.floor(hour) != hour) continue
    const from = max(0, <i32>hour - window + 1)
    const to = min(<i32>hour, reach - 1)
    if (sum == 0) {
      // A dry interval asks for no shares.
      for (let h = from; h <= to; h++) {
        if (known(at(h))) continue
        put(h, 0)
        filled = filled || h < shown
      }
      continue
    }
    let sure: f64 = 0
    // Hours beyond the axis count as missing; their shares are unknown.
    let open = window - (to - from + 1)
    let shares: f64 = open > 0 || !guide ? NaN : 0
    for (let h = from; h <= to; h++) {
      const value = at(h)
      if (known(value)) sure += value
      else {
        open++
        if (guide) shares += load<f64>(guide + (<usize>h << 3))
      }
    }
    if (open == 0) continue
    const rest = Math.max(0, sum - sure)
    for (let h = from; h <= to; h++) {
      if (known(at(h))) continue
      put(h, shares > 0 ? (rest * load<f64>(guide + (<usize>h << 3))) / shares : rest / <f64>open)
      filled = filled || h < shown
    }
  }
  return filled
}

/** An interval's probability at each of its hours that is still NaN: no hour's own can be greater. @returns whether any that is shown was filled */
export function fillBound(times: usize, values: usize, n: i32, before: i32, window: i32): bool {
  const end = min(last, before - 1)
  let filled = false
  for (let j = firstUseful(times, n); j < n; j++) {
    const hour = timeOf(times, j) - start
    if (hour - <f64>(window - 1) > <f64>end) break
    const value = valueOf(values, j)
    if (!known(value) || hour < <f64>first || Math.floor(hour) != hour) continue
    const to = min(<i32>hour, end)
    for (let h = max(first, <i32>hour - window + 1); h <= to; h++) {
      if (known(at(h))) continue
      put(h, value)
      filled = filled || h < shown
    }
  }
  return filled
}

/** Bridges up to two missing hours of the row between known ones, straight; never an end. */
export function fillHoles(): void {
  let sure = -1
  for (let h = 0; h < count; h++) {
    const value = at(h)
    if (!known(value)) continue
    const gap = h - sure - 1
    if (sure >= 0 && gap > 0 && gap <= MISSING_STEPS) {
      const from = at(sure)
      for (let k = 1; k <= gap; k++) put(sure + k, from + ((value - from) * <f64>k) / <f64>(gap + 1))
    }
    sure = h
  }
}

/** Whole numbers, halves upwards, as JavaScript rounds. @param turning degrees, 360 is 0 */
export function round(turning: bool): void {
  const even = count & ~1
  for (let h = 0; h < even; h += 2) {
    const place = row + (<usize>h << 3)
    v128.store(place, rounded(v128.load(place)))
  }
  if (even < count) put(even, f64x2.extract_lane(rounded(f64x2.splat(at(even))), 0))
  if (turning) for (let h = 0; h < count; h++) put(h, onCircle(at(h)))
}

/** Both lanes: the whole number above, less one where that is more than a half away. */
@inline
function rounded(values: v128): v128 {
  const above = f64x2.ceil(values)
  const far = f64x2.gt(f64x2.sub(above, f64x2.splat(0.5)), values)
  return f64x2.sub(above, v128.and(far, f64x2.splat(1)))
}

/** The shares by which snow is dealt out, into the row: the cold part of the liquid. */
export function guideSnow(liquid: usize, temperature: usize): void {
  for (let h = 0; h < count; h++) {
    const amount = load<f64>(liquid + (<usize>h << 3))
    const cold = amount > 0 ? amount / (1 + exp(load<f64>(temperature + (<usize>h << 3)) - 274)) : amount
    put(h, cold)
  }
}
