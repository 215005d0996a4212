import { nth } from '../../ingest/domain/nth.ts'
import type { Sky } from '../../ingest/domain/sky/sky.ts'
import { uvIndexOf } from '../../ingest/domain/sky/uv.ts'
import { floorTo, HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { relativeHumidity } from '../../ingest/domain/weather/derive.ts'
import { feelsLike } from '../../ingest/domain/weather/feels-like.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Forecast } from './columns.ts'
import type { Column } from './fields.ts'
import { alignLayers } from './wet-sky.ts'

/** Greatest age of an analysis that is used as the current value. */
export const ANALYSIS_MAX_AGE_MS = 90 * MINUTE

/** Columns of the current conditions that are shown or that words depend on. Some are derived from others. */
const currentColumns = [
  'temperature',
  'feels_like',
  'humidity',
  'dew_point',
  'pressure',
  'wind_speed',
  'wind_gust',
  'wind_direction',
  'visibility',
  'cloud_cover',
  'cloud_ceiling',
  'cloud_cover_low',
  'cloud_cover_mid',
  'cloud_cover_high',
  'uv_index',
  'cape',
  'smoke',
  'ozone',
] as const satisfies readonly Column[]
export type Values = Record<(typeof currentColumns)[number], number>
/** Values of the current conditions at one instant. */
export type Now = {
  readonly time: Instant
  readonly analysed: boolean
  readonly values: Values
  ceilingUnlimited: boolean
}

/**
 * Returns the values of the newest analysis if it is at most an hour and a half old; all other fields come from the
 * forecast at that time.
 * @returns undefined if neither has a temperature
 */
export function conditionsNow(
  now: Instant,
  sky: Sky,
  forecast: Forecast | undefined,
  analysis: PointSeries | undefined,
): Now | undefined {
  const analysisTime = analysis && newestTime(analysis, now)
  if (analysisTime === undefined && !forecast) return undefined
  const time = analysisTime ?? floorTo(now, MINUTE)
  const values = forecast ? interpolated(forecast, Math.max(time, forecast.start)) : ({} as Values)
  if (!analysis || analysisTime === undefined) {
    makeConsistent(values)
    return Number.isNaN(values.temperature)
      ? undefined
      : { time, analysed: false, values, ceilingUnlimited: isCeilingUnlimited(forecast, time) }
  }
  for (const name of [
    'temperature',
    'dew_point',
    'wind_speed',
    'wind_direction',
    'wind_gust',
    'visibility',
    'cloud_cover',
  ] as const) {
    const value = valueAt(analysis, name, time)
    // Temperature and dew point come from the same source, so that the humidity is consistent.
    if (!Number.isNaN(value) || name === 'dew_point') values[name] = value
  }
  const hasCeilings = analysis.variables.get('cloud_ceiling') !== undefined
  if (hasCeilings) values.cloud_ceiling = valueAt(analysis, 'cloud_ceiling', time)
  const sun = (Math.asin(sky.sun(time)) * 180) / Math.PI
  if (!Number.isNaN(values.ozone))
    values.uv_index = uvIndexOf(values.ozone, sun, values.cloud_cover, forecast?.ground || 0)
  makeConsistent(values)
  const ceilingUnlimited = hasCeilings ? Number.isNaN(values.cloud_ceiling) : isCeilingUnlimited(forecast, time)
  return { time, analysed: true, values, ceilingUnlimited }
}

/** Newest time at which an analysis of the last hour and a half has a temperature; undefined if there is none. */
function newestTime(analysis: PointSeries, now: Instant): Instant | undefined {
  const temperature = analysis.variables.get('temperature')
  return temperature?.times.findLast(
    (time, i) =>
      time <= now + 5 * MINUTE &&
      time >= now - ANALYSIS_MAX_AGE_MS &&
      !Number.isNaN(temperature.values[i] ?? Number.NaN),
  )
}

function isCeilingUnlimited(forecast: Forecast | undefined, time: Instant): boolean {
  if (!forecast) return false
  return forecast.ceilingUnlimited[Math.max(0, Math.floor((time - forecast.start) / HOUR))] === 1
}

function valueAt(series: PointSeries, name: string, time: Instant): number {
  const variable = series.variables.get(name)
  return variable?.values[variable.times.indexOf(time)] ?? Number.NaN
}

/** Interpolates a value between two rows of the hourly axis. */
function interpolated({ columns, count, start }: Forecast, time: Instant): Values {
  const place = Math.min(count - 1, (time - start) / HOUR)
  const h = Math.floor(place)
  const u = place - h
  const next = Math.min(count - 1, h + 1)
  const values = {} as Values
  for (const name of currentColumns) {
    const a = nth(columns[name], h)
    const b = nth(columns[name], next)
    if (u === 0 || Number.isNaN(b)) values[name] = a
    else if (Number.isNaN(a)) values[name] = u < 0.5 ? a : b
    else if (name === 'wind_direction') values[name] = (a + (((b - a + 540) % 360) - 180) * u + 360) % 360
    else values[name] = a + (b - a) * u
  }
  return values
}

function makeConsistent(values: Values): void {
  const { temperature } = values
  if (values.dew_point > temperature) values.dew_point = temperature
  values.humidity = Number.isNaN(values.dew_point) ? Number.NaN : relativeHumidity(temperature, values.dew_point)
  if (values.wind_gust < values.wind_speed) values.wind_gust = values.wind_speed
  values.wind_direction = Math.round(values.wind_direction) % 360
  // Words follow the published cover: unrounded, 87.4 % would be "Cloudy" beside an hour of 87 % that is "Mostly
  // Cloudy".
  for (const name of ['cloud_cover', 'cloud_cover_low', 'cloud_cover_mid', 'cloud_cover_high'] as const) {
    values[name] = Math.round(values[name])
  }
  alignLayers(values)
  values.feels_like = feelsLike(temperature, values.humidity, values.wind_speed)
}
