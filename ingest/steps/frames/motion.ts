import type { DomainId } from '../../domain/domain.ts'
import { type Instant, MINUTE } from '../../domain/time.ts'
import { frameKey } from '../../tile/key.ts'
import { MOTION } from '../../tile/motion-file.ts'
import { calibrationOf } from './calibration.ts'
import { publishedTimes, publishFrame } from './frame.ts'
import type { FramePorts } from './frame-source.ts'
import type { MotionTask } from './work.ts'

export const MOTION_KEPT_SECONDS = 2 * 3600

/** Times of the frames before the anchor, minutes. For each time the nearest stored frame within `MAX_OFFSET_MINUTES` is used. */
const EARLIER_FRAMES_MINUTES = [-6, -12]
const MAX_OFFSET_MINUTES = 3.5
/** Older frames are not used. */
const MAX_AGE_MINUTES = 20

/** The datasets whose echoes are tracked, best first. */
export const FOLLOWED: readonly string[] = ['mrms-precip-rate', 'mrms-reflectivity-surface', 'mrms-reflectivity']

/**
 * Computes and publishes the motion of echoes up to a newly published frame. Without an earlier frame, motion and its quality are 0
 * everywhere. A dataset is tracked only while better datasets are missing.
 * @returns the key of the motion; undefined if a better dataset is available
 */
export async function publishMotion(
  ports: FramePorts,
  dataset: string,
  domain: DomainId,
  anchor: Instant,
  now: Instant,
): Promise<string | undefined> {
  const rank = FOLLOWED.indexOf(dataset)
  if (rank < 0) return undefined
  for (const better of FOLLOWED.slice(0, rank)) {
    if ((await publishedTimes(ports.database, better, domain)).some((time) => time > anchor - 10 * MINUTE))
      return undefined
  }
  const times = await publishedTimes(ports.database, dataset, domain)
  const chosen = chooseFrames(times, anchor)
  const frames = await Promise.all(
    chosen.map(async (time) => {
      const key = frameKey(dataset, domain, time)
      return { key, bytes: await ports.objects.get(key) }
    }),
  )
  const calibration = await calibrationOf(ports.database, domain, anchor)
  const task: MotionTask = { kind: 'motion', frames, ...(calibration && { calibration }) }
  const { bytes } = await ports.pool.run<{ bytes: Uint8Array }>(task)
  const key = frameKey(MOTION, domain, anchor)
  await ports.objects.put(key, bytes)
  await publishFrame(ports.database, MOTION, domain, anchor, key, { dataset, frames: chosen.length }, now)
  ports.notify?.()
  return key
}

/**
 * Returns the times before an anchor that have no stored frame close enough for motion. A worker that was stopped
 * fetches these frames first.
 */
export function missingTimes(times: readonly Instant[], anchor: Instant): Instant[] {
  return EARLIER_FRAMES_MINUTES.map((minutes) => anchor + minutes * MINUTE).filter(
    (requiredTime) => !times.some((time) => Math.abs(time - requiredTime) <= MAX_OFFSET_MINUTES * MINUTE),
  )
}

/** Returns the anchor and the frames nearest to the required times before it, or the oldest frame that is near enough, in ascending order. */
export function chooseFrames(times: readonly Instant[], anchor: Instant): Instant[] {
  const before = times.filter((time) => time < anchor - MINUTE && time >= anchor - MAX_AGE_MINUTES * MINUTE)
  const chosen = new Set<Instant>([anchor])
  for (const minutes of EARLIER_FRAMES_MINUTES) {
    const requiredTime = anchor + minutes * MINUTE
    const nearest = before.reduce<Instant | undefined>(
      (best, time) =>
        best === undefined || Math.abs(time - requiredTime) < Math.abs(best - requiredTime) ? time : best,
      undefined,
    )
    if (nearest !== undefined && Math.abs(nearest - requiredTime) <= MAX_OFFSET_MINUTES * MINUTE) chosen.add(nearest)
  }
  if (chosen.size === 1 && before.length > 0) chosen.add(Math.min(...before))
  return [...chosen].sort((a, b) => a - b)
}
