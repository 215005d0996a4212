import { dateText } from '../../ingest/domain/time.ts'
import { APPROXIMATE_KM, NORMALS_PERIOD, normalOn, type StationNormals } from '../../ingest/domain/weather/climate.ts'
import { round, type UnitSystem } from './units.ts'

/** One day of ClimateNormals. */
export interface NormalRow {
  readonly date: string
  readonly month: number
  readonly day: number
  readonly normal_high: number | null
  readonly normal_low: number | null
  readonly normal_mean: number | null
  readonly normal_high_stddev: number | null
  readonly normal_low_stddev: number | null
  readonly normal_mean_stddev: number | null
  readonly normal_precip: number | null
  readonly years?: number
  readonly completeness_flag?: string
}

type Convert = (value: number | null) => number | null

const convert =
  (scale: number, offset: number, decimals: number): Convert =>
  (value) =>
    value === null ? null : round(value * scale + offset, decimals)

/** Conversions from °F and inches. A standard deviation is scaled but not shifted. */
const conversions: Readonly<
  Record<UnitSystem, { unit: string; temperature: Convert; spread: Convert; precip: Convert }>
> = {
  imperial: { unit: 'degF', temperature: convert(1, 0, 1), spread: convert(1, 0, 1), precip: convert(1, 0, 2) },
  metric: {
    unit: 'degC',
    temperature: convert(5 / 9, -160 / 9, 1),
    spread: convert(5 / 9, 0, 1),
    precip: convert(25.4, 0, 1),
  },
  si: {
    unit: 'K',
    temperature: convert(5 / 9, 273.15 - 160 / 9, 1),
    spread: convert(5 / 9, 0, 1),
    precip: convert(25.4, 0, 1),
  },
}

/** The normals of one date in a system of units. @param date such as `2026-08-20` */
export function normalRow(normals: StationNormals, date: string, system: UnitSystem): NormalRow {
  const normal = normalOn(normals, date)
  const { temperature, spread, precip } = conversions[system]
  return {
    date,
    month: Number(date.slice(5, 7)),
    day: Number(date.slice(8, 10)),
    normal_high: temperature(normal.high),
    normal_low: temperature(normal.low),
    normal_mean: temperature(normal.mean),
    normal_high_stddev: spread(normal.highStddev),
    normal_low_stddev: spread(normal.lowStddev),
    normal_mean_stddev: spread(normal.meanStddev),
    normal_precip: precip(normal.precip),
    ...(normal.years !== null && { years: normal.years }),
    ...(normal.completeness !== null && { completeness_flag: normal.completeness }),
  }
}

/** ClimateNormals of `count` days. @param from first day of the local calendar, days since 1970-01-01 */
export function climateNormals(
  { normals, distanceKm }: { readonly normals: StationNormals; readonly distanceKm: number },
  from: number,
  count: number,
  system: UnitSystem,
) {
  const { station } = normals
  const days = Array.from({ length: count }, (_, i) => normalRow(normals, dateText(from + i), system))
  return {
    station: {
      station_id: station.id,
      name: station.name,
      ...(station.state !== undefined && { state: station.state }),
      latitude: station.lat,
      longitude: station.lon,
      elevation_m: station.elevation,
      distance_km: round(distanceKm, 1),
    },
    meta: {
      normals_period: NORMALS_PERIOD,
      source: 'station' as const,
      normals_method: 'station',
      unit: conversions[system].unit,
      approximate: distanceKm > APPROXIMATE_KM,
      missing_days: days.filter(({ normal_high, normal_low }) => normal_high === null || normal_low === null).length,
    },
    days,
  }
}

export type ClimateNormals = ReturnType<typeof climateNormals>
