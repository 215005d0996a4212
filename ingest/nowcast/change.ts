import type { Calibration } from '../domain/verification/calibration.ts'
import { type Scales, scaledRate } from './scales.ts'
import { changeAt, rateFactor, type Trend } from './trend.ts'

/** How echoes change while they move; a part is absent if it could not be estimated. */
export interface EchoChange {
  readonly trend?: Trend | undefined
  readonly scales?: Scales | undefined
  /** Correction of probabilities, learned from scores of days before; it changes no rate. */
  readonly calibration?: Calibration | undefined
}

/**
 * Rain rate that arrives from a position of the anchor frame, after the change by scale and then the trend of the echo.
 * @param rate mm/h at the anchor; NaN (no coverage) stays NaN
 */
export function forecastRate(
  { trend, scales }: EchoChange,
  x: number,
  y: number,
  minutes: number,
  rate: number,
): number {
  const scaled = scaledRate(scales, x, y, minutes, rate)
  return scaled > 0 ? scaled * rateFactor(changeAt(trend, x, y, minutes)) : scaled
}
