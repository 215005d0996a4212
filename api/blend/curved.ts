import type { Sky } from '../../ingest/domain/sky.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Series } from '../../ingest/tile/read.ts'
import type { Gap } from './axis.ts'
import { firstUseful, LONGEST_BRIDGE, MISSING_STEPS } from './steps.ts'

/** Fills hours `first` to `last` of an axis, those that are still NaN, which lie between times `i` and `j` of a source. */
type Bridge = (
  out: Float64Array,
  start: Instant,
  first: number,
  last: number,
  series: Series,
  i: number,
  j: number,
  sky: Sky | undefined,
) => void

/**
 * A source's values at the hours that are still NaN, and between two of its times what needs more than the two values:
 * the slopes around them, or with a sky the sun's height. From one known value to the next.
 * @param mark written with `id` at every hour that was filled
 */
export function fillCurved(
  out: Float64Array,
  gap: Gap,
  series: Series,
  sky: Sky | undefined,
  mark: Uint8Array | undefined,
  id: number,
): void {
  const { times, values } = series
  const { start, first, last } = gap
  const bridge: Bridge = sky ? bridgeSolar : bridgeSmooth
  let previous = -1
  let previousHour = Number.NaN
  for (let j = firstUseful(times, gap); j < times.length; j++) {
    const value = values[j]
    if (Number.isNaN(value)) continue
    const hour = (times[j] - start) / HOUR
    if (hour - previousHour <= LONGEST_BRIDGE && j - previous <= MISSING_STEPS + 1) {
      const inside = Math.max(first, Math.floor(previousHour) + 1)
      const end = Math.min(last, Math.ceil(hour) - 1)
      if (mark) for (let h = inside; h <= end; h++) if (Number.isNaN(out[h])) mark[h] = id
      if (inside <= end) bridge(out, start, inside, end, series, previous, j, sky)
    }
    previous = j
    previousHour = hour
    if (hour >= first && hour <= last && Number.isInteger(hour) && Number.isNaN(out[hour])) {
      out[hour] = value
      if (mark) mark[hour] = id
    }
    if (hour >= last) break
  }
}

/** Cubic Hermite with slopes from the neighbours (one-sided at an end or hole), kept within a fifth of the range around it. */
const bridgeSmooth: Bridge = (out, start, first, last, { times, values }, i, j) => {
  const a = values[i]
  const b = values[j]
  const from = times[i]
  const step = times[j] - from
  const straight = (b - a) / step
  const before = i > 0 ? values[i - 1] : Number.NaN
  const after = j + 1 < values.length ? values[j + 1] : Number.NaN
  const hasBefore = !Number.isNaN(before)
  const hasAfter = !Number.isNaN(after)
  const left = hasBefore ? slope(from - times[i - 1], step, (a - before) / (from - times[i - 1]), straight) : straight
  const right = hasAfter
    ? slope(step, times[j + 1] - times[j], straight, (after - b) / (times[j + 1] - times[j]))
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
    if (!Number.isNaN(out[h])) continue
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
const bridgeSolar: Bridge = (out, start, first, last, { times, values }, i, j, sky) => {
  if (!sky) return
  const a = values[i]
  const b = values[j]
  const from = times[i]
  const step = times[j] - from
  const sunA = sky.sun(from)
  const sunB = sky.sun(times[j])
  const shareA = sunA > 0.05 ? a / sunA : Number.NaN
  const shareB = sunB > 0.05 ? b / sunB : Number.NaN
  for (let h = first; h <= last; h++) {
    if (!Number.isNaN(out[h])) continue
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
