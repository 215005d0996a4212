import type { HourValue } from '../../answer/value.ts'

/**
 * Codes of WMO table 4677, of which Open-Meteo uses the 28 that https://open-meteo.com/en/docs lists. None of these names sleet,
 * mixed precipitation, haze or smoke: sleet has the codes of freezing rain, a mix those of snow, haze and smoke those of the clouds.
 */
const code = { clear: 0, mainlyClear: 1, partlyCloudy: 2, overcast: 3, fog: 45, thunderstorm: 95 } as const

/** Codes with the least amount for each, in ascending order. */
type CodeSteps = readonly (readonly [from: number, code: number])[]

/** Liquid of an hour, mm. Below 0.5 mm steady rain is light drizzle, as Open-Meteo draws the line. */
const rain: CodeSteps = [
  [0, 51],
  [0.5, 53],
  [1, 55],
  [1.3, 61],
  [2.5, 63],
  [7.6, 65],
]
const showers: CodeSteps = [
  [0, 80],
  [2.5, 81],
  [7.6, 82],
]
const freezing: CodeSteps = [
  [0, 56],
  [0.5, 57],
  [1.3, 66],
  [2.5, 67],
]
/** New snow of an hour, cm. */
const snow: CodeSteps = [
  [0, 71],
  [0.2, 73],
  [0.8, 75],
]
const snowShowers: CodeSteps = [
  [0, 85],
  [0.8, 86],
]

/** Depth of snow, cm, from its liquid, mm, if no depth is known: ten to seven, as at Open-Meteo. */
const SNOW_RATIO = 0.7

/** Codes by the slug of an icon without `-day` and `-night`. */
const falling: Readonly<Record<string, { readonly steps: CodeSteps; readonly frozen?: true }>> = {
  rain: { steps: rain },
  showers: { steps: showers },
  sleet: { steps: freezing },
  snow: { steps: snow, frozen: true },
  'rain-snow': { steps: snow, frozen: true },
  'snow-showers': { steps: snowShowers, frozen: true },
  'rain-snow-showers': { steps: snowShowers, frozen: true },
}

/** Returns the code of an hour in metric units; null if its icon is not known. */
export function weatherCodeOf(row: Partial<HourValue>): number | null {
  const icon = row.icon?.replace(/-(?:day|night)$/, '')
  if (icon === undefined) return null
  if (icon.startsWith('thunder')) return code.thunderstorm
  if (icon === 'fog') return code.fog
  const precipitation = Object.hasOwn(falling, icon) ? falling[icon] : undefined
  if (!precipitation) return ofClouds(row.cloud_cover)
  const liquid = row.precip_amount ?? 0
  const depth = typeof row.snow_amount === 'number' ? row.snow_amount / 10 : liquid * SNOW_RATIO
  const amount = precipitation.frozen ? depth : liquid
  return precipitation.steps.findLast(([from]) => amount >= from)?.[1] ?? null
}

/** @param cover percent */
function ofClouds(cover: number | null | undefined): number | null {
  if (typeof cover !== 'number') return null
  if (cover < 20) return code.clear
  if (cover < 50) return code.mainlyClear
  return cover < 80 ? code.partlyCloudy : code.overcast
}
