import { DAY } from '../../../ingest/domain/time.ts'
import { reportsOfStations } from '../../../sql/queries/climate.ts'
import type { Spot } from '../../dataset/spot.ts'
import type { ToolContext } from '../protocol/context.ts'
import { dateOf } from './past-days.ts'

/** High and low of a past local day at a place, °C. */
export interface PastExtremes {
  readonly max: number
  readonly min: number
  /** `observed`: from URMA or a climate report; `analysis`: at least one hour is from RTMA. */
  readonly source: 'observed' | 'analysis'
  /** The station whose daily climate report (CLI) gave the values; absent if they are for the place itself. */
  readonly station?: { readonly id: string; readonly km: number }
}

/** A station farther away may have another climate: on a slope, 15 km can make several degrees. */
const MAX_STATION_KM = 15
const MAX_STATIONS = 8
/** A station is used for this long after its last METAR, because it may still send climate reports. */
const MAX_REPORT_AGE_MS = 3 * DAY

/** Returns the stored highs and lows of a place by day since 1970-01-01, from `from` to `to` inclusive; days that are not stored are left out. */
export async function storedExtremes(
  { deps }: ToolContext,
  spot: Spot,
  from: number,
  to: number,
): Promise<Map<number, PastExtremes>> {
  const { lat, lon } = spot.location
  const days = await deps.live.season.days({ lat, lon, domain: spot.resolved.domain }, from, to)
  return new Map(
    [...days].map(([day, { max, min, source }]) => [day, { max: celsius(max), min: celsius(min), source }]),
  )
}

/** Highs and lows of days without a stored analysis, from the final daily climate reports of the nearest station that has them. */
export async function reportedExtremes(
  { deps, now }: ToolContext,
  spot: Spot,
  days: readonly number[],
): Promise<Map<number, PastExtremes>> {
  const extremes = new Map<number, PastExtremes>()
  if (days.length === 0) return extremes
  const { lat, lon } = spot.location
  const near = deps.live.observations.near(lat, lon, MAX_STATION_KM, MAX_STATIONS, now, MAX_REPORT_AGE_MS)
  // The AWIPS code of a station is its ICAO code without the first letter, which stands for the region.
  const stations = new Map(
    near.flatMap(({ station: { id }, km = 0 }) => (id.length === 4 ? [[id.slice(1), { id, km }]] : [])),
  )
  const reports = await reportsOfStations(
    deps.database,
    [...stations.keys()],
    dateOf(Math.min(...days)),
    dateOf(Math.max(...days)),
  )
  const requestedDays = new Set(days)
  for (const [code, station] of stations) {
    for (const report of reports) {
      const day = Date.parse(report.date) / DAY
      const { high, low } = report.temperature
      if (report.station !== code || !requestedDays.has(day) || extremes.has(day) || high === null || low === null)
        continue
      extremes.set(day, { max: fahrenheit(high), min: fahrenheit(low), source: 'observed', station })
    }
  }
  return extremes
}

/** Rounded, because tiles store kelvins in single precision. */
const celsius = (kelvin: number) => Math.round((kelvin - 273.15) * 100) / 100
const fahrenheit = (value: number) => (value - 32) / 1.8
