import { orderOf } from '../../ingest/domain/source-order.ts'
import { fillField } from './field.ts'
import { kernels } from './kernels.ts'
import { recipeOf, type Supplies } from './supply.ts'

/** HRRR's hours, then GFS's 3 and 6 hours: of the order of amounts what gives the hours within the calibrated sums. */
const { from, ...amount } = orderOf('precip_amount')
const liquid = recipeOf({ ...amount, from: from.filter(({ dataset }) => dataset !== 'nbm') }, 'precip_amount')

/** The shares by which liquid of several hours is dealt out. */
export function guideLiquid(guide: number, count: number, supplies: Supplies): void {
  fillField({ place: guide, marks: 0, guide: 0, count, past: 0 }, liquid, supplies)
}

/** Of snow: the cold part of the liquid. */
export function guideSnow(guide: number, amount: number, temperature: number): void {
  kernels.open(guide, 0)
  kernels.guideSnow(amount, temperature)
}
