import type { DomainId } from '../domain.ts'
import type { Instant } from '../time.ts'

/** The sources that are read from the served runs: `blend` is the served answer, the others are its inputs alone. */
export const READ_SOURCES = ['blend', 'nbm', 'hrrr', 'rrfs', 'gfs'] as const
/** The verified sources: those that are read, `persistence`, the last report of the station, and `rtma`, the analysis, at lead 0. */
export const SOURCES = [...READ_SOURCES, 'persistence', 'rtma'] as const
export type VerifiedSource = (typeof SOURCES)[number]

/** Hours from issue to valid time. */
export const LEAD_HOURS = [1, 3, 6, 12, 24, 48, 72, 120, 168] as const
/** Leads of daily rows: hours from 06:00 local on the day of issuance to 06:00 on the row's day. */
export const DAY_LEAD_HOURS = [24, 48, 72, 120, 168] as const
/** Last lead hour of the sources that end before the longest lead. */
export const MAX_LEADS: Partial<Readonly<Record<VerifiedSource, number>>> = { hrrr: 48, rrfs: 84, rtma: 0 }

/**
 * Elements of an hourly forecast. The units are °C, °C, m/s, m/s, %, m, m above ground (Infinity if there is no ceiling) and %; NaN if
 * there is no value.
 */
export const HOUR_ELEMENTS = [
  'temperature',
  'dew_point',
  'wind_speed',
  'wind_gust',
  'cloud_cover',
  'visibility',
  'cloud_ceiling',
  'precip_probability',
] as const
export type HourElement = (typeof HOUR_ELEMENTS)[number]
/** Elements of a daily forecast, °C. */
export const DAY_ELEMENTS = ['high', 'low'] as const
export type DayElement = (typeof DAY_ELEMENTS)[number]

/** Amount in an hour from which a forecast without a probability counts as wet, mm (0.01 inch). */
export const MEASURABLE_MM = 0.254

/** A station whose reports verify forecasts. Its cell is that of its position, as in any answer for that position. */
export interface VerifiedStation {
  readonly id: string
  readonly name: string
  readonly lat: number
  readonly lon: number
  /** Postal code of the state. */
  readonly state: string
  /** Forecast office; undefined if no geometry contains the station. */
  readonly office: string | undefined
  readonly domain: DomainId
  readonly timezone: string
}

/** Issued forecasts of one valid time and lead. The values are in one list: stations × sources × elements. */
export interface IssuedForecasts {
  readonly kind: 'hour' | 'day'
  /** Valid time; for `day` the end of the row, 06:00 local, as a full UTC hour. */
  readonly valid: Instant
  /** Full hour at which the forecasts were served. */
  readonly issued: Instant
  readonly leadHours: number
  readonly stations: readonly string[]
  readonly sources: readonly VerifiedSource[]
  readonly values: Float32Array
}

export function elementsOf(kind: IssuedForecasts['kind']): readonly string[] {
  return kind === 'day' ? DAY_ELEMENTS : HOUR_ELEMENTS
}

/** A request for the forecasts in the served answers. */
export interface ForecastRequest {
  readonly now: Instant
  readonly stations: readonly VerifiedStation[]
  /** Indexes of the stations whose daily rows are also requested, because the local time there is 06:00. */
  readonly morning: readonly number[]
}

/** The served forecasts; NaN if a source has no value. */
export interface ServedForecasts {
  /** Leads × stations × `READ_SOURCES` × `HOUR_ELEMENTS`. */
  readonly hours: Float32Array
  /** Daily leads × `morning` × `READ_SOURCES` × `DAY_ELEMENTS`. */
  readonly days: Float32Array
  /** Values of the newest analysis: stations × `HOUR_ELEMENTS`. */
  readonly analysis: Float32Array
  /** Time of the analysis at each station; NaN if there is none. */
  readonly analysed: Float64Array
}

/**
 * Reads the answers at stations as they are served now. `bin` injects it, because answers are built in a higher layer.
 * @throws Fault Refused if a store does not answer
 */
export type ForecastReader = (request: ForecastRequest) => Promise<ServedForecasts>
