import { entryOf, nth } from '../nth.ts'
import { HOUR, type Instant } from '../time.ts'

export const POLLUTANTS = ['pm25', 'ozone', 'pm10'] as const
export type Pollutant = (typeof POLLUTANTS)[number]

/** An hour of an AirNow monitor. The sub-indexes are published NowCast values. */
export interface MonitorHour {
  /** AQS id; Canadian and Mexican sites have ids of another form. */
  readonly id: string
  readonly name: string
  readonly lat: number
  readonly lon: number
  /** Start of the hour. */
  readonly hour: Instant
  readonly agency: string
  readonly active: boolean
  readonly pm25: number | null
  readonly ozone: number | null
  readonly pm10: number | null
}

/** A day's forecast for a reporting area. */
export interface AreaForecast {
  readonly area: string
  readonly state: string
  readonly lat: number
  readonly lon: number
  /** Local date of the area, such as `2026-08-20`. */
  readonly date: string
  /** Published name of the pollutant: `PM2.5`, `OZONE`, `PM10`, `NO2` or `CO`. */
  readonly pollutant: string
  /** Null if the forecast is a category without a number, or `-1`. */
  readonly aqi: number | null
  readonly category: string | null
  readonly actionDay: boolean
  /** Local date of issuance. */
  readonly issued: string
}

export const AQI_CATEGORIES = [
  'Good',
  'Moderate',
  'Unhealthy for Sensitive Groups',
  'Unhealthy',
  'Very Unhealthy',
  'Hazardous',
] as const
export type AqiCategory = (typeof AQI_CATEGORIES)[number]

/** Highest index of each category except the last. */
const CATEGORY_LIMITS = [50, 100, 150, 200, 300]

export function aqiCategory(aqi: number): AqiCategory {
  const at = CATEGORY_LIMITS.findIndex((limit) => aqi <= limit)
  return nth(AQI_CATEGORIES, at < 0 ? 5 : at)
}

export const MONITOR_REACH_KM = 75
export const AIR_QUALITY_KEEP_MS = 72 * HOUR
/** Number of usable hours: H-1 to H-3, where H is the current UTC hour. */
export const USABLE_HOURS = 3

export function usableHours(now: Instant): readonly Instant[] {
  const running = Math.floor(now / HOUR) * HOUR
  return Array.from({ length: USABLE_HOURS }, (_, back) => running - (back + 1) * HOUR)
}

/** Returns whether an hour is one of the last `USABLE_HOURS`. */
function isUsable(hour: Instant, now: Instant): boolean {
  const back = Math.floor(now / HOUR) - hour / HOUR
  return back >= 1 && back <= USABLE_HOURS && Number.isInteger(back)
}

/** The latest hours of a monitor; the newest comes first. */
export interface MonitorCandidate {
  readonly km: number
  readonly hours: readonly MonitorHour[]
}

export interface ChosenReading {
  readonly monitor: MonitorHour
  readonly km: number
  readonly aqi: number
}

/** Returns the nearest active monitor with a value of the pollutant, in its newest usable hour. */
export function chooseReading(
  nearestFirst: Iterable<MonitorCandidate>,
  pollutant: Pollutant,
  now: Instant,
): ChosenReading | undefined {
  for (const { km, hours } of nearestFirst) {
    if (km > MONITOR_REACH_KM) return undefined
    let best: MonitorHour | undefined
    for (const hour of hours) {
      if (!hour.active || hour[pollutant] === null || !isUsable(hour.hour, now)) continue
      if (best === undefined || hour.hour > best.hour) best = hour
    }
    if (best) return { monitor: best, km, aqi: entryOf(best, pollutant) }
  }
  return undefined
}

export interface AirQuality {
  readonly readings: Readonly<Partial<Record<Pollutant, ChosenReading>>>
  /** The reading that gives the index; undefined if there is none. */
  readonly leading?: ChosenReading
  readonly aqi: number | null
  readonly category?: AqiCategory
}

/** Returns the air quality at a point from monitors in order of distance. The index is the largest sub-index. */
export function airQualityFrom(nearestFirst: readonly MonitorCandidate[], now: Instant): AirQuality {
  const readings: Partial<Record<Pollutant, ChosenReading>> = {}
  let leading: ChosenReading | undefined
  for (const pollutant of POLLUTANTS) {
    const reading = chooseReading(nearestFirst, pollutant, now)
    if (!reading) continue
    readings[pollutant] = reading
    if (leading === undefined || reading.aqi > leading.aqi) leading = reading
  }
  if (!leading) return { readings, aqi: null }
  return { readings, leading, aqi: leading.aqi, category: aqiCategory(leading.aqi) }
}
