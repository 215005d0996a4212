import { feedDatasets, frameDatasets, gridDatasets, stateKeyOf } from '../../ingest/catalog.ts'
import { takes } from '../../ingest/config.ts'
import { runName } from '../../ingest/domain/time.ts'
import { recordBuckets } from '../../ingest/steps/grid/bucket-sources.ts'
import { latenessCheck } from '../../ingest/steps/lateness.ts'
import { issueForecasts } from '../../ingest/steps/verification/issue.ts'
import { packDays, scoreDays } from '../../ingest/steps/verification/score-day.ts'
import type { Activities, ActivityDeps } from '../activities.ts'

/** Checks of what is served: whether it is late, and how good it was. */
export function checks(deps: ActivityDeps): Pick<Activities, 'checkLateness' | 'issueForecasts' | 'scoreDays'> {
  const taken = ({ id }: { id: string }) => takes(deps.config, id)
  const findLate = latenessCheck(deps.database, {
    grids: gridDatasets.filter(taken),
    frames: frameDatasets.filter(taken),
    // Normals do not age.
    feeds: feedDatasets
      .filter((feed) => taken(feed) && feed.kind !== 'climatology')
      .map((feed) => ({ ...feed, stateKey: stateKeyOf(feed) })),
  })
  return {
    async checkLateness() {
      await recordBuckets(deps, gridDatasets.filter(taken))
      const late = await findLate(deps.clock())
      for (const { dataset, domain, run, due_at } of late) {
        const what = `late since ${due_at.toISOString().slice(0, 16)}Z`
        deps.note({ step: 'late', dataset, domain, run: runName(run.getTime()), what })
      }
      if (late.length > 0) deps.notify?.()
    },
    async issueForecasts() {
      if (!deps.forecasts) return
      const kept = await issueForecasts(deps, deps.forecasts, deps.clock())
      if (kept)
        deps.note({
          step: 'verify',
          what: `kept the forecasts of ${kept.stations} stations, ${Math.round(kept.bytes / 1000)} kB`,
        })
    },
    async scoreDays() {
      const packed = await packDays(deps)
      if (packed > 0) deps.note({ step: 'verify', what: `packed the sums of ${packed} days` })
      for (const { day, pairs } of await scoreDays(deps, deps.clock()))
        deps.note({ step: 'verify', what: `${day}: compared ${pairs} temperatures` })
    },
  }
}
