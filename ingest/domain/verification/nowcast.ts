import type { DomainId } from '../domain.ts'
import { nth } from '../nth.ts'
import { type Figure, type ReliabilityBin, scoresOverDays } from './figures.ts'
import { MIN_PAIRS, PROBABILITY_BINS } from './statistics.ts'

/** Verified leads of nowcasts, minutes; the served nowcast ends after 90 minutes. */
export const NOWCAST_LEADS = [5, 10, 15, 20, 30, 45, 60, 90] as const
/** Verified rain rates, mm/h. */
export const NOWCAST_THRESHOLDS = [0.1, 1, 5] as const

/** Counts of pixels at a threshold. */
export interface PixelCounts {
  readonly hits: number
  readonly misses: number
  readonly falseAlarms: number
}

/** Sums over points whose probability is in one bin: their number, their probabilities (0 to 1), the wet points. */
export interface ProbabilityBin {
  readonly points: number
  readonly probability: number
  readonly wet: number
}

/** Counts of the model against the observed frame, at points of its tiles. */
export interface ModelScore {
  /** Number of compared points. */
  readonly pixels: number
  /** In the order of `NOWCAST_THRESHOLDS`. */
  readonly tallies: readonly PixelCounts[]
}

/** Counts of one nowcast against the observed frame, at pixels that the nowcast, its anchor and the frame cover. */
export interface LeadScore {
  /** Minutes. */
  readonly lead: number
  /** Number of compared pixels. */
  readonly pixels: number
  readonly tallies: readonly {
    readonly threshold: number
    readonly nowcast: PixelCounts
    /** The anchor frame, unmoved. */
    readonly persistence: PixelCounts
  }[]
  /** Ten bins of the served probability. */
  readonly bins: readonly ProbabilityBin[]
  /** Ten bins of the probability before calibration, without the points where it is 0 %. */
  readonly rawBins: readonly ProbabilityBin[]
  /** Only at full hours, if a run of the model was served when the nowcast was. */
  readonly model?: ModelScore
}

/** Sums of one day (UTC) of one domain, lead and threshold. */
export interface NowcastDay {
  readonly domain: DomainId
  readonly day: string
  readonly lead: number
  /** mm/h. */
  readonly threshold: number
  readonly frames: number
  readonly pixels: number
  readonly hits: number
  readonly misses: number
  readonly false_alarms: number
  /** The anchor frame, unmoved. */
  readonly still_hits: number
  readonly still_misses: number
  readonly still_false_alarms: number
  /** Frames of full hours that the model was compared with, and its points. */
  readonly model_frames: number
  readonly model_pixels: number
  readonly model_hits: number
  readonly model_misses: number
  readonly model_false_alarms: number
}

/** Sums of one bin of the served probability over a period. */
export interface NowcastBin extends ProbabilityBin {
  readonly domain: DomainId
  readonly lead: number
  /** 0 for 0 to 10 %. */
  readonly bin: number
}

export const NOWCAST_SOURCES = ['nowcast', 'persistence', 'model'] as const
export type NowcastSource = (typeof NOWCAST_SOURCES)[number]

/** Least number of verified frames of a score. A day has 144, and 24 of full hours, with which the model is compared. */
export const MIN_FRAMES: Readonly<Record<NowcastSource, number>> = { nowcast: 30, persistence: 30, model: 18 }

/** Scores of the nowcast, of its anchor unmoved, or of the model, at one lead and threshold in one domain. */
export interface NowcastFigure {
  readonly domain: DomainId
  readonly source: NowcastSource
  /** Minutes. */
  readonly lead: number
  /** mm/h. */
  readonly threshold: number
  readonly frames: number
  readonly pixels: number
  readonly days: number
  readonly scores: Readonly<Record<string, Figure>>
}

/** The sums of a day by source: frames, pixels, hits, misses, false alarms. */
const sumsOf: Readonly<Record<NowcastSource, (day: NowcastDay) => readonly [number, number, number, number, number]>> =
  {
    nowcast: (day) => [day.frames, day.pixels, day.hits, day.misses, day.false_alarms],
    persistence: (day) => [day.frames, day.pixels, day.still_hits, day.still_misses, day.still_false_alarms],
    model: (day) => [day.model_frames, day.model_pixels, day.model_hits, day.model_misses, day.model_false_alarms],
  }

/**
 * Returns the scores over the given days, which have one domain, lead and threshold: of the nowcast, of persistence, and of the model if it
 * was compared. `csi` is the critical success index, `pod` the share of observed pixels that were forecast, `far` the share of forecast pixels
 * that were not observed, `frequency_bias` forecast pixels divided by observed ones. A score without events is absent.
 */
export function nowcastFigures(days: readonly NowcastDay[]): NowcastFigure[] {
  const [first] = days
  if (!first) return []
  const { domain, lead, threshold } = first
  return NOWCAST_SOURCES.flatMap((source) => {
    const compared = days.map(sumsOf[source]).filter(([frames]) => frames > 0)
    if (compared.length === 0) return []
    const sum = (at: 0 | 1) => compared.reduce((total, sums) => total + sums[at], 0)
    const rows = compared.map(([, , ...counts]) => Float64Array.from(counts))
    const about = { domain, source, lead, threshold, frames: sum(0), pixels: sum(1), days: compared.length }
    return { ...about, scores: scoresOverDays(pixelScores, rows) }
  })
}

const pixelScores = {
  csi: (sums: ArrayLike<number>) => nth(sums, 0) / (nth(sums, 0) + nth(sums, 1) + nth(sums, 2)),
  pod: (sums: ArrayLike<number>) => nth(sums, 0) / (nth(sums, 0) + nth(sums, 1)),
  far: (sums: ArrayLike<number>) => nth(sums, 2) / (nth(sums, 0) + nth(sums, 2)),
  frequency_bias: (sums: ArrayLike<number>) => (nth(sums, 0) + nth(sums, 2)) / (nth(sums, 0) + nth(sums, 1)),
}

/** Returns the reliability of the ten bins of one domain and lead. */
export function nowcastReliability(bins: readonly NowcastBin[]): ReliabilityBin[] {
  return Array.from({ length: PROBABILITY_BINS }, (_, bin) => {
    const { points: n, probability, wet } = bins.find((row) => row.bin === bin) ?? { points: 0, probability: 0, wet: 0 }
    const isKnown = n >= MIN_PAIRS
    const from = (100 * bin) / PROBABILITY_BINS
    return {
      ...{ from, to: from + 100 / PROBABILITY_BINS, n },
      forecast: isKnown ? (100 * probability) / n : null,
      observed: isKnown ? (100 * wet) / n : null,
    }
  })
}
