import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { relativeHumidity, wetBulb } from '../../ingest/domain/weather/derive.ts'
import type { SurfaceAir } from '../../ingest/nowcast/surface-type.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Current } from './served-runs.ts'

/** Temperature: analyses first. Type of precipitation: hourly models. */
const TEMPERATURE_DATASETS = ['rtma-ru', 'rtma', 'hrrr', 'nbm', 'gfs'] as const
const PRECIP_TYPE_DATASETS = ['hrrr', 'gfs'] as const
/** Values farther from the wanted time are not used. */
const MAX_TIME_DISTANCE_MS = 1.5 * HOUR

/** Surface air at a cell around a time, from served runs; an empty object where none has it. Only read where precipitation falls. */
export async function surfaceAir(
  current: Pick<Current, 'served'>,
  cell: string,
  domain: DomainId,
  time: Instant,
): Promise<SurfaceAir> {
  const [warm, kind] = await Promise.all([
    firstWith(current, TEMPERATURE_DATASETS, cell, domain, time, 'temperature'),
    firstWith(current, PRECIP_TYPE_DATASETS, cell, domain, time, 'rain_flag'),
  ])
  const temperature = warm && valueNear(warm, 'temperature', time)
  const dewPoint = warm && valueNear(warm, 'dew_point', time)
  const flag = (name: string): boolean | undefined => {
    const value = kind && valueNear(kind, name, time)
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

async function firstWith(
  current: Pick<Current, 'served'>,
  datasets: readonly string[],
  cell: string,
  domain: DomainId,
  time: Instant,
  variable: string,
): Promise<PointSeries | undefined> {
  for (const dataset of datasets) {
    const served = current.served(dataset, domain)
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

/** The value at the nearest valid time; undefined where it is missing or too far away. */
function valueNear(series: PointSeries, variable: string, time: Instant): number | undefined {
  const found = series.variables.get(variable)
  if (!found) return undefined
  let best: number | undefined
  let distance = MAX_TIME_DISTANCE_MS
  for (let i = 0; i < found.times.length; i++) {
    const away = Math.abs(found.times[i]! - time)
    if (away <= distance && !Number.isNaN(found.values[i]!)) {
      best = found.values[i]
      distance = away
    }
  }
  return best
}
