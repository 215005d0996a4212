import { type FieldRow, fillField } from './field.ts'
import { leading } from './field-table.ts'
import { orderOf } from './fields.ts'
import type { RowFiller } from './row-filler.ts'
import { recipeOf, type Supplies } from './supply.ts'

/** Hours of HRRR, then 3 and 6 hours of GFS: the distribution within the calibrated sums of NBM. */
const { from, ...amount } = orderOf('precip_amount')
const liquid = recipeOf({ ...amount, from: from.filter(({ dataset }) => dataset !== leading) }, 'precip_amount')

/** Fills the weights for splitting liquid amounts. */
export function guideLiquid(filler: RowFiller, guide: FieldRow, supplies: Supplies): void {
  fillField(filler, guide, liquid, supplies, 0)
}

/** Fills the weights for splitting snow: the liquid of cold hours. */
export function guideSnow(filler: RowFiller, guide: FieldRow, amount: FieldRow, temperature: FieldRow): void {
  filler.open(guide.values)
  filler.guideSnow(amount.values, temperature.values)
}
