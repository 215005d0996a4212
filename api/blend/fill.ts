import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Series } from '../../ingest/tile/read.ts'
import type { Gap } from './axis.ts'
import { firstUseful, MISSING_STEPS, stepsOf } from './steps.ts'

/** The value of the nearest time, the later one of two, at most 3 hours away; NaN there means NaN here. */
export function fillNearest(out: Float64Array, { start, first, last }: Gap, { times, values }: Series): void {
  const { firstHour, before } = stepsOf(times, start)
  const origin = (Math.floor(start / HOUR) - firstHour) | 0
  const end = Math.min(last, before.length - 1 - origin)
  for (let h = Math.max(first, -origin); h <= end; h++) {
    if (!Number.isNaN(out[h])) continue
    const i = before[origin + h]
    const at = start + h * HOUR
    const since = at - times[i]
    const until = since > 0 ? times[i + 1] - at : Infinity
    if (Math.min(since, until) <= 3 * HOUR) out[h] = until <= since ? values[i + 1] : values[i]
  }
}

/** Hours from the start of an axis to a time, whole ones: a time within an hour belongs to none, see `isFull`. */
const hourOf = (time: Instant, start: Instant) => ((time - start) / HOUR) | 0
const isFull = (time: Instant, start: Instant, hour: number) => start + hour * HOUR === time

/** Values of an hourly interval, at its end. */
export function fillHourly(out: Float64Array, gap: Gap, { times, values }: Series): void {
  const { start, first, last } = gap
  for (let j = firstUseful(times, gap); j < times.length; j++) {
    const hour = hourOf(times[j], start)
    if (hour > last) break
    if (hour >= first && isFull(times[j], start, hour) && Number.isNaN(out[hour])) out[hour] = values[j]
  }
}

/**
 * Deals the sum of each interval out to its hours that are still NaN: what the known hours leave, by the guide's
 * shares where the guide knows them all, else equally. Sums stay.
 * @param guideOf asked for at most once, where there is something to deal out
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
    const sum = values[j]
    const last = hourOf(times[j], start)
    const first = last - windowHours + 1
    if (first > gap.last) break
    if (Number.isNaN(sum) || last < gap.first || !isFull(times[j], start, last)) continue
    guide ??= guideOf?.()
    const from = Math.max(0, first)
    const to = Math.min(last, count - 1)
    let known = 0
    // Hours beyond the axis are open, and nobody knows their shares.
    let open = windowHours - (to - from + 1)
    let shares = open > 0 ? Number.NaN : 0
    for (let h = from; h <= to; h++) {
      const value = out[h]
      if (!Number.isNaN(value)) known += value
      else {
        open++
        shares += guide ? guide[h] : Number.NaN
      }
    }
    if (open === 0) continue
    const rest = Math.max(0, sum - known)
    for (let h = from; h <= to; h++) {
      if (!Number.isNaN(out[h])) continue
      out[h] = guide && shares > 0 ? (rest * guide[h]) / shares : rest / open
      filled = true
    }
  }
  return filled
}

/** An interval's probability at each of its hours that is still NaN: no hour's own can be greater. @returns whether any was filled */
export function fillBound(out: Float64Array, gap: Gap, { times, values }: Series, windowHours: number): boolean {
  const { start } = gap
  let filled = false
  for (let j = firstUseful(times, gap); j < times.length; j++) {
    const value = values[j]
    const last = hourOf(times[j], start)
    const first = last - windowHours + 1
    if (first > gap.last) break
    if (Number.isNaN(value) || !isFull(times[j], start, last)) continue
    for (let h = Math.max(gap.first, first); h <= Math.min(last, gap.last); h++) {
      if (!Number.isNaN(out[h])) continue
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
    if (Number.isNaN(out[h])) continue
    const gap = h - known - 1
    if (known >= 0 && gap > 0 && gap <= MISSING_STEPS) {
      for (let k = 1; k <= gap; k++) out[known + k] = out[known] + ((out[h] - out[known]) * k) / (gap + 1)
    }
    known = h
  }
}
