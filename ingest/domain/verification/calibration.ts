import { nth } from '../nth.ts'

/** The offset (0 to 1) to be added to a probability, at the mean probability of one bin. */
export interface CalibrationKnot {
  readonly at: number
  readonly offset: number
}

export interface CalibrationLead {
  /** Minutes. */
  readonly lead: number
  /** Ascending in `at`; a bin without enough points has no knot. */
  readonly knots: readonly CalibrationKnot[]
}

/** Corrections of the probabilities of nowcasts in one domain. */
export interface Calibration {
  /** The days (UTC) whose scores it was learned from, inclusive. */
  readonly firstDay: string
  readonly lastDay: string
  /** Ascending; leads without a correction are absent, and keep the built-in probability. */
  readonly leads: readonly CalibrationLead[]
}

/** Sums of one bin of the probability before calibration, over the points of one day. */
export interface RawBinDay {
  readonly lead: number
  readonly bin: number
  readonly day: string
  readonly points: number
  /** Sum of the probabilities, 0 to 1 each. */
  readonly probability: number
  readonly wet: number
}

/** Days before the day of a nowcast from which its calibration is learned. */
export const CALIBRATION_DAYS = 30
/** Least number of days and of points of a bin with a correction. */
const MIN_DAYS = 3
const MIN_POINTS = 300
/** Number of points at which a correction is halved: the weight of the built-in probability. */
const PRIOR_POINTS = 25
/**
 * Number of standard errors up to which there is no correction. Points of a day are correlated, so the standard error
 * is that of the differences between days.
 */
const STANDARD_ERRORS = 3
/** Smallest probability that a calibrated probability above it is reduced to: an answer rounds it to 1 %. */
const LEAST = 0.01

/**
 * Learns the corrections of one domain from the scores of whole days. The correction of a bin is the observed share
 * minus the mean probability, reduced towards 0 by its standard error over the days and by the number of points. A
 * corrected probability never falls while the built-in one rises.
 * @param rows of days before the day on which the corrections are used; a pair that is learned from is never judged
 */
export function learnCalibration(
  rows: readonly RawBinDay[],
  period: Pick<Calibration, 'firstDay' | 'lastDay'>,
): Calibration {
  const byLead = Map.groupBy(rows, ({ lead }) => lead)
  const leads = [...byLead].map(([lead, ofLead]): CalibrationLead => {
    const bins = [...Map.groupBy(ofLead, ({ bin }) => bin)].sort(([a], [b]) => a - b)
    return { lead, knots: rising(bins.flatMap(([, days]) => knotOf(days) ?? [])) }
  })
  return {
    ...period,
    leads: leads.filter(({ knots }) => knots.some(({ offset }) => offset !== 0)).sort((a, b) => a.lead - b.lead),
  }
}

/** The knot of one bin; undefined with too few days or points. */
function knotOf(days: readonly RawBinDay[]): CalibrationKnot | undefined {
  const sum = (value: (day: RawBinDay) => number) => days.reduce((total, day) => total + value(day), 0)
  const count = days.filter(({ points }) => points > 0).length
  const points = sum((day) => day.points)
  if (count < MIN_DAYS || points < MIN_POINTS) return undefined
  const offset = sum(({ wet, probability }) => wet - probability) / points
  const squares = sum((day) => (day.wet - day.probability - offset * day.points) ** 2)
  const variance = (squares * count) / (count - 1) / points ** 2
  const certain = offset ** 2 <= STANDARD_ERRORS ** 2 * variance ? 0 : 1 - variance / offset ** 2
  const weight = points / (points + PRIOR_POINTS)
  return { at: rounded(sum(({ probability }) => probability) / points), offset: rounded(offset * certain * weight) }
}

/** Raises offsets so that the corrected probabilities do not fall. */
function rising(knots: readonly CalibrationKnot[]): CalibrationKnot[] {
  let highest = 0
  return knots.map(({ at, offset }) => {
    highest = Math.max(highest, at + offset)
    return { at, offset: rounded(highest - at) }
  })
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000

/**
 * Returns the calibrated probability, 0 to 1. Offsets are linear between bins, and between leads; at lead 0 and at
 * probability 0 there is none. NaN stays NaN.
 */
export function calibrated(calibration: Calibration | undefined, minutes: number, probability: number): number {
  if (!calibration || minutes <= 0 || !(probability > 0)) return probability
  const { leads } = calibration
  const next = leads.findIndex(({ lead }) => lead >= minutes)
  const after = next < 0 ? leads.at(-1) : leads[next]
  if (!after) return probability
  const before = next < 0 ? after : leads[next - 1]
  const late = offsetAt(after, probability)
  const early = before ? offsetAt(before, probability) : 0
  const from = before?.lead ?? 0
  const share = after.lead > from ? Math.min(1, (minutes - from) / (after.lead - from)) : 1
  const value = probability + early + share * (late - early)
  return Math.min(1, Math.max(Math.min(probability, LEAST), value))
}

/** The offset at a probability: linear between the knots, 0 at probability 0, and that of the last knot beyond it. */
function offsetAt({ knots }: CalibrationLead, probability: number): number {
  let [at, offset] = [0, 0]
  for (const knot of knots) {
    if (knot.at >= probability) {
      const share = knot.at > at ? (probability - at) / (knot.at - at) : 1
      return offset + share * (knot.offset - offset)
    }
    at = knot.at
    offset = knot.offset
  }
  return knots.length > 0 ? nth(knots, knots.length - 1).offset : 0
}
