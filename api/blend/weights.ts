import type { Instant } from '../../ingest/domain/time.ts'
import type { TracedInterpolation } from './trace.ts'

/** A cubic stays within this share of the range of its values beyond the two values around the hour. */
const BEYOND = 0.2
/** Least sine of the sun's altitude at which a value is a share of it, as in the row filler. */
const LEAST_SUN = 0.05

/**
 * Returns the weights by which the values of a source add up to the value of an hour, computed apart from the code that
 * fills the hours. A direction turns from its first to its second value by the second weight.
 * @param times valid times of the values, ascending
 * @param sun the sine of the sun's altitude at an instant
 * @returns undefined if the value is not a weighted sum of these values
 */
export function weightsOf(
  interpolation: TracedInterpolation,
  times: readonly Instant[],
  hour: Instant,
  sun: (time: Instant) => number,
): readonly number[] | undefined {
  if (interpolation === 'none' || interpolation === 'nearest') return [1]
  if (interpolation === 'split' || interpolation === 'bound' || times.length < 2) return undefined
  if (interpolation === 'smooth') return cubicWeights(times, hour)
  const [begin = Number.NaN, end = Number.NaN] = times
  const after = (hour - begin) / (end - begin)
  return interpolation === 'solar' ? solarWeights(begin, end, hour, after, sun) : [1 - after, after]
}

function solarWeights(begin: Instant, end: Instant, hour: Instant, after: number, sun: (time: Instant) => number) {
  const [first, second, now] = [sun(begin), sun(end), sun(hour)]
  if (now <= 0) return [0, 0]
  if (!(first > LEAST_SUN) && !(second > LEAST_SUN)) return [1 - after, after]
  if (!(first > LEAST_SUN)) return [0, now / second]
  if (!(second > LEAST_SUN)) return [now / first, 0]
  return [((1 - after) * now) / first, (after * now) / second]
}

/** Hermite's cubic between two times; its slopes are those of parabolas through the neighboring values. */
function cubicWeights(times: readonly Instant[], hour: Instant): readonly number[] {
  const second = times.findIndex((time) => time > hour)
  const [before, begin, end, after] = [second - 2, second - 1, second, second + 1].map((k) => times[k] ?? Number.NaN)
  if (begin === undefined || end === undefined) throw new Error('A cubic needs two times around the hour.')
  const step = end - begin
  const u = (hour - begin) / step
  const basis = {
    begin: (1 + 2 * u) * (1 - u) ** 2,
    beginSlope: u * (1 - u) ** 2,
    end: u ** 2 * (3 - 2 * u),
    endSlope: u ** 2 * (u - 1),
  }
  const weights = new Map<number, number>(times.map((time) => [time, 0]))
  const add = (time: number, weight: number) => weights.set(time, (weights.get(time) ?? 0) + weight)
  add(begin, basis.begin)
  add(end, basis.end)
  /** Adds a slope (per step) between two of the times. */
  const addSlope = (from: number, to: number, weight: number) => {
    add(to, (weight * step) / (to - from))
    add(from, (-weight * step) / (to - from))
  }
  const near = before === undefined || Number.isNaN(before) ? 0 : step / (end - before)
  if (before !== undefined && near > 0) addSlope(before, begin, basis.beginSlope * near)
  addSlope(begin, end, basis.beginSlope * (1 - near))
  const far = after === undefined || Number.isNaN(after) ? 0 : step / (after - begin)
  if (after !== undefined && far > 0) addSlope(end, after, basis.endSlope * far)
  addSlope(begin, end, basis.endSlope * (1 - far))
  return times.map((time) => weights.get(time) ?? 0)
}

/** Returns the value of an hour from the values of its source and their weights. */
export function weightedValue(
  interpolation: TracedInterpolation,
  times: readonly Instant[],
  hour: Instant,
  values: readonly number[],
  weights: readonly number[],
): number {
  const [first = Number.NaN, second = first] = values
  if (interpolation === 'direction' && values.length > 1) {
    const turn = ((((second - first + 540) % 360) + 360) % 360) - 180
    return (first + turn * (weights[1] ?? 0) + 360) % 360
  }
  const sum = values.reduce((total, value, k) => total + value * (weights[k] ?? 0), 0)
  if (interpolation !== 'smooth' || values.length < 2) return sum
  const at = times.findIndex((time) => time > hour)
  const around = [values[at - 1] ?? Number.NaN, values[at] ?? Number.NaN]
  const margin = BEYOND * (Math.max(...values) - Math.min(...values))
  return Math.min(Math.max(...around) + margin, Math.max(Math.min(...around) - margin, sum))
}
