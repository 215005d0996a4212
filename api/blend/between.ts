import type { Sky } from '../../ingest/domain/sky.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Series } from '../../ingest/tile/read.ts'
import type { Gap } from './axis.ts'
import { fillCurved } from './curved.ts'
import { LONGEST_BRIDGE, MISSING_STEPS, stepsOf } from './steps.ts'

export type Blank = 'smooth' | 'linear' | 'direction' | 'solar'

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
  if (between === 'smooth' || (between === 'solar' && sky)) {
    fillCurved(out, gap, series, between === 'solar' ? sky : undefined, mark, id)
  } else fillStraight(out, gap, series, between === 'direction', mark, id)
}

/** Straight between two times, or on the unit vector: hour by hour, as the steps are laid out. */
function fillStraight(
  out: Float64Array,
  { start, first, last }: Gap,
  series: Series,
  turning: boolean,
  mark: Uint8Array | undefined,
  id: number,
): void {
  const { values } = series
  const { firstHour, before, share } = stepsOf(series.times, start)
  /** Where the axis begins among the steps. */
  const origin = (Math.floor(start / HOUR) - firstHour) | 0
  const end = Math.min(last, before.length - 1 - origin)
  for (let h = Math.max(first, -origin); h <= end; h++) {
    if (!Number.isNaN(out[h])) continue
    const i = before[origin + h]
    const u = share[origin + h]
    let value = u === 0 ? values[i] : between(values[i], values[i + 1], u, turning)
    if (Number.isNaN(value)) value = acrossHole(series, i, start + h * HOUR, turning)
    if (Number.isNaN(value)) continue
    out[h] = value
    if (mark) mark[h] = id
  }
}

/** @param u how far on the way from a to b, 0 to 1 */
function between(a: number, b: number, u: number, turning: boolean): number {
  return turning ? onCircle(a + (onCircle(b - a + 540) - 180) * u + 360) : a + (b - a) * u
}

/** Degrees modulo 360; exact, like the remainder, and ten times as fast for what is less than a turn too much. */
function onCircle(degrees: number): number {
  if (degrees >= 0 && degrees < 360) return degrees
  return degrees >= 360 && degrees < 720 ? degrees - 360 : degrees % 360
}

/**
 * Between the nearest known values around a time, across at most two that are missing.
 * @param i index of the last time that is not after it
 */
function acrossHole({ times, values }: Series, i: number, at: Instant, turning: boolean): number {
  const lowest = Math.max(0, i - MISSING_STEPS)
  const highest = Math.min(times.length - 1, i + 1 + MISSING_STEPS)
  let left = i
  while (left > lowest && Number.isNaN(values[left])) left--
  let right = i + 1
  while (right < highest && Number.isNaN(values[right])) right++
  if (right > highest || right - left > MISSING_STEPS + 1) return Number.NaN
  const step = times[right] - times[left]
  if (step > LONGEST_BRIDGE * HOUR) return Number.NaN
  return between(values[left], values[right], (at - times[left]) / step, turning)
}
