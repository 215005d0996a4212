import { agedFrames, forgetFrames, keptFrames, sweepScores } from '../../../sql/queries/frames.ts'
import type { FrameDataset } from '../../domain/dataset/dataset.ts'
import { isFault } from '../../domain/fault.ts'
import { type Instant, SECOND } from '../../domain/time.ts'
import type { SiteScans } from '../../domain/weather/radar-scan.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import { MOTION } from '../../tile/motion-file.ts'
import { MOTION_KEPT_SECONDS } from './motion.ts'

/** Its objects are lists that name further ones. */
const RADAR_SITES = 'nexrad-l3'
const SCORES_KEPT_HOURS = 14 * 24

/** Removes frames that are older than their dataset and the history of answers keep them, and not served. @returns how many */
export async function retireFrames(
  ports: { readonly database: Database; readonly objects: Objects },
  datasets: readonly FrameDataset[],
  now: Instant,
  historySeconds = 0,
): Promise<number> {
  const times = [
    ...datasets.map(({ id, keepSeconds }) => ({ id, keepSeconds })),
    { id: MOTION, keepSeconds: MOTION_KEPT_SECONDS },
  ]
  let retired = 0
  for (const { id, keepSeconds } of times) {
    const before = new Date(now - (keepSeconds + historySeconds) * SECOND)
    const aged = await agedFrames(ports.database, id, before)
    if (aged.length === 0) continue
    // Of lightning one object is that of all domains: the last row that names it removes it.
    const kept = new Set(await keptFrames(ports.database, id, before))
    // Objects first: a row without an object is found at the next sweep, an object without a row by `removeOrphans` alone.
    for (const { manifest_key } of aged) {
      if (!manifest_key || kept.has(manifest_key)) continue
      if (id === RADAR_SITES)
        for (const key of await replacedBy(ports.objects, manifest_key)) await ports.objects.remove(key)
      await ports.objects.remove(manifest_key)
    }
    await forgetFrames(ports.database, id, new Date(aged[aged.length - 1]!.run.getTime() + 1))
    retired += aged.length
  }
  await sweepScores(ports.database, SCORES_KEPT_HOURS)
  return retired
}

/** The scans that only lists older than this one name. */
async function replacedBy(objects: Objects, key: string): Promise<readonly string[]> {
  try {
    return (JSON.parse(Buffer.from(await objects.get(key)).toString()) as SiteScans).replaced
  } catch (error) {
    if (isFault(error, 'Missing')) return []
    throw error
  }
}
