import { isIssued, recordIssued } from '../../../sql/queries/verification.ts'
import { dayWindowAt } from '../../domain/day-window.ts'
import { nth } from '../../domain/nth.ts'
import { floorTo, HOUR, type Instant, MINUTE } from '../../domain/time.ts'
import { zone } from '../../domain/timezone.ts'
import {
  DAY_ELEMENTS,
  DAY_LEAD_HOURS,
  type ForecastReader,
  HOUR_ELEMENTS,
  type IssuedForecasts,
  LEAD_HOURS,
  READ_SOURCES,
  type ServedForecasts,
  type VerifiedSource,
  type VerifiedStation,
} from '../../domain/verification/forecast.ts'
import { type Observed, observedOf, type VerifyingReport } from '../../domain/verification/observed.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import { issuedKey, packIssued } from './issued-file.ts'
import { extremesOf, type ReportedExtremes, reportsFor } from './reports.ts'
import { stationsOf } from './stations.ts'

export interface VerificationDeps {
  readonly database: Database
  readonly objects: Objects
}

/** Time after the hour until which the served answer still counts as the forecast of that hour. */
const LATEST = 30 * MINUTE
const MORNING_MINUTES = 6 * 60

/**
 * Stores the forecast that is served at this hour for every station and lead until it is verified. Idempotent: it
 * stores each hour once.
 * @returns undefined if there was nothing to do
 */
export async function issueForecasts(
  { database, objects }: VerificationDeps,
  read: ForecastReader,
  now: Instant,
): Promise<{ stations: number; bytes: number } | undefined> {
  const issued = floorTo(now, HOUR)
  if (now - issued > LATEST || (await isIssued(database, new Date(issued)))) return undefined
  const stations = await stationsOf(database, now)
  if (stations.length === 0) return undefined
  const morning = stations.flatMap(({ timezone }, i) =>
    Math.floor(zone(timezone).minuteOf(issued) / 60) * 60 === MORNING_MINUTES ? [i] : [],
  )
  const served = await read({ now, stations, morning })
  if (!served.hours.some((value) => !Number.isNaN(value))) return undefined
  const reports = await reportsFor(database, issued)
  const yesterday = await extremesOf(
    database,
    morning.map((s) => nth(stations, s)),
    (timezone) => zone(timezone).dayOf(issued) - 1,
  )
  const files = [
    ...hourFiles(issued, stations, served, reports),
    ...analysisFiles(issued, stations, served),
    ...dayFiles(issued, stations, morning, served, yesterday),
  ]
  let bytes = 0
  for (const file of files) {
    const packed = packIssued(file)
    bytes += packed.length
    await objects.put(issuedKey(file), packed)
  }
  await recordIssued(database, new Date(issued), stations.length, bytes)
  return { stations: stations.length, bytes }
}

const withPersistence: readonly VerifiedSource[] = [...READ_SOURCES, 'persistence']

/**
 * Writes a file for each lead, with the sources that were read. The last report is the persistence forecast of all
 * leads.
 */
function hourFiles(
  issued: Instant,
  stations: readonly VerifiedStation[],
  { hours }: ServedForecasts,
  reports: ReadonlyMap<string, VerifyingReport>,
): IssuedForecasts[] {
  const width = HOUR_ELEMENTS.length
  const own = READ_SOURCES.length * width
  const last = stations.map(({ id }) => {
    const report = reports.get(id)
    return report && persisted(observedOf(report), report.visibility)
  })
  return LEAD_HOURS.map((leadHours, l) => {
    const values = new Float32Array(stations.length * (own + width)).fill(Number.NaN)
    for (const [s] of stations.entries()) {
      const from = (l * stations.length + s) * own
      values.set(hours.subarray(from, from + own), s * (own + width))
      const report = last[s]
      if (report) values.set(report, s * (own + width) + own)
    }
    return {
      kind: 'hour',
      valid: issued + leadHours * HOUR,
      issued,
      leadHours,
      stations: stations.map(({ id }) => id),
      sources: withPersistence,
      values,
    }
  })
}

/** Cloud cover in the middle of each sky category, percent. */
const COVERS = [0, 18, 43, 75, 100] as const
/** Ceiling and visibility in the middle of each flight category, m. */
const CEILINGS = [90, 220, 600, Number.POSITIVE_INFINITY] as const
const VISIBILITIES = [800, 3000, 6500, 16_093] as const

/** Converts a report to values of a forecast, in the order of `HOUR_ELEMENTS`. */
function persisted(report: Observed, visibility: number | null): number[] {
  const { flight_category: category, sky, wet } = report
  return [
    report.temperature,
    report.dew_point,
    report.wind_speed,
    report.wind_gust,
    COVERS[sky] ?? Number.NaN,
    VISIBILITIES[category] ?? visibility ?? Number.NaN,
    CEILINGS[category] ?? Number.NaN,
    100 * wet,
  ]
}

/** Groups the stations by the time of their analysis; most stations have the same. */
function analysisFiles(
  issued: Instant,
  stations: readonly VerifiedStation[],
  { analysis, analysed }: ServedForecasts,
): IssuedForecasts[] {
  const width = HOUR_ELEMENTS.length
  const times = [...new Set(analysed)].filter((time) => !Number.isNaN(time) && time % HOUR === 0)
  return times.map((valid) => {
    const own = stations.flatMap((_, s) => (analysed[s] === valid ? [s] : []))
    const values = new Float32Array(own.length * width)
    for (const [i, s] of own.entries()) values.set(analysis.subarray(s * width, (s + 1) * width), i * width)
    return {
      kind: 'hour',
      valid,
      issued,
      leadHours: 0,
      stations: own.map((s) => nth(stations, s).id),
      sources: ['rtma'],
      values,
    }
  })
}

/** Writes daily rows of the stations at which it is 06:00 local time, one file for each lead and end of the row. */
function dayFiles(
  issued: Instant,
  stations: readonly VerifiedStation[],
  morning: readonly number[],
  { days }: ServedForecasts,
  yesterday: ReadonlyMap<string, ReportedExtremes>,
): IssuedForecasts[] {
  const width = DAY_ELEMENTS.length
  const own = READ_SOURCES.length * width
  return DAY_LEAD_HOURS.flatMap((leadHours, l) => {
    const ends = new Map<Instant, number[]>()
    for (const [m, s] of morning.entries()) {
      const place = zone(nth(stations, s).timezone)
      const { end } = dayWindowAt(place, place.dayOf(issued) + leadHours / 24)
      ends.set(floorTo(end, HOUR), [...(ends.get(floorTo(end, HOUR)) ?? []), m])
    }
    return [...ends].map(([valid, list]): IssuedForecasts => {
      const values = new Float32Array(list.length * (own + width)).fill(Number.NaN)
      for (const [i, m] of list.entries()) {
        const station = nth(stations, nth(morning, m))
        const from = (l * morning.length + m) * own
        values.set(days.subarray(from, from + own), i * (own + width))
        const last = yesterday.get(station.id)
        if (last) values.set([last.high, last.low], i * (own + width) + own)
      }
      const ids = list.map((m) => nth(stations, nth(morning, m)).id)
      return { kind: 'day', valid, issued, leadHours, stations: ids, sources: withPersistence, values }
    })
  })
}
