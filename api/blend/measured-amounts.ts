import { HOUR } from '../../ingest/domain/time.ts'
import { FREEZING_RAIN, NONE, RAIN, SNOW, TYPE_AMOUNT, typeAtSurface } from '../../ingest/domain/weather/precip-type.ts'
import type { Draft } from './columns.ts'
import { scaleFrozen, TRACE } from './consistency.ts'
import type { PassedHours } from './passed-hours.ts'
import { likeliestType, moveToType } from './type-probabilities.ts'

/**
 * Replaces forecast amounts by measured amounts in the rows before the current row. Snow and ice keep their share of
 * the liquid. A passed hour has no probability.
 */
export function measureAmounts(
  { columns, precipType, start, now }: Pick<Draft, 'columns' | 'precipType' | 'start' | 'now'>,
  passed: PassedHours,
): void {
  const { precip_amount, precip_probability, temperature, humidity } = columns
  for (let h = 0; h < now; h++) {
    const measured = passed.amount(start + h * HOUR)
    if (Number.isNaN(measured)) continue
    const before = precip_amount[h]!
    precip_amount[h] = measured < TRACE ? 0 : measured
    precip_probability[h] = Number.NaN
    if (!(measured >= TYPE_AMOUNT)) precipType[h] = NONE
    else if (precipType[h] === NONE) {
      const named = likeliestType(columns, h)
      const type = typeAtSurface(named, temperature[h]!, humidity[h]!)
      if (type !== named) moveToType(columns, h, type, 1)
      precipType[h] = type
    }
    scaleFrozen(columns, h, before, precipType[h]!)
    fillFrozenOfPassed(columns, h, precipType[h]!)
  }
}

/**
 * Sets unknown snow and ice of a passed hour to 0 if it was dry or its type excludes them, even if no source forecasts
 * them.
 */
export function fillFrozenOfPassed(
  { precip_amount, snow_amount, ice_amount }: Draft['columns'],
  h: number,
  type: number,
): void {
  const amount = precip_amount[h]!
  if (Number.isNaN(amount)) return
  const isDry = amount === 0 || type === NONE || type === RAIN
  if (Number.isNaN(snow_amount[h]!) && (isDry || type === FREEZING_RAIN)) snow_amount[h] = 0
  if (Number.isNaN(ice_amount[h]!) && (isDry || type === SNOW)) ice_amount[h] = 0
}
