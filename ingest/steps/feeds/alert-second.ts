import { storedAlerts } from '../../../sql/queries/alerts.ts'
import type { FeedState as KnownFeed } from '../../../sql/queries/feeds.ts'
import { Fault } from '../../domain/fault.ts'
import type { Instant } from '../../domain/time.ts'
import { readAlertIndex } from './alert-index.ts'
import { isMapService, readAlertMap } from './alert-map.ts'
import { type AlertPorts, current, type FeedRead, frozenSince } from './alert-read.ts'
import type { SecondRead } from './second-read.ts'

/**
 * Reads the second sources in order until a source has every alert. If all fail, the failure of the first source is
 * reported. If an earlier source has only some alerts, a later source adds the others; the messages of the earlier
 * source take precedence because they are complete.
 */
export async function readSecond(
  { database, upstream, secondSources }: AlertPorts,
  known: KnownFeed | undefined,
  first: Extract<FeedRead, { state: 'failed' }>,
  at: Instant,
): Promise<FeedRead> {
  const urls = secondSources?.alerts ?? []
  if (urls.length === 0) return first
  const heads = (await storedAlerts(database)).map(({ head }) => head)
  const reasons = [first.why.slice(0, 300)]
  const reads: (SecondRead & { readonly url: string })[] = []
  for (const url of urls) {
    try {
      const read = await (isMapService(url) ? readAlertMap : readAlertIndex)(upstream, url, heads)
      const frozenAt = frozenSince(read.feed.updated, read.ageSeconds, at)
      if (frozenAt)
        throw new Fault('Corrupt', `the copy must be current, but is from ${frozenAt.toISOString()}`, {
          reason: 'stale',
        })
      reads.push({ ...read, url, feed: current(read.feed, known, at) })
      if (read.doubt === undefined) break
    } catch (error) {
      const { message } = error instanceof Error ? error : { message: String(error) }
      reasons.push(`second source ${new URL(url).host}: ${message}`.slice(0, 200))
    }
  }
  const last = reads.at(-1)
  if (!last) return { ...first, why: reasons.join('; ').slice(0, 500) }
  const byId = new Map(
    reads.toReversed().flatMap(({ feed }) => feed.messages.map((message) => [message.head.id, message])),
  )
  const state = last.doubt ?? `alerts are read from the second source (${new URL(last.url).host})`
  return {
    state: 'read',
    feed: { ...last.feed, messages: [...byId.values()], rejected: reads.flatMap((read) => read.feed.rejected) },
    digest: '',
    why: `${first.why.slice(0, 300)}; ${state}`,
    standing: reads.flatMap((read) => read.standing),
    doubtful: last.doubt !== undefined,
    addsOnly: reads.some((read) => read.addsOnly),
    url: last.url,
  }
}
