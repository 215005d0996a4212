import { HOUR, type Instant, SECOND } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import type { DayValue, WeatherValue } from '../../answer/value.ts'
import { round } from '../../present/units.ts'
import {
  hoursFrom,
  type InstantMember,
  iconOf,
  type PiratePoints,
  type RowPair,
  typeOf,
} from './pirate-weather-points.ts'

/** Days of Dark Sky's format, from midnight to midnight by the local clock. */

/** A value of an hour with the start of the hour. */
interface HourOf {
  readonly at: Instant
  readonly value: number
}

/** Members that no analysis has: those of today are for the hours that have not ended. */
const forecastOnly: ReadonlySet<InstantMember> = new Set(['pressure', 'uvIndex'])

interface DayContext {
  readonly points: PiratePoints
  readonly rows: ReadonlyMap<Instant, RowPair>
  /** Start of the running hour. */
  readonly running: Instant
  readonly hasExtras: boolean
}

/** Returns the values of hours; undefined if there is no hour, or an hour has no value. */
function valuesOf(hours: readonly Instant[], value: (at: Instant) => number | undefined): HourOf[] | undefined {
  const values: HourOf[] = []
  for (const at of hours) {
    const known = value(at)
    if (known === undefined) return undefined
    values.push({ at, value: known })
  }
  return values.length > 0 ? values : undefined
}

const greatest = (values: readonly HourOf[] | undefined) => values?.reduce((a, b) => (b.value > a.value ? b : a))
const least = (values: readonly HourOf[] | undefined) => values?.reduce((a, b) => (b.value < a.value ? b : a))
const sum = (values: readonly HourOf[] | undefined) =>
  values &&
  round(
    values.reduce((total, { value }) => total + value, 0),
    4,
  )
const mean = (values: readonly HourOf[] | undefined, digits: number) =>
  values && round(values.reduce((total, { value }) => total + value, 0) / values.length, digits)

/** Returns a value and its time, as two members. */
const timed = (name: string, hour: HourOf | undefined) =>
  hour ? { [name]: hour.value, [`${name}Time`]: hour.at / SECOND } : {}

/** Returns the direction of the vector mean of the wind; undefined in a calm. */
function bearing(speeds: readonly HourOf[] | undefined, directionAt: (at: Instant) => number | undefined) {
  if (!speeds) return undefined
  let [east, north] = [0, 0]
  for (const { at, value } of speeds) {
    const angle = ((directionAt(at) ?? Number.NaN) * Math.PI) / 180
    // Calm and variable wind has no direction.
    if (Number.isNaN(angle)) continue
    east += value * Math.sin(angle)
    north += value * Math.cos(angle)
  }
  if (Math.hypot(east, north) < 1e-6) return undefined
  return (Math.round((Math.atan2(east, north) * 180) / Math.PI) + 360) % 360
}

/** Returns the type of which most falls in the hours; undefined if the type of an hour is not known. */
function typeOfHours(hours: readonly Instant[], { rows, points }: DayContext): string | undefined {
  const amounts = new Map<string, number>()
  for (const at of hours) {
    const row = rows.get(at + HOUR)
    const type = typeOf(row?.metric.precip_type)
    if (!row || type === undefined) return undefined
    if (type !== 'none') amounts.set(type, (amounts.get(type) ?? 0) + (points.intensity(row) ?? 0))
  }
  if (hours.length === 0) return undefined
  return [...amounts].reduce((a, b) => (b[1] > a[1] ? b : a), ['none', -1])[0]
}

/** @param metricRow the row of `daily` in metric units @param row the same in the units of temperatures */
function dayPoint(
  [midnight, end]: readonly [Instant, Instant],
  metricRow: DayValue | undefined,
  row: DayValue | undefined,
  context: DayContext & { readonly halves: readonly [Instant, Instant, Instant] },
): object {
  const { points, rows, running, hasExtras, halves } = context
  const hours = hoursFrom(midnight, end)
  const ahead = hours.filter((at) => at >= running)
  const instant = (name: InstantMember, times = forecastOnly.has(name) ? ahead : hours) =>
    valuesOf(times, (at) => points.at(name, rows.get(at) ?? { metric: {}, imperial: undefined }))
  const fallen = (read: (row: RowPair) => number | undefined, times = hours) =>
    valuesOf(times, (at) => {
      const hour = rows.get(at + HOUR)
      return hour && read(hour)
    })
  const [temperature, apparent] = [instant('temperature'), instant('apparentTemperature')]
  const [morning, evening, next] = halves
  const inHalf = (name: InstantMember, from: Instant, to: Instant) => instant(name, hoursFrom(from, to))
  const high = greatest(inHalf('temperature', morning, evening))?.at
  const low = least(inHalf('temperature', evening, next))?.at
  const extreme = (name: string, value: number | null | undefined, at?: Instant) =>
    typeof value === 'number' ? { [name]: value, ...(at !== undefined && { [`${name}Time`]: at / SECOND }) } : {}
  const intensity = fallen(points.intensity)
  const { astro } = metricRow ?? {}
  const seconds = (at: string | null | undefined) => (at ? Date.parse(at) / SECOND : undefined)
  return {
    time: midnight / SECOND,
    summary: metricRow?.conditions,
    icon: metricRow && iconOf({ icon: metricRow.icon, cloud_cover: metricRow.cloud_cover_avg }),
    sunriseTime: seconds(astro?.sunrise),
    sunsetTime: seconds(astro?.sunset),
    moonPhase: astro?.moon_phase,
    precipIntensity: mean(intensity, 4),
    ...timed('precipIntensityMax', greatest(intensity)),
    precipProbability: greatest(fallen(points.probability, ahead))?.value,
    precipAccumulation: sum(fallen((hour) => points.accumulation(hour))),
    precipType: typeOfHours(ahead, context),
    ...extreme('temperatureHigh', row?.high, high),
    ...extreme('temperatureLow', row?.low, low),
    ...extreme('apparentTemperatureHigh', row?.feels_like_high),
    ...extreme('apparentTemperatureLow', row?.feels_like_low),
    dewPoint: mean(instant('dewPoint'), 2),
    humidity: mean(instant('humidity'), 2),
    pressure: mean(instant('pressure'), 2),
    windSpeed: mean(instant('windSpeed'), 2),
    ...timed('windGust', greatest(instant('windGust'))),
    windBearing: bearing(instant('windSpeed'), (at) => points.at('windBearing', rows.get(at) as RowPair)),
    cloudCover: mean(instant('cloudCover'), 2),
    ...timed('uvIndex', greatest(instant('uvIndex'))),
    visibility: mean(instant('visibility'), 2),
    ...timed('temperatureMin', least(temperature)),
    ...timed('temperatureMax', greatest(temperature)),
    ...timed('apparentTemperatureMin', least(apparent)),
    ...timed('apparentTemperatureMax', greatest(apparent)),
    ...(hasExtras && {
      liquidAccumulation: sum(fallen((hour) => points.depths(hour).liquid)),
      snowAccumulation: sum(fallen((hour) => points.depths(hour).snow)),
      dawnTime: seconds(astro?.civil_dawn),
      duskTime: seconds(astro?.civil_dusk),
    }),
  }
}

/** Returns today and the days after it. */
export function dayPoints(
  { metric, imperial }: { readonly metric: WeatherValue; readonly imperial: WeatherValue | undefined },
  count: number,
  now: Instant,
  context: DayContext,
): object[] {
  const local = zone(metric.location.timezone)
  const today = local.dayOf(now)
  const rowOf = (value: WeatherValue | undefined, relative: number) =>
    value?.daily?.find((row) => row.relative_day === relative)
  return Array.from({ length: count }, (_, relative) => {
    const day = today + relative
    const halves = [local.at(day, 6), local.at(day, 18), local.at(day + 1, 6)] as const
    const metricRow = rowOf(metric, relative)
    const row = context.points.hasFahrenheit ? rowOf(imperial, relative) : metricRow
    return dayPoint([local.startOfDay(day), local.startOfDay(day + 1)], metricRow, row, { ...context, halves })
  })
}
