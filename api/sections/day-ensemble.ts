import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import type { Quantity } from '../present/units.ts'
import { periodEnd } from './day-periods.ts'

const SNOW = ['1in', '3in', '6in', '12in', '18in'].map((limit) => `ensemble_snow_nearby_prob_gt_${limit}`)
const PRECIPITATION = ['010in', '025in', '050in', '100in', '200in', '300in', '500in'].map(
  (limit) => `ensemble_precip_prob_gt_${limit}`,
)
/** Variables of REFS with windows of 24 hours. */
export const ensembleProbabilities: readonly string[] = [...SNOW, ...PRECIPITATION]

/** The numeric members of DailyUncertainty that REFS provides. */
export const ensembleNumbers: readonly { readonly name: string; readonly quantity: Quantity }[] = [
  ...ensembleProbabilities.map((name) => ({ name, quantity: 'percent' as const })),
  { name: 'ensemble_members', quantity: 'whole' },
]

/** Minimum number of hours that a window of 24 hours must share with the row. REFS has a window every 3 hours. */
const MIN_SHARED_HOURS = 22

/** Returns the value of a variable at exactly a time in the newest run that has it; NaN if no run does. */
function valueAt(forecast: Forecast, variable: string, time: Instant): number {
  for (const { times, values } of forecast.periods.seriesOf(variable)) {
    const value = values[times.indexOf(time)] ?? Number.NaN
    if (!Number.isNaN(value)) return value
  }
  return Number.NaN
}

/**
 * Returns the values of `ensembleNumbers` for one window of 24 hours, then its start and end; all NaN if no window
 * shares 22 hours with the row.
 */
export function ensembleOf(forecast: Forecast, { start, end }: Pick<DayWindow, 'start' | 'end'>): readonly number[] {
  let windowEnd = Number.NaN
  for (const variable of ensembleProbabilities) {
    windowEnd = periodEnd(forecast, variable, 24, start, end, MIN_SHARED_HOURS)
    if (!Number.isNaN(windowEnd)) break
  }
  const values = ensembleNumbers.map(({ name }) => valueAt(forecast, name, windowEnd))
  return [...values, windowEnd - 24 * HOUR, windowEnd]
}
