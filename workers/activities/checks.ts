import { feedDatasets, frameDatasets, gridDatasets, stateKeyOf } from '../../ingest/catalog.ts'
import { takes } from '../../ingest/domain/dataset/takes.ts'
import { runName } from '../../ingest/domain/time.ts'
import { recordBuckets } from '../../ingest/steps/grid/bucket-sources.ts'
import { latenessCheck } from '../../ingest/steps/lateness.ts'
import { dailyCheck } from '../../ingest/steps/live-check/daily-check.ts'
import { issueForecasts } from '../../ingest/steps/verification/issue.ts'
import { packDays, scoreDays } from '../../ingest/steps/verification/score-day.ts'
import type { Activities, ActivityDeps } from '../activities.ts'

/** Activities that check whether runs are late and how accurate the served forecasts were. */
export function checkActivities(
  deps: ActivityDeps,
): Pick<Activities, 'checkLateness' | 'checkUpstream' | 'issueForecasts' | 'scoreDays'> {
  const isEnabled = ({ id }: { id: string }) => takes(deps.config, id)
  const findLate = latenessCheck(deps.database, {
    grids: gridDatasets.filter(isEnabled),
    frames: frameDatasets.filter(isEnabled),
    // Climate normals are excluded, because they do not age.
    feeds: feedDatasets
      .filter((feed) => isEnabled(feed) && feed.kind !== 'climatology')
      .map((feed) => ({ ...feed, stateKey: stateKeyOf(feed) })),
  })
  return {
    async checkLateness() {
      await recordBuckets(deps, gridDatasets.filter(isEnabled))
      const late = await findLate(deps.clock())
      for (const { dataset, domain, run, due_at } of late) {
        const detail = `late since ${due_at.toISOString().slice(0, 16)}Z`
        deps.note({ step: 'late', dataset, domain, run: runName(run.getTime()), detail })
      }
      if (late.length > 0) deps.notify?.()
    },
    async checkUpstream() {
      if (deps.simulated) return
      const { datasets, contact, upstream: source, secondSources } = deps.config
      const decode: ActivityDeps['pool']['run'] = (task, transfer) => deps.pool.run(task, transfer)
      const contactExpected = source === 'auto'
      const counts = await dailyCheck(deps, { datasets, contact, secondSources, contactExpected, decode })
      if (!counts) return
      const detail = `${counts.passed} passed, ${counts.warning} warnings, ${counts.failed} failed; hexcast status has the reasons`
      deps.note({ step: 'upstream check', detail })
    },
    async issueForecasts() {
      if (!deps.forecasts) return
      const issue = await issueForecasts(deps, deps.forecasts, deps.clock())
      if (issue) {
        const detail = `stored the forecasts of ${issue.stations} stations, ${Math.round(issue.bytes / 1000)} kB`
        deps.note({ step: 'verify', detail })
      }
    },
    async scoreDays() {
      const packed = await packDays(deps)
      if (packed > 0) deps.note({ step: 'verify', detail: `packed the sums of ${packed} days` })
      for (const { day, pairs } of await scoreDays(deps, deps.clock()))
        deps.note({ step: 'verify', detail: `${day}: compared ${pairs} temperatures` })
    },
  }
}
