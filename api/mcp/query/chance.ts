/**
 * Chances of crossing a threshold from stored marginal distributions, and their joining over a window. Chances are 0 to 1 here.
 */

/** A point of a distribution: the chance of more than a value. */
export interface Exceedance {
  readonly value: number
  readonly chance: number
}

/** Returns the chance that a normal variable exceeds a threshold. Error function of Abramowitz and Stegun 7.1.26, error below 1.5e-7. */
export function normalAbove(threshold: number, mean: number, spread: number): number {
  if (!(spread > 0)) return mean > threshold ? 1 : 0
  const x = (threshold - mean) / (spread * Math.SQRT2)
  const t = 1 / (1 + 0.3275911 * Math.abs(x))
  const poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  const erf = Math.sign(x) * (1 - poly * Math.exp(-x * x))
  return Math.min(1, Math.max(0, (1 - erf) / 2))
}

/** Returns the points in ascending order of value, with chances that do not rise. */
export function ordered(points: readonly Exceedance[]): Exceedance[] {
  const sorted = points.toSorted((a, b) => a.value - b.value || b.chance - a.chance)
  let least = 1
  return sorted.map(({ value, chance }) => ({ value, chance: (least = Math.min(least, chance)) }))
}

/**
 * Returns the chance of more than a threshold: linear between the points, and beyond the last point exponential, with the decay to it
 * from the last point with a higher chance. The points must be in order.
 */
export function chanceAbove(points: readonly Exceedance[], threshold: number): number {
  const next = points.findIndex(({ value }) => value > threshold)
  const last = points.at(-1)
  if (!last) return 0
  if (next === 0) return 1
  const low = points[next === -1 ? points.length - 1 : next - 1]
  if (low?.value === threshold) return low.chance
  const high = points[next]
  if (low && high) {
    const share = (threshold - low.value) / (high.value - low.value)
    return low.chance + share * (high.chance - low.chance)
  }
  const before = points.findLast(({ chance }) => chance > last.chance)
  if (!before || before.chance <= last.chance || last.chance <= 0 || last.value <= before.value) return 0
  const decay = Math.log(before.chance / last.chance) / (last.value - before.value)
  return last.chance * Math.exp(-decay * (threshold - last.value))
}

/** Returns the value that is exceeded with a chance: the inverse of `chanceAbove`. */
function valueAt(points: readonly Exceedance[], chance: number): number {
  let [low, high] = [0, 1]
  while (chanceAbove(points, high) > chance && high < 1e6) high *= 2
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2
    if (chanceAbove(points, middle) > chance) low = middle
    else high = middle
  }
  return high
}

/** A joined chance with its bounds. */
export interface JoinedChance {
  readonly chance: number
  /** With events that coincide, and with independent events. */
  readonly range: readonly [low: number, high: number]
}

/**
 * Returns the chance of at least one event. Events coincide at the low bound and are independent at the high bound. Between the bounds is the rule of
 * the hourly forecast, the inverse of `apportionChance` in `api/blend`: the logarithm of the chance of none is the geometric mean of the
 * greatest logarithm of one event and the sum of all.
 */
export function anyOf(chances: readonly number[]): JoinedChance {
  const logs = chances.map((chance) => -Math.log(Math.max(1e-9, 1 - Math.min(1, chance))))
  const sum = logs.reduce((total, log) => total + log, 0)
  const low = Math.max(0, ...chances)
  const high = Math.max(low, 1 - Math.exp(-sum))
  const chance = 1 - Math.exp(-Math.sqrt(Math.max(0, ...logs) * sum))
  return { chance: Math.min(high, Math.max(low, chance)), range: [low, high] }
}

/** The part of an interval with a stored distribution that lies in a window, by its share of the amount. */
export interface AmountPart {
  readonly points: readonly Exceedance[]
  readonly share: number
}

/** Steps of chance at which the distributions of amounts are compared. */
const QUANTILES = 200

/**
 * Returns the chance that the sum of the parts exceeds a threshold: halfway between parts that are high together and independent parts. One part
 * keeps its stored distribution.
 */
export function sumAbove(parts: readonly AmountPart[], threshold: number): JoinedChance {
  const used = parts.filter(({ share, points }) => share > 0 && points.length > 0)
  const [only] = used
  if (!only) return { chance: 0, range: [0, 0] }
  if (used.length === 1) {
    const chance = chanceAbove(only.points, threshold / only.share)
    return { chance, range: [chance, chance] }
  }
  const quantiles = used.map(({ points, share }) =>
    Array.from({ length: QUANTILES }, (_, k) => share * valueAt(points, (k + 0.5) / QUANTILES)),
  )
  const together = Array.from({ length: QUANTILES }, (_, k) => quantiles.reduce((sum, list) => sum + (list[k] ?? 0), 0))
  const coinciding = together.filter((sum) => sum > threshold).length / QUANTILES
  const independent = independentAbove(quantiles, threshold)
  // The sum exceeds the threshold whenever one part alone does, so the chance is at least that of each part, despite its steps.
  const least = Math.max(...used.map(({ points, share }) => chanceAbove(points, threshold / share)))
  const bounds = [Math.max(least, coinciding), Math.max(least, independent)] as const
  return {
    chance: (bounds[0] + bounds[1]) / 2,
    range: [Math.min(...bounds), Math.max(...bounds)],
  }
}

/** Returns the chance that the sum of independent amounts exceeds a threshold, by convolution on a grid of the threshold's size. */
function independentAbove(quantiles: readonly (readonly number[])[], threshold: number): number {
  const cells = 400
  const width = Math.max(threshold, 1e-9) / (cells - 1)
  // The last cell has everything above the threshold.
  let sum = new Float64Array(cells + 1)
  sum[0] = 1
  for (const list of quantiles) {
    const next = new Float64Array(cells + 1)
    for (const [i, weight] of sum.entries()) {
      if (weight === 0) continue
      for (const value of list) {
        const at = i === cells ? cells : Math.min(cells, Math.ceil(i + value / width - 1e-9))
        next[at] = (next[at] ?? 0) + weight / list.length
      }
    }
    sum = next
  }
  return sum[cells] ?? 0
}
