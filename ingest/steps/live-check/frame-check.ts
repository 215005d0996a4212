import type { FrameDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { type Instant, isoSeconds, SECOND } from '../../domain/time.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { existingChildren } from './children.ts'
import { type Finding, failed, passed } from './finding.ts'

/** Checks that a source of frames lists keys with known names, and that the newest key is not too old. */
export async function checkFrames(
  upstream: Upstream,
  dataset: FrameDataset,
  domain: DomainId,
  now: Instant,
): Promise<readonly Finding[]> {
  const subject = `${dataset.id}/${domain} newest frame`
  const places = dataset.listings(now, domain)
  if (places.length === 0) return []
  let unread: string | undefined
  for (const { bucket, prefix } of places) {
    const keys = await upstream.list(bucket, prefix)
    const times = keys.map(({ key }) => dataset.timeOf(key)).filter((time) => time !== undefined)
    if (times.length === 0) {
      unread ??= keys.at(-1)?.key
      continue
    }
    const newest = Math.max(...times)
    const age = Math.round((now - newest) / SECOND)
    const detail = `${times.length} keys under ${prefix}, the newest is of ${isoSeconds(newest)}, ${age} s ago`
    return [
      age > dataset.staleAfterSeconds
        ? failed(subject, `${detail}; the limit is ${dataset.staleAfterSeconds} s`)
        : passed(subject, detail),
    ]
  }
  if (unread !== undefined) return [failed(subject, `no key has a name that can be read, such as ${unread}`)]
  const { bucket, prefix } = places[0] as (typeof places)[number]
  return [failed(subject, `no key begins with ${prefix}: ${await existingChildren(upstream, bucket, prefix)}`)]
}
