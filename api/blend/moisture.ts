import { dewPoint, relativeHumidity } from '../../ingest/domain/weather/derive.ts'
import type { FieldRow } from './field.ts'
import { fillHours } from './field.ts'
import { orderOf } from './fields.ts'
import type { RowBuffer } from './row-buffer.ts'
import type { RowFiller } from './row-filler.ts'
import { numberOf, type Supplies, sourceOf } from './supply.ts'

/**
 * Humidity of temperature and dew point of one and the same source. Where the two came from different ones, the
 * dew point's source gives the humidity, and the dew point follows from it at the temperature that is published.
 */
export function moistureOfOneSource(
  filler: RowFiller,
  { columns, rows, auxiliary, count }: RowBuffer,
  supplies: Supplies,
): void {
  const { temperature, dew_point } = columns
  /** Temperature of the dew point's source. */
  const own = auxiliary.temperature.values
  const ofTemperature = rows.temperature.marks!
  const ofDewPoint = rows.dew_point.marks!
  let filled = -1
  for (let h = 0; h < count; h++) {
    const t = temperature[h]
    if (Number.isNaN(t)) dew_point[h] = Number.NaN
    if (Number.isNaN(dew_point[h]) || ofTemperature[h] === ofDewPoint[h]) continue
    const code = ofDewPoint[h]
    if (filled !== code) fillOwn(filler, auxiliary.temperature, supplies, code)
    filled = code
    dew_point[h] = Number.isNaN(own[h])
      ? Math.min(t, dew_point[h])
      : dewPoint(t, relativeHumidity(own[h], dew_point[h]))
  }
}

/** By number of the dataset. */
const temperatures = orderOf('temperature')
const strips = new Map(
  [...temperatures.from, ...(temperatures.analyses ?? [])].map(
    ({ dataset, variable }) => [numberOf(dataset), sourceOf(dataset, variable).strip] as const,
  ),
)

function fillOwn(filler: RowFiller, { values }: FieldRow, supplies: Supplies, dataset: number): void {
  filler.open(values)
  for (const run of supplies[dataset] ?? []) fillHours(filler, 'smooth', run, strips.get(dataset)!, values.length)
}
