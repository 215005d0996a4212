import { type UnitSystem, units } from '../present/units.ts'
import type { Palette } from './colours.ts'

const MM_PER_INCH = 25.4
/** Number of digits of a value of a legend in inches. */
const INCH_DIGITS = 2

/**
 * The palette of a radar product as a legend shows it: amounts and rates in inches for imperial units, otherwise in mm.
 * The steps stay in the unit of the product.
 */
export function shownIn(palette: Palette, system: UnitSystem): Palette {
  if (system !== 'imperial' || !palette.unit.startsWith('mm')) return palette
  const { label } = units.imperial.conversions.precip_amount
  return {
    ...palette,
    unit: palette.unit.replace('mm', label),
    labels: palette.steps.map(({ from }) => String(Number((from / MM_PER_INCH).toFixed(from < 1 ? 3 : INCH_DIGITS)))),
  }
}

/** The label of a step of a palette, from 0. */
export const labelOf = ({ labels, steps }: Palette, step: number): string =>
  labels?.[step] ?? String(steps[step]?.from ?? '')
