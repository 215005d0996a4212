import { nth } from '../domain/nth.ts'
import { STRETCH } from './advection.ts'
import { decibelsOf, type Matching, matched, rateOfDecibels, WET_DECIBELS } from './decibels.ts'

/**
 * Separates echoes by scale as they move. Structure smaller than some 10 pixels fades as fast as it did over the
 * frames; larger structure continues to change as it did (an autoregressive process of second order). Row-major, north
 * first; node k lies at pixel (k + ½) spacing − ½.
 */
export interface Scales {
  readonly nx: number
  readonly ny: number
  /** Frame pixels between nodes. */
  readonly spacing: number
  /** Smooth part of the anchor, decibels in steps of `SCALE_QUANTUM`. */
  readonly smooth: Uint8Array
  /** The smooth part of the previous frame, moved to the anchor, minus that of the anchor; in the same steps. */
  readonly before: Int8Array
  /** One element for each five minutes of lead, beginning with five minutes. */
  readonly leads: readonly ScaleLead[]
}

/** Factors of the three parts at one lead, and the decibels that their sum stands for. */
export interface ScaleLead {
  /** Factors of the small-scale part, of the smooth part, and of the difference from the previous frame. */
  readonly fine: number
  readonly smooth: number
  readonly before: number
  readonly matching: Matching
}

/** Unit: decibels of rate. The largest smooth part, 255 steps, is a cloudburst. */
export const SCALE_QUANTUM = 0.15

/**
 * A change of fewer decibels counts as none, so that rates keep the steps of their format and stay on their side of a
 * threshold.
 */
const UNCHANGED = 0.25

/** The value between nodes, bilinear; beyond the edge the value at the edge. */
function between(scales: Scales, values: Uint8Array | Int8Array, x: number, y: number): number {
  const { nx, ny, spacing } = scales
  const fx = Math.min(Math.max((x + 0.5) / spacing - 0.5, 0), nx - 1)
  const fy = Math.min(Math.max((y + 0.5) / spacing - 0.5, 0), ny - 1)
  const i = Math.min(fx | 0, nx - 2)
  const j = Math.min(fy | 0, ny - 2)
  const px = fx - i
  const py = fy - j
  const k = j * nx + i
  return (
    SCALE_QUANTUM *
    ((1 - py) * ((1 - px) * values[k]! + px * values[k + 1]!) +
      py * ((1 - px) * values[k + nx]! + px * values[k + nx + 1]!))
  )
}

/**
 * Returns what the rain rate at a position of the anchor becomes by the change of its scales. Over the whole frame the
 * rates keep the distribution of the anchor: rain that fades at one place intensifies at another. A rate below 0.1 mm/h
 * is unchanged unless it becomes a higher rate.
 * @param rate mm/h at x, y; NaN (no coverage) stays NaN
 */
export function scaledRate(scales: Scales | undefined, x: number, y: number, minutes: number, rate: number): number {
  if (!scales || minutes <= 0 || Number.isNaN(rate)) return rate
  const step = Math.min(Math.max(1, Math.round(minutes / STRETCH)), scales.leads.length)
  const lead = nth(scales.leads, step - 1)
  const smooth = between(scales, scales.smooth, x, y)
  const decibels = decibelsOf(rate)
  // There is no echo nearby.
  if (smooth === 0 && decibels === 0) return rate
  const sum =
    lead.fine * (decibels - smooth) + lead.smooth * smooth + lead.before * between(scales, scales.before, x, y)
  const now = matched(lead.matching, sum)
  if (Math.abs(now - decibels) < UNCHANGED) return rate
  if (now >= WET_DECIBELS) return rateOfDecibels(now)
  return decibels === 0 ? rate : 0
}
