import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Gap } from './axis.ts'

/** A gap of a source may be bridged over this many of its missing steps, and never over more than 12 hours. */
export const MISSING_STEPS = 2
export const LONGEST_BRIDGE = 12

/** Where the hours of an axis lie among the times of a source: the same for every field and every cell of a run. */
export interface Steps {
  /** The first hour that is not before the source's first time, counted in hours since 1970 (of the axis' phase). */
  readonly firstHour: number
  /** For each hour up to the source's last time: the index of the last time that is not after it. */
  readonly before: Int32Array
  /** How far the hour is on the way from that time to the next: 0 where it is the time itself, NaN where the way is too long. */
  readonly share: Float64Array
}

/** The times of a run are one object for all its cells. */
const known = new WeakMap<Float64Array, Steps>()

/** @param start of an axis; one that begins within an hour costs a layout of its own at each call */
export function stepsOf(times: Float64Array, start: Instant): Steps {
  const phase = start - Math.floor(start / HOUR) * HOUR
  if (phase !== 0) return layOut(times, phase)
  let steps = known.get(times)
  if (!steps) {
    steps = layOut(times, 0)
    known.set(times, steps)
  }
  return steps
}

function layOut(times: Float64Array, phase: number): Steps {
  const firstHour = Math.ceil((times[0] - phase) / HOUR)
  const lastHour = Math.floor((times[times.length - 1] - phase) / HOUR)
  const count = times.length ? Math.max(0, lastHour - firstHour + 1) : 0
  const before = new Int32Array(count)
  const share = new Float64Array(count)
  let i = 0
  for (let k = 0; k < count; k++) {
    const at = (firstHour + k) * HOUR + phase
    while (i + 1 < times.length && times[i + 1] <= at) i++
    before[k] = i
    if (times[i] === at) continue
    const step = times[i + 1] - times[i]
    share[k] = step <= LONGEST_BRIDGE * HOUR ? (at - times[i]) / step : Number.NaN
  }
  return { firstHour, before, share }
}

/** The first index whose time is at most 12 h before a gap: a bridge into it has its first pillar there or later. */
export function firstUseful(times: Float64Array, { start, first }: Gap): number {
  const from = start + (first - LONGEST_BRIDGE) * HOUR
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle] < from) low = middle + 1
    else high = middle
  }
  return low
}
