import { agedFrames, type FrameRow, forgetFrames, pointedFrameKeys } from '../../../sql/queries/frames.ts'
import { removeOldScores } from '../../../sql/queries/nowcast-scores.ts'
import type { FrameDataset } from '../../domain/dataset/dataset.ts'
import { isFault } from '../../domain/fault.ts'
import { DAY, dateText, type Instant, SECOND } from '../../domain/time.ts'
import { VERIFICATION_DAYS } from '../../domain/verification/statistics.ts'
import type { SiteScans } from '../../domain/weather/radar-scan.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import { MOTION } from '../../tile/motion-file.ts'
import { MOTION_KEPT_SECONDS } from './motion.ts'

/** Datasets whose objects are lists that name further objects. */
const RADAR_SITES = 'nexrad-l3'
const SCORES_KEPT_HOURS = 14 * 24
/** Frames whose objects are removed before their rows. */
const FRAMES_AT_ONCE = 1_000

interface FrameStores {
  readonly database: Database
  readonly objects: Objects
}

/** The datasets that this step retires: each frame dataset, and the motion between scans. */
export function agingFrames(
  datasets: readonly Pick<FrameDataset, 'id' | 'keepSeconds'>[],
): readonly Pick<FrameDataset, 'id' | 'keepSeconds'>[] {
  return [...datasets, { id: MOTION, keepSeconds: MOTION_KEPT_SECONDS }]
}

/**
 * Removes the scores of nowcasts that no figure needs any more: scores of frames after two weeks, sums of days after 400
 * days. @returns the number of rows
 */
export function retireScores({ database }: Pick<FrameStores, 'database'>, now: Instant): Promise<number> {
  const firstDay = dateText(Math.floor(now / DAY) - VERIFICATION_DAYS)
  return removeOldScores(database, SCORES_KEPT_HOURS, firstDay)
}

/**
 * Removes frames that are not served and that are older than both the retention of their dataset and the history of
 * answers. @returns their number
 */
export async function retireFrames(
  ports: FrameStores,
  datasets: readonly Pick<FrameDataset, 'id' | 'keepSeconds'>[],
  now: Instant,
  historySeconds = 0,
): Promise<number> {
  let retired = 0
  for (const { id, keepSeconds } of datasets) {
    const before = new Date(now - (keepSeconds + historySeconds) * SECOND)
    for (;;) {
      const aged = await agedFrames(ports.database, id, before, FRAMES_AT_ONCE)
      if (aged.length === 0) break
      await removeFrames(ports, id, aged, before)
      retired += aged.length
      if (aged.length < FRAMES_AT_ONCE) break
    }
  }
  return retired
}

/**
 * Objects are removed before their rows: the next sweep still finds a row without an object, but only `removeOrphans`
 * finds an object without a row.
 */
async function removeFrames(
  { database, objects }: FrameStores,
  id: string,
  aged: readonly FrameRow[],
  before: Date,
): Promise<void> {
  // Lightning has one object for all domains, which is removed with the last row that names it.
  const pointedKeys = new Set(await pointedFrameKeys(database, id, before))
  for (const { manifest_key } of aged) {
    if (!manifest_key || pointedKeys.has(manifest_key)) continue
    if (id === RADAR_SITES) for (const key of await replacedBy(objects, manifest_key)) await objects.remove(key)
    await objects.remove(manifest_key)
  }
  await forgetFrames(database, id, aged)
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
