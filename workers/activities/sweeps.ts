import { frameDatasets, sweepNameOf } from '../../ingest/catalog.ts'
import { expireFeed, sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { sweepFrames } from '../../ingest/steps/frames/sweep.ts'
import type { Activities, ActivityDeps } from '../activities.ts'

/** Reads of radar, lightning and feeds. */
export function sweeps(deps: ActivityDeps): Pick<Activities, 'sweepFrames' | 'sweepFeed' | 'expireFeed'> {
  return {
    async sweepFrames({ dataset }) {
      const mine = frameDatasets.filter((one) => sweepNameOf(one) === dataset)
      for (const sweep of await sweepFrames(deps, mine, deps.clock())) {
        const { published, skipped, refused, troubled } = sweep
        if (published.length > 0) deps.notify?.()
        for (const { domain, run } of published) deps.note({ step: 'frame', dataset: sweep.dataset, domain, run })
        if (skipped.length > 0)
          deps.note({
            step: 'frame',
            dataset: sweep.dataset,
            what: `skipped ${skipped.length > 2 ? `${skipped.length} files, ${skipped[0]} the newest` : skipped.join(', ')}`,
          })
        for (const what of [...refused, ...troubled]) deps.note({ step: 'frame', dataset: sweep.dataset, what })
      }
    },
    async sweepFeed({ dataset }) {
      const { notes, nextExpiration, sweepNext = [] } = await sweepFeed(deps, dataset)
      for (const what of notes) deps.note({ step: 'feed', dataset, what })
      return { expiresAt: nextExpiration ?? null, sweepNext }
    },
    async expireFeed({ dataset }) {
      const { nextExpiration } = await expireFeed(deps, dataset)
      return { expiresAt: nextExpiration ?? null }
    },
  }
}
