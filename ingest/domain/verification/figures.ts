import { nth } from '../nth.ts'
import {
  FLIGHT_THRESHOLDS,
  MIN_PAIRS,
  PROBABILITY_BINS,
  type Slot,
  STATISTICS,
  slotsOf,
  type VerifiedVariable,
} from './statistics.ts'

/** A score with its 95 % interval; no interval from fewer than five days. */
export interface Figure {
  readonly value: number
  readonly low: number | null
  readonly high: number | null
}

/** One bin of a reliability diagram, percent. */
export interface ReliabilityBin {
  readonly from: number
  readonly to: number
  readonly n: number
  /** Mean of the forecast probabilities, and share of wet hours; null with fewer than 30 pairs. */
  readonly forecast: number | null
  readonly observed: number | null
}

/** Scores of one source at one lead. */
export interface SlotFigures extends Slot {
  /** Number of pairs of a forecast and a report, and number of days with a pair. */
  readonly n: number
  readonly days: number
  /**
   * Scores by name; null with fewer than 30 pairs. A score that cannot be computed is absent, for example because no event was forecast.
   */
  readonly scores: Readonly<Record<string, Figure>> | null
  readonly reliability?: readonly ReliabilityBin[]
}

type ScoreFunction = (sums: ArrayLike<number>, at: number) => number

const bias: ScoreFunction = (sums, at) => sums[at + 1]! / sums[at]!
const mae: ScoreFunction = (sums, at) => sums[at + 2]! / sums[at]!
const rmse: ScoreFunction = (sums, at) => Math.sqrt(sums[at + 3]! / sums[at]!)
const share =
  (statistic: number): ScoreFunction =>
  (sums, at) =>
    sums[at + statistic]! / sums[at]!

function categorical(threshold: number): Readonly<Record<string, ScoreFunction>> {
  const [hit, miss, falseAlarm] = [1, 2, 3].map((i) => i + 3 * threshold) as [number, number, number]
  const name = nth(FLIGHT_THRESHOLDS, threshold)
  return {
    [`${name}_pod`]: (sums, at) => sums[at + hit]! / (sums[at + hit]! + sums[at + miss]!),
    [`${name}_far`]: (sums, at) => sums[at + falseAlarm]! / (sums[at + hit]! + sums[at + falseAlarm]!),
    [`${name}_csi`]: (sums, at) => sums[at + hit]! / (sums[at + hit]! + sums[at + miss]! + sums[at + falseAlarm]!),
  }
}

const days = { bias, mae, rmse, within_3f: share(4) }

/** The scores of each variable, as functions of its condensed sums. */
const SCORES: Readonly<Record<VerifiedVariable, Readonly<Record<string, ScoreFunction>>>> = {
  temperature: { bias, mae, rmse },
  dew_point: { bias, mae, rmse },
  wind_speed: { bias, mae },
  wind_gust: { bias, mae },
  sky: { bias, same: share(2), near: share(3) },
  flight_category: { ...categorical(0), ...categorical(1), ...categorical(2) },
  precip_probability: {
    brier: share(2),
    skill: (sums, at) => 1 - sums[at + 2]! / sums[at + 3]!,
    bias: (sums, at) => (sums[at + 4]! - sums[at + 1]!) / sums[at]!,
    wet: share(1),
  },
  high: days,
  low: days,
}

/** Scores that are differences in the variable's own unit, and are converted with it. */
export const SCORES_WITH_UNIT: ReadonlySet<string> = new Set(['bias', 'mae', 'rmse'])

/** Returns the sums that scores need. For probabilities, all bins are added up, which takes a seventh of the work. */
function condensed(variable: VerifiedVariable, sums: Float64Array): Float64Array {
  if (variable !== 'precip_probability') return sums
  const short = sums.slice(0, 5)
  short[4] = 0
  for (let bin = 0; bin < PROBABILITY_BINS; bin++) short[4]! += sums[5 + 3 * bin]!
  return short
}

/** Returns the scores of the sums of one slot, without intervals; undefined with fewer than 30 pairs. */
export function scoresWithout(variable: VerifiedVariable, sums: ArrayLike<number>): Record<string, number> | undefined {
  if (!(sums[0]! >= MIN_PAIRS)) return undefined
  const total = condensed(variable, Float64Array.from(sums))
  const known = Object.entries(SCORES[variable]).map(([name, score]) => [name, score(total, 0)] as const)
  return Object.fromEntries(known.filter(([, value]) => Number.isFinite(value)))
}

const REPLICATES = 400
const MIN_DAYS = 5

/**
 * Returns the scores of a variable with bootstrap intervals. Whole days are drawn with replacement, because errors on one day are
 * correlated. The draws are the same at each call, so that an answer does not change by itself.
 * @param byDay the stored sums of each day: slots × statistics
 * @param isRequested returns whether a slot is requested
 */
export function figuresOf(
  variable: VerifiedVariable,
  byDay: readonly ArrayLike<number>[],
  isRequested: (slot: Slot) => boolean = () => true,
): SlotFigures[] {
  const width = STATISTICS[variable].length
  const draws = byDay.length >= MIN_DAYS ? drawsOf(byDay.length) : undefined
  return slotsOf(variable).flatMap((slot, place): SlotFigures[] => {
    if (!isRequested(slot)) return []
    const rows = byDay.map((sums) => slice(sums, place * width, width)).filter((row) => row[0]! > 0)
    const total = new Float64Array(width)
    for (const row of rows) for (let i = 0; i < width; i++) total[i]! += row[i]!
    const base = { ...slot, n: total[0]!, days: rows.length }
    if (total[0]! < MIN_PAIRS) return [{ ...base, scores: null }]
    const own = rows.length === byDay.length ? draws : rows.length >= MIN_DAYS ? drawsOf(rows.length) : undefined
    const scores = scoresOf(
      SCORES[variable],
      rows.map((row) => condensed(variable, row)),
      condensed(variable, total),
      own,
    )
    return [
      variable === 'precip_probability' ? { ...base, scores, reliability: reliabilityOf(total) } : { ...base, scores },
    ]
  })
}

function slice(sums: ArrayLike<number>, from: number, width: number): Float64Array {
  const row = new Float64Array(width)
  for (let i = 0; i < width; i++) row[i] = sums[from + i]!
  return row
}

/** Returns scores of the sums of each day with bootstrap intervals over the days. A score that is not finite is absent. */
export function scoresOverDays(
  functions: Readonly<Record<string, (sums: ArrayLike<number>) => number>>,
  rows: readonly Float64Array[],
): Record<string, Figure> {
  const total = new Float64Array(rows[0]?.length ?? 0)
  for (const row of rows) for (const [i, value] of row.entries()) total[i] = (total[i] ?? 0) + value
  return scoresOf(functions, rows, total, rows.length >= MIN_DAYS ? drawsOf(rows.length) : undefined)
}

function scoresOf(
  functions: Readonly<Record<string, ScoreFunction>>,
  rows: readonly Float64Array[],
  total: Float64Array,
  draws: Uint16Array | undefined,
): Record<string, Figure> {
  const list = Object.entries(functions)
  const replicates = list.map(() => new Float64Array(REPLICATES).fill(Number.NaN))
  const sums = new Float64Array(total.length)
  for (let r = 0; draws && r < REPLICATES; r++) {
    sums.fill(0)
    for (let d = 0; d < rows.length; d++) {
      const row = nth(rows, draws[r * rows.length + d]!)
      for (let i = 0; i < sums.length; i++) sums[i]! += row[i]!
    }
    for (const [s, [, score]] of list.entries()) nth(replicates, s)[r] = score(sums, 0)
  }
  const scores: Record<string, Figure> = {}
  for (const [s, [name, score]] of list.entries()) {
    const value = score(total, 0)
    if (Number.isFinite(value)) scores[name] = { value, ...intervalOf(nth(replicates, s)) }
  }
  return scores
}

/** Returns the 2.5th and the 97.5th percentile; null if a tenth of the replicates have no score. */
function intervalOf(replicates: Float64Array): { low: number | null; high: number | null } {
  const known = replicates.filter((value) => Number.isFinite(value)).sort()
  if (known.length < 0.9 * REPLICATES) return { low: null, high: null }
  const at = (share: number) => known[Math.round(share * (known.length - 1))]!
  return { low: at(0.025), high: at(0.975) }
}

/** Returns the drawn days of all replicates, `REPLICATES` × days, from a linear congruential generator with a fixed seed. */
function drawsOf(count: number): Uint16Array {
  const draws = new Uint16Array(REPLICATES * count)
  let state = 20_260_820
  for (let i = 0; i < draws.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    draws[i] = Math.floor((state / 2 ** 32) * count)
  }
  return draws
}

function reliabilityOf(total: Float64Array): ReliabilityBin[] {
  return Array.from({ length: PROBABILITY_BINS }, (_, bin) => {
    const [n, forecast, observed] = [4, 5, 6].map((i) => total[i + 3 * bin]!) as [number, number, number]
    const known = n >= MIN_PAIRS
    const from = (100 * bin) / PROBABILITY_BINS
    return {
      from,
      to: from + 100 / PROBABILITY_BINS,
      n,
      forecast: known ? (100 * forecast) / n : null,
      observed: known ? (100 * observed) / n : null,
    }
  })
}
