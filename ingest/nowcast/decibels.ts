import { nth } from '../domain/nth.ts'
import { WET_RATE } from '../domain/weather/echo.ts'

// Decibels of rate for the separation of scales: 10 log10 R + 15 from 0.1 mm/h upwards, 0 if dry. The step of 5 between
// dry and wet keeps the edges of echoes visible to the correlations.
const OFFSET = 15
export const WET_DECIBELS = 10 * Math.log10(WET_RATE) + OFFSET

/** @param rate mm/h */
export const decibelsOf = (rate: number): number => (rate >= WET_RATE ? 10 * Math.log10(rate) + OFFSET : 0)
export const rateOfDecibels = (decibels: number): number => 10 ** ((decibels - OFFSET) / 10)

/** Same as `decibelsOf`, for an echo strength (`strengthOf` of domain/echo.ts: dBZ − 5). */
export function decibelsOfStrength(strength: number): number {
  const decibels = (strength + 6) / 1.6
  return strength > 0 && decibels >= WET_DECIBELS ? decibels : 0
}

/**
 * Returns decibels with more weight on heavy rain, 0 if dry. Means of plain decibels favour broad light rain over the
 * small cores of heavy rain, which 5 mm/h depends on. The step between dry and wet keeps the extent of rain.
 */
export const emphasize = (decibels: number): number => (decibels > 0 ? 2 + (decibels * decibels) / 36 : 0)
export const decibelsOfEmphasis = (value: number): number => (value > 0 ? 6 * Math.sqrt(value - 2) : 0)

/**
 * The sums that correspond to 5, 6, 7, … decibels, ascending. A sum below the first is dry; above the last, a sum rises
 * as `emphasize` does.
 */
export type Matching = readonly number[]

const LEVELS = 36
const LEAST_SUM = -40
const BINS_A_DECIBEL = 50
const BINS = 8000
/** Bin of a value; a value at the edge of a bin falls into it despite rounding. */
const ROUNDING = 1e-3

/** Counts values in bins of a fiftieth of a decibel, so that values in steps of their storage format stay distinct. */
export const emptyHistogram = (): Float64Array => new Float64Array(BINS)

export function countIn(histogram: Float64Array, value: number, times = 1): void {
  const bin = Math.floor((value - LEAST_SUM) * BINS_A_DECIBEL + ROUNDING)
  histogram[Math.min(BINS - 1, Math.max(0, bin))]! += times
}

/** Matches the distribution of sums with that of decibels: the same number of pixels reaches each level. */
export function matchOf(sums: Float64Array, decibels: Float64Array): Matching {
  const levels: number[] = []
  let bin = BINS
  let above = 0
  const counts = Array.from({ length: LEVELS }, (_, level) => countFrom(decibels, WET_DECIBELS + level))
  // From the highest level down, in the order of growing counts.
  for (let level = LEVELS - 1; level >= 0; level--) {
    const count = nth(counts, level)
    if (count === 0) continue
    while (bin > 0 && above < count) above += sums[--bin]!
    const share = sums[bin]! > 0 ? Math.min(1, Math.max(0, (above - count) / sums[bin]!)) : 0
    levels.unshift(LEAST_SUM + (bin + share) / BINS_A_DECIBEL)
  }
  for (let k = 1; k < levels.length; k++) levels[k] = Math.max(nth(levels, k), nth(levels, k - 1) + 0.01)
  return levels.map((sum) => Math.round(sum * 1000) / 1000)
}

function countFrom(histogram: Float64Array, value: number): number {
  let count = 0
  for (let bin = Math.round((value - LEAST_SUM) * BINS_A_DECIBEL); bin < BINS; bin++) count += histogram[bin]!
  return count
}

/** Returns the decibels that a sum corresponds to; 0 if it is dry. */
export function matched(matching: Matching, sum: number): number {
  const last = matching.length - 1
  if (last < 0 || sum < nth(matching, 0)) return 0
  if (sum >= nth(matching, last)) return decibelsOfEmphasis(emphasize(WET_DECIBELS + last) + sum - nth(matching, last))
  let [low, high] = [0, last]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (nth(matching, middle) <= sum) low = middle
    else high = middle
  }
  return WET_DECIBELS + low + (sum - nth(matching, low)) / (nth(matching, high) - nth(matching, low))
}
