import { agedFrames, forgetFrames, sweepScores } from '../../../sql/queries/frames.ts'
import type { FrameDataset } from '../../domain/dataset.ts'
import { type Instant, SECOND } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import { MOTION } from './motion.ts'

const MOTION_KEPT_SECONDS = 2 * 3600
const SCORES_KEPT_HOURS = 14 * 24

/** Removes frames that are older than their dataset and the history of answers keep them, and not served. @returns how many */
export async function retireFrames(
  ports: { readonly database: Database; readonly objects: Objects },
  datasets: readonly FrameDataset[],
  now: Instant,
  historySeconds = 0,
): Promise<number> {
  const kept = [
    ...datasets.map(({ id, keepSeconds }) => ({ id, keepSeconds })),
    { id: MOTION, keepSeconds: MOTION_KEPT_SECONDS },
  ]
  let retired = 0
  for (const { id, keepSeconds } of kept) {
    const before = new Date(now - (keepSeconds + historySeconds) * SECOND)
    const aged = await agedFrames(ports.database, id, before)
    if (aged.length === 0) continue
    // Objects first: a row without an object is found at the next sweep, an object without a row would stay forever.
    for (const { manifest_key } of aged) if (manifest_key) await ports.objects.remove(manifest_key)
    await forgetFrames(ports.database, id, new Date(aged[aged.length - 1]!.run.getTime() + 1))
    retired += aged.length
  }
  await sweepScores(ports.database, SCORES_KEPT_HOURS)
  return retired
}
