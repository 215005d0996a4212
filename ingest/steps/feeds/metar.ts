import {
  countRejected,
  feedState,
  feedStates,
  markAbsent,
  markConfirmed,
  markFailed,
  nextVersion,
  removeFeedStates,
  setVersion,
} from '../../../sql/queries/feeds.ts'
import {
  lockObservations,
  putObservations,
  putStations,
  removeObservationsBefore,
  stationRows,
  stationsReporting,
  storedVersions,
} from '../../../sql/queries/observations.ts'
import { addToOutbox, databaseNow } from '../../../sql/queries/outbox.ts'
import { endSecondSource } from '../../../sql/queries/second-sources.ts'
import type { Queries } from '../../../sql/session.ts'
import { METAR_BACKFILL_MS, metar, metarCacheUrl, metarCycleUrl, stationTableUrl } from '../../datasets/metar.ts'
import { type MetarFeed, readMetarCacheInSlices, readMetarCycleInSlices } from '../../decode/station/metar-feed.ts'
import { readStationTable } from '../../decode/station/station-table.ts'
import { topics } from '../../domain/event.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import type { QuarantineReason } from '../../domain/quarantine.ts'
import { DAY, floorTo, HOUR, type Instant, isoSeconds, MINUTE } from '../../domain/time.ts'
import {
  clockRejection,
  FRESH_REPORT_MS,
  type GeoPoint,
  inObservedRegion,
  newReports,
  OBSERVATION_KEEP_MS,
  type Observation,
  observationKey,
  type RejectedReport,
  stationPlace,
} from '../../domain/weather/observation.ts'
import { distanceKm } from '../../geo/sphere.ts'
import { traceparent } from '../../ports/trace.ts'
import { digestOf, frozenCopy, readConditionally, type Validators } from './conditional-read.ts'
import type { Feed, FeedDeps } from './feed.ts'
import { decoded, quarantineDocument, quarantineRows } from './quarantine-feed.ts'
import { recordSecond } from './second-source.ts'

const CACHE = 'metar'
const STATIONS = 'metar/stations'
/** State of the cycles; its `updated` is the time up to which no hour is missing. */
const CYCLES = 'metar/cycles'
/** Prefix of the states of hours that were read to fill a gap. */
const CYCLE = 'metar/cycle/'
const MAX_CYCLES_A_SWEEP = 6
/** After this time without a good read of the cache, the missing hours are read from the cycles. */
const GAP_MS = 90 * MINUTE
const RETRY_MS = 10 * MINUTE
/** The cache has the newest report of each station. A file without a report of this age is an earlier copy. */
const MAX_FILE_AGE_MS = 2 * HOUR
/** A file that lacks newer reports of this share of stations is an earlier copy, whatever its timestamp. */
const MAX_OUTDATED_SHARE = 0.05
/** With fewer stations than this the file is not judged, because the clocks of some stations are ahead. */
const MIN_OUTDATED_STATIONS = 5
const REPORTS_A_TRANSACTION = 1000
/** Servers of the cache differ by some minutes. */
const OUTDATED_AFTER_MS = 10 * MINUTE

/**
 * Reads METARs from aviationweather.gov's cache, and from the hourly cycles of tgftp at a cold start, after a gap, and while the cache
 * cannot be read (in 2026 it answered 308 to unnamed agents: set CONTACT). A failed cache is a failure of the feed even if the cycles succeed.
 */
export const metarFeed: Feed = {
  id: metar.id,
  stateKey: CACHE,
  pollSeconds: metar.pollSeconds,
  async sweep(deps) {
    const notes: string[] = []
    await readStations(deps).catch((error: unknown) => notes.push(`stations: ${(error as Error).message}`))
    try {
      const { notes: read, stale } = await readCache(deps)
      notes.push(...read)
      if (stale) await readSecond(deps, stale)
      else await endSecondSource(deps.database, metar.id)
    } catch (error) {
      if (isFault(error, 'Corrupt')) await countRejected(deps.database, metar.id, { file: 1 })
      await readSecond(deps, error)
      throw error
    }
    notes.push(...(await fillGap(deps)))
    return { notes }
  },
  async retire({ database, clock }) {
    return removeObservationsBefore(database, new Date(clock() - OBSERVATION_KEEP_MS))
  },
}

async function readStations(deps: FeedDeps): Promise<void> {
  const { database } = deps
  const state = await feedState(database, STATIONS)
  const wait = state?.failure ? RETRY_MS : DAY
  if (state?.looked_at && (await ageOf(deps, state.looked_at)) < wait) return
  try {
    const read = await readConditionally(deps, STATIONS, stationTableUrl)
    if (read.state === 'unchanged') return
    const { stations, rejected } = await decoded(stationTableUrl, read.bytes, () =>
      readStationTable(read.bytes, stationTableUrl),
    )
    await database.transaction(async (tx) => {
      await lockObservations(tx)
      const version = await nextVersion(tx)
      const rows = stations.map(({ place, elevation, ...site }) => ({
        ...site,
        lat: place?.lat ?? null,
        lon: place?.lon ?? null,
        elevation_m: elevation,
      }))
      await putStations(tx, rows, version)
      await markConfirmed(tx, STATIONS, {
        ...read.validators,
        suspicious: false,
        rejected: { row: rejected.length },
        version,
      })
    })
  } catch (error) {
    await markFailed(database, STATIONS, String((error as Error).message).slice(0, 500))
    await quarantineDocument(deps, metar.id, deps.clock(), error, 'stations')
    throw error
  }
}

/** Reads the cycles of the current and the previous hour in place of the cache. */
async function readSecond(deps: FeedDeps, reason: unknown): Promise<void> {
  const now = deps.clock()
  let stoodIn = false
  for (const hour of [floorTo(now, HOUR), floorTo(now - 30 * MINUTE, HOUR) - HOUR]) {
    // The file of a past hour no longer changes; an old copy of the other files may lack reports.
    const read = await readCycle(deps, hour).then(
      ({ frozenAt }) => frozenAt === undefined || frozenAt.getTime() > hour + HOUR,
      () => false,
    )
    stoodIn ||= read
  }
  if (stoodIn) await recordSecond(deps, metar, metarCycleUrl(now, deps.secondSources?.metar), reason)
}

/** @returns `stale`: why the file is an earlier copy */
async function readCache(deps: FeedDeps): Promise<{ notes: string[]; stale?: string }> {
  const read = await readConditionally(deps, CACHE, metarCacheUrl)
  if (read.state === 'unchanged') {
    const newest = (await feedState(deps.database, CACHE))?.updated?.getTime()
    const isStale =
      newest !== undefined && (deps.clock() - newest > MAX_FILE_AGE_MS || (await isOutdated(deps, newest)))
    return { notes: [], ...(isStale && { stale: `the newest report of the cache is from ${isoSeconds(newest)}` }) }
  }
  const feed = await decoded(metarCacheUrl, read.bytes, () => readMetarCacheInSlices(read.bytes, metarCacheUrl))
  const notes = await storeReports(deps, feed, metarCacheUrl, CACHE, read.validators)
  const doubt = await doubtOf(deps, feed)
  if (!doubt) return { notes }
  const fault = new Fault('Corrupt', doubt.detail, { ...doubt, url: metarCacheUrl, bytes: read.bytes })
  await quarantineDocument(deps, metar.id, deps.clock(), fault)
  return { notes: [...notes, doubt.detail], ...(doubt.reason === 'stale' && { stale: doubt.detail }) }
}

/** @param key the feed state that records the hour as read */
async function readCycle(deps: FeedDeps, hour: Instant, key?: string): Promise<{ notes: string[]; frozenAt?: Date }> {
  const url = metarCycleUrl(hour, deps.secondSources?.metar)
  const how = { attempts: 2, idleMs: 10_000, noCache: true, signal: AbortSignal.timeout(60_000) }
  const { bytes, ageSeconds } = await deps.upstream.get(url, how)
  const feed = await decoded(url, bytes, () => readMetarCycleInSlices(bytes, url))
  const frozenAt = frozenCopy(ageSeconds, deps.clock())
  return { notes: await storeReports(deps, feed, url, key, { digest: digestOf(bytes) }), frozenAt }
}

/**
 * Reads the hours of cycles since the last good read, newest first and a few in each sweep, because the database needs
 * half a second for each hour. The transaction that stores an hour also marks it as read.
 */
async function fillGap(deps: FeedDeps): Promise<string[]> {
  const { database } = deps
  const now = deps.clock()
  const complete = (await feedState(database, CYCLES))?.updated?.getTime()
  const remember = () => markConfirmed(database, CYCLES, { suspicious: false, rejected: {}, updated: new Date(now) })
  if (complete !== undefined && now - complete < GAP_MS) {
    if (now - complete > RETRY_MS) await remember()
    return []
  }
  const known = new Map((await feedStates(database, CYCLE)).feeds.map((state) => [state.feed, state]))
  const from = Math.max(complete ?? 0, now - METAR_BACKFILL_MS)
  const notes: string[] = []
  let remaining = MAX_CYCLES_A_SWEEP
  let missing = 0
  for (let hour = floorTo(now, HOUR); hour > from - HOUR && hour > now - DAY; hour -= HOUR) {
    const key = `${CYCLE}${isoSeconds(hour).slice(0, 13)}`
    const state = known.get(key)
    if (state && !state.failure) continue
    missing++
    if (remaining === 0 || (state?.looked_at && (await ageOf(deps, state.looked_at)) < RETRY_MS)) continue
    remaining--
    try {
      notes.push(...(await readCycle(deps, hour, key)).notes)
      missing--
    } catch (error) {
      if (isFault(error, 'NotYet') || isFault(error, 'Gone')) {
        // An hour that upstream does not have is not requested again.
        await markAbsent(database, key)
        missing--
        continue
      }
      await markFailed(database, key, String((error as Error).message).slice(0, 500))
      await quarantineDocument(deps, metar.id, now, error, `cycle ${isoSeconds(hour).slice(0, 13)}`)
      notes.push(`cycle ${new Date(hour).toISOString().slice(11, 13)}Z: ${(error as Error).message}`)
    }
  }
  if (missing === 0) {
    await remember()
    await removeFeedStates(database, CYCLE, new Date('9999-01-01'))
  }
  return notes
}

/**
 * Stores the reports of an earlier copy, because each report is valid by itself.
 * @returns why the file is not current
 */
async function doubtOf(
  deps: FeedDeps,
  feed: MetarFeed,
): Promise<{ reason: QuarantineReason; detail: string } | undefined> {
  const now = deps.clock()
  // The newest few reports are ignored, because the clocks of single stations are hours ahead.
  const times = feed.reports.map(({ report }) => report.observedAt).sort((a, b) => a - b)
  const newest = times[Math.floor(times.length * 0.95)] ?? 0
  if (now - newest > MAX_FILE_AGE_MS) {
    const detail = `${metarCacheUrl}: the newest report must be from the last two hours, but is from ${isoSeconds(newest)}`
    return { reason: 'stale', detail }
  }
  const usual = await stationsReporting(deps.database, new Date(now - FRESH_REPORT_MS), new Date(now))
  if (feed.reports.length < usual / 2) {
    const detail = `${metarCacheUrl}: expected reports of about ${usual} stations, but found ${feed.reports.length}`
    return { reason: 'count', detail }
  }
  const last = times[Math.floor(times.length * 0.99)] ?? 0
  if (!(await isOutdated(deps, last))) return undefined
  const detail = `${metarCacheUrl}: the file is older than the last file that was read; its newest report is from ${isoSeconds(last)}`
  return { reason: 'stale', detail }
}

/** Returns whether stored reports of many stations are newer, which means that the cache returned an earlier copy. */
async function isOutdated({ database, clock }: FeedDeps, newest: Instant): Promise<boolean> {
  const now = new Date(clock())
  const since = await stationsReporting(database, new Date(newest + OUTDATED_AFTER_MS), now)
  if (since < MIN_OUTDATED_STATIONS) return false
  return (
    since > MAX_OUTDATED_SHARE * (await stationsReporting(database, new Date(now.getTime() - FRESH_REPORT_MS), now))
  )
}

/**
 * Stores reports in several transactions, because a whole file in one would keep the embedded database busy for a
 * second. After a crash, reports that are read again count as already stored. The last transaction confirms the file.
 * @param url the file
 * @param confirms the feed whose state is confirmed
 */
async function storeReports(
  deps: FeedDeps,
  feed: MetarFeed,
  url: string,
  confirms?: string,
  validators?: Validators,
): Promise<string[]> {
  const { database } = deps
  const { placed, rejected } = placeReports(feed, await stationRows(database), deps.clock())
  const unstored = async (db: Queries, reports: readonly Observation[]) => {
    const versions = await storedVersions(db, reports)
    return newReports(reports, new Map(versions.map((version) => [observationKey(version), version])))
  }
  // Most reports of a file are already stored. One transaction, and so one event, is enough for the others, except for
  // the first file.
  const candidates = await unstored(database, placed)
  let stored = 0
  for (let from = 0; from === 0 || from < candidates.length; from += REPORTS_A_TRANSACTION) {
    const part = candidates.slice(from, from + REPORTS_A_TRANSACTION)
    const isLast = from + REPORTS_A_TRANSACTION >= candidates.length
    stored += await database.transaction(async (tx) => {
      await lockObservations(tx)
      const fresh = await unstored(tx, part)
      const version = fresh.length > 0 ? await nextVersion(tx) : undefined
      if (version !== undefined) {
        await putObservations(tx, fresh, version)
        // Readers follow the version of the feed, whichever source provided the rows.
        await setVersion(tx, CACHE, version)
        await addToOutbox(tx, [
          {
            topic: topics.runs.name,
            key: metar.id,
            payload: {
              dataset: metar.id,
              run: newestOf(fresh)!.toISOString(),
              at: new Date(deps.clock()).toISOString(),
            },
            trace: traceparent(),
          },
        ])
      }
      if (confirms && validators && isLast) {
        const counts = countByReason(rejected)
        await countRejected(tx, metar.id, counts)
        // The newest report shows how current the file is, because a valid file may be old.
        const updated = newestOf(placed)
        await markConfirmed(tx, confirms, { ...validators, updated, suspicious: false, rejected: counts, version })
      }
      return fresh.length
    })
  }
  if (stored > 0) deps.notify?.()
  await quarantineRows(deps, metar.id, deps.clock(), url, rejected.map(named))
  const counts = Object.entries(countByReason(rejected)).map(([reason, count]) => `${count} ${reason}`)
  return stored > 0 || rejected.length > 0
    ? [`${stored} reports${counts.length > 0 ? `, rejected: ${counts.join(', ')}` : ''}`]
    : []
}

/** Returns the reports of stations in our area, with their positions. */
function placeReports(
  feed: MetarFeed,
  stations: Awaited<ReturnType<typeof stationRows>>,
  now: Instant,
): { placed: Observation[]; rejected: RejectedReport[] } {
  const sites = new Map(stations.map((row) => [row.id, row]))
  const rejected: RejectedReport[] = [...feed.rejected]
  const placed: Observation[] = []
  for (const { report, place, elevation } of feed.reports) {
    const clock = clockRejection(report.observedAt, now)
    if (clock) {
      // A cycle file is overwritten once a day, so an old file still has yesterday's reports.
      if (clock === 'future') rejected.push({ reason: clock, detail: report.raw.slice(0, 120) })
      continue
    }
    const site = sites.get(report.station)
    const listed = site && site.lat !== null && site.lon !== null ? { lat: site.lat, lon: site.lon } : undefined
    const at = stationPlace(place, listed, kilometers)
    if (!at) rejected.push({ reason: 'no_place', detail: report.raw.slice(0, 120) })
    else if (inObservedRegion(at)) placed.push({ ...report, ...at, elevation: elevation ?? site?.elevation_m ?? null })
  }
  return { placed, rejected }
}

function newestOf(reports: readonly Observation[]): Date | undefined {
  const newest = reports.reduce((best, { observedAt }) => Math.max(best, observedAt), 0)
  return newest > 0 ? new Date(newest) : undefined
}

/** Returns the age by the database's clock, which also wrote `updated`. */
async function ageOf({ database }: FeedDeps, at: Date): Promise<number> {
  return (await databaseNow(database)).getTime() - at.getTime()
}

/** Names a rejected row by the station at its beginning; other rows are named by the reason alone. */
function named({ reason, detail }: RejectedReport) {
  const id = /^(?:(?:METAR|SPECI) )?([A-Z][A-Z0-9]{3}) /.exec(detail)?.[1]
  return { id: id ?? reason, reason, detail }
}

const kilometers = (a: GeoPoint, b: GeoPoint) => distanceKm(a.lat, a.lon, b.lat, b.lon)

function countByReason(rejected: readonly RejectedReport[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { reason } of rejected) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}
