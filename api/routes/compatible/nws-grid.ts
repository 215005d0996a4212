import { HOUR, type Instant, isoSeconds } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import type { HourValue, WeatherValue } from '../../answer/value.ts'

/** The time series of `/gridpoints/{office}/{x},{y}`: each value with the interval for which it is valid (ISO 8601). */

interface GridField {
  readonly name: string
  readonly unit: string
  readonly read: (row: HourValue) => number | null | undefined
  /** Whether the value is of the hour that ends at the time of the row; otherwise it is of the instant. */
  readonly isOfHour?: boolean
  /** Whether equal values of successive hours are one entry. Sums are not joined, because they would be larger. */
  readonly isSum?: boolean
}

const times = (factor: number, value: number | null | undefined) =>
  typeof value === 'number' ? Number((value * factor).toPrecision(6)) : value

/** Members of a metric answer: °C, km/h, km, m, mm and percent. */
const fields: readonly GridField[] = [
  { name: 'temperature', unit: 'wmoUnit:degC', read: (row) => row.temperature },
  { name: 'dewpoint', unit: 'wmoUnit:degC', read: (row) => row.dew_point },
  { name: 'relativeHumidity', unit: 'wmoUnit:percent', read: (row) => row.humidity },
  { name: 'apparentTemperature', unit: 'wmoUnit:degC', read: (row) => row.feels_like },
  { name: 'skyCover', unit: 'wmoUnit:percent', read: (row) => row.cloud_cover },
  { name: 'windDirection', unit: 'wmoUnit:degree_(angle)', read: (row) => row.wind_direction },
  { name: 'windSpeed', unit: 'wmoUnit:km_h-1', read: (row) => row.wind_speed },
  { name: 'windGust', unit: 'wmoUnit:km_h-1', read: (row) => row.wind_gust },
  { name: 'visibility', unit: 'wmoUnit:m', read: (row) => times(1000, row.visibility) },
  { name: 'ceilingHeight', unit: 'wmoUnit:m', read: (row) => row.cloud_ceiling },
  {
    name: 'probabilityOfPrecipitation',
    unit: 'wmoUnit:percent',
    read: (row) => row.precip_probability,
    isOfHour: true,
  },
  {
    name: 'probabilityOfThunder',
    unit: 'wmoUnit:percent',
    read: (row) => row.thunderstorm_probability,
    isOfHour: true,
  },
  {
    name: 'quantitativePrecipitation',
    unit: 'wmoUnit:mm',
    read: (row) => row.precip_amount,
    isOfHour: true,
    isSum: true,
  },
  { name: 'snowfallAmount', unit: 'wmoUnit:mm', read: (row) => row.snow_amount, isOfHour: true, isSum: true },
]

const validTime = (from: Instant, hours: number) => {
  const [days, rest] = [Math.floor(hours / 24), hours % 24]
  const span = `${days > 0 ? `${days}D` : ''}${rest > 0 ? `T${rest}H` : ''}`
  return `${isoSeconds(from).slice(0, -1)}+00:00/P${span}`
}

/** Returns the properties of the series of a metric answer with its hours and days. */
export function gridSeries({ hourly = [], daily = [], location }: WeatherValue): object {
  const series = fields.map(({ name, unit, read, isOfHour, isSum }) => {
    const entries: { from: Instant; hours: number; value: number }[] = []
    for (const row of hourly) {
      const value = read(row)
      if (typeof value !== 'number') continue
      const from = Date.parse(row.time) - (isOfHour ? HOUR : 0)
      const last = entries.at(-1)
      if (!isSum && last?.value === value && last.from + last.hours * HOUR === from) last.hours++
      else entries.push({ from, hours: 1, value })
    }
    return [
      name,
      { uom: unit, values: entries.map(({ from, hours, value }) => ({ validTime: validTime(from, hours), value })) },
    ]
  })
  const local = zone(location.timezone)
  const extremes = (pick: 'high' | 'low') =>
    daily.flatMap((row) => {
      const number = Date.parse(`${row.date}T00:00:00Z`) / (24 * HOUR)
      const [from, to] =
        pick === 'high' ? [local.at(number, 6), local.at(number, 18)] : [local.at(number, 18), local.at(number + 1, 6)]
      const value = row[pick]
      return typeof value === 'number' ? [{ validTime: validTime(from, Math.round((to - from) / HOUR)), value }] : []
    })
  return {
    ...Object.fromEntries(series),
    maxTemperature: { uom: 'wmoUnit:degC', values: extremes('high') },
    minTemperature: { uom: 'wmoUnit:degC', values: extremes('low') },
  }
}
