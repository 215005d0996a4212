import type { DomainId } from '../domain.ts'
import type { Instant } from '../time.ts'

/**
 * What is verified: `blend` is the answer as it was served, the next three are its inputs alone, `persistence` is the last report of
 * the station. `rtma` is the analysis, at lead 0.
 */
export const SOURCES = ['blend', 'nbm', 'hrrr', 'gfs', 'persistence', 'rtma'] as const
export type VerifiedSource = (typeof SOURCES)[number]
/** The sources that are read from the served runs. */
export const READ_SOURCES = ['blend', 'nbm', 'hrrr', 'gfs'] as const

/** Hours from issue to valid time. */
export const LEAD_HOURS = [1, 3, 6, 12, 24, 48, 72, 120, 168] as const
/** Of daily rows: hours from 06:00 local of the day of issue to 06:00 of the row's day. */
export const DAY_LEAD_HOURS = [24, 48, 72, 120, 168] as const
/** HRRR ends at 48 hours. */
export const MAX_HRRR_LEAD = 48

/** Forecast values of an hour: °C, °C, m/s, m/s, %, m, m above ground (Infinity: no ceiling), %. NaN: none. */
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
/** Forecast values of a day: °C, °C. */
export const DAY_ELEMENTS = ['high', 'low'] as const
export type DayElement = (typeof DAY_ELEMENTS)[number]

/** A forecast without a probability of its own is a yes or a no: from this amount in the hour, mm (0.01 inch). */
export const MEASURABLE_MM = 0.254

/** A station whose reports verify forecasts. Its cell is that of its place, as in any answer there. */
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

/** Where a station's values of one source stand in a list of all: stations × sources × elements. */
export interface IssuedForecasts {
  readonly kind: 'hour' | 'day'
  /** `day`: the end of the row, 06:00 local, as a full hour of UTC. */
  readonly valid: Instant
  /** Full hour at which they were served. */
  readonly issued: Instant
  readonly leadHours: number
  readonly stations: readonly string[]
  readonly sources: readonly VerifiedSource[]
  readonly values: Float32Array
}

export function elementsOf(kind: IssuedForecasts['kind']): readonly string[] {
  return kind === 'day' ? DAY_ELEMENTS : HOUR_ELEMENTS
}

/** What is asked of the served answer. */
export interface ForecastRequest {
  readonly now: Instant
  readonly stations: readonly VerifiedStation[]
  /** Indexes of the stations whose daily rows are requested too, because it is 06:00 there. */
  readonly morning: readonly number[]
}

/** What was served; NaN if a source gives nothing. */
export interface ServedForecasts {
  /** Leads × stations × `READ_SOURCES` × `HOUR_ELEMENTS`. */
  readonly hours: Float32Array
  /** Day leads × `morning` × `READ_SOURCES` × `DAY_ELEMENTS`. */
  readonly days: Float32Array
  /** Stations × `HOUR_ELEMENTS`, of the newest analysis. */
  readonly analysis: Float32Array
  /** Its time at each station; NaN if there is none. */
  readonly analysed: Float64Array
}

/**
 * Reads the answers at stations as they are served now. Injected by `bin`: the answer is made above this layer.
 * @throws Fault Refused if a store does not answer
 */
export type ForecastReader = (request: ForecastRequest) => Promise<ServedForecasts>
