import { STRETCH } from './advection.ts'
import { decibelsOf, type Matching, matched, rateOfDecibels, WET_DECIBELS } from './decibels.ts'

/**
 * Echoes apart by scale as they move: what is smaller than some 10 pixels fades as fast as it did over the frames, and what is larger goes on
 * as it changed (an autoregressive process of second order). Row-major, north first; node k lies at pixel (k + ½) spacing − ½.
 */
export interface Scales {
  readonly nx: number
  readonly ny: number
  /** Frame pixels between nodes. */
  readonly spacing: number
  /** Smooth part of the anchor, decibels in steps of `SCALE_QUANTUM`. */
  readonly smooth: Uint8Array
  /** The same of the frame before, moved to the anchor, less that of the anchor; in the same steps. */
  readonly before: Int8Array
  /** One for each five minutes of lead, the first for five. */
  readonly leads: readonly ScaleLead[]
}

/** Factors of the three parts at one lead, and the decibels that their sum stands for. */
export interface ScaleLead {
  /** Of what is smaller than the nodes, of the smooth part, and of the difference to the frame before. */
  readonly fine: number
  readonly smooth: number
  readonly before: number
  readonly matching: Matching
}

/** Decibels of rate. The smooth part of 255 steps is a cloudburst. */
export const SCALE_QUANTUM = 0.15

/** Decibels of a change that counts as none: rates keep the steps of their format, and with them their side of a threshold. */
const UNCHANGED = 0.25

/** The value between nodes, bilinear; that of the edge beyond it. */
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
 * Rain rate that a rate at a position of the anchor becomes by the change of its scales. Over the whole frame the rates are distributed as those of the
 * anchor: what fades at one place gathers at another. A rate below 0.1 mm/h stays unless it becomes a higher one.
 * @param rate mm/h at x, y; NaN without coverage stays NaN
 */
export function scaledRate(scales: Scales | undefined, x: number, y: number, minutes: number, rate: number): number {
  if (!scales || minutes <= 0 || Number.isNaN(rate)) return rate
  const step = Math.min(Math.max(1, Math.round(minutes / STRETCH)), scales.leads.length)
  const lead = scales.leads[step - 1]!
  const smooth = between(scales, scales.smooth, x, y)
  const decibels = decibelsOf(rate)
  // Far from any echo.
  if (smooth === 0 && decibels === 0) return rate
  const sum =
    lead.fine * (decibels - smooth) + lead.smooth * smooth + lead.before * between(scales, scales.before, x, y)
  const now = matched(lead.matching, sum)
  if (Math.abs(now - decibels) < UNCHANGED) return rate
  if (now >= WET_DECIBELS) return rateOfDecibels(now)
  return decibels === 0 ? rate : 0
}
