import { nth } from '../nth.ts'

/**
 * Cloud cover in percent, and the share of the UV index that such clouds transmit: the factors of the NWS forecast (EPA, "How is the UV
 * index calculated").
 */
const covers = [0, 37, 75, 100]
const shares = [1, 0.89, 0.73, 0.31]

/**
 * Returns the UV index from ozone and the sun's altitude: 12.5 μ^2.42 (Ω/300)^-1.23 under a clear sky (S. Madronich, Photochem. Photobiol.
 * 83, 2007), plus 6 % for each kilometre of elevation, times the share that clouds transmit.
 * @param ozone column in Dobson units
 * @param sunSine sine of the sun's altitude
 * @param cloudCover percent
 * @param height metres above the sea
 */
export function uvIndexUnder(ozone: number, sunSine: number, cloudCover = 0, height = 0): number {
  if (Number.isNaN(ozone) || ozone <= 0) return Number.NaN
  if (sunSine <= 0) return 0
  // A single exponential for the product of the two powers takes a third of the time.
  const clear = 12.5 * Math.exp(2.42 * Math.log(sunSine) - 1.23 * Math.log(ozone / 300))
  return clear * (1 + 0.00006 * Math.max(0, height)) * cloudTransmission(cloudCover)
}

/**
 * Returns the UV index from the altitude instead of its sine.
 * @param sunAltitude degrees
 */
export function uvIndexOf(ozone: number, sunAltitude: number, cloudCover = 0, height = 0): number {
  return uvIndexUnder(ozone, Math.sin((sunAltitude * Math.PI) / 180), cloudCover, height)
}

/**
 * Returns the share of the UV index (0 to 1) that clouds transmit.
 * @param cover percent; NaN counts as clear
 */
export function cloudTransmission(cover: number): number {
  if (Number.isNaN(cover)) return 1
  for (let i = 1; i < covers.length; i++) {
    if (cover > nth(covers, i)) continue
    const from = nth(covers, i - 1)
    return (
      nth(shares, i - 1) +
      ((nth(shares, i) - nth(shares, i - 1)) * (Math.max(cover, 0) - from)) / (nth(covers, i) - from)
    )
  }
  return nth(shares, shares.length - 1)
}
