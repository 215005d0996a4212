import { HOUR } from '../../ingest/domain/time.ts'
import { FREEZING_RAIN, NONE, RAIN, SNOW, TYPE_AMOUNT, typeAtSurface } from '../../ingest/domain/weather/precip-type.ts'
import { closeFrozen, TRACE } from './closure.ts'
import type { Draft } from './columns.ts'
import type { PassedHours } from './passed-hours.ts'
import { likeliestType, moveToType } from './type-probabilities.ts'

/**
 * Measured amounts in the place of forecast ones, in the rows before the current one. Snow and ice keep their share of the liquid. A
 * passed hour has no probability.
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
    closeFrozen(columns, h, before, precipType[h]!)
    closePassed(columns, h, precipType[h]!)
  }
}

/** A passed hour without snow or ice has none of it, also where no source forecasts them. */
export function closePassed(
  { precip_amount, snow_amount, ice_amount }: Draft['columns'],
  h: number,
  type: number,
): void {
  const amount = precip_amount[h]!
  if (Number.isNaN(amount)) return
  const dry = amount === 0 || type === NONE || type === RAIN
  if (Number.isNaN(snow_amount[h]!) && (dry || type === FREEZING_RAIN)) snow_amount[h] = 0
  if (Number.isNaN(ice_amount[h]!) && (dry || type === SNOW)) ice_amount[h] = 0
}
