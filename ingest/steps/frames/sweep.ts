import { beginFrameSweep, endFrameSweep } from '../../../sql/queries/frame-sweeps.ts'
import type { DomainId } from '../../domain/domain.ts'
import type { Instant } from '../../domain/time.ts'
import { boundedUpstream, type SweepBounds } from './bounded-upstream.ts'
import type { FrameOutcome, FramePorts, FrameSource } from './frame-source.ts'
import { scoreNowcast } from './score.ts'

/** Number of sources that are fetched concurrently: one is read while another is decoded. */
const SOURCES_AT_ONCE = 2

/**
 * Sweeps sources of frames in order. New echoes get their motion at once, independent of the other sources. In a fresh installation the
 * newest frame of each source is fetched before past hours.
 */
export async function sweepFrames(
  ports: FramePorts,
  sources: readonly FrameSource[],
  now: Instant,
  bounds?: SweepBounds,
): Promise<readonly FrameOutcome[]> {
  const bounded = boundedUpstream(ports.upstream, bounds)
  const datasets = sources.map(({ dataset }) => dataset.id)
  await beginFrameSweep(ports.database, datasets)
  try {
    return await sweepSources((dataset) => ({ ...ports, upstream: bounded.upstreamOf(dataset) }), sources, now)
  } finally {
    bounded.end()
    const outcomes = datasets.map((dataset) => ({ dataset, failure: bounded.failureOf(dataset) }))
    await endFrameSweep(ports.database, outcomes)
  }
}

async function sweepSources(
  portsOf: (dataset: string) => FramePorts,
  sources: readonly FrameSource[],
  now: Instant,
): Promise<readonly FrameOutcome[]> {
  const judged: (() => Promise<unknown>)[] = []
  const deferred: (() => Promise<void>)[] = []
  const outcomes: FrameOutcome[] = []
  const waiting = [...sources.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, source] = next
      const { dataset } = source
      const ports = portsOf(dataset.id)
      const outcome = await source.sweep(ports, dataset, now)
      outcomes[index] = outcome
      const judge = (domain: DomainId, time: Instant) =>
        judged.push(() => scoreNowcast(ports, dataset.id, domain, time))
      const follow = async () => {
        outcomes[index] = (await source.followUp?.(ports, dataset, now, outcome, judge)) ?? outcome
      }
      if (outcome.isFirst) deferred.push(follow)
      else await follow()
    }
  }
  const lanes = Array.from({ length: SOURCES_AT_ONCE }, () =>
    work().catch((error: unknown) => {
      waiting.length = 0
      throw error
    }),
  )
  // If a source fails, the other sources finish their work before the sweep is retried.
  await Promise.allSettled(lanes)
  await Promise.all(lanes)
  for (const follow of deferred) await follow()
  // New frames are served first; verification of the past can wait.
  for (const score of judged) await score()
  return outcomes
}
