import { type FieldRow, fillField } from './field.ts'
import { leading } from './field-table.ts'
import { orderOf } from './fields.ts'
import type { RowFiller } from './row-filler.ts'
import { fieldSourcesOf, type RunsByDataset } from './run-values.ts'

/**
 * Liquid of the other models: hours of HRRR and RRFS, then 3 and 6 hours of GFS. It distributes the calibrated sums of
 * NBM over their hours.
 */
const { from, ...amount } = orderOf('precip_amount')
const liquid = fieldSourcesOf({ ...amount, from: from.filter(({ dataset }) => dataset !== leading) }, 'precip_amount')

/** Fills the weights by which liquid amounts are split. */
export function guideLiquid(filler: RowFiller, guide: FieldRow, runs: RunsByDataset): void {
  fillField(filler, guide, liquid, runs, 0)
}

/** Fills the weights by which snow is split: the liquid of cold hours. */
export function guideSnow(filler: RowFiller, guide: FieldRow, amount: FieldRow, temperature: FieldRow): void {
  filler.open(guide.values)
  filler.guideSnow(amount.values, temperature.values)
}
