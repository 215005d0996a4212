import { kernels } from './kernels.ts'
import type { Supplies } from './supply.ts'

/** The shares by which liquid of several hours is dealt out: HRRR's hours, then GFS's 3 and 6 hours. */
export function guideLiquid(guide: number, count: number, supplies: Supplies): void {
  kernels.open(guide, 0)
  for (const dataset of ['hrrr', 'hrrr-long']) {
    const strip = supplies.get(dataset)?.[0]?.strip('precip_amount')
    if (strip) kernels.fillHourly(strip.times, strip.values, strip.length, count)
  }
  for (const hours of [3, 6]) {
    const strip = supplies.get('gfs')?.[0]?.strip(`precip_amount_${hours}h`)
    if (strip && kernels.lacks()) kernels.fillSplit(strip.times, strip.values, strip.length, count, hours, 0)
  }
}

/** Of snow: the cold part of the liquid. */
export function guideSnow(guide: number, liquid: number, temperature: number): void {
  kernels.open(guide, 0)
  kernels.guideSnow(liquid, temperature)
}
