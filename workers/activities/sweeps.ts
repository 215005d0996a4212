import { sweepNameOf } from '../../ingest/catalog.ts'
import { runName } from '../../ingest/domain/time.ts'
import { expireFeed, sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { frameSources } from '../../ingest/steps/frames/index.ts'
import { sweepFrames } from '../../ingest/steps/frames/sweep.ts'
import type { Activities, ActivityDeps } from '../activities.ts'

/** Activities that read radar, lightning and feeds. */
export function sweepActivities(deps: ActivityDeps): Pick<Activities, 'sweepFrames' | 'sweepFeed' | 'expireFeed'> {
  return {
    async sweepFrames({ dataset }) {
      const sources = frameSources.filter((source) => sweepNameOf(source.dataset) === dataset)
      for (const sweep of await sweepFrames(deps, sources, deps.clock())) {
        const { published, superseded, rejected, failures } = sweep
        if (published.length > 0) deps.notify?.()
        for (const { domain, time } of published)
          deps.note({ step: 'frame', dataset: sweep.dataset, domain, run: runName(time) })
        if (superseded.length > 0)
          deps.note({
            step: 'frame',
            dataset: sweep.dataset,
            detail: `superseded: ${superseded.length > 2 ? `${superseded.length} files up to ${superseded[0]}` : superseded.join(', ')}`,
          })
        for (const detail of [...rejected, ...failures]) deps.note({ step: 'frame', dataset: sweep.dataset, detail })
      }
    },
    async sweepFeed({ dataset }) {
      const { notes, nextExpiration, sweepNext = [] } = await sweepFeed(deps, dataset)
      for (const detail of notes) deps.note({ step: 'feed', dataset, detail })
      return { expiresAt: nextExpiration ?? null, sweepNext }
    },
    async expireFeed({ dataset }) {
      const { nextExpiration } = await expireFeed(deps, dataset)
      return { expiresAt: nextExpiration ?? null }
    },
  }
}
