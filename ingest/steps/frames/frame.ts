import {
  endRun,
  manifestOf,
  pointerOf,
  publishRun,
  type RunOutcome,
  type RunRow,
  storedRuns,
} from '../../../sql/queries/runs.ts'
import type { FrameDataset, MrmsDataset } from '../../domain/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { topics } from '../../domain/event.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { isRedirected, type Quarantined, reasonOf } from '../../domain/quarantine.ts'
import { floorTo, HOUR, type Instant, isoSeconds, MINUTE, runName } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import type { Listed, Upstream } from '../../ports/upstream.ts'
import type { Pool } from '../pool-tasks.ts'
import { type FrameSummary, faultsOf } from './check-frame.ts'
import type { FrameMade, FrameTask } from './work.ts'

export interface FramePorts {
  readonly upstream: Upstream
  readonly objects: Objects
  readonly database: Database
  readonly pool: Pool
  /** Records what is not published; absent: only the frame's row has it. */
  readonly quarantine?: (entry: Quarantined) => Promise<void>
  /** Rows were added to the outbox: the relay may publish them now. */
  readonly notify?: () => void
}

/** Result of one sweep of a dataset. */
export interface Sweep {
  readonly dataset: string
  readonly published: readonly { readonly domain: DomainId; readonly run: string; readonly key: string }[]
  /** Names of frames that were superseded before they were fetched. */
  readonly superseded: readonly string[]
  /** Invalid files, each with the reason. */
  readonly rejected: readonly string[]
  /** Domains that could not be listed, each with the reason; the next sweep tries again. */
  readonly troubled: readonly string[]
  /** Nothing of the product was stored in a domain before. */
  readonly isFirst?: boolean
}

/** A frame further ahead of our clock is rejected; NOAA's clocks and ours differ by less. */
const MAX_AHEAD_MS = 2 * MINUTE

/**
 * Fetches new frames of an MRMS product: in every domain the newest one that is valid and newer than the served one. Frames in
 * between are superseded: they are named and not fetched. An invalid frame stays rejected until upstream replaces it (another ETag). Idempotent.
 */
export async function sweepMrms(ports: FramePorts, dataset: MrmsDataset, now: Instant): Promise<Sweep> {
  const sweep = {
    published: [] as Sweep['published'][number][],
    superseded: [] as string[],
    rejected: [] as string[],
    troubled: [] as string[],
    isFirst: false,
  }
  await Promise.all(
    dataset.domains.map(async ({ id: domain }) => {
      try {
        await sweepDomain(ports, dataset, domain, now, sweep)
      } catch (error) {
        if (!isFault(error)) throw error
        sweep.troubled.push(`${dataset.id}/${domain}: ${error.message}`)
      }
    }),
  )
  return { dataset: dataset.id, ...sweep }
}

interface Found {
  readonly url: string
  readonly name: string
  readonly time: Instant
  readonly etag?: string
  /** Last-Modified */
  readonly modified?: Instant
}

/** Frames that upstream lists and the clock allows, newest first. The hour (or day) before is listed only where this one has nothing. */
export async function findFrames(
  upstream: Upstream,
  dataset: FrameDataset,
  domain: DomainId,
  now: Instant,
): Promise<Found[]> {
  for (const { bucket, prefix } of dataset.listings(now, domain)) {
    const listed = await upstream.list(bucket, prefix)
    const found = listed.flatMap((object) => frameOf(object, bucket, dataset, now))
    if (found.length > 0) return found.sort((a, b) => b.time - a.time)
  }
  return []
}

function frameOf({ key, etag, lastModified }: Listed, bucket: string, dataset: FrameDataset, now: Instant): Found[] {
  const time = dataset.timeOf(key)
  if (time === undefined || time > now + MAX_AHEAD_MS) return []
  return [{ url: `${bucket}/${key}`, name: key.slice(key.lastIndexOf('/') + 1), time, etag, modified: lastModified }]
}

async function sweepDomain(
  ports: FramePorts,
  dataset: MrmsDataset,
  domain: DomainId,
  now: Instant,
  sweep: {
    published: Sweep['published'][number][]
    superseded: string[]
    rejected: string[]
    troubled: string[]
    isFirst: boolean
  },
): Promise<void> {
  const found = await findFrames(ports.upstream, dataset, domain, now)
  if (found.length === 0) return
  const runs = (await storedRuns(ports.database, dataset.id)).filter((row) => row.domain === domain)
  const served = runs.find(({ state }) => state === 'published')
  if (!served) sweep.isFirst = true
  let taken: Instant | undefined
  for (const frame of found) {
    if (served && frame.time <= served.run.getTime()) break
    if (taken !== undefined) {
      // In a fresh installation nothing is superseded.
      if (served && !rejectedBefore(runs, frame)) sweep.superseded.push(frame.name)
      continue
    }
    if (rejectedBefore(runs, frame)) continue
    const key = await takeFrame(ports, dataset, domain, frame, now, sweep.rejected).catch((error: unknown) => {
      // Listed before it can be read, or deleted meanwhile: the one before it may be there.
      if (!isFault(error, 'NotYet') && !isFault(error, 'Gone')) throw error
      sweep.troubled.push(error.message)
      return undefined
    })
    if (key) {
      taken = frame.time
      sweep.published.push({ domain, run: runName(frame.time), key })
    }
  }
}

function rejectedBefore(runs: readonly RunRow[], { time, etag }: Found): boolean {
  const row = runs.find(({ run }) => run.getTime() === time)
  return row?.state === 'rejected' && (row.reason?.endsWith(etagMark(etag)) ?? false)
}

const etagMark = (etag: string | undefined): string => ` [ETag ${etag ?? 'unknown'}]`

/** Fetches, validates and publishes one frame. @returns its key, or undefined where it was rejected (which is recorded) */
export async function takeFrame(
  ports: FramePorts,
  dataset: MrmsDataset,
  domain: DomainId,
  frame: Found,
  now: Instant,
  rejected: string[],
): Promise<string | undefined> {
  const run = new Date(frame.time)
  let bytes: Uint8Array | undefined
  try {
    ;({ bytes } = await ports.upstream.get(frame.url))
    const task: FrameTask = {
      kind: 'frame',
      bytes,
      subject: { product: dataset.id, domain, unit: dataset.unit, source: frame.url },
      values: dataset.values,
    }
    const made = await ports.pool.run<FrameMade>(task)
    const wrong = faultsOf(dataset, domain, frame.time, made, await frameBefore(ports.database, dataset.id, domain))
    if (wrong.length > 0) {
      const details = wrong.map(({ detail }) => detail).join('; ')
      throw new Fault('Corrupt', `${frame.name}: ${details}`, { reason: wrong[0]!.reason })
    }
    const key = frameKey(dataset.id, domain, frame.time)
    await ports.objects.put(key, made.bytes)
    await publishFrame(
      ports.database,
      dataset.id,
      domain,
      frame.time,
      key,
      summary(made, frame),
      now,
      0,
      frame.modified,
    )
    ports.notify?.()
    return key
  } catch (error) {
    if (isRedirected(error)) await quarantineFrame(ports, dataset.id, domain, frame, error)
    if (!isFault(error, 'Corrupt')) throw error
    rejected.push(error.message)
    await quarantineFrame(ports, dataset.id, domain, frame, error, bytes)
    await endRun(ports.database, { dataset: dataset.id, domain, run }, 'rejected', error.message + etagMark(frame.etag))
    return undefined
  }
}

export function frameKey(product: string, domain: string, time: Instant): string {
  return `frames/v1/${product}/${domain}/${runName(time)}`
}

/** Moves the pointer of a product forward and adds the event; an older frame is stored beside the served one. */
export async function publishFrame(
  database: Database,
  product: string,
  domain: DomainId,
  time: Instant,
  key: string,
  manifest: unknown,
  now: Instant,
  stage = 0,
  /** Last-Modified of its newest file, where upstream gives it. */
  modified?: Instant,
): Promise<RunOutcome> {
  const payload = {
    topic: topics.runs.name,
    key: product,
    payload: { dataset: product, domain, run: isoSeconds(time), stage, at: isoSeconds(now) },
  }
  const run = { dataset: product, domain, run: new Date(time) }
  const counts = { stage, publishedTo: stage, wanted: 1, got: 1, missing: 0 }
  const seen = modified === undefined ? null : new Date(modified)
  // Two minutes apart all would be too many: the first of an hour is stored.
  const timing = { ...run, stage: 0, slot: new Date(floorTo(time, HOUR)), first_seen: seen, last_seen: seen }
  return publishRun(database, { ...run, ...counts, manifestKey: key, manifest, timings: [timing] }, [payload])
}

/** The recorded summary of a frame: small, for status, catalog and search. */
function summary({ head, most }: FrameMade, frame: Found) {
  const { noCoverage, dry, grid, unit } = head
  return { noCoverage, dry, most: Number.isNaN(most) ? null : most, grid, unit, source: frame.url }
}

/** What is recorded of the served frame. */
async function frameBefore(database: Database, dataset: string, domain: DomainId): Promise<FrameSummary | undefined> {
  const pointer = await pointerOf(database, dataset, domain)
  if (!pointer) return undefined
  const manifest = (await manifestOf(database, pointer)) as Partial<FrameSummary> | null
  if (typeof manifest?.noCoverage !== 'number' || typeof manifest.dry !== 'number') return undefined
  return { time: pointer.run.getTime(), noCoverage: manifest.noCoverage, dry: manifest.dry, most: manifest.most }
}

/** Puts a file of a frame into quarantine; `part` names a feature of it that is left out alone. */
export async function quarantineFrame(
  { quarantine }: Pick<FramePorts, 'quarantine'>,
  dataset: string,
  domain: DomainId,
  { url, time }: Pick<Found, 'url' | 'time'>,
  error: Fault,
  bytes?: Uint8Array,
  part?: string,
): Promise<void> {
  const reason = isRedirected(error) ? 'status' : reasonOf(error, part === undefined ? 'format' : 'row')
  await quarantine?.({ dataset, domain, run: time, variable: part, reason, detail: error.message, url, bytes })
}
