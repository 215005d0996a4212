import type { Sky } from '../../ingest/domain/sky.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Series } from '../../ingest/tile/read.ts'

/** A field on the hourly axis: one value an hour from `start`, NaN where nothing is known yet. */
export interface Axis {
  readonly start: Instant
  readonly count: number
}

export type Blank = 'smooth' | 'linear' | 'direction' | 'solar'

/** A gap of a source may be bridged over this many of its missing steps, and never over more than 12 hours. */
const MISSING_STEPS = 2
const LONGEST_BRIDGE = 12

/**
 * Puts a source's values at the hours that are still NaN, and finds those between two of its times.
 * Nothing is carried beyond a source's first or last value.
 * @param mark written with `id` at every hour that was filled
 */
export function fillBetween(
  out: Float64Array,
  axis: Axis,
  series: Series,
  between: Blank,
  sky?: Sky,
  mark?: Uint8Array,
  id = 0,
): void {
  const { times, values } = series
  const { start, count } = axis
  let previous = -1
  let previousHour = Number.NaN
  for (let j = firstUseful(times, start); j < times.length; j++) {
    const value = values[j]!
    if (Number.isNaN(value)) continue
    const hour = (times[j]! - start) / HOUR
    const inside = Math.floor(previousHour) + 1
    if (inside < hour && hour - previousHour <= LONGEST_BRIDGE && j - previous <= MISSING_STEPS + 1) {
      const last = Math.min(count, Math.ceil(hour))
      for (let h = Math.max(0, inside); h < last; h++) {
        if (!Number.isNaN(out[h]!)) continue
        out[h] = betweenValues(series, previous, j, start + h * HOUR, between, sky)
        if (mark) mark[h] = id
      }
    }
    previous = j
    previousHour = hour
    if (hour >= 0 && hour < count && Number.isInteger(hour) && Number.isNaN(out[hour]!)) {
      out[hour] = value
      if (mark) mark[hour] = id
    }
    if (hour >= count - 1) break
  }
}

/** The last index whose time is at least 12 h before the axis, so that a bridge into it has its first pillar. */
function firstUseful(times: Float64Array, start: Instant): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < start - LONGEST_BRIDGE * HOUR) low = middle + 1
    else high = middle
  }
  return low
}

function betweenValues(series: Series, i: number, j: number, at: Instant, between: Blank, sky?: Sky): number {
  const { times, values } = series
  const a = values[i]!
  const b = values[j]!
  const u = (at - times[i]!) / (times[j]! - times[i]!)
  if (between === 'linear') return a + (b - a) * u
  if (between === 'direction') {
    const turn = ((b - a + 540) % 360) - 180
    return (a + turn * u + 360) % 360
  }
  if (between === 'solar') return clearShare(a, b, times[i]!, times[j]!, at, u, sky)
  return smooth(times, values, i, j, at)
}

/** Cubic Hermite with slopes from the neighbours (one-sided at an end or hole), kept within a fifth of the range around it. */
function smooth(times: Float64Array, values: Float32Array, i: number, j: number, at: Instant): number {
  const a = values[i]!
  const b = values[j]!
  const step = times[j]! - times[i]!
  const u = (at - times[i]!) / step
  const straight = (b - a) / step
  const before = i > 0 ? values[i - 1]! : Number.NaN
  const after = j + 1 < values.length ? values[j + 1]! : Number.NaN
  const hasBefore = !Number.isNaN(before)
  const hasAfter = !Number.isNaN(after)
  const left = hasBefore
    ? slope(times[i]! - times[i - 1]!, step, (a - before) / (times[i]! - times[i - 1]!), straight)
    : straight
  const right = hasAfter
    ? slope(step, times[j + 1]! - times[j]!, straight, (after - b) / (times[j + 1]! - times[j]!))
    : straight
  const u2 = u * u
  const u3 = u2 * u
  const value =
    (2 * u3 - 3 * u2 + 1) * a + (u3 - 2 * u2 + u) * step * left + (3 * u2 - 2 * u3) * b + (u3 - u2) * step * right
  let low = Math.min(a, b)
  let high = Math.max(a, b)
  const room =
    0.2 *
    (Math.max(high, hasBefore ? before : high, hasAfter ? after : high) -
      Math.min(low, hasBefore ? before : low, hasAfter ? after : low))
  low -= room
  high += room
  return Math.min(high, Math.max(low, value))
}

/** Slope of the parabola through three points at the middle one. */
function slope(left: number, right: number, leftSlope: number, rightSlope: number): number {
  return (leftSlope * right + rightSlope * left) / (left + right)
}

/** Both ends as shares of the sun's height, the share between them, times the height at the hour. */
function clearShare(a: number, b: number, from: Instant, to: Instant, at: Instant, u: number, sky?: Sky): number {
  if (!sky) return a + (b - a) * u
  const height = (when: Instant) => sky.sun(when)
  const now = height(at)
  if (now <= 0) return 0
  const first = height(from)
  const last = height(to)
  const shareA = first > 0.05 ? a / first : Number.NaN
  const shareB = last > 0.05 ? b / last : Number.NaN
  if (Number.isNaN(shareA) && Number.isNaN(shareB)) return a + (b - a) * u
  if (Number.isNaN(shareA)) return shareB * now
  if (Number.isNaN(shareB)) return shareA * now
  return (shareA + (shareB - shareA) * u) * now
}

/** The value of the nearest time, at most half a step (or 3 hours) away; NaN there means NaN here. */
export function fillNearest(out: Float64Array, axis: Axis, series: Series): void {
  const { times, values } = series
  let j = 0
  for (let h = 0; h < axis.count; h++) {
    if (!Number.isNaN(out[h]!)) continue
    const at = axis.start + h * HOUR
    while (j + 1 < times.length && Math.abs(times[j + 1]! - at) <= Math.abs(times[j]! - at)) j++
    if (j < times.length && Math.abs(times[j]! - at) <= 3 * HOUR) {
      const inside = at >= times[0]! && at <= times[times.length - 1]!
      if (inside) out[h] = values[j]!
    }
  }
}

/** Values of an hourly interval, at its end. */
export function fillHourly(out: Float64Array, axis: Axis, series: Series): void {
  const { times, values } = series
  for (let j = firstUseful(times, axis.start); j < times.length; j++) {
    const hour = (times[j]! - axis.start) / HOUR
    if (hour >= axis.count) break
    if (hour >= 0 && Number.isInteger(hour) && Number.isNaN(out[hour]!)) out[hour] = values[j]!
  }
}

/**
 * Deals the sum of each interval out to its hours that are still NaN: what the known hours leave, by the guide's
 * shares where the guide knows them all, else equally. Sums stay.
 * @returns whether any hour was filled
 */
export function fillSplit(
  out: Float64Array,
  axis: Axis,
  series: Series,
  windowHours: number,
  guide?: Float64Array,
): boolean {
  const { times, values } = series
  let filled = false
  for (let j = firstUseful(times, axis.start); j < times.length; j++) {
    const sum = values[j]!
    const last = (times[j]! - axis.start) / HOUR
    const first = last - windowHours + 1
    if (first >= axis.count) break
    if (Number.isNaN(sum) || !Number.isInteger(last) || last < 0) continue
    let known = 0
    let open = 0
    let shares = 0
    for (let h = first; h <= last; h++) {
      const value = h >= 0 && h < axis.count ? out[h]! : Number.NaN
      if (!Number.isNaN(value)) known += value
      else {
        open++
        shares += guide && h >= 0 && h < axis.count ? guide[h]! : Number.NaN
      }
    }
    if (open === 0) continue
    const rest = Math.max(0, sum - known)
    for (let h = Math.max(0, first); h <= Math.min(last, axis.count - 1); h++) {
      if (!Number.isNaN(out[h]!)) continue
      out[h] = shares > 0 ? (rest * guide![h]!) / shares : rest / open
      filled = true
    }
  }
  return filled
}

/** An interval's probability at each of its hours that is still NaN: no hour's own can be greater. @returns whether any was filled */
export function fillBound(out: Float64Array, axis: Axis, series: Series, windowHours: number): boolean {
  const { times, values } = series
  let filled = false
  for (let j = firstUseful(times, axis.start); j < times.length; j++) {
    const value = values[j]!
    const last = (times[j]! - axis.start) / HOUR
    if (last - windowHours + 1 >= axis.count) break
    if (Number.isNaN(value) || !Number.isInteger(last)) continue
    for (let h = Math.max(0, last - windowHours + 1); h <= Math.min(last, axis.count - 1); h++) {
      if (!Number.isNaN(out[h]!)) continue
      out[h] = value
      filled = true
    }
  }
  return filled
}

/** Bridges up to two missing hours between known ones, straight; never an end. */
export function fillHoles(out: Float64Array): void {
  let known = -1
  for (let h = 0; h < out.length; h++) {
    if (Number.isNaN(out[h]!)) continue
    const gap = h - known - 1
    if (known >= 0 && gap > 0 && gap <= MISSING_STEPS) {
      for (let k = 1; k <= gap; k++) out[known + k] = out[known]! + ((out[h]! - out[known]!) * k) / (gap + 1)
    }
    known = h
  }
}
