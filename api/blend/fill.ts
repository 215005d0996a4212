import type { Sky } from '../../ingest/domain/sky.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Series } from '../../ingest/tile/read.ts'

/** The hourly axis: an hour each from `start` on. */
export interface Axis {
  readonly start: Instant
  readonly count: number
}

/** A part of a field on that axis, one value an hour, NaN where nothing is known yet. */
export interface Gap extends Axis {
  /** The first and the last hour that may lack a value, both less than `count`. */
  readonly first: number
  readonly last: number
}

/** The hours of a field that lack a value, within those of a gap in it that was found before; undefined where none does. */
export function gapIn(out: Float64Array, { start, count, first, last }: Gap): Gap | undefined {
  while (first <= last && !Number.isNaN(out[first]!)) first++
  while (first <= last && !Number.isNaN(out[last]!)) last--
  return first <= last ? { start, count, first, last } : undefined
}

/** Of a gap what lies before hour `count`. */
export function gapBefore(gap: Gap, count: number): Gap {
  return { ...gap, count: Math.min(gap.count, count), last: Math.min(gap.last, count - 1) }
}

export function whole({ start, count }: Axis): Gap {
  return { start, count, first: 0, last: count - 1 }
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
  gap: Gap,
  series: Series,
  between: Blank,
  sky?: Sky,
  mark?: Uint8Array,
  id = 0,
): void {
  const { times, values } = series
  const { start, first, last } = gap
  let previous = -1
  let previousHour = Number.NaN
  for (let j = firstUseful(times, gap); j < times.length; j++) {
    const value = values[j]!
    if (Number.isNaN(value)) continue
    const hour = (times[j]! - start) / HOUR
    const inside = Math.max(first, Math.floor(previousHour) + 1)
    const end = Math.min(last, Math.ceil(hour) - 1)
    if (inside <= end && hour - previousHour <= LONGEST_BRIDGE && j - previous <= MISSING_STEPS + 1) {
      if (mark) for (let h = inside; h <= end; h++) if (Number.isNaN(out[h]!)) mark[h] = id
      if (between === 'smooth') bridgeSmooth(out, start, inside, end, series, previous, j)
      else if (between === 'solar' && sky) bridgeSolar(out, start, inside, end, series, previous, j, sky)
      else bridgeStraight(out, start, inside, end, series, previous, j, between === 'direction')
    }
    previous = j
    previousHour = hour
    if (hour >= first && hour <= last && Number.isInteger(hour) && Number.isNaN(out[hour]!)) {
      out[hour] = value
      if (mark) mark[hour] = id
    }
    if (hour >= last) break
  }
}

/** The last index whose time is at least 12 h before a gap, so that a bridge into it has its first pillar. */
function firstUseful(times: Float64Array, { start, first }: Gap): number {
  const from = start + (first - LONGEST_BRIDGE) * HOUR
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < from) low = middle + 1
    else high = middle
  }
  return low
}

/** Fills hours `first` to `last`, which lie between two times of a source, straight or on the unit vector. */
function bridgeStraight(
  out: Float64Array,
  start: Instant,
  first: number,
  last: number,
  series: Series,
  i: number,
  j: number,
  turning: boolean,
): void {
  const { times, values } = series
  const a = values[i]!
  const b = values[j]!
  const from = times[i]!
  const step = times[j]! - from
  const turn = turning ? ((b - a + 540) % 360) - 180 : b - a
  for (let h = first; h <= last; h++) {
    if (!Number.isNaN(out[h]!)) continue
    const value = a + turn * ((start + h * HOUR - from) / step)
    out[h] = turning ? (value + 360) % 360 : value
  }
}

/** Cubic Hermite with slopes from the neighbours (one-sided at an end or hole), kept within a fifth of the range around it. */
function bridgeSmooth(
  out: Float64Array,
  start: Instant,
  first: number,
  last: number,
  { times, values }: Series,
  i: number,
  j: number,
): void {
  const a = values[i]!
  const b = values[j]!
  const from = times[i]!
  const step = times[j]! - from
  const straight = (b - a) / step
  const before = i > 0 ? values[i - 1]! : Number.NaN
  const after = j + 1 < values.length ? values[j + 1]! : Number.NaN
  const hasBefore = !Number.isNaN(before)
  const hasAfter = !Number.isNaN(after)
  const left = hasBefore ? slope(from - times[i - 1]!, step, (a - before) / (from - times[i - 1]!), straight) : straight
  const right = hasAfter
    ? slope(step, times[j + 1]! - times[j]!, straight, (after - b) / (times[j + 1]! - times[j]!))
    : straight
  let low = Math.min(a, b)
  let high = Math.max(a, b)
  const room =
    0.2 *
    (Math.max(high, hasBefore ? before : high, hasAfter ? after : high) -
      Math.min(low, hasBefore ? before : low, hasAfter ? after : low))
  low -= room
  high += room
  for (let h = first; h <= last; h++) {
    if (!Number.isNaN(out[h]!)) continue
    const u = (start + h * HOUR - from) / step
    const u2 = u * u
    const u3 = u2 * u
    const value =
      (2 * u3 - 3 * u2 + 1) * a + (u3 - 2 * u2 + u) * step * left + (3 * u2 - 2 * u3) * b + (u3 - u2) * step * right
    out[h] = Math.min(high, Math.max(low, value))
  }
}

/** Slope of the parabola through three points at the middle one. */
function slope(left: number, right: number, leftSlope: number, rightSlope: number): number {
  return (leftSlope * right + rightSlope * left) / (left + right)
}

/** Both ends as shares of the sun's height, the share between them, times the height at the hour. */
function bridgeSolar(
  out: Float64Array,
  start: Instant,
  first: number,
  last: number,
  { times, values }: Series,
  i: number,
  j: number,
  sky: Sky,
): void {
  const a = values[i]!
  const b = values[j]!
  const from = times[i]!
  const step = times[j]! - from
  const sunA = sky.sun(from)
  const sunB = sky.sun(times[j]!)
  const shareA = sunA > 0.05 ? a / sunA : Number.NaN
  const shareB = sunB > 0.05 ? b / sunB : Number.NaN
  for (let h = first; h <= last; h++) {
    if (!Number.isNaN(out[h]!)) continue
    const at = start + h * HOUR
    const u = (at - from) / step
    const now = sky.sun(at)
    if (now <= 0) out[h] = 0
    else if (Number.isNaN(shareA) && Number.isNaN(shareB)) out[h] = a + (b - a) * u
    else if (Number.isNaN(shareA)) out[h] = shareB * now
    else if (Number.isNaN(shareB)) out[h] = shareA * now
    else out[h] = (shareA + (shareB - shareA) * u) * now
  }
}

/** The value of the nearest time, at most half a step (or 3 hours) away; NaN there means NaN here. */
export function fillNearest(out: Float64Array, { start, first, last }: Gap, series: Series): void {
  const { times, values } = series
  let j = 0
  for (let h = first; h <= last; h++) {
    if (!Number.isNaN(out[h]!)) continue
    const at = start + h * HOUR
    while (j + 1 < times.length && Math.abs(times[j + 1]! - at) <= Math.abs(times[j]! - at)) j++
    if (j < times.length && Math.abs(times[j]! - at) <= 3 * HOUR) {
      const inside = at >= times[0]! && at <= times[times.length - 1]!
      if (inside) out[h] = values[j]!
    }
  }
}

/** Values of an hourly interval, at its end. */
export function fillHourly(out: Float64Array, gap: Gap, series: Series): void {
  const { times, values } = series
  for (let j = firstUseful(times, gap); j < times.length; j++) {
    const hour = (times[j]! - gap.start) / HOUR
    if (hour > gap.last) break
    if (hour >= gap.first && Number.isInteger(hour) && Number.isNaN(out[hour]!)) out[hour] = values[j]!
  }
}

/**
 * Deals the sum of each interval out to its hours that are still NaN: what the known hours leave, by the guide's
 * shares where the guide knows them all, else equally. Sums stay.
 * @returns whether any hour was filled
 */
export function fillSplit(
  out: Float64Array,
  gap: Gap,
  series: Series,
  windowHours: number,
  guideOf?: () => Float64Array | undefined,
): boolean {
  const { times, values } = series
  const { start, count } = gap
  let guide: Float64Array | undefined
  let filled = false
  for (let j = firstUseful(times, gap); j < times.length; j++) {
    const sum = values[j]!
    const last = (times[j]! - start) / HOUR
    const first = last - windowHours + 1
    if (first > gap.last) break
    if (Number.isNaN(sum) || !Number.isInteger(last) || last < gap.first) continue
    guide ??= guideOf?.()
    const from = Math.max(0, first)
    const to = Math.min(last, count - 1)
    let known = 0
    // Hours beyond the axis are open, and nobody knows their shares.
    let open = windowHours - (to - from + 1)
    let shares = open > 0 ? Number.NaN : 0
    for (let h = from; h <= to; h++) {
      const value = out[h]!
      if (!Number.isNaN(value)) known += value
      else {
        open++
        shares += guide ? guide[h]! : Number.NaN
      }
    }
    if (open === 0) continue
    const rest = Math.max(0, sum - known)
    for (let h = from; h <= to; h++) {
      if (!Number.isNaN(out[h]!)) continue
      out[h] = shares > 0 ? (rest * guide![h]!) / shares : rest / open
      filled = true
    }
  }
  return filled
}

/** An interval's probability at each of its hours that is still NaN: no hour's own can be greater. @returns whether any was filled */
export function fillBound(out: Float64Array, gap: Gap, series: Series, windowHours: number): boolean {
  const { times, values } = series
  let filled = false
  for (let j = firstUseful(times, gap); j < times.length; j++) {
    const value = values[j]!
    const last = (times[j]! - gap.start) / HOUR
    if (last - windowHours + 1 > gap.last) break
    if (Number.isNaN(value) || !Number.isInteger(last)) continue
    for (let h = Math.max(gap.first, last - windowHours + 1); h <= Math.min(last, gap.last); h++) {
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
