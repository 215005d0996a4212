import { addScores, isScored, type ScoreRow } from '../../../sql/queries/frames.ts'
import type { DomainId } from '../../domain/domain.ts'
import { type Instant, MINUTE } from '../../domain/time.ts'
import { frameKey } from '../../tile/key.ts'
import { MOTION } from '../../tile/motion-file.ts'
import { publishedTimes } from './frame.ts'
import type { FramePorts } from './frame-source.ts'
import type { ScoreTask } from './work.ts'

/** Verified leads, and the tolerance of an anchor's time, minutes. */
export const LEAD_MINUTES = [5, 10, 15, 20, 30, 45, 60] as const
const MAX_OFFSET_MS = 1.5 * MINUTE
/** Interval of verification, because neighbouring frames have nearly equal scores. */
const VERIFY_EVERY_MS = 10 * MINUTE

/**
 * Verifies nowcasts of the last hour with a new frame. For each lead, the anchor and motion that were served then are advected to now
 * and compared with the observed frame. Idempotent: a frame is verified once.
 * @returns the scores; undefined if there was nothing to do
 */
export async function scoreNowcast(
  ports: FramePorts,
  dataset: string,
  domain: DomainId,
  valid: Instant,
): Promise<readonly ScoreRow[] | undefined> {
  if (Math.floor(valid / VERIFY_EVERY_MS) === Math.floor((valid - 2 * MINUTE) / VERIFY_EVERY_MS)) return undefined
  if (await isScored(ports.database, domain, new Date(valid))) return undefined
  const timesOf = (id: string) => publishedTimes(ports.database, id, domain)
  const [frames, motions] = [new Set(await timesOf(dataset)), await timesOf(MOTION)]
  const chosen = LEAD_MINUTES.flatMap((lead) => {
    const anchor = motions.find((time) => frames.has(time) && Math.abs(valid - lead * MINUTE - time) <= MAX_OFFSET_MS)
    return anchor === undefined ? [] : [{ lead, anchor }]
  })
  if (chosen.length === 0) return undefined
  const read = async (key: string) => ({ key, bytes: await ports.objects.get(key) })
  const scores: ScoreRow[] = []
  for (const { lead, anchor } of chosen) {
    const task: ScoreTask = {
      kind: 'score',
      minutes: (valid - anchor) / MINUTE,
      truth: await read(frameKey(dataset, domain, valid)),
      anchor: await read(frameKey(dataset, domain, anchor)),
      motion: await read(frameKey(MOTION, domain, anchor)),
    }
    const { tallies } = await ports.pool.run<{ tallies: readonly Omit<ScoreRow, 'domain' | 'lead'>[] }>(task)
    for (const tally of tallies) scores.push({ domain, lead, ...tally })
  }
  await addScores(ports.database, domain, new Date(valid), scores)
  return scores
}
