import {
  addWetHours,
  claimDay,
  firstIssued,
  issuedHours,
  isVerified,
  removeVerificationBefore,
  type StationClimate,
  verifiedStations,
} from '../../../sql/queries/verification.ts'
import {
  type AreaKind,
  firstUnpackedDay,
  putVerification,
  removeUnpackedDay,
  type VerificationRow,
} from '../../../sql/queries/verification-sums.ts'
import { isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { DAY, dateText, HOUR, type Instant, parseRun } from '../../domain/time.ts'
import { zone } from '../../domain/timezone.ts'
import type { IssuedForecasts } from '../../domain/verification/forecast.ts'
import { observedOf } from '../../domain/verification/observed.ts'
import { addSums, emptySums, type Sums, score, type Truth } from '../../domain/verification/score.ts'
import { VARIABLES, VERIFICATION_DAYS } from '../../domain/verification/statistics.ts'
import type { VerificationDeps } from './issue.ts'
import { issuedFolder, issuedPrefix, readIssued } from './issued-file.ts'
import { extremesOf, type ReportedExtremes, reportsFor } from './reports.ts'

/** Time for which late reports are awaited. */
const WAIT = 2 * HOUR
/** Reports are stored for three days, so an older day can no longer be compared. */
const MAX_DAYS_BACK = 2
/**
 * The climatology of a station starts from that of the country, which counts as this number of hours, of which this
 * share is wet.
 */
const PRIOR_HOURS = 500
const PRIOR_WET = 0.06

/** @returns the compared days, such as `2026-08-20`, with the number of temperature pairs */
export async function scoreDays(deps: VerificationDeps, now: Instant): Promise<{ day: string; pairs: number }[]> {
  const first = await firstIssued(deps.database)
  if (!first) return []
  const last = Math.floor((now - WAIT) / DAY) - 1
  const done: { day: string; pairs: number }[] = []
  for (let day = Math.max(Math.floor(first.getTime() / DAY), last - MAX_DAYS_BACK + 1); day <= last; day++) {
    if (await isVerified(deps.database, dateText(day))) continue
    const pairs = await scoreDay(deps, day).catch(async (error: unknown) => {
      // Another worker compared the day in the meantime and removes its objects.
      if (isFault(error, 'Missing') && (await isVerified(deps.database, dateText(day)))) return undefined
      throw error
    })
    if (pairs !== undefined) done.push({ day: dateText(day), pairs })
  }
  return done
}

/** Compares all forecasts for a UTC day with the reports. @returns the number of pairs; undefined if another worker was first */
async function scoreDay({ database, objects }: VerificationDeps, day: number): Promise<number | undefined> {
  const stations = new Map((await verifiedStations(database, '0001-01-01')).map((station) => [station.id, station]))
  const issued = await issuedHours(database)
  const hours = new Map<string, Sums>()
  const days = new Map<string, Sums>()
  const wet = new Map<string, { hours: number; wet: number }>()
  const used: string[] = []
  for (let valid = day * DAY; valid < (day + 1) * DAY; valid += HOUR) {
    const truth = await truthAt(database, valid, stations)
    for (const id of stations.keys()) countWet(wet, id, truth.hour(id)?.wet)
    const analysed = new Set<string>()
    for await (const { key } of objects.list(issuedPrefix(valid))) {
      const forecasts = readIssued(key, await objects.get(key))
      // The object remains from deleted weather or from an attempt that never finished.
      if (!issued.has(forecasts.issued)) continue
      used.push(key)
      if (forecasts.kind === 'day') await truth.endOfDay(forecasts.stations)
      const sums = forecasts.kind === 'day' ? days : hours
      score(forecasts.leadHours === 0 ? once(forecasts, analysed) : forecasts, truth, (id) => sumsIn(sums, id))
    }
  }
  // In all 50 states, daily rows that end on a UTC day are those of the previous date.
  const rows = [...rowsOf(stations, hours, dateText(day), false), ...rowsOf(stations, days, dateText(day - 1), true)]
  let pairs = 0
  for (const { temperature } of hours.values()) for (let i = 0; i < temperature.length; i += 4) pairs += temperature[i]!
  const claimed = await database.transaction(async (tx) => {
    if (!(await claimDay(tx, dateText(day), pairs, hours.size))) return false
    await putVerification(tx, rows)
    await addWetHours(
      tx,
      [...wet].map(([id, count]) => ({ id, ...count })),
    )
    return true
  })
  if (!claimed) return undefined
  for (const key of used) await objects.remove(key)
  return pairs
}

function sumsIn(sums: Map<string, Sums>, id: string): Sums {
  let stored = sums.get(id)
  if (!stored) sums.set(id, (stored = emptySums()))
  return stored
}

/** Removes repeated analyses: two hours may have stored the same analysis of a station, which is compared only once. */
function once(forecasts: IssuedForecasts, scoredStations: Set<string>): IssuedForecasts {
  const { stations, values } = forecasts
  const width = values.length / stations.length
  const own = stations.flatMap((id, s) => (scoredStations.has(id) ? [] : [s]))
  for (const s of own) scoredStations.add(nth(stations, s))
  const newValues = new Float32Array(own.length * width)
  for (const [i, s] of own.entries()) newValues.set(values.subarray(s * width, (s + 1) * width), i * width)
  return { ...forecasts, stations: own.map((s) => nth(stations, s)), values: newValues }
}

function countWet(counts: Map<string, { hours: number; wet: number }>, id: string, wet: number | undefined): void {
  if (wet === undefined || Number.isNaN(wet)) return
  const { hours, wet: before } = counts.get(id) ?? { hours: 0, wet: 0 }
  counts.set(id, { hours: hours + 1, wet: before + wet })
}

/** The observations of an hour. */
async function truthAt(
  database: VerificationDeps['database'],
  valid: Instant,
  stations: ReadonlyMap<string, StationClimate>,
): Promise<Truth & { endOfDay(ids: readonly string[]): Promise<void> }> {
  const observed = new Map([...(await reportsFor(database, valid))].map(([id, report]) => [id, observedOf(report)]))
  const ended = new Map<string, ReportedExtremes>()
  return {
    hour: (id) => observed.get(id),
    day: (id) => ended.get(id),
    climatology(id) {
      const { hours = 0, wet_hours = 0 } = stations.get(id) ?? {}
      return (wet_hours + PRIOR_HOURS * PRIOR_WET) / (hours + PRIOR_HOURS)
    },
    /** Reads the extremes of stations whose row ends now. */
    async endOfDay(ids) {
      const missing = ids.filter((id) => !ended.has(id)).flatMap((id) => stations.get(id) ?? [])
      if (missing.length === 0) return
      const extremesById = await extremesOf(database, missing, (timezone) => zone(timezone).dayOf(valid) - 1)
      for (const [id, extremes] of extremesById) ended.set(id, extremes)
    },
  }
}

/** Returns rows for every station, state and office, and for all stations together. */
function rowsOf(
  stations: ReadonlyMap<string, StationClimate>,
  sums: ReadonlyMap<string, Sums>,
  day: string,
  ofDays: boolean,
): VerificationRow[] {
  const variables = VARIABLES.filter((variable) => (variable === 'high' || variable === 'low') === ofDays)
  const areas = new Map<string, { kind: AreaKind; area: string; sums: Sums }>()
  const add = (kind: AreaKind, area: string | undefined, own: Sums) => {
    if (area === undefined) return
    const key = `${kind}/${area}`
    const sumsOfArea = areas.get(key)
    if (sumsOfArea) addSums(sumsOfArea.sums, own)
    else {
      const total = emptySums()
      addSums(total, own)
      areas.set(key, { kind, area, sums: total })
    }
  }
  // Rows are stored from west to east, so that a query of `/v1/skill` for a box reads few of them.
  const fromWest = [...stations.values()].sort((station, other) => station.lon - other.lon)
  for (const station of fromWest) {
    const { id } = station
    const own = sums.get(id)
    if (!own) continue
    add('station', id, own)
    add('state', station.state, own)
    add('office', station.office, own)
    add('all', 'US', own)
  }
  return [...areas.values()].flatMap(({ kind, area, sums: total }) =>
    variables
      .filter((variable) => total[variable].some((value) => value !== 0))
      .map((variable): VerificationRow => ({ kind, area, variable, day, sums: total[variable] })),
  )
}

/** Number of days that a call packs; each takes some three seconds. */
const MAX_PACKED = 20

/**
 * Packs the sums that earlier versions stored in a row for each area, one day at a time. @returns the number of days
 */
export async function packDays({ database }: Pick<VerificationDeps, 'database'>): Promise<number> {
  let days = 0
  for (; days < MAX_PACKED; days++) {
    const day = await firstUnpackedDay(database)
    if (day === undefined) break
    await database.transaction(async (tx) => {
      const rows = await removeUnpackedDay(tx, day)
      if (rows.length > 0) await putVerification(tx, rows)
    })
  }
  return days
}

/** Removes sums of more than 400 days ago, and rows of forecasts issued more than 30 days ago. @returns the number of rows */
export function retireSums({ database }: Pick<VerificationDeps, 'database'>, now: Instant): Promise<number> {
  const today = Math.floor(now / DAY)
  return removeVerificationBefore(database, dateText(today - VERIFICATION_DAYS), new Date(now - 30 * DAY))
}

/** Removes forecasts whose day can no longer be compared. @returns the number of objects */
export async function retireIssued({ objects }: Pick<VerificationDeps, 'objects'>, now: Instant): Promise<number> {
  const oldest = (Math.floor(now / DAY) - MAX_DAYS_BACK - 2) * DAY
  let removed = 0
  for await (const { key } of objects.list(issuedFolder)) {
    // Keys are sorted by their valid times.
    if (parseRun(nth(key.slice(issuedFolder.length).split('/'), 0)) >= oldest) break
    await objects.remove(key)
    removed++
  }
  return removed
}
