import { NONE, TYPE_AMOUNT, typeAtSurface } from '../../ingest/domain/precip-type.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { closeFrozen, TRACE } from './closure.ts'
import type { Forecast } from './columns.ts'
import type { PassedHours } from './passed-hours.ts'
import { likeliestType, moveToType } from './type-probabilities.ts'

/**
 * Measured amounts in the place of forecast ones, in the rows before the current one. Snow and ice keep their share of the liquid. A
 * passed hour has no probability.
 */
export function measureAmounts(
  { columns, precipType, start, now }: Pick<Forecast, 'columns' | 'precipType' | 'start' | 'now'>,
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
  }
}
