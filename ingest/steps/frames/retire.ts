import { agedFrames, forgetFrames, pointedFrameKeys, removeOldScores } from '../../../sql/queries/frames.ts'
import type { FrameDataset } from '../../domain/dataset/dataset.ts'
import { isFault } from '../../domain/fault.ts'
import { type Instant, SECOND } from '../../domain/time.ts'
import type { SiteScans } from '../../domain/weather/radar-scan.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import { MOTION } from '../../tile/motion-file.ts'
import { MOTION_KEPT_SECONDS } from './motion.ts'

/** Datasets whose objects are lists that name further objects. */
const RADAR_SITES = 'nexrad-l3'
const SCORES_KEPT_HOURS = 14 * 24

/** Removes frames that are not served and older than their dataset and the history of answers keep them. @returns their number */
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
    // Lightning has one object for all domains, which is removed with the last row that names it.
    const kept = new Set(await pointedFrameKeys(ports.database, id, before))
    // Objects are removed first: the next sweep finds a row without an object, but only `removeOrphans` finds an object without a row.
    for (const { manifest_key } of aged) {
      if (!manifest_key || kept.has(manifest_key)) continue
      if (id === RADAR_SITES)
        for (const key of await replacedBy(ports.objects, manifest_key)) await ports.objects.remove(key)
      await ports.objects.remove(manifest_key)
    }
    await forgetFrames(ports.database, id, new Date(aged[aged.length - 1]!.run.getTime() + 1))
    retired += aged.length
  }
  await removeOldScores(ports.database, SCORES_KEPT_HOURS)
  return retired
}

/** Returns the scans that only lists older than this list name. */
async function replacedBy(objects: Objects, key: string): Promise<readonly string[]> {
  try {
    return (JSON.parse(Buffer.from(await objects.get(key)).toString()) as SiteScans).replaced
  } catch (error) {
    if (isFault(error, 'Missing')) return []
    throw error
  }
}
