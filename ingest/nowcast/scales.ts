import { nth } from '../domain/nth.ts'
import { STRETCH } from './advection.ts'
import { decibelsOf, emphasize, type Matching, matched, rateOfDecibels, WET_DECIBELS } from './decibels.ts'

/**
 * Separates echoes by scale as they move. Structure of each size fades as it did over the frames: that of a few
 * kilometres within half an hour, that of 30 km and more over hours. Larger structure also continues to change as it
 * did (an autoregressive process of second order).
 */
export interface Scales {
  /** From fine to coarse. */
  readonly levels: readonly ScaleLevel[]
  /** One element for each five minutes of lead, beginning with five minutes. */
  readonly leads: readonly ScaleLead[]
}

/** Means of the anchor over neighbourhoods of one size. Row-major, north first; node k lies at pixel (k + ½) spacing − ½. */
export interface ScaleLevel {
  readonly nx: number
  readonly ny: number
  /** Frame pixels between nodes. */
  readonly spacing: number
  /** Mean of emphasized decibels, in steps of `SCALE_QUANTUM`. */
  readonly smooth: Uint8Array
  /** The mean of the previous frame, moved to the anchor, minus that of the anchor; in the same steps. */
  readonly before: Int8Array
}

/** How the pixel and the means around it are summed at one lead, and which decibels a sum becomes. */
export interface ScaleLead {
  /** Factor of the pixel itself. */
  readonly fine: number
  /** Factors of each level's mean and of its difference from the previous frame. */
  readonly smooth: readonly number[]
  readonly before: readonly number[]
  readonly matching: Matching
}

/** Unit: emphasized decibels. The largest mean, 255 steps, is a cloudburst. */
export const SCALE_QUANTUM = 0.15

/**
 * A change of fewer decibels counts as none, so that rates keep the steps of their format and stay on their side of a
 * threshold.
 */
const UNCHANGED = 0.25

/**
 * Returns what the rain rate at a position of the anchor becomes by the change of its scales. Over the whole frame the
 * rates keep the distribution of the anchor: rain that fades at one place intensifies at another. A rate below 0.1 mm/h
 * is unchanged unless it becomes a higher rate.
 * @param rate mm/h at x, y; NaN (no coverage) stays NaN
 */
export function scaledRate(scales: Scales | undefined, x: number, y: number, minutes: number, rate: number): number {
  if (!scales || minutes <= 0 || Number.isNaN(rate)) return rate
  const { levels, leads } = scales
  const { fine, smooth, before, matching } = nth(
    leads,
    Math.min(Math.max(1, Math.round(minutes / STRETCH)), leads.length) - 1,
  )
  const decibels = decibelsOf(rate)
  let sum = fine * emphasize(decibels)
  for (let l = 0; l < levels.length; l++) {
    const { nx, ny, spacing, smooth: means, before: differences } = levels[l]!
    const fx = Math.min(Math.max((x + 0.5) / spacing - 0.5, 0), nx - 1)
    const fy = Math.min(Math.max((y + 0.5) / spacing - 0.5, 0), ny - 1)
    const i = Math.min(fx | 0, nx - 2)
    const j = Math.min(fy | 0, ny - 2)
    const k = j * nx + i
    const [p, q] = [fx - i, fy - j]
    const [a, b, c, d] = [(1 - p) * (1 - q), p * (1 - q), (1 - p) * q, p * q]
    const mean = a * means[k]! + b * means[k + 1]! + c * means[k + nx]! + d * means[k + nx + 1]!
    // There is no echo nearby.
    if (l === 0 && mean === 0 && decibels === 0) return rate
    const difference =
      a * differences[k]! + b * differences[k + 1]! + c * differences[k + nx]! + d * differences[k + nx + 1]!
    sum += SCALE_QUANTUM * (smooth[l]! * mean + before[l]! * difference)
  }
  const now = matched(matching, sum)
  if (Math.abs(now - decibels) < UNCHANGED) return rate
  if (now >= WET_DECIBELS) return rateOfDecibels(now)
  return decibels === 0 ? rate : 0
}
