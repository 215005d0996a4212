import {
  putVerifiedStations,
  reportingStations,
  type StationClimate,
  verifiedStations,
} from '../../../sql/queries/verification.ts'
import { DAY, dateText, HOUR, type Instant } from '../../domain/time.ts'
import type { VerifiedStation } from '../../domain/verification/forecast.ts'
import { placeAt } from '../../geo/place.ts'
import { zonesAt } from '../../geo/zone.ts'
import type { Database } from '../../ports/database.ts'

/** Smallest number of hours of the last day with a routine report. */
const MIN_HOURS = 12
/** A station's surroundings are looked up again after it moved by more than this many degrees. */
const SAME_PLACE = 1e-4

/**
 * Hours between two counts of the reports of all stations, once some stations are known; a count reads a day of
 * reports.
 */
const COUNT_EVERY_HOURS = 6

/**
 * Returns the stations of the 50 states and DC that had reports in 12 of the last 24 hours. Their surroundings are
 * looked up once. For a day that is already being recorded, only new stations are added.
 */
export async function stationsOf(database: Database, now: Instant): Promise<StationClimate[]> {
  const today = dateText(Math.floor(now / DAY))
  const counted = await verifiedStations(database, today)
  if (counted.length > 0 && Math.floor(now / HOUR) % COUNT_EVERY_HOURS !== 0) return counted
  const known = new Map((await verifiedStations(database, '0001-01-01')).map((station) => [station.id, station]))
  const reporting = await reportingStations(database, new Date(now - DAY), MIN_HOURS)
  const located = reporting.flatMap(({ id, name, lat, lon }): VerifiedStation[] => {
    const before = known.get(id)
    if (before && Math.abs(before.lat - lat) < SAME_PLACE && Math.abs(before.lon - lon) < SAME_PLACE)
      return [{ ...before, name }]
    const at = placeAt(lat, lon)
    if (!at) return []
    const domain = at.region === 'AK' ? 'alaska' : at.region === 'HI' ? 'hawaii' : 'conus'
    const { office } = zonesAt(lat, lon)
    return [{ id, name, lat, lon, state: at.region, office, domain, timezone: at.timezone }]
  })
  if (located.length > 0) await putVerifiedStations(database, located, today)
  return verifiedStations(database, today)
}
