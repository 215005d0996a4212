import {
  lockAirQuality,
  monitorHours,
  putForecasts,
  putMonitorHours,
  removeMonitorHoursBefore,
} from '../../../sql/queries/air-quality.ts'
import {
  countRejected,
  feedState,
  markAbsent,
  markConfirmed,
  markFailed,
  nextVersion,
  removeFeedStates,
  setVersion,
} from '../../../sql/queries/feeds.ts'
import { addToOutbox, databaseNow } from '../../../sql/queries/outbox.ts'
import type { Queries } from '../../../sql/session.ts'
import { airnow, hourlyObservationsUrl, reportingAreaUrl } from '../../datasets/airnow.ts'
import { type HourlyFile, readHourlyObservations, readReportingAreas } from '../../decode/station/airnow.ts'
import { topics } from '../../domain/event.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { DAY, HOUR, type Instant, isoSeconds } from '../../domain/time.ts'
import { AIR_QUALITY_KEEP_MS, usableHours } from '../../domain/weather/air-quality.ts'
import { withoutDoubtful } from '../../domain/weather/air-quality-doubt.ts'
import { traceparent } from '../../ports/trace.ts'
import { readConditionally } from './conditional-read.ts'
import type { Feed, FeedDeps } from './feed.ts'
import { decoded, quarantineDocument, quarantineRows } from './quarantine-feed.ts'

const KEY = 'airnow'
const AREAS = 'airnow/areas'
/**
 * Largest share of monitors that a later edition of an hour's file may lack. If more are absent, rows were lost in
 * transit.
 */
const MAX_ABSENT_SHARE = 0.01
const hourKey = (hour: Instant) => `airnow/${isoSeconds(hour).slice(0, 13)}`

/**
 * Reads AirNow's files of the last three hours and the forecasts. Every sweep reads all of them again, because they may be revised. The
 * newest file is often absent until 35 minutes past the hour, which is no failure while another of the three can be read.
 */
export const airnowFeed: Feed = {
  id: airnow.id,
  stateKey: KEY,
  pollSeconds: airnow.pollSeconds,
  async sweep(deps) {
    const { database, clock } = deps
    const notes: string[] = []
    const faults: string[] = []
    let readable = 0
    let frozenAt: Date | undefined
    for (const hour of usableHours(clock())) {
      try {
        const read = await readHour(deps, hour)
        notes.push(...read.notes)
        // The newest hour is read first, and only its age in a cache is considered.
        if (readable++ === 0) frozenAt = read.frozenAt
      } catch (error) {
        if (isFault(error, 'NotYet') || isFault(error, 'Gone')) await markAbsent(database, hourKey(hour))
        else {
          if (isFault(error, 'Corrupt')) await countRejected(database, KEY, { file: 1 })
          faults.push((error as Error).message)
        }
      }
    }
    try {
      await readAreas(deps)
    } catch (error) {
      await markFailed(database, AREAS, String((error as Error).message).slice(0, 500))
      await quarantineDocument(deps, airnow.id, clock(), error, 'forecasts')
      notes.push(`forecasts: ${(error as Error).message}`)
    }
    if (faults.length > 0) throw new Fault('Refused', faults.join('; '))
    if (readable === 0) throw new Fault('NotYet', 'AirNow: none of the files of the last three hours could be read')
    await markConfirmed(database, KEY, { suspicious: false, rejected: {}, frozenAt })
    return { notes }
  },
  async retire({ database, clock }) {
    await removeFeedStates(database, 'airnow/2', new Date(clock() - DAY))
    return removeMonitorHoursBefore(database, new Date(clock() - AIR_QUALITY_KEEP_MS))
  },
}

async function readHour(deps: FeedDeps, hour: Instant): Promise<{ notes: string[]; frozenAt?: Date }> {
  const url = hourlyObservationsUrl(hour)
  const key = hourKey(hour)
  try {
    const read = await readConditionally(deps, key, url)
    if (read.state === 'unchanged') return { notes: [], frozenAt: read.frozenAt }
    const file = await decoded(url, read.bytes, () => ofHour(readHourlyObservations(read.bytes, url), hour, url))
    const { rejected } = file
    const stored = await monitorHours(deps.database, new Date(hour), new Date(hour))
    const listed = new Set(file.rows.map(({ id }) => id))
    const absent = stored.filter(({ id }) => !listed.has(id)).length
    const cut = file.cut || absent > stored.length * MAX_ABSENT_SHARE
    const before = await monitorHours(deps.database, new Date(hour - HOUR), new Date(hour - HOUR))
    const { rows, doubts } = withoutDoubtful(file.rows, before)
    await deps.database.transaction(async (tx) => {
      await lockAirQuality(tx)
      // An incomplete file removes no rows.
      await putMonitorHours(tx, rows, cut ? [] : [...new Set(rows.map((row) => row.hour))])
      await countRejected(tx, KEY, { row: rejected.length })
      await enqueueUpdate(tx, key, hour, { ...read.validators, rejected: { row: rejected.length } })
    })
    deps.notify?.()
    await quarantineRows(deps, airnow.id, deps.clock(), url, rejected)
    const fewer =
      cut &&
      !file.cut &&
      `the previous edition has ${stored.length} monitors, but this edition has ${rows.length} and lacks ${absent} of them`
    const half =
      rows.length < before.length / 2 &&
      `the previous hour has ${before.length} monitors, but this hour has ${rows.length}`
    if (fewer || half) {
      const detail = `${url}: ${fewer || half}, so the end of the file is missing`
      await deps.quarantine?.({ dataset: airnow.id, run: hour, reason: 'count', detail, url, bytes: read.bytes })
    }
    for (const doubt of doubts)
      await deps.quarantine?.({ ...doubt, dataset: airnow.id, run: hour, url, bytes: read.bytes })
    const counts = `${rows.length} monitors${rejected.length > 0 ? `, ${rejected.length} rejected` : ''}`
    return { notes: [`${isoSeconds(hour)}: ${counts}`], frozenAt: read.validators.frozenAt }
  } catch (error) {
    if (!isFault(error, 'NotYet') && !isFault(error, 'Gone')) {
      await markFailed(deps.database, key, String((error as Error).message).slice(0, 500))
      await quarantineDocument(deps, airnow.id, deps.clock(), error, isoSeconds(hour).slice(0, 13))
    }
    throw error
  }
}

/**
 * Returns the rows of the hour in the file's name. @throws Fault Corrupt if it has none, because the file is then a
 * copy of another hour's file
 */
function ofHour(file: HourlyFile, hour: Instant, url: string): HourlyFile {
  const rows = file.rows.filter((row) => row.hour === hour)
  const [other] = file.rows.filter((row) => row.hour !== hour)
  if (rows.length === 0 && other) {
    const detail = `${url}: rows must be of ${isoSeconds(hour)}, but are of ${isoSeconds(other.hour)}. Fetch the file again.`
    throw new Fault('Corrupt', detail, { reason: 'time' })
  }
  const elsewhere = file.rows
    .filter((row) => row.hour !== hour)
    .map(({ id, hour: at }) => ({ id, reason: 'no_time' as const, detail: `${id}: ${isoSeconds(at)}` }))
  return { ...file, rows, rejected: [...file.rejected, ...elsewhere] }
}

async function readAreas(deps: FeedDeps): Promise<void> {
  const read = await readConditionally(deps, AREAS, reportingAreaUrl)
  if (read.state === 'unchanged') return
  const { forecasts, rejected } = await decoded(reportingAreaUrl, read.bytes, () =>
    readReportingAreas(read.bytes, reportingAreaUrl),
  )
  await deps.database.transaction(async (tx) => {
    await lockAirQuality(tx)
    const state = await feedState(tx, AREAS)
    await putForecasts(tx, forecasts)
    await enqueueUpdate(tx, AREAS, state?.looked_at?.getTime() ?? 0, {
      ...read.validators,
      rejected: { row: rejected.length },
    })
  })
  deps.notify?.()
  await quarantineRows(deps, airnow.id, deps.clock(), reportingAreaUrl, rejected)
}

/** Makes readers reload: the version of the whole feed increases with each file. */
async function enqueueUpdate(
  tx: Queries,
  key: string,
  run: Instant,
  read: { etag?: string; lastModified?: string; digest: string; rejected: Record<string, number> },
): Promise<void> {
  const version = await nextVersion(tx)
  await markConfirmed(tx, key, { ...read, suspicious: false, version })
  await setVersion(tx, KEY, version)
  const now = (await databaseNow(tx)).toISOString()
  await addToOutbox(tx, [
    {
      topic: topics.runs.name,
      key: airnow.id,
      payload: { dataset: airnow.id, run: new Date(run).toISOString(), at: now },
      trace: traceparent(),
    },
  ])
}
