import { orderOf } from '../../ingest/domain/source-order.ts'
import { type FieldRow, fillField } from './field.ts'
import { kernels } from './kernels.ts'
import { recipeOf, type Supplies } from './supply.ts'

/** HRRR's hours, then GFS's 3 and 6 hours: of the order of amounts what gives the hours within the calibrated sums. */
const { from, ...amount } = orderOf('precip_amount')
const liquid = recipeOf({ ...amount, from: from.filter(({ dataset }) => dataset !== 'nbm') }, 'precip_amount')

/** Makes the shares by which liquid of several hours is dealt out. */
export function guideLiquid(guide: FieldRow, supplies: Supplies): void {
  fillField(guide, liquid, supplies, 0)
}

/** And of snow: the cold part of the liquid. */
export function guideSnow(guide: FieldRow, amount: FieldRow, temperature: FieldRow): void {
  kernels.open(guide.place, 0)
  kernels.guideSnow(amount.place, temperature.place)
}
