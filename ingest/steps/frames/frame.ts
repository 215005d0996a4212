import { publishRun, type RunOutcome, type RunRow, storedRuns } from '../../../sql/queries/runs.ts'
import type { FrameDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { topics } from '../../domain/event.ts'
import type { Fault } from '../../domain/fault.ts'
import { isRedirected, reasonOf } from '../../domain/quarantine.ts'
import { floorTo, HOUR, type Instant, isoSeconds, MINUTE } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Listed, Upstream } from '../../ports/upstream.ts'
import type { FramePorts } from './frame-source.ts'

/** A frame that is further ahead of our clock is rejected; NOAA's clocks and ours differ by less. */
const MAX_AHEAD_MS = 2 * MINUTE

/** A file of a frame, as upstream lists it. */
export interface FrameFile {
  readonly url: string
  readonly name: string
  readonly time: Instant
  readonly etag?: string
  /** The Last-Modified of the file. */
  readonly modified?: Instant
}

/** Returns the frames that upstream lists and that are not in the future, newest first. The previous hour (or day) is listed only if the current one is empty. */
export async function findFrames(
  upstream: Upstream,
  dataset: FrameDataset,
  domain: DomainId,
  now: Instant,
): Promise<FrameFile[]> {
  for (const { bucket, prefix } of dataset.listings(now, domain)) {
    const listed = await upstream.list(bucket, prefix)
    const frames = listed.flatMap((object) => frameOf(object, bucket, dataset, now))
    if (frames.length > 0) return frames.sort((a, b) => b.time - a.time)
  }
  return []
}

function frameOf(
  { key, etag, lastModified }: Listed,
  bucket: string,
  dataset: FrameDataset,
  now: Instant,
): FrameFile[] {
  const time = dataset.timeOf(key)
  if (time === undefined || time > now + MAX_AHEAD_MS) return []
  return [{ url: `${bucket}/${key}`, name: key.slice(key.lastIndexOf('/') + 1), time, etag, modified: lastModified }]
}

/** Returns the rows of the stored frames of a domain, newest first; `run` is the time of a frame. */
export async function storedFrames(database: Database, dataset: string, domain: DomainId): Promise<RunRow[]> {
  return (await storedRuns(database, dataset)).filter((row) => row.domain === domain)
}

/** Returns the times of the published frames of a domain, newest first. */
export async function publishedTimes(database: Database, dataset: string, domain: DomainId): Promise<Instant[]> {
  const rows = await storedFrames(database, dataset, domain)
  return rows.filter(({ state }) => state === 'published').map(({ run }) => run.getTime())
}

/** Moves the pointer of a dataset forward and adds the event; an older frame is stored without moving the pointer. */
export async function publishFrame(
  database: Database,
  dataset: string,
  domain: DomainId,
  time: Instant,
  key: string,
  manifest: unknown,
  now: Instant,
  stage = 0,
  /** Last-Modified of the newest file of the frame, if upstream gives it. */
  modified?: Instant,
): Promise<RunOutcome> {
  const payload = {
    topic: topics.runs.name,
    key: dataset,
    payload: { dataset, domain, run: isoSeconds(time), stage, at: isoSeconds(now) },
  }
  const row = { dataset, domain, run: new Date(time) }
  const counts = { stage, publishedTo: stage, wanted: 1, got: 1, missing: 0 }
  const appearedAt = modified === undefined ? null : new Date(modified)
  // The timings of frames every two minutes would be too many, so only that of the first frame of an hour is stored.
  const timing = {
    ...row,
    stage: 0,
    slot: new Date(floorTo(time, HOUR)),
    first_seen: appearedAt,
    last_seen: appearedAt,
  }
  return publishRun(database, { ...row, ...counts, manifestKey: key, manifest, timings: [timing] }, [payload])
}

/** Puts a file of a frame into quarantine. `part` names a single rejected feature of the file. */
export async function quarantineFrame(
  { quarantine }: Pick<FramePorts, 'quarantine'>,
  dataset: string,
  domain: DomainId,
  { url, time }: Pick<FrameFile, 'url' | 'time'>,
  error: Fault,
  bytes?: Uint8Array,
  part?: string,
): Promise<void> {
  const reason = isRedirected(error) ? 'status' : reasonOf(error, part === undefined ? 'format' : 'row')
  await quarantine?.({ dataset, domain, run: time, variable: part, reason, detail: error.message, url, bytes })
}
