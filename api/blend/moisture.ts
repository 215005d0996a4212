import { dewPoint, relativeHumidity } from '../../ingest/domain/derive.ts'
import { orderOf } from '../../ingest/domain/source-order.ts'
import { type Axis, whole } from './axis.ts'
import { fillBetween } from './between.ts'
import type { BlendInput } from './blend.ts'
import { fieldAside, markedBy } from './field.ts'
import type { Sheet } from './sheet.ts'

const humidityOrder = orderOf('humidity')

/**
 * Humidity of temperature and dew point of one and the same source. Where the two came from different ones, the
 * dew point's source gives the humidity, and the dew point follows from it at the temperature that is published.
 */
export function moistureOfOneSource({ columns, marks }: Sheet, axis: Axis, input: BlendInput): void {
  const { temperature, dew_point } = columns
  let own: { code: number; values: Float64Array } | undefined
  let humidity: Float64Array | undefined
  for (let h = 0; h < axis.count; h++) {
    const t = temperature[h]
    if (Number.isNaN(t)) {
      dew_point[h] = Number.NaN
      continue
    }
    if (Number.isNaN(dew_point[h])) {
      humidity ??= fieldAside(axis, humidityOrder, input)
      if (!Number.isNaN(humidity[h])) dew_point[h] = dewPoint(t, humidity[h])
    } else if (marks.temperature[h] !== marks.dew_point[h]) {
      const code = marks.dew_point[h]
      if (own?.code !== code) own = { code, values: temperatureOf(markedBy(code), axis, input) }
      const other = own.values[h]
      dew_point[h] = Number.isNaN(other)
        ? Math.min(t, dew_point[h])
        : dewPoint(t, relativeHumidity(other, dew_point[h]))
    }
  }
}

function temperatureOf(dataset: string, axis: Axis, input: BlendInput): Float64Array {
  const values = new Float64Array(axis.count).fill(Number.NaN)
  for (const run of input.sources.get(dataset) ?? []) {
    const series = run.variables.get('temperature')
    if (series) fillBetween(values, whole(axis), series, 'smooth')
  }
  return values
}
