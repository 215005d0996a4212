import type { DomainId } from '../../../ingest/domain/domain.ts'
import { HOUR, type Instant } from '../../../ingest/domain/time.ts'
import type { Frame } from '../../../ingest/tile/frame-read.ts'
import { storedFrameTimes } from '../../../sql/queries/frames.ts'
import type { ToolContext } from '../protocol/context.ts'

/** Largest distance between the time of a frame and the requested time, for every product of a map. */
export const TIME_TOLERANCE_MS = 3 * HOUR
/** Number of frames that are tried, because the oldest may be removed meanwhile. */
const MAX_TRIES = 4

/** Returns the newest frame, or the frame closest to a time within `TIME_TOLERANCE_MS`; undefined if none is stored. */
export async function frameAt(
  context: ToolContext,
  product: string,
  domain: DomainId,
  time: Instant | undefined,
): Promise<Frame | undefined> {
  const { radar } = context.deps
  const newest = radar.newestTime(product, domain)
  if (time === undefined) return radar.newest(product, domain)
  for (const at of (await closestTimes(context, product, domain, time)).slice(0, MAX_TRIES)) {
    const frame = at === newest ? await radar.newest(product, domain) : await radar.find(product, domain, at)
    if (frame) return frame
  }
  return undefined
}

/** Returns the times of the frames within `TIME_TOLERANCE_MS` of a time, the closest first. */
async function closestTimes(
  { deps: { database, radar } }: ToolContext,
  product: string,
  domain: DomainId,
  time: Instant,
): Promise<Instant[]> {
  const newest = radar.newestTime(product, domain)
  const stored = await storedFrameTimes(database, product, domain)
  return [...new Set([...stored, ...(newest === undefined ? [] : [newest])])]
    .filter((at) => Math.abs(at - time) <= TIME_TOLERANCE_MS)
    .sort((a, b) => Math.abs(a - time) - Math.abs(b - time))
}
