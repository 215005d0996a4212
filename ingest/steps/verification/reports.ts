import { temperatureExtremes, verifyingReports } from '../../../sql/queries/verification.ts'
import { hourlyPrecipitation } from '../../decode/station/metar-precipitation.ts'
import { dayWindowAt } from '../../domain/day-window.ts'
import { HOUR, type Instant } from '../../domain/time.ts'
import { zone } from '../../domain/timezone.ts'
import type { DayElement, VerifiedStation } from '../../domain/verification/forecast.ts'
import { MIN_EXTREME_HOURS, REPORT_WINDOW, reportOf, type VerifyingReport } from '../../domain/verification/observed.ts'
import type { Database } from '../../ports/database.ts'

/** Returns the report of each station for a full hour, with the amount of the last hour. */
export async function reportsFor(database: Database, hour: Instant): Promise<Map<string, VerifyingReport>> {
  const [from, to] = [new Date(hour - REPORT_WINDOW.before - HOUR), new Date(hour + REPORT_WINDOW.after)]
  const lists = new Map<string, (VerifyingReport & { readonly raw: string })[]>()
  for (const row of await verifyingReports(database, from, to)) {
    const report = {
      station: row.station,
      observedAt: row.observed_at.getTime(),
      type: row.report_type,
      temperature: row.temperature_c,
      dewPoint: row.dew_point_c,
      windSpeed: row.wind_speed_ms,
      windGust: row.wind_gust_ms,
      visibility: row.visibility_m,
      ...(row.layers ? { layers: row.layers } : {}),
      precipitation: null,
      raw: row.raw,
    }
    const list = lists.get(report.station)
    if (list) list.push(report)
    else lists.set(report.station, [report])
  }
  const chosen = [...lists.values()].flatMap((list) => {
    const report = reportOf(list, hour)
    if (!report) return []
    const earlier = list.filter(
      (other) => other.observedAt < report.observedAt && other.observedAt > report.observedAt - HOUR,
    )
    const raws = earlier.map(({ raw }) => raw)
    return { ...report, precipitation: hourlyPrecipitation(report.raw, raws) }
  })
  return new Map(chosen.map((report) => [report.station, report]))
}

export type ReportedExtremes = Readonly<Record<DayElement, number>>

/**
 * Returns the daytime high and the night low of a completed row of the local calendar, °C; NaN if too few hours have a
 * report.
 */
export async function extremesOf(
  database: Database,
  stations: readonly Pick<VerifiedStation, 'id' | 'timezone'>[],
  dayOf: (timezone: string) => number,
): Promise<Map<string, ReportedExtremes>> {
  const extremes = new Map<string, { high: number; low: number }>()
  for (const timezone of new Set(stations.map((station) => station.timezone))) {
    const ids = stations.filter((station) => station.timezone === timezone).map(({ id }) => id)
    const { start, nightfall, end } = dayWindowAt(zone(timezone), dayOf(timezone))
    const read = (from: Instant, to: Instant) => temperatureExtremes(database, ids, new Date(from), new Date(to))
    for (const id of ids) extremes.set(id, { high: Number.NaN, low: Number.NaN })
    for (const { station, hours, high } of await read(start, nightfall))
      if (hours >= MIN_EXTREME_HOURS) extremes.get(station)!.high = high
    for (const { station, hours, low } of await read(nightfall, end))
      if (hours >= MIN_EXTREME_HOURS) extremes.get(station)!.low = low
  }
  return extremes
}
