import { beginFrameSweep, endFrameSweep } from '../../../sql/queries/frame-sweeps.ts'
import { endRun, storedRuns } from '../../../sql/queries/runs.ts'
import type { FrameDataset, MrmsDataset, RadarSiteDataset } from '../../domain/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { isFault } from '../../domain/fault.ts'
import { HOUR, type Instant, parseRun } from '../../domain/time.ts'
import { boundedUpstream, type SweepBounds } from './bounded-upstream.ts'
import { type FramePorts, findFrames, type Sweep, sweepMrms, takeFrame } from './frame.ts'
import { sweepGlm } from './lightning.ts'
import { FOLLOWED, missingTimes, publishMotion } from './motion.ts'
import { sweepRadarSites } from './radar-sites.ts'
import { scoreNowcast } from './score.ts'
import { sweepStormCells } from './storm-cells.ts'
import { sweepStorms } from './storms.ts'

/** Products whose newest frames are fetched at once: one is read while another is decoded. */
const PRODUCTS_AT_ONCE = 2

/**
 * Sweeps datasets of frames in order and fetches new ones; new echoes get their motion at once, whatever the other products do. In a fresh
 * installation the newest frame of each product comes before past hours.
 */
export async function sweepFrames(
  ports: FramePorts,
  datasets: readonly FrameDataset[],
  now: Instant,
  bounds?: SweepBounds,
): Promise<readonly Sweep[]> {
  const bounded = boundedUpstream(ports.upstream, bounds)
  await beginFrameSweep(
    ports.database,
    datasets.map(({ id }) => id),
  )
  try {
    return await sweepDatasets((dataset) => ({ ...ports, upstream: bounded.of(dataset) }), datasets, now)
  } finally {
    bounded.end()
    const outcomes = datasets.map(({ id }) => ({ dataset: id, failure: bounded.failureOf(id) }))
    await endFrameSweep(ports.database, outcomes)
  }
}

async function sweepDatasets(
  portsOf: (dataset: string) => FramePorts,
  datasets: readonly FrameDataset[],
  now: Instant,
): Promise<readonly Sweep[]> {
  const judged: (() => Promise<unknown>)[] = []
  const deferred: (() => Promise<void>)[] = []
  const sweeps: Sweep[] = []
  const waiting = [...datasets.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, dataset] = next
      const ports = portsOf(dataset.id)
      if (!isMrms(dataset)) {
        sweeps[index] = await sweepOther(ports, dataset, now)
        continue
      }
      const sweep = await sweepMrms(ports, dataset, now)
      sweeps[index] = sweep
      const judge = (domain: DomainId, run: Instant) => judged.push(() => scoreNowcast(ports, dataset.id, domain, run))
      const follow = async () => {
        sweeps[index] = await followUp(ports, dataset, now, sweep, judge)
      }
      if (sweep.isFirst && dataset.pastHours) deferred.push(follow)
      else await follow()
    }
  }
  const lanes = Array.from({ length: PRODUCTS_AT_ONCE }, () =>
    work().catch((error: unknown) => {
      waiting.length = 0
      throw error
    }),
  )
  // Where one fails, the other ends what it has in work before the sweep is tried again.
  await Promise.allSettled(lanes)
  await Promise.all(lanes)
  for (const follow of deferred) await follow()
  // New frames are served first; verification of the past can wait.
  for (const score of judged) await score()
  return sweeps
}

const isMrms = (dataset: FrameDataset): dataset is MrmsDataset =>
  !['glm', 'probsevere', 'nexrad-l3'].includes(dataset.format)

function sweepOther(ports: FramePorts, dataset: FrameDataset, now: Instant): Promise<Sweep> {
  if (dataset.format === 'glm') return sweepGlm(ports, dataset, now)
  if (dataset.format === 'probsevere') return sweepStorms(ports, dataset, now)
  const sweep = dataset.family === 'storm-tracks' ? sweepStormCells : sweepRadarSites
  return sweep(ports, dataset as RadarSiteDataset, now)
}

/** What newest frames of a product make possible: motion with the frames it needs, and totals of past hours. */
async function followUp(
  ports: FramePorts,
  dataset: MrmsDataset,
  now: Instant,
  sweep: Sweep,
  judge: (domain: DomainId, run: Instant) => void,
): Promise<Sweep> {
  if (dataset.pastHours) return { ...sweep, troubled: [...sweep.troubled, ...(await takePast(ports, dataset, now))] }
  if (!FOLLOWED.includes(dataset.id)) return sweep
  const troubled = [...sweep.troubled]
  const fetched: string[] = []
  await Promise.all(
    sweep.published.map(async ({ domain, run }) => {
      try {
        fetched.push(...(await takeHistory(ports, dataset, domain, parseRun(run), now)))
        if (await publishMotion(ports, dataset.id, domain, parseRun(run), now)) judge(domain, parseRun(run))
      } catch (error) {
        if (!isFault(error)) throw error
        troubled.push(`${dataset.id}/${domain}: motion: ${error.message}`)
      }
    }),
  )
  return { ...sweep, troubled, superseded: sweep.superseded.filter((name) => !fetched.includes(name)) }
}

/** Past hours that one sweep fetches in a domain: newest first, so that short totals are complete first. */
const BACKFILL_CONCURRENCY = 4

/**
 * Fetches hours before the newest that are not stored yet. Hours that upstream does not list are not requested again. @returns what went
 * wrong
 */
async function takePast(ports: FramePorts, dataset: MrmsDataset, now: Instant): Promise<string[]> {
  const rows = await storedRuns(ports.database, dataset.id)
  const troubled: string[] = []
  for (const { id: domain } of dataset.domains) {
    const mine = rows.filter((row) => row.domain === domain)
    const newest = mine.find(({ state }) => state === 'published')?.run.getTime()
    if (newest === undefined) continue
    const known = new Set(mine.map(({ run }) => run.getTime()))
    const hours = Array.from({ length: dataset.pastHours! }, (_, k) => newest - (k + 1) * HOUR)
    try {
      for (const hour of hours.filter((one) => !known.has(one)).slice(0, BACKFILL_CONCURRENCY)) {
        const found = (await findFrames(ports.upstream, dataset, domain, hour)).find(({ time }) => time === hour)
        if (found) await takeFrame(ports, dataset, domain, found, now, [])
        else {
          const why = 'upstream does not list it'
          await endRun(ports.database, { dataset: dataset.id, domain, run: new Date(hour) }, 'rejected', why)
        }
      }
    } catch (error) {
      if (!isFault(error)) throw error
      troubled.push(`${dataset.id}/${domain}: ${error.message}`)
    }
  }
  return troubled
}

/** A worker that was stopped has no frames before the newest: it fetches the few that motion needs. @returns their names */
async function takeHistory(
  ports: FramePorts,
  dataset: MrmsDataset,
  domain: DomainId,
  anchor: Instant,
  now: Instant,
): Promise<string[]> {
  const rows = (await storedRuns(ports.database, dataset.id)).filter((row) => row.domain === domain)
  const lacked = missingTimes(
    rows.map(({ run }) => run.getTime()),
    anchor,
  )
  const names: string[] = []
  for (const wanted of lacked) {
    // Listed by the hour of the wanted time, which may be the one before the anchor's.
    const [nearest] = (await findFrames(ports.upstream, dataset, domain, wanted + 3 * 60_000)).sort(
      (a, b) => Math.abs(a.time - wanted) - Math.abs(b.time - wanted),
    )
    if (!nearest || nearest.time >= anchor || Math.abs(nearest.time - wanted) > 3.5 * 60_000) continue
    if (await takeFrame(ports, dataset, domain, nearest, now, [])) names.push(nearest.name)
  }
  return names
}

/**
 * Old frames of an MRMS product, inclusive, oldest first, as far as upstream still lists them. @returns names fetched, and rejected with the
 * reason
 */
export async function backfillFrames(
  ports: FramePorts,
  dataset: MrmsDataset,
  first: Instant,
  last: Instant,
  now: Instant,
): Promise<{ taken: readonly string[]; rejected: readonly string[] }> {
  const taken: string[] = []
  const rejected: string[] = []
  for (const { id: domain } of dataset.domains) {
    const found = new Map<Instant, Awaited<ReturnType<typeof findFrames>>[number]>()
    for (let at = first; at <= last + HOUR; at += HOUR) {
      for (const frame of await findFrames(ports.upstream, dataset, domain, Math.min(at, last))) {
        if (frame.time >= first && frame.time <= last) found.set(frame.time, frame)
      }
    }
    for (const frame of [...found.values()].sort((a, b) => a.time - b.time)) {
      if (!(await takeFrame(ports, dataset, domain, frame, now, rejected))) continue
      taken.push(frame.name)
      await publishMotion(ports, dataset.id, domain, frame.time, now)
    }
  }
  return { taken, rejected }
}
