import { type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import {
  ceilingFt,
  type FlightCategory,
  flightCategory,
  type Observation,
  type SkyLayer,
} from '../../ingest/domain/weather/observation.ts'
import type { StationReport } from '../contract.ts'
import { round, type Units } from './units.ts'

const KELVIN = 273.15

/**
 * A report in REST and tools. Values are in the requested units, but members that end in `_ft` and `_km` are never
 * converted.
 */
export interface ShownObservation {
  readonly station_id: string
  readonly name: string
  readonly state: string | null
  readonly lat: number
  readonly lon: number
  readonly elevation_m: number | null
  readonly distance_km?: number
  readonly observed_at: string
  readonly age_min: number
  readonly report_type: 'METAR' | 'SPECI'
  readonly corrected: boolean
  readonly auto: boolean
  readonly raw: string
  readonly flight_category: FlightCategory | null
  readonly temperature: number | null
  readonly dew_point: number | null
  readonly wind_speed: number | null
  readonly wind_gust: number | null
  readonly wind_direction: number | null
  readonly visibility: number | null
  readonly pressure: number | null
  readonly ceiling_ft?: number
  readonly layers?: readonly SkyLayer[]
  readonly weather: readonly string[]
}

export function shownObservation({ station, report, km }: StationReport, now: Instant, units: Units): ShownObservation {
  const ceiling = ceilingFt(report.layers)
  const celsius = (value: number | null) => units.show('temperature', value === null ? undefined : value + KELVIN)
  const value = (quantity: 'wind_speed' | 'visibility' | 'pressure', canonical: number | null) =>
    units.show(quantity, canonical ?? undefined)
  return {
    station_id: report.station,
    name: station.name,
    state: station.state,
    lat: report.lat,
    lon: report.lon,
    elevation_m: station.elevation,
    ...(km === undefined ? {} : { distance_km: round(km, 1) }),
    observed_at: isoSeconds(report.observedAt),
    age_min: ageMinutes(report, now),
    report_type: report.type,
    corrected: report.corrected,
    auto: report.auto,
    raw: report.raw,
    flight_category: flightCategory(report),
    temperature: celsius(report.temperature),
    dew_point: celsius(report.dewPoint),
    wind_speed: value('wind_speed', report.windSpeed),
    wind_gust: value('wind_speed', report.windGust),
    wind_direction: report.windDirection,
    visibility: value('visibility', report.visibility),
    pressure: value('pressure', report.pressure),
    ...(ceiling === undefined ? {} : { ceiling_ft: ceiling }),
    ...(report.layers ? { layers: report.layers } : {}),
    weather: report.weather,
  }
}

/** Age of a report in whole minutes, at least 0. */
export function ageMinutes({ observedAt }: Pick<Observation, 'observedAt'>, now: Instant): number {
  return Math.max(0, Math.round((now - observedAt) / 60_000))
}
