import { type Instant, MINUTE } from '../time.ts'

export type SkyCover = 'FEW' | 'SCT' | 'BKN' | 'OVC' | 'VV' | 'CLR' | '///'

/** A sky group of a report. `///` as cover means that an automatic station saw convective cloud or that no sensor worked. */
export interface SkyLayer {
  readonly cover: SkyCover
  /** Feet above ground; absent if the report has `///` or no height. */
  readonly base_ft?: number
  readonly convective?: 'CB' | 'TCU'
}

export type FlightCategory = 'VFR' | 'MVFR' | 'IFR' | 'LIFR'

/** A decoded METAR or SPECI. A member is null if this report lacks it; no other source fills it. */
export interface MetarReport {
  /** Identifier of four characters as in the report: an ICAO location indicator or a US code such as K0VG. */
  readonly station: string
  readonly observedAt: Instant
  readonly type: 'METAR' | 'SPECI'
  readonly corrected: boolean
  readonly auto: boolean
  /** The report with single spaces and without the closing `=`. */
  readonly raw: string
  /** Temperature in °C, to 0.1 if the remarks have it. */
  readonly temperature: number | null
  readonly dewPoint: number | null
  /** Direction in degrees from true north as reported, 360 for north; null if variable, calm or missing. */
  readonly windDirection: number | null
  /** Wind speed, m/s. */
  readonly windSpeed: number | null
  readonly windGust: number | null
  /** Visibility, m. */
  readonly visibility: number | null
  /** Altimeter setting, Pa. */
  readonly pressure: number | null
  /** Absent if the report has no sky group. */
  readonly layers?: readonly SkyLayer[]
  /** Present-weather tokens of the body, unchanged. */
  readonly weather: readonly string[]
}

/** A report with its location, as in a row of the table. */
export interface Observation extends MetarReport {
  readonly lat: number
  readonly lon: number
  /** Elevation, m. */
  readonly elevation: number | null
}

export type ObservationRejection =
  | 'bad_row'
  | 'too_long'
  | 'no_station'
  | 'no_time'
  | 'nil'
  | 'empty'
  | 'future'
  | 'too_old'
  | 'no_place'

/** A row or report that was rejected, with the reason. */
export interface RejectedReport {
  readonly reason: ObservationRejection
  /** At most 120 characters of the input. */
  readonly detail: string
}

export const MAX_CLOCK_AHEAD_MS = 10 * MINUTE
export const OBSERVATION_KEEP_MS = 72 * 60 * MINUTE
/** Maximum distance of a row's coordinates from those in the station table, km. Beyond it, the coordinates of the table are used. */
export const MAX_STATION_MOVE_KM = 50
export const STATION_REACH_KM = 150
export const FRESH_REPORT_MS = 90 * MINUTE
export const USABLE_REPORT_MS = 180 * MINUTE

export const METERS_PER_MILE = 1609.344
export const METERS_PER_SECOND_PER_KNOT = 1852 / 3600
export const PASCALS_PER_INCH = 3386.389

/** Returns the lowest base of a layer that counts as a ceiling, feet; undefined if none has a base. */
export function ceilingFt(layers: readonly SkyLayer[] | undefined): number | undefined {
  let lowest: number | undefined
  for (const layer of layers ?? []) {
    if (!isCeiling(layer) || layer.base_ft === undefined) continue
    if (lowest === undefined || layer.base_ft < lowest) lowest = layer.base_ft
  }
  return lowest
}

const isCeiling = ({ cover }: SkyLayer) => cover === 'BKN' || cover === 'OVC' || cover === 'VV'

/** Returns whether a layer leaves the ceiling unknown, because its cover is unknown, or its base if it is a ceiling. */
const leavesCeilingOpen = (layer: SkyLayer) =>
  layer.cover === '///' || (isCeiling(layer) && layer.base_ft === undefined)

const worst: readonly FlightCategory[] = ['LIFR', 'IFR', 'MVFR', 'VFR']

function byCeiling(layers: readonly SkyLayer[] | undefined): FlightCategory | null {
  if (layers === undefined) return null
  const feet = ceilingFt(layers)
  const known = feet === undefined || feet > 3000 ? 'VFR' : feet < 500 ? 'LIFR' : feet < 1000 ? 'IFR' : 'MVFR'
  return known === 'VFR' && layers.some(leavesCeilingOpen) ? null : known
}

function byVisibility(meters: number | null): FlightCategory | null {
  if (meters === null) return null
  const miles = Math.round((meters / METERS_PER_MILE) * 1e4) / 1e4
  return miles < 1 ? 'LIFR' : miles < 3 ? 'IFR' : miles <= 5 ? 'MVFR' : 'VFR'
}

/** Returns the worse category of ceiling and visibility. If only one of them is known, it decides only if it is not VFR. */
export function flightCategory(report: Pick<MetarReport, 'layers' | 'visibility'>): FlightCategory | null {
  const ceiling = byCeiling(report.layers)
  const visibility = byVisibility(report.visibility)
  const limiting = worst.find((category) => category === ceiling || category === visibility) ?? null
  return limiting === 'VFR' && (ceiling === null || visibility === null) ? null : limiting
}

/** The members that decide between two reports of one station and time. */
type Version = Pick<MetarReport, 'raw' | 'corrected'>

/** Returns whether a report replaces the stored report of the same station and time. A correction stays until the next correction. */
export function replaces(incoming: Version, stored: Version): boolean {
  if (incoming.raw === stored.raw) return false
  return incoming.corrected || !stored.corrected
}

export const observationKey = (report: Pick<MetarReport, 'station' | 'observedAt'>): string =>
  `${report.station} ${report.observedAt}`

/**
 * Returns the reports of a read that are to be stored, in order of arrival.
 * @param stored stored reports by `observationKey`
 */
export function newReports<T extends MetarReport>(
  arrived: readonly T[],
  stored: ReadonlyMap<string, Version>,
): readonly T[] {
  const chosen = new Map<string, T>()
  for (const report of arrived) {
    const key = observationKey(report)
    const before = chosen.get(key)
    if (before === undefined || replaces(report, before)) chosen.set(key, report)
  }
  return [...chosen]
    .filter(([key, report]) => {
      const before = stored.get(key)
      return before === undefined || replaces(report, before)
    })
    .map(([, report]) => report)
}

/** Returns why the time of a report is not plausible; undefined if it is usable. */
export function clockRejection(observedAt: Instant, now: Instant): 'future' | 'too_old' | undefined {
  if (observedAt > now + MAX_CLOCK_AHEAD_MS) return 'future'
  return observedAt < now - OBSERVATION_KEEP_MS ? 'too_old' : undefined
}

export interface GeoPoint {
  readonly lat: number
  readonly lon: number
}

/** Returns a position; undefined if it is out of range, not a number, 0 0, or the station table's -99.99. */
export function validPlace(lat: number | undefined, lon: number | undefined): GeoPoint | undefined {
  if (lat === undefined || lon === undefined) return undefined
  if (!(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180) || (lat === 0 && lon === 0)) return undefined
  return { lat, lon }
}

/** Returns the coordinates of a station: those of its row if they are near those of the table, otherwise those of the table. */
export function stationPlace(
  row: GeoPoint | undefined,
  table: GeoPoint | undefined,
  distanceKm: (a: GeoPoint, b: GeoPoint) => number,
): GeoPoint | undefined {
  if (row && table) return distanceKm(row, table) <= MAX_STATION_MOVE_KM ? row : table
  return row ?? table
}

/** Returns whether a position is in the stored area: the 50 states, their neighbours, and 150 km around them. */
export function inObservedRegion({ lat, lon }: GeoPoint): boolean {
  return lat >= 14 && lat <= 76 && (lon <= -50 || lon >= 168)
}

export interface StationCandidate {
  readonly km: number
  /** Age of the newest report, ms. */
  readonly age: number
}

export interface StationChoice<T> {
  readonly station: T
  /** Whether the newest report is older than 90 minutes. */
  readonly stale: boolean
}

/** Returns the station for a point, from candidates in order of distance. */
export function chooseStation<T extends StationCandidate>(nearestFirst: Iterable<T>): StationChoice<T> | undefined {
  let usable: T | undefined
  for (const station of nearestFirst) {
    if (station.km > STATION_REACH_KM) break
    if (station.age <= FRESH_REPORT_MS) return { station, stale: false }
    if (usable === undefined && station.age <= USABLE_REPORT_MS) usable = station
  }
  return usable && { station: usable, stale: true }
}
