import { type Instant, MINUTE } from '../time.ts'
import { flightCategory, type MetarReport, type SkyCover } from '../weather/observation.ts'

/** Time before and after a full hour in which its report is searched. A routine report is issued some minutes before its hour. */
export const REPORT_WINDOW = { before: 20 * MINUTE, after: 10 * MINUTE } as const

/** Sky covers in ascending order. The total cover of a report is the greatest cover of its layers. */
const covers: readonly SkyCover[] = ['CLR', 'FEW', 'SCT', 'BKN', 'OVC']
/** Upper limits of the first four covers, in eighths of the sky. */
const COVER_LIMITS = [0.5, 2.5, 4.5, 7.5] as const
const flightCategories = ['LIFR', 'IFR', 'MVFR', 'VFR'] as const

/** The report of a station for an hour: °C, m/s, and numbers of categories; NaN if the report lacks a value. */
export interface Observed {
  readonly temperature: number
  readonly dew_point: number
  readonly wind_speed: number
  readonly wind_gust: number
  /** Sky cover from 0 (clear) to 4 (overcast). */
  readonly sky: number
  /** Flight category from 0 (LIFR) to 3 (VFR). */
  readonly flight_category: number
  /** Whether 0.01 inch or more fell in the hour before the report: 1 or 0. */
  readonly wet: number
}

/** The members of a report that verify a forecast. */
export interface VerifyingReport
  extends Pick<
    MetarReport,
    'station' | 'observedAt' | 'type' | 'temperature' | 'dewPoint' | 'windSpeed' | 'windGust' | 'visibility' | 'layers'
  > {
  /** Amount of the preceding hour, mm; null if it is unknown. */
  readonly precipitation: number | null
}

/** Returns the report of a station for a full hour: the nearest one in the 20 minutes before and the 10 minutes after it. */
export function reportOf<T extends Pick<MetarReport, 'observedAt'>>(
  reports: readonly T[],
  hour: Instant,
): T | undefined {
  let best: T | undefined
  for (const report of reports) {
    const { observedAt } = report
    if (observedAt < hour - REPORT_WINDOW.before || observedAt > hour + REPORT_WINDOW.after) continue
    if (!best || Math.abs(observedAt - hour) < Math.abs(best.observedAt - hour)) best = report
  }
  return best
}

const number = (value: number | null) => value ?? Number.NaN

export function observedOf(report: VerifyingReport): Observed {
  const { precipitation, type } = report
  return {
    temperature: number(report.temperature),
    dew_point: number(report.dewPoint),
    wind_speed: number(report.windSpeed),
    wind_gust: number(report.windGust),
    sky: skyOf(report),
    flight_category: categoryOf(report),
    // A SPECI reports the amount since the last routine report.
    wet: precipitation === null || type === 'SPECI' ? Number.NaN : precipitation > 0 ? 1 : 0,
  }
}

function categoryOf(report: Pick<MetarReport, 'layers' | 'visibility'>): number {
  const category = flightCategory(report)
  return category === null ? Number.NaN : flightCategories.indexOf(category)
}

function skyOf({ layers }: Pick<MetarReport, 'layers'>): number {
  if (!layers) return Number.NaN
  let most = 0
  for (const { cover } of layers) {
    if (cover === '///') return Number.NaN
    most = Math.max(most, covers.indexOf(cover === 'VV' ? 'OVC' : cover))
  }
  return most
}

/**
 * Returns the sky cover from 0 (clear) to 4 (overcast).
 * @param cover percent
 */
export function skyOfCover(cover: number): number {
  if (Number.isNaN(cover)) return Number.NaN
  const above = COVER_LIMITS.findIndex((limit) => cover / 12.5 < limit)
  return above < 0 ? COVER_LIMITS.length : above
}

const FEET_PER_METER = 1 / 0.3048

/**
 * Returns the flight category from 0 (LIFR) to 3 (VFR).
 * @param ceiling m above ground, Infinity if there is none
 * @param visibility m
 */
export function flightCategoryOf(ceiling: number, visibility: number): number {
  if (Number.isNaN(ceiling) || Number.isNaN(visibility)) return Number.NaN
  const layers =
    ceiling === Number.POSITIVE_INFINITY
      ? [{ cover: 'CLR' as const }]
      : [{ cover: 'OVC' as const, base_ft: Math.round(ceiling * FEET_PER_METER) }]
  return categoryOf({ layers, visibility })
}

/** Minimum number of hours with a temperature in a half day whose high or low is verified. */
export const MIN_EXTREME_HOURS = 10
