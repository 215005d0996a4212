import { relativeHumidity } from '../../ingest/domain/weather/derive.ts'
import { feelsLike } from '../../ingest/domain/weather/feels-like.ts'
import { NONE, TYPE_AMOUNT, typeAtSurface, UNKNOWN } from '../../ingest/domain/weather/precip-type.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { PastHour } from '../contract.ts'
import { TRACE } from './consistency.ts'
import type { Column } from './fields.ts'

/** Variables of the analyses that are columns of the hourly axis. */
const analysed = [
  'temperature',
  'dew_point',
  'wind_speed',
  'wind_direction',
  'wind_gust',
  'visibility',
  'cloud_cover',
  'cloud_ceiling',
] as const satisfies readonly Column[]
/** Columns that past hours may have; all other columns exist only in forecasts. */
export const pastColumns = [...analysed, 'humidity', 'feels_like', 'precip_amount'] as const satisfies readonly Column[]
export type PastColumn = (typeof pastColumns)[number]

/** Hours that have passed, as columns in canonical units; NaN if nothing is stored. */
export interface PastTable {
  readonly hours: readonly PastHour[]
  readonly columns: Readonly<Record<PastColumn, Float64Array>>
  /** Codes of `precip-type.ts`; UNKNOWN if no amount is known. */
  readonly precipType: Uint8Array
  /** 1 if an analysis has no ceiling. */
  readonly ceilingUnlimited: Uint8Array
}

/** Builds the table. Each hour comes from a single analysis: nothing is interpolated, and no forecast fills gaps. */
export function pastTable(hours: readonly PastHour[]): PastTable {
  const columns = Object.fromEntries(
    pastColumns.map((name) => [name, new Float64Array(hours.length).fill(Number.NaN)]),
  ) as Record<PastColumn, Float64Array>
  const precipType = new Uint8Array(hours.length).fill(UNKNOWN)
  const ceilingUnlimited = new Uint8Array(hours.length)
  for (const [h, { time, analysis, amount }] of hours.entries()) {
    if (analysis) {
      for (const name of analysed) columns[name][h] = valueAt(analysis.series, name, time)
      const ceiling = analysis.series.variables.get('cloud_ceiling')
      if (ceiling?.times.includes(time) && Number.isNaN(columns.cloud_ceiling[h]!)) ceilingUnlimited[h] = 1
    }
    if (amount) columns.precip_amount[h] = amount.mm < TRACE ? 0 : amount.mm
    makeConsistent(columns, h)
    const amountFallen = columns.precip_amount[h]!
    if (amountFallen < TYPE_AMOUNT) precipType[h] = NONE
    else if (amountFallen >= TYPE_AMOUNT)
      precipType[h] = typeAtSurface(UNKNOWN, columns.temperature[h]!, columns.humidity[h]!)
  }
  return { hours, columns, precipType, ceilingUnlimited }
}

/**
 * Makes an hour consistent in the same way as the hours of the forecast: the dew point is at most the temperature and
 * the gust at least the wind speed; cloud cover and wind direction are whole numbers.
 */
function makeConsistent(columns: Readonly<Record<PastColumn, Float64Array>>, h: number): void {
  const { temperature, dew_point, humidity, wind_speed, wind_gust, wind_direction, cloud_cover, feels_like } = columns
  const t = temperature[h]!
  if (dew_point[h]! > t) dew_point[h] = t
  const dew = dew_point[h]!
  humidity[h] = Number.isNaN(dew) ? Number.NaN : relativeHumidity(t, dew)
  if (wind_gust[h]! < wind_speed[h]!) wind_gust[h] = wind_speed[h]!
  wind_direction[h] = Math.round(wind_direction[h]!) % 360
  cloud_cover[h] = Math.round(cloud_cover[h]!)
  feels_like[h] = feelsLike(t, humidity[h]!, wind_speed[h]!)
}

function valueAt(series: PointSeries, name: string, time: number): number {
  const variable = series.variables.get(name)
  return variable?.values[variable.times.indexOf(time)] ?? Number.NaN
}
