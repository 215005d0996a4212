import { precipTypeDatasets, surfaceTemperatureDatasets } from '../../ingest/catalog.ts'
import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { relativeHumidity, wetBulb } from '../../ingest/domain/weather/derive.ts'
import type { SurfaceAir } from '../../ingest/nowcast/surface-type.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Current } from './served-runs.ts'

/** Values whose times differ by more than this from the requested time are not used. */
const MAX_TIME_DISTANCE_MS = 1.5 * HOUR

/** The air near the surface at a cell around a time, from served runs; members that no run has are undefined. It is read only if precipitation falls. */
export async function surfaceAir(
  current: Pick<Current, 'served'>,
  cell: string,
  domain: DomainId,
  time: Instant,
): Promise<SurfaceAir> {
  const [temperatureRun, typeRun] = await Promise.all([
    firstWith(current, surfaceTemperatureDatasets, cell, domain, time, 'temperature'),
    firstWith(current, precipTypeDatasets, cell, domain, time, 'rain_flag'),
  ])
  const temperature = temperatureRun && valueNear(temperatureRun, 'temperature', time)
  const dewPoint = temperatureRun && valueNear(temperatureRun, 'dew_point', time)
  const flag = (name: string): boolean | undefined => {
    const value = typeRun && valueNear(typeRun, name, time)
    return value === undefined ? undefined : value >= 0.5
  }
  return {
    temperature,
    wetBulb:
      temperature === undefined || dewPoint === undefined
        ? undefined
        : wetBulb(temperature, relativeHumidity(temperature, Math.min(dewPoint, temperature))),
    rain: flag('rain_flag'),
    snow: flag('snow_flag'),
    freezingRain: flag('freezing_rain_flag'),
    icePellets: flag('ice_pellets_flag'),
  }
}

/** The series of the first dataset that has a value of a variable near a time. */
async function firstWith(
  current: Pick<Current, 'served'>,
  datasets: readonly Dataset[],
  cell: string,
  domain: DomainId,
  time: Instant,
  variable: string,
): Promise<PointSeries | undefined> {
  for (const { id } of datasets) {
    const served = current.served(id, domain)
    if (!served) continue
    try {
      const series = await (await served.open()).point(cell)
      if (series && valueNear(series, variable, time) !== undefined) return series
    } catch (error) {
      if (!isFault(error)) throw error
    }
  }
  return undefined
}

/** The value at the nearest valid time; undefined if it is missing or too far away. */
function valueNear(series: PointSeries, variable: string, time: Instant): number | undefined {
  const axis = series.variables.get(variable)
  let nearestValue: number | undefined
  let nearestDistance = MAX_TIME_DISTANCE_MS
  for (const [i, validTime] of (axis?.times ?? []).entries()) {
    const distance = Math.abs(validTime - time)
    const value = axis?.values[i]
    if (distance <= nearestDistance && value !== undefined && !Number.isNaN(value)) {
      nearestValue = value
      nearestDistance = distance
    }
  }
  return nearestValue
}
