import { dewPoint, relativeHumidity } from '../../ingest/domain/derive.ts'
import { type Axis, kernels, marks, ways } from './kernels.ts'
import type { Sheet } from './sheet.ts'
import { datasetOf, type Supplies } from './supply.ts'

/**
 * Humidity of temperature and dew point of one and the same source. Where the two came from different ones, the
 * dew point's source gives the humidity, and the dew point follows from it at the temperature that is published.
 */
export function moistureOfOneSource({ columns, aside }: Sheet, axis: Axis, supplies: Supplies): void {
  const { temperature, dew_point } = columns
  /** Temperature of the dew point's source. */
  const own = aside.temperature.values
  let ownCode = -1
  for (let h = 0; h < axis.count; h++) {
    const t = temperature[h]
    if (Number.isNaN(t)) dew_point[h] = Number.NaN
    if (Number.isNaN(dew_point[h]) || marks.temperature[h] === marks.dew_point[h]) continue
    const code = marks.dew_point[h]
    if (ownCode !== code) fillOwn(aside.temperature, axis, supplies, datasetOf(code))
    ownCode = code
    dew_point[h] = Number.isNaN(own[h])
      ? Math.min(t, dew_point[h])
      : dewPoint(t, relativeHumidity(own[h], dew_point[h]))
  }
}

function fillOwn({ place }: Sheet['aside']['temperature'], axis: Axis, supplies: Supplies, dataset: string) {
  kernels.open(place, 0)
  for (const run of supplies.get(dataset) ?? []) {
    const strip = run.strip('temperature')
    if (strip) kernels.fillBetween(strip.times, strip.values, strip.length, axis.count, ways.smooth, 0)
  }
}
