import { manifestOf, pointerOf, type RunRow, rejectRun } from '../../../sql/queries/runs.ts'
import type { MrmsDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { isRedirected } from '../../domain/quarantine.ts'
import { HOUR, type Instant, MINUTE } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import { frameKey } from '../../tile/key.ts'
import { type FrameSummary, faultsOf } from './check-frame.ts'
import { type FrameFile, findFrames, publishFrame, quarantineFrame, storedFrames } from './frame.ts'
import type { DomainOutcome, FrameOutcome, FramePorts, Judge } from './frame-source.ts'
import { FOLLOWED, missingTimes, publishMotion } from './motion.ts'
import type { FrameResult, FrameTask } from './work.ts'

/**
 * Fetches new frames of an MRMS product: in every domain the newest valid frame that is newer than the served frame.
 * Frames in between are superseded: they are reported by name and not fetched. An invalid frame stays rejected until
 * upstream replaces it (a different ETag). Idempotent.
 */
export async function sweepMrms(ports: FramePorts, dataset: MrmsDataset, now: Instant): Promise<FrameOutcome> {
  const sweep: DomainOutcome = { published: [], superseded: [], rejected: [], failures: [] }
  await Promise.all(
    dataset.domains.map(async ({ id: domain }) => {
      try {
        await sweepDomain(ports, dataset, domain, now, sweep)
      } catch (error) {
        if (!isFault(error)) throw error
        sweep.failures.push(`${dataset.id}/${domain}: ${error.message}`)
      }
    }),
  )
  return { dataset: dataset.id, ...sweep }
}

async function sweepDomain(
  ports: FramePorts,
  dataset: MrmsDataset,
  domain: DomainId,
  now: Instant,
  sweep: DomainOutcome,
): Promise<void> {
  const files = await findFrames(ports.upstream, dataset, domain, now)
  if (files.length === 0) return
  const rows = await storedFrames(ports.database, dataset.id, domain)
  const served = rows.find(({ state }) => state === 'published')
  if (!served && dataset.pastHours) sweep.isFirst = true
  let publishedTime: Instant | undefined
  for (const frame of files) {
    if (served && frame.time <= served.run.getTime()) break
    if (publishedTime !== undefined) {
      // A fresh installation has no superseded frames.
      if (served && !rejectedBefore(rows, frame)) sweep.superseded.push(frame.name)
      continue
    }
    if (rejectedBefore(rows, frame)) continue
    const isTaken = await takeFrame(ports, dataset, domain, frame, now, sweep.rejected).catch((error: unknown) => {
      // A listed frame may not be readable yet, or may have been deleted; then the previous frame is tried.
      if (!isFault(error, 'NotYet') && !isFault(error, 'Gone')) throw error
      sweep.failures.push(error.message)
      return false
    })
    if (isTaken) {
      publishedTime = frame.time
      sweep.published.push({ domain, time: frame.time })
    }
  }
}

function rejectedBefore(rows: readonly RunRow[], { time, etag }: FrameFile): boolean {
  const row = rows.find(({ run }) => run.getTime() === time)
  return row?.state === 'rejected' && (row.reason?.endsWith(etagMark(etag)) ?? false)
}

const etagMark = (etag: string | undefined): string => ` [ETag ${etag ?? 'unknown'}]`

/** Fetches, validates and publishes a frame. @returns false if it was rejected, which is recorded */
async function takeFrame(
  ports: FramePorts,
  dataset: MrmsDataset,
  domain: DomainId,
  frame: FrameFile,
  now: Instant,
  rejected: string[],
): Promise<boolean> {
  let bytes: Uint8Array | undefined
  try {
    ;({ bytes } = await ports.upstream.get(frame.url))
    const task: FrameTask = {
      kind: 'frame',
      bytes,
      subject: { product: dataset.id, domain, unit: dataset.unit, source: frame.url },
      values: dataset.values,
    }
    const scan = await ports.pool.run<FrameResult>(task)
    const wrong = faultsOf(dataset, domain, frame.time, scan, await frameBefore(ports.database, dataset.id, domain))
    if (wrong.length > 0) {
      const details = wrong.map(({ detail }) => detail).join('; ')
      throw new Fault('Corrupt', `${frame.name}: ${details}`, { reason: nth(wrong, 0).reason })
    }
    const key = frameKey(dataset.id, domain, frame.time)
    await ports.objects.put(key, scan.bytes)
    await publishFrame(
      ports.database,
      dataset.id,
      domain,
      frame.time,
      key,
      summary(scan, frame),
      now,
      0,
      frame.modified,
    )
    ports.notify?.()
    return true
  } catch (error) {
    if (isRedirected(error)) await quarantineFrame(ports, dataset.id, domain, frame, error)
    if (!isFault(error, 'Corrupt')) throw error
    rejected.push(error.message)
    await quarantineFrame(ports, dataset.id, domain, frame, error, bytes)
    const row = { dataset: dataset.id, domain, run: new Date(frame.time) }
    await rejectRun(ports.database, row, error.message + etagMark(frame.etag))
    return false
  }
}

/** Returns the summary of a frame for status, catalog and search. */
function summary({ head, most }: FrameResult, frame: FrameFile) {
  const { noCoverage, dry, grid, unit } = head
  return { noCoverage, dry, most: Number.isNaN(most) ? null : most, grid, unit, source: frame.url }
}

/** Returns the recorded summary of the served frame. */
async function frameBefore(database: Database, dataset: string, domain: DomainId): Promise<FrameSummary | undefined> {
  const pointer = await pointerOf(database, dataset, domain)
  if (!pointer) return undefined
  const manifest = (await manifestOf(database, pointer)) as Partial<FrameSummary> | null
  if (typeof manifest?.noCoverage !== 'number' || typeof manifest.dry !== 'number') return undefined
  return { time: pointer.run.getTime(), noCoverage: manifest.noCoverage, dry: manifest.dry, most: manifest.most }
}

/** Fetches the frames that motion needs and publishes the motion; fetches past hours of totals. */
export async function followMrms(
  ports: FramePorts,
  dataset: MrmsDataset,
  now: Instant,
  sweep: FrameOutcome,
  judge: Judge,
): Promise<FrameOutcome> {
  if (dataset.pastHours) return { ...sweep, failures: [...sweep.failures, ...(await takePast(ports, dataset, now))] }
  if (!FOLLOWED.includes(dataset.id)) return sweep
  const failures = [...sweep.failures]
  const fetched: string[] = []
  await Promise.all(
    sweep.published.map(async ({ domain, time }) => {
      try {
        fetched.push(...(await takeHistory(ports, dataset, domain, time, now)))
        if (await publishMotion(ports, dataset.id, domain, time, now)) judge(domain, time)
      } catch (error) {
        if (!isFault(error)) throw error
        failures.push(`${dataset.id}/${domain}: motion: ${error.message}`)
      }
    }),
  )
  return { ...sweep, failures, superseded: sweep.superseded.filter((name) => !fetched.includes(name)) }
}

/**
 * Number of past hours that a sweep fetches in a domain, newest first, so that the shortest totals are complete first.
 */
const BACKFILL_CONCURRENCY = 4

/**
 * Fetches hours before the newest that are not stored yet. Hours that upstream does not list are not requested again.
 * @returns the failures
 */
async function takePast(ports: FramePorts, dataset: MrmsDataset, now: Instant): Promise<string[]> {
  const failures: string[] = []
  for (const { id: domain } of dataset.domains) {
    const rows = await storedFrames(ports.database, dataset.id, domain)
    const newest = rows.find(({ state }) => state === 'published')?.run.getTime()
    if (newest === undefined) continue
    const known = new Set(rows.map(({ run }) => run.getTime()))
    const hours = Array.from({ length: dataset.pastHours! }, (_, k) => newest - (k + 1) * HOUR)
    try {
      for (const hour of hours.filter((candidate) => !known.has(candidate)).slice(0, BACKFILL_CONCURRENCY)) {
        const file = (await findFrames(ports.upstream, dataset, domain, hour)).find(({ time }) => time === hour)
        if (file) await takeFrame(ports, dataset, domain, file, now, [])
        else {
          const why = 'upstream does not list it'
          await rejectRun(ports.database, { dataset: dataset.id, domain, run: new Date(hour) }, why)
        }
      }
    } catch (error) {
      if (!isFault(error)) throw error
      failures.push(`${dataset.id}/${domain}: ${error.message}`)
    }
  }
  return failures
}

/** Fetches the frames before the newest that motion needs and that a stopped worker has missed. @returns their names */
async function takeHistory(
  ports: FramePorts,
  dataset: MrmsDataset,
  domain: DomainId,
  anchor: Instant,
  now: Instant,
): Promise<string[]> {
  const rows = await storedFrames(ports.database, dataset.id, domain)
  const lacked = missingTimes(
    rows.map(({ run }) => run.getTime()),
    anchor,
  )
  const names: string[] = []
  for (const requiredTime of lacked) {
    // Frames are listed by the hour of the required time, which may be the hour before that of the anchor.
    const [nearest] = (await findFrames(ports.upstream, dataset, domain, requiredTime + 3 * MINUTE)).sort(
      (a, b) => Math.abs(a.time - requiredTime) - Math.abs(b.time - requiredTime),
    )
    if (!nearest || nearest.time >= anchor || Math.abs(nearest.time - requiredTime) > 3.5 * MINUTE) continue
    if (await takeFrame(ports, dataset, domain, nearest, now, [])) names.push(nearest.name)
  }
  return names
}

/**
 * Fetches old frames of an MRMS product, oldest first, as far as upstream still lists them; both ends are inclusive. @returns the names of
 * fetched frames, and of rejected frames with the reason
 */
export async function backfillFrames(
  ports: FramePorts,
  dataset: MrmsDataset,
  first: Instant,
  last: Instant,
  now: Instant,
): Promise<{ frames: readonly string[]; rejected: readonly string[] }> {
  const names: string[] = []
  const rejected: string[] = []
  for (const { id: domain } of dataset.domains) {
    const fileByHour = new Map<Instant, FrameFile>()
    for (let at = first; at <= last + HOUR; at += HOUR) {
      for (const frame of await findFrames(ports.upstream, dataset, domain, Math.min(at, last))) {
        if (frame.time >= first && frame.time <= last) fileByHour.set(frame.time, frame)
      }
    }
    for (const frame of [...fileByHour.values()].sort((a, b) => a.time - b.time)) {
      if (!(await takeFrame(ports, dataset, domain, frame, now, rejected))) continue
      names.push(frame.name)
      await publishMotion(ports, dataset.id, domain, frame.time, now)
    }
  }
  return { frames: names, rejected }
}
