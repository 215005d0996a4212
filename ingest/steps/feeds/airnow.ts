import {
  lockAirQuality,
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
import { readHourlyObservations, readReportingAreas } from '../../decode/airnow.ts'
import { AIR_QUALITY_KEEP_MS, usableHours } from '../../domain/air-quality.ts'
import { topics } from '../../domain/event.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { DAY, type Instant, isoSeconds } from '../../domain/time.ts'
import { traceparent } from '../../ports/trace.ts'
import { readConditionally } from './conditional-read.ts'
import type { Feed, FeedDeps } from './feed.ts'

const KEY = 'airnow'
const AREAS = 'airnow/areas'
const hourKey = (hour: Instant) => `airnow/${isoSeconds(hour).slice(0, 13)}`

/**
 * AirNow's files of the last three hours, each read again at every sweep because all of them may be revised, and the forecasts.
 * The newest is often absent until 35 minutes past the hour: no failure while another of the three can be read.
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
    for (const hour of usableHours(clock())) {
      try {
        notes.push(...(await readHour(deps, hour)))
        readable++
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
      notes.push(`forecasts: ${(error as Error).message}`)
    }
    if (faults.length > 0) throw new Fault('Refused', faults.join('; '))
    if (readable === 0) throw new Fault('NotYet', 'AirNow: none of the files of the last three hours could be read')
    await markConfirmed(database, KEY, { suspicious: false, rejected: {} })
    return { notes }
  },
  async retire({ database, clock }) {
    await removeFeedStates(database, 'airnow/2', new Date(clock() - DAY))
    return removeMonitorHoursBefore(database, new Date(clock() - AIR_QUALITY_KEEP_MS))
  },
}

async function readHour(deps: FeedDeps, hour: Instant): Promise<string[]> {
  const url = hourlyObservationsUrl(hour)
  const key = hourKey(hour)
  try {
    const read = await readConditionally(deps, key, url)
    if (read.state === 'unchanged') return []
    const { rows, rejected, cut } = readHourlyObservations(read.bytes, url)
    await deps.database.transaction(async (tx) => {
      await lockAirQuality(tx)
      // A file that ends in the middle of a row removes no rows.
      await putMonitorHours(tx, rows, cut ? [] : [...new Set(rows.map((row) => row.hour))])
      await countRejected(tx, KEY, { row: rejected.length })
      await enqueueUpdate(tx, key, hour, { ...read.validators, rejected: { row: rejected.length } })
    })
    deps.notify?.()
    return [`${isoSeconds(hour)}: ${rows.length} monitors${rejected.length > 0 ? `, ${rejected.length} rejected` : ''}`]
  } catch (error) {
    if (!isFault(error, 'NotYet') && !isFault(error, 'Gone'))
      await markFailed(deps.database, key, String((error as Error).message).slice(0, 500))
    throw error
  }
}

async function readAreas(deps: FeedDeps): Promise<void> {
  const read = await readConditionally(deps, AREAS, reportingAreaUrl)
  if (read.state === 'unchanged') return
  const { forecasts, rejected } = readReportingAreas(read.bytes, reportingAreaUrl)
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
}

/** Readers reload: the version of the whole feed grows with each of its files. */
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
