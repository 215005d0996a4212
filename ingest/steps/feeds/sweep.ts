import { markFailed } from '../../../sql/queries/feeds.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import type { Feed, FeedDeps, FeedOutcome } from './feed.ts'
import { feeds } from './index.ts'
import { quarantineDocument } from './quarantine-feed.ts'

/** @throws Fault Invalid for an unknown feed */
export function feedOf(id: string): Feed {
  const feed = feeds.find((feed) => feed.id === id)
  if (!feed)
    throw new Fault('Invalid', `the feed must be one of ${feeds.map((feed) => feed.id).join(', ')}, but is "${id}"`)
  return feed
}

/**
 * Sweeps a feed once. Any exception, a Fault or a bug in a decoder, counts as a failure of the feed. Readers see it in `meta.warnings` and
 * `/readyz` within seconds, and the next tick reads the whole document again.
 */
export async function sweepFeed(deps: FeedDeps, id: string): Promise<FeedOutcome> {
  const feed = feedOf(id)
  try {
    return await feed.sweep(deps)
  } catch (error) {
    const reason = error instanceof Error ? `${isFault(error) ? '' : `${error.name}: `}${error.message}` : String(error)
    await markFailed(deps.database, feed.stateKey, reason.slice(0, 500)).catch(() => undefined)
    await quarantineDocument(deps, feed.id, deps.clock(), error).catch(() => undefined)
    throw error
  }
}

export async function expireFeed(deps: FeedDeps, id: string): Promise<Pick<FeedOutcome, 'nextExpiration'>> {
  return (await feedOf(id).expire?.(deps)) ?? {}
}
