import { cloudTransmission } from '../../ingest/domain/sky/uv.ts'
import { LIGHT_RAIN, LIGHT_SNOW } from '../../ingest/domain/weather/conditions.ts'
import { SNOW } from '../../ingest/domain/weather/precip-type.ts'
import type { Column } from './fields.ts'

/** Values of the sky at one time: percent, m, and the UV index; NaN if unknown. */
export interface SkyValues {
  cloud_cover: number
  cloud_cover_low: number
  cloud_cover_mid: number
  cloud_cover_high: number
  visibility: number
  uv_index: number
}

const layerNames = ['cloud_cover_low', 'cloud_cover_mid', 'cloud_cover_high'] as const
const skyNames = ['cloud_cover', ...layerNames, 'visibility', 'uv_index'] as const satisfies readonly Column[]

/** Minimum cloud cover (percent) with light precipitation, and with moderate or heavy precipitation. */
const LIGHT_CLOUDS = 60
const MODERATE_CLOUDS = 90
/** Visibility may exceed the mean for its rate by this factor, because drops and flakes differ in size. */
const VISIBILITY_MARGIN = 2

/** Scratch values of one hour. Blending is synchronous, so one object serves all hours. */
const hourSky: SkyValues = {
  cloud_cover: 0,
  cloud_cover_low: 0,
  cloud_cover_mid: 0,
  cloud_cover_high: 0,
  visibility: 0,
  uv_index: 0,
}

/** Applies a change to the sky of an hour. */
export function changeSky(
  columns: Readonly<Record<Column, Float64Array>>,
  h: number,
  change: (sky: SkyValues) => void,
): void {
  for (const name of skyNames) hourSky[name] = columns[name][h]!
  change(hourSky)
  for (const name of skyNames) columns[name][h] = hourSky[name]
}

/**
 * Scales the layers of clouds so that the total cover is at least the greatest layer and at most their sum. The total
 * does not change, because it comes from the calibrated source. A total without any layer becomes a middle layer.
 */
export function alignLayers(sky: SkyValues): void {
  const { cloud_cover: total, cloud_cover_low: low, cloud_cover_mid: mid, cloud_cover_high: high } = sky
  const greatest = Math.max(low, mid, high)
  const sum = low + mid + high
  // NaN compares as false: hours without a total or a layer stay as they are.
  if (greatest > total) {
    for (const name of layerNames) sky[name] = Math.round((sky[name] * total) / greatest)
  } else if (sum === 0 && total > 0) sky.cloud_cover_mid = total
  else if (sum < Math.min(total, 100)) {
    for (const name of layerNames) sky[name] = Math.min(total, Math.ceil((sky[name] * total) / sum))
  }
}

/**
 * Makes the sky consistent with observed precipitation: clouds of at least 60 percent (90 from a moderate rate on), a
 * visibility that is plausible for the rate, and the UV index of those clouds.
 * @param type a wet type of `precip-type.ts`
 * @param rate mm/h of liquid
 */
export function alignSky(sky: SkyValues, type: number, rate: number): void {
  const before = sky.cloud_cover
  const least = rate >= (type === SNOW ? LIGHT_SNOW : LIGHT_RAIN) ? MODERATE_CLOUDS : LIGHT_CLOUDS
  if (before < least) {
    sky.cloud_cover = least
    sky.uv_index *= cloudTransmission(least) / cloudTransmission(before)
  }
  const farthest = VISIBILITY_MARGIN * visibilityIn(type, rate)
  if (sky.visibility > farthest) sky.visibility = farthest
  alignLayers(sky)
}

/** Extinction (1/km) of a water content C (g/m³) is `factor * C ** exponent`; fall speed in m/s. */
const rainDrops = { factor: 2.24, exponent: 0.75, fallSpeed: 5 }
const snowFlakes = { factor: 10.36, exponent: 0.7776, fallSpeed: 1 }

/**
 * Returns the visibility (m) in precipitation by the relations of NCEP's post-processor (UPP, subroutine CALVIS, after
 * Stoelinga and Warner, J. Appl. Meteor. 38, 1999): a contrast of 2 percent remains at 3.912 divided by the extinction.
 * Rain of 2.5 mm/h gives 7.7 km, of 25 mm/h 1.4 km; snow of 1 mm/h gives 1.0 km.
 * @param rate mm/h of liquid
 */
export function visibilityIn(type: number, rate: number): number {
  const { factor, exponent, fallSpeed } = type === SNOW ? snowFlakes : rainDrops
  const content = rate / (3.6 * fallSpeed)
  return content > 0 ? (1000 * 3.912) / (factor * content ** exponent) : Number.POSITIVE_INFINITY
}
