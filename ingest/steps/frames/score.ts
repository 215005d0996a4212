import { addScores, isScored } from '../../../sql/queries/nowcast-scores.ts'
import type { DomainId } from '../../domain/domain.ts'
import { isFault } from '../../domain/fault.ts'
import { type Instant, MINUTE } from '../../domain/time.ts'
import { type LeadScore, NOWCAST_LEADS } from '../../domain/verification/nowcast.ts'
import { frameKey } from '../../tile/key.ts'
import { MOTION } from '../../tile/motion-file.ts'
import { publishedTimes } from './frame.ts'
import type { FramePorts } from './frame-source.ts'
import { type ModelRates, modelRates } from './model-rates.ts'
import type { ScoreTask } from './score-work.ts'

/** Tolerance of an anchor's time. */
const MAX_OFFSET_MS = 1.5 * MINUTE
/** Interval of verification, because neighbouring frames have nearly equal scores. */
const VERIFY_EVERY_MS = 10 * MINUTE

/**
 * Verifies nowcasts of the last 90 minutes with a new frame. For each lead, the anchor and motion that were served then are advected to now
 * and compared with the observed frame, beside the anchor unmoved and, at full hours, the model. Idempotent: a frame is verified once.
 * @returns the scores; undefined if there was nothing to do
 */
export async function scoreNowcast(
  ports: FramePorts,
  dataset: string,
  domain: DomainId,
  valid: Instant,
): Promise<readonly LeadScore[] | undefined> {
  if (Math.floor(valid / VERIFY_EVERY_MS) === Math.floor((valid - 2 * MINUTE) / VERIFY_EVERY_MS)) return undefined
  if (await isScored(ports.database, domain, new Date(valid))) return undefined
  const timesOf = (id: string) => publishedTimes(ports.database, id, domain)
  const [frames, motions] = [new Set(await timesOf(dataset)), await timesOf(MOTION)]
  const chosen = NOWCAST_LEADS.flatMap((lead) => {
    const anchor = motions.find((time) => frames.has(time) && Math.abs(valid - lead * MINUTE - time) <= MAX_OFFSET_MS)
    return anchor === undefined ? [] : [{ lead, anchor }]
  })
  if (chosen.length === 0) return undefined
  const read = async (key: string) => ({ key, bytes: await ports.objects.get(key) })
  const truth = await read(frameKey(dataset, domain, valid))
  const models = await modelRates(
    ports,
    domain,
    valid,
    chosen.map(({ anchor }) => anchor),
    truth.key,
  ).catch((error: unknown) => {
    // Nowcasts are scored although the tiles of the model cannot be read, which answers and hexcast verify report.
    if (isFault(error)) return new Map<Instant, ModelRates>()
    throw error
  })
  const forecasts: ScoreTask['forecasts'][number][] = []
  for (const { lead, anchor } of chosen)
    forecasts.push({
      lead,
      minutes: (valid - anchor) / MINUTE,
      anchor: await read(frameKey(dataset, domain, anchor)),
      motion: await read(frameKey(MOTION, domain, anchor)),
      model: models.get(anchor),
    })
  const task: ScoreTask = { kind: 'score', truth, forecasts }
  const scores = await ports.pool.run<readonly LeadScore[]>(task)
  await addScores(ports.database, domain, new Date(valid), scores)
  return scores
}
