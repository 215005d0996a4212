import { type Scales, scaledRate } from './scales.ts'
import { changeAt, rateFactor, type Trend } from './trend.ts'

/** How echoes change while they move; each part is absent if none was found. */
export interface EchoChange {
  readonly trend?: Trend | undefined
  readonly scales?: Scales | undefined
}

/**
 * Rain rate that arrives from a position of the anchor: by the change of its scales, then by the trend of its echo.
 * @param rate mm/h at the anchor; NaN without coverage stays NaN
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
