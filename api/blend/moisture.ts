import { dewPoint, relativeHumidity } from '../../ingest/domain/weather/derive.ts'
import type { FieldRow } from './field.ts'
import { fillHours } from './field.ts'
import { orderOf } from './fields.ts'
import type { RowBuffer } from './row-buffer.ts'
import type { RowFiller } from './row-filler.ts'
import { numberOf, type RunsByDataset, sourceOf } from './run-values.ts'

/**
 * Computes humidity from temperature and dew point of the same source. If the two come from different sources, the
 * source of the dew point determines the humidity, and the published dew point is computed from that humidity at the
 * published temperature.
 */
export function alignMoisture(
  filler: RowFiller,
  { columns, rows, auxiliary, count }: RowBuffer,
  runs: RunsByDataset,
): void {
  const { temperature, dew_point } = columns
  /** Temperature from the source of the dew point. */
  const ownTemperature = auxiliary.temperature.values
  const { marks: temperatureSource } = rows.temperature
  const { marks: dewPointSource } = rows.dew_point
  if (!temperatureSource || !dewPointSource) throw new Error('The rows of temperature and dew point record no sources.')
  let filledSource = -1
  for (let h = 0; h < count; h++) {
    const t = temperature[h]!
    if (Number.isNaN(t)) dew_point[h] = Number.NaN
    if (Number.isNaN(dew_point[h]!) || temperatureSource[h] === dewPointSource[h]!) continue
    const source = dewPointSource[h]!
    if (filledSource !== source) fillTemperature(filler, auxiliary.temperature, runs, source)
    filledSource = source
    dew_point[h] = Number.isNaN(ownTemperature[h]!)
      ? Math.min(t, dew_point[h]!)
      : dewPoint(t, relativeHumidity(ownTemperature[h]!, dew_point[h]!))
  }
}

/** Numbers of the temperature variables by number of the dataset. */
const temperatures = orderOf('temperature')
const temperatureVariables = new Map(
  [...temperatures.from, ...(temperatures.analyses ?? [])].map(
    ({ dataset, variable }) => [numberOf(dataset), sourceOf(dataset, variable).variable] as const,
  ),
)

function fillTemperature(filler: RowFiller, { values }: FieldRow, runs: RunsByDataset, dataset: number): void {
  filler.open(values)
  const variable = temperatureVariables.get(dataset)
  if (variable === undefined) return
  for (const run of runs[dataset] ?? []) fillHours(filler, 'smooth', run, variable, values.length)
}
