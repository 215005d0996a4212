import { type Axis, whole } from './axis.ts'
import type { BlendInput } from './blend.ts'
import type { Column } from './columns.ts'
import { fillHourly, fillSplit } from './fill.ts'
import type { Sheet } from './sheet.ts'

/**
 * The shares by which an amount of several hours is dealt out: HRRR's hours, then GFS's 3 hours, for liquid; the cold
 * part of the liquid for snow; the liquid for ice. Made where they are asked for, once; those of liquid and snow on one row.
 */
export function guideOf(
  field: Column,
  sheet: Sheet,
  axis: Axis,
  input: BlendInput,
): (() => Float64Array | undefined) | undefined {
  const make = field === 'precip_amount' ? guideOfLiquid : field === 'snow_amount' ? guideOfSnow : undefined
  if (!make) return field === 'ice_amount' ? () => sheet.columns.precip_amount : undefined
  let made = false
  return () => {
    if (!made) make(sheet, axis, input)
    made = true
    return sheet.guide
  }
}

function guideOfLiquid({ guide }: Sheet, axis: Axis, input: BlendInput): void {
  guide.fill(Number.NaN)
  const of = (dataset: string, variable: string) => input.sources.get(dataset)?.[0]?.variables.get(variable)
  for (const dataset of ['hrrr', 'hrrr-long']) {
    const series = of(dataset, 'precip_amount')
    if (series) fillHourly(guide, whole(axis), series)
  }
  for (const hours of [3, 6]) {
    const series = of('gfs', `precip_amount_${hours}h`)
    if (series) fillSplit(guide, whole(axis), series, hours)
  }
}

function guideOfSnow({ guide, columns }: Sheet): void {
  const { precip_amount, temperature } = columns
  for (let h = 0; h < guide.length; h++) {
    const liquid = precip_amount[h]
    guide[h] = liquid === 0 ? 0 : liquid / (1 + Math.exp(temperature[h] - 274))
  }
}
