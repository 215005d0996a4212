import { frameDatasets, gridDatasets } from '../../ingest/catalog.ts'
import { PAST_HOURS, PAST_HOURS_KEPT_SECONDS } from '../../ingest/domain/dataset/past-hours.ts'
import { TIMING_DAYS } from '../../ingest/domain/run/lateness.ts'
import { DAY, type Instant, SECOND } from '../../ingest/domain/time.ts'
import { feeds } from '../../ingest/steps/feeds/index.ts'
import { agingFrames, retireFrames, retireScores } from '../../ingest/steps/frames/retire.ts'
import { retireRuns } from '../../ingest/steps/grid/retire.ts'
import { isOrphanTime, removeOrphans } from '../../ingest/steps/orphans.ts'
import { retireSeason } from '../../ingest/steps/season/retire.ts'
import { retireIssued, retireSums } from '../../ingest/steps/verification/score-day.ts'
import { removeTimings } from '../../sql/queries/lateness.ts'
import { removeSentMessages } from '../../sql/queries/outbox.ts'
import { removeUsageDays } from '../../sql/queries/usage.ts'
import { removeOldVersions, restartHistory } from '../../sql/queries/versions.ts'
import type { ActivityDeps } from '../activities.ts'

/** A step of retirement: one kind of data that is removed when it is no longer needed. */
export interface Retirement {
  readonly subject: string
  /** Unit of the count in log lines, such as "rows" in "12 rows". */
  readonly unit: string
  /**
   * Whether the step removes objects and not only rows. A full or unreachable object store does not stop the removal of
   * rows.
   */
  readonly removesObjects?: true
  /**
   * @param historySeconds age up to which answers with `as_of` must still be possible, s
   * @returns the number removed, a map from dataset to that number, or undefined if it is not the time of this step
   */
  remove(
    deps: ActivityDeps,
    now: Instant,
    historySeconds: number,
  ): Promise<number | ReadonlyMap<string, number> | undefined>
}

/** A stream of run events can resume as far back as the streams of alerts and texts. */
const OUTBOX_KEPT_HOURS = 7 * 24

const gridsAndPastHours = [...gridDatasets, { id: PAST_HOURS, keepSeconds: PAST_HOURS_KEPT_SECONDS }]

/** Steps that remove objects, beginning with those that free the most bytes. */
const ofObjects: readonly Retirement[] = [
  ...gridsAndPastHours.map(
    (dataset): Retirement => ({
      subject: dataset.id,
      unit: 'runs',
      removesObjects: true,
      remove: (deps, now, historySeconds) => retireRuns(deps, dataset, now, historySeconds),
    }),
  ),
  ...agingFrames(frameDatasets).map(
    (dataset): Retirement => ({
      subject: dataset.id,
      unit: 'frames',
      removesObjects: true,
      remove: (deps, now, historySeconds) => retireFrames(deps, [dataset], now, historySeconds),
    }),
  ),
  { subject: 'season', unit: 'objects', removesObjects: true, remove: retireSeason },
  { subject: 'issued-forecasts', unit: 'objects', removesObjects: true, remove: retireIssued },
  {
    subject: 'orphans',
    unit: 'objects without a row in the database',
    removesObjects: true,
    async remove(deps, now, historySeconds) {
      if (!isOrphanTime(now)) return undefined
      return removeOrphans(deps, { grids: gridsAndPastHours, frames: frameDatasets }, now, historySeconds)
    },
  },
]

/** Steps that remove only rows. */
const ofRows: readonly Retirement[] = [
  { subject: 'outbox', unit: 'rows', remove: ({ database }) => removeSentMessages(database, OUTBOX_KEPT_HOURS) },
  {
    subject: 'versions',
    unit: 'rows',
    async remove(deps, now, historySeconds) {
      if (await restartHistory(deps.database)) deps.note({ step: 'retire', dataset: 'versions', detail: 'restarted' })
      return removeOldVersions(deps.database, new Date(now - historySeconds * SECOND))
    },
  },
  ...feeds.flatMap(({ id, retire }): Retirement[] =>
    retire ? [{ subject: id, unit: 'rows', remove: (deps) => retire(deps) }] : [],
  ),
  { subject: 'nowcast-scores', unit: 'rows', remove: retireScores },
  { subject: 'verification', unit: 'rows', remove: retireSums },
  { subject: 'usage', unit: 'rows', remove: ({ database }) => removeUsageDays(database) },
  {
    subject: 'timings',
    unit: 'rows',
    remove: ({ database }, now) => removeTimings(database, new Date(now - TIMING_DAYS * DAY)),
  },
]

/** All steps of retirement, which are independent of each other. */
export const retirements: readonly Retirement[] = [...ofObjects, ...ofRows]
