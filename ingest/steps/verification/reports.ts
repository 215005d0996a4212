import { reportsInPeriod } from '../../../sql/queries/observations.ts'
import { hourlyPrecipitation } from '../../decode/metar-precipitation.ts'
import type { Instant } from '../../domain/time.ts'
import type { VerifyingReport } from '../../domain/verification/observed.ts'
import type { Database } from '../../ports/database.ts'

/** Reports by station, in the order of their times. */
export type Reports = ReadonlyMap<string, readonly VerifyingReport[]>

/** All reports of a period, both ends inclusive, with the amounts of their remarks. */
export async function reportsBetween(database: Database, from: Instant, to: Instant): Promise<Reports> {
  const reports = new Map<string, VerifyingReport[]>()
  for (const report of await reportsInPeriod(database, new Date(from), new Date(to))) {
    const list = reports.get(report.station)
    const read = { ...report, precipitation: hourlyPrecipitation(report.raw) }
    if (list) list.push(read)
    else reports.set(report.station, [read])
  }
  return reports
}
