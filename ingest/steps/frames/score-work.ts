import {
  type LeadScore,
  type ModelScore,
  NOWCAST_THRESHOLDS,
  type ProbabilityBin,
} from '../../domain/verification/nowcast.ts'
import { PROBABILITY_BINS } from '../../domain/verification/statistics.ts'
import { WET_RATE } from '../../domain/weather/echo.ts'
import { originOf } from '../../nowcast/advection.ts'
import { forecastRate } from '../../nowcast/change.ts'
import { nowcastStep, published, spreadOf } from '../../nowcast/point.ts'
import { count, emptyTally } from '../../nowcast/skill.ts'
import { readMotion } from '../../tile/motion-file.ts'
import type { ModelRates } from './model-rates.ts'
import { type FrameObject, type FrameRates, frameRates } from './rates.ts'

// The verification of nowcasts in a pool thread. It counts bytes against bytes without I/O.

export interface ScoreTask {
  readonly kind: 'score'
  /** The observed frame. */
  readonly truth: FrameObject
  readonly forecasts: readonly {
    /** Nominal lead, and interval from the anchor to the observed frame, minutes. */
    readonly lead: number
    readonly minutes: number
    readonly anchor: FrameObject
    readonly motion: FrameObject
    readonly model?: ModelRates | undefined
  }[]
}

/** Every n-th row and column is verified: a million of the 24 million pixels of CONUS is enough. */
const SPARSE = 5
/** Every n-th row and column for probabilities, which read 61 pixels each: 39,000 points of CONUS. */
const SPARSE_PROBABILITY = 5 * SPARSE

/** Counts each nowcast, its anchor unmoved and the model against the observed frame. */
export function makeScore({ truth, forecasts }: ScoreTask): readonly LeadScore[] {
  const seen = frameRates(truth)
  return forecasts.map((forecast) => scoreLead(seen, forecast))
}

const emptyBins = () => Array.from({ length: PROBABILITY_BINS }, () => ({ points: 0, probability: 0, wet: 0 }))

type Writable<T> = { -readonly [K in keyof T]: T[K] }

function scoreLead(
  seen: FrameRates,
  { lead, minutes, anchor, motion, model }: ScoreTask['forecasts'][number],
): LeadScore {
  const was = frameRates(anchor)
  const { nodes } = readMotion(motion.bytes, motion.key)
  const { nx, ny } = seen.head.grid
  const spread = spreadOf(was.head.grid)
  const rateAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= nx || y >= ny ? Number.NaN : (was.rates[y * nx + x] ?? Number.NaN)
  const tallies = NOWCAST_THRESHOLDS.map((threshold) => ({
    threshold,
    nowcast: emptyTally(),
    persistence: emptyTally(),
  }))
  const [bins, rawBins] = [emptyBins(), emptyBins()]
  const originAt = originOf(nodes, minutes)
  let pixels = 0
  for (let y = SPARSE >> 1; y < ny; y += SPARSE) {
    const isProbabilityRow = y % SPARSE_PROBABILITY === SPARSE_PROBABILITY >> 1
    for (let x = SPARSE >> 1; x < nx; x += SPARSE) {
      const rate = seen.rates[y * nx + x] ?? Number.NaN
      if (Number.isNaN(rate)) continue
      const { dx, dy } = originAt(x, y)
      const origin = { x: x + dx, y: y + dy }
      if (isProbabilityRow && x % SPARSE_PROBABILITY === SPARSE_PROBABILITY >> 1) {
        const { probability, uncalibrated } = nowcastStep(origin, minutes, rateAt, spread, nodes)
        addPoint(bins, probability, rate >= WET_RATE)
        if (Math.round(100 * uncalibrated) > 0) addPoint(rawBins, uncalibrated, rate >= WET_RATE)
      }
      const still = rateAt(x, y)
      const then = rateAt(Math.round(origin.x), Math.round(origin.y))
      if (Number.isNaN(still) || Number.isNaN(then)) continue
      pixels++
      const forecast = published(forecastRate(nodes, origin.x, origin.y, minutes, then))
      for (const { threshold, nowcast, persistence } of tallies) {
        count(nowcast, forecast >= threshold, rate >= threshold)
        count(persistence, still >= threshold, rate >= threshold)
      }
    }
  }
  return { lead, pixels, tallies, bins, rawBins, ...(model && { model: scoreModel(seen, model) }) }
}

/** Counts the model at its points that the frame covers. */
function scoreModel({ rates: seen }: FrameRates, { pixels, rates }: ModelRates): ModelScore {
  const tallies = NOWCAST_THRESHOLDS.map((threshold) => ({ threshold, tally: emptyTally() }))
  let compared = 0
  for (let i = 0; i < pixels.length; i++) {
    const rate = seen[pixels[i]!]!
    if (Number.isNaN(rate)) continue
    compared++
    for (const { threshold, tally } of tallies) count(tally, rates[i]! >= threshold, rate >= threshold)
  }
  return { pixels: compared, tallies: tallies.map(({ tally }) => tally) }
}

/** Adds a point to the bin of its probability, 0 to 1, which is rounded to percent as in answers. */
function addPoint(bins: readonly Writable<ProbabilityBin>[], probability: number, isWet: boolean): void {
  const percent = Math.round(100 * probability)
  const bin = bins[Math.min(bins.length - 1, Math.floor((percent * bins.length) / 100))]
  // A probability without coverage is NaN and has no bin.
  if (!bin) return
  bin.points++
  bin.probability += percent / 100
  if (isWet) bin.wet++
}
