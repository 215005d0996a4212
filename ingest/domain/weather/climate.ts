import { nth } from '../nth.ts'
import type { Instant } from '../time.ts'

/** A station of GHCN-Daily. */
export interface ClimateStation {
  /** Id of the station, such as `USW00094765`. */
  readonly id: string
  readonly name: string
  /** Postal code of the state or province; absent outside the US and Canada. */
  readonly state?: string
  readonly lat: number
  readonly lon: number
  /** Elevation, m. */
  readonly elevation: number | null
}

/** The 1991–2020 normals of a calendar day, °F and inches as NCEI publishes them. */
export interface DailyNormal {
  readonly high: number | null
  readonly low: number | null
  readonly mean: number | null
  readonly highStddev: number | null
  readonly lowStddev: number | null
  readonly meanStddev: number | null
  /** Month-to-date normal of the day minus that of the previous day, because NCEI publishes no daily mean of precipitation. */
  readonly precip: number | null
  /** Years and completeness flag (`S R P E C`) of the high's normal. */
  readonly years: number | null
  readonly completeness: string | null
}

export interface StationNormals {
  readonly station: ClimateStation
  /** 366 days in the order of a leap year; 29 February is number 59. */
  readonly days: readonly DailyNormal[]
}

export const NORMALS_PERIOD = '1991-2020'
export const MAX_NORMALS_KM = 150
/** Distance beyond which a station is marked as approximate, km. */
export const APPROXIMATE_KM = 50

const firstOfMonth = [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335]
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Index of a day in a leap year, 0 to 365; undefined for a date that the calendar does not have. */
export function leapDay(month: number, day: number): number | undefined {
  if (!Number.isInteger(month) || !Number.isInteger(day) || month < 1 || month > 12) return undefined
  return day >= 1 && day <= nth(daysOfMonth, month - 1) ? nth(firstOfMonth, month - 1) + day - 1 : undefined
}

/**
 * Returns the normal of a date.
 * @param date `2026-08-20`
 */
export function normalOn(normals: StationNormals, date: string): DailyNormal {
  return nth(normals.days, leapDay(Number(date.slice(5, 7)), Number(date.slice(8, 10)))!)
}

export function hasTemperatures(normals: StationNormals): boolean {
  return normals.days.some((day) => day.high !== null) && normals.days.some((day) => day.low !== null)
}

/** A record value with the years in which it was measured, in the order of the report, which has the newest first. */
export interface ClimateRecord {
  readonly value: number | null
  readonly years: readonly number[]
}

export interface ClimateAmount {
  /** Inches; null if missing or if only a trace fell. */
  readonly total: number | null
  readonly trace: boolean
  readonly monthToDate: number | null
  readonly normal: number | null
  readonly record: ClimateRecord
}

export interface ClimateTriple {
  readonly high: number | null
  readonly low: number | null
  readonly average: number | null
}

/** A station and date of a daily climate report (CLI), °F and inches. */
export interface ClimateReport {
  /** AWIPS code after `CLI`. The stations of a text have the same code and different names. */
  readonly station: string
  readonly name: string
  /** Local date of the observations, `2026-06-28`. */
  readonly date: string
  readonly issuedAt: Instant
  /** ICAO code of the issuing office. */
  readonly office: string
  /** Whether the report was issued before the day had ended. */
  readonly preliminary: boolean
  readonly temperature: ClimateTriple & {
    readonly normals: ClimateTriple
    readonly departures: ClimateTriple
    readonly highRecord: ClimateRecord
    readonly lowRecord: ClimateRecord
  }
  readonly precipitation: ClimateAmount & { readonly yearToDate: number | null }
  readonly snow: ClimateAmount & { readonly depth: number | null; readonly seasonToDate: number | null }
}

/** HIGH_MIN is the highest minimum temperature, LOW_MAX the lowest maximum. */
export const recordEvents = ['HIGH', 'LOW', 'HIGH_MIN', 'LOW_MAX', 'RAIN', 'SNOW', 'OTHER'] as const
export type RecordEvent = (typeof recordEvents)[number]

/** A record of a record event report (RER); null if the text does not state it. */
export interface RecordReport {
  /** AWIPS code after `RER`. */
  readonly station: string
  readonly event: RecordEvent
  /** Value in °F or inches. */
  readonly value: number | null
  readonly previous: number | null
  readonly previousYear: number | null
  readonly previousYears: readonly number[]
  readonly tied: boolean | null
  readonly issuedAt: Instant
  readonly office: string
  /** Local day of the record. */
  readonly date: string
  /** The sentences of this record. */
  readonly text: string
}
