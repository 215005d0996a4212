import { type Instant, MINUTE } from '../../ingest/domain/time.ts'
import type { NowcastPoint, ScanRate } from '../contract.ts'

/** Length of a step of the nowcast. */
export const STEP_MS = 5 * MINUTE
/**
 * Greatest interval between two scans that describe the minutes between them. The newest scan describes the same number
 * of minutes after it.
 */
const MAX_SCAN_GAP_MS = 15 * MINUTE

/**
 * Precipitation of each minute from `from` on, mm/h: measured by radar scans up to now (interpolated linearly between
 * two scans), then from the steps of the nowcast. NaN for minutes that neither describes.
 */
export function minuteRates(
  from: Instant,
  minutes: number,
  now: Instant,
  steps: readonly NowcastPoint[],
  scans: readonly ScanRate[],
): Float64Array {
  const rates = new Float64Array(minutes).fill(Number.NaN)
  const setMinutes = (begin: Instant, end: Instant, rateAt: (time: Instant) => number) => {
    const last = Math.min(minutes, Math.ceil((end - from) / MINUTE))
    for (let m = Math.max(0, Math.ceil((begin - from) / MINUTE)); m < last; m++) rates[m] = rateAt(from + m * MINUTE)
  }
  for (const { time, type, rate = 0 } of steps) {
    if (type !== 'no_coverage') setMinutes(time, time + STEP_MS, () => rate)
  }
  for (const [i, { time, rate }] of scans.entries()) {
    if (Number.isNaN(rate)) continue
    const next = scans[i + 1]
    if (!next) setMinutes(time, Math.min(now, time + MAX_SCAN_GAP_MS), () => rate)
    else if (next.time - time <= MAX_SCAN_GAP_MS && !Number.isNaN(next.rate)) {
      const slope = (next.rate - rate) / (next.time - time)
      setMinutes(time, Math.min(now, next.time), (at) => rate + slope * (at - time))
    }
  }
  return rates
}

/** Amount from the known rates of the minutes from `first` on, mm. */
export function fallenUntil(rates: Float64Array, first: number, minutes: number): number {
  let sum = 0
  for (let m = first; m < first + Math.floor(minutes); m++) sum += (rates[m] || 0) / 60
  return sum
}

/**
 * Amount of the hour that begins at a minute, mm: the rates of the minutes that have a rate, and the model's share for
 * the others.
 * @param rates mm/h of each minute
 * @param model mm of the hour
 * @returns NaN if neither has a value
 */
export function hourAmount(rates: Float64Array, first: number, model: number): number {
  const { minutes: describedMinutes, amount: sum } = describedAmount(rates, first)
  const isKnown = describedMinutes === 60 || (describedMinutes > 0 && Number.isNaN(model))
  return isKnown ? sum : sum + (model * (60 - describedMinutes)) / 60
}

/** Number of minutes with a rate in the hour that begins at a minute, and their amount, mm. */
export function describedAmount(rates: Float64Array, first: number): { minutes: number; amount: number } {
  const known = rates.subarray(first, first + 60).filter((rate) => !Number.isNaN(rate))
  return { minutes: known.length, amount: known.reduce((sum, rate) => sum + rate / 60, 0) }
}
