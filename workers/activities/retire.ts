import { frameDatasets, gridDatasets } from '../../ingest/catalog.ts'
import { PAST_HOURS, PAST_HOURS_KEPT_SECONDS } from '../../ingest/domain/dataset/past-hours.ts'
import { TIMING_DAYS } from '../../ingest/domain/run/lateness.ts'
import { DAY, type Instant, SECOND } from '../../ingest/domain/time.ts'
import { retireFeeds } from '../../ingest/steps/feeds/sweep.ts'
import { retireFrames } from '../../ingest/steps/frames/retire.ts'
import { retireRuns } from '../../ingest/steps/grid/retire.ts'
import { historySecondsOf } from '../../ingest/steps/history.ts'
import { isOrphanTime, removeOrphans } from '../../ingest/steps/orphans.ts'
import { retireSeason } from '../../ingest/steps/season/retire.ts'
import { retireVerification } from '../../ingest/steps/verification/score-day.ts'
import { removeTimings } from '../../sql/queries/lateness.ts'
import { removeSentMessages } from '../../sql/queries/outbox.ts'
import { removeUsageDays } from '../../sql/queries/usage.ts'
import { removeOldVersions, restartHistory } from '../../sql/queries/versions.ts'
import type { Activities, ActivityDeps } from '../activities.ts'

/** A stream of run events can resume as far back as those of alerts and texts. */
const OUTBOX_KEPT_HOURS = 7 * 24

const gridsAndPastHours = [...gridDatasets, { id: PAST_HOURS, keepSeconds: PAST_HOURS_KEPT_SECONDS }]

/** One kind of data that is removed when it is no longer needed. */
export interface Retirement {
  readonly subject: string
  /** Unit of the count in log lines: "rows" for "12 rows". */
  readonly unit: string
  /**
   * @param historySeconds age up to which answers with `as_of` must still be possible, s
   * @returns the number removed, or a map from dataset to that number
   */
  remove(deps: ActivityDeps, now: Instant, historySeconds: number): Promise<number | ReadonlyMap<string, number>>
}

/** The retirements are independent of each other and run in this order. */
const retirements: readonly Retirement[] = [
  {
    subject: 'timings',
    unit: 'rows',
    remove: ({ database }, now) => removeTimings(database, new Date(now - TIMING_DAYS * DAY)),
  },
  { subject: 'outbox', unit: 'rows', remove: ({ database }) => removeSentMessages(database, OUTBOX_KEPT_HOURS) },
  { subject: 'usage', unit: 'rows', remove: ({ database }) => removeUsageDays(database) },
  { subject: 'feeds', unit: 'rows', remove: retireFeeds },
  { subject: 'season', unit: 'objects', remove: retireSeason },
  { subject: 'verification', unit: 'rows and objects', remove: retireVerification },
  {
    subject: 'versions',
    unit: 'rows',
    async remove(deps, now, historySeconds) {
      if (await restartHistory(deps.database)) deps.note({ step: 'retire', dataset: 'versions', detail: 'restarted' })
      return removeOldVersions(deps.database, new Date(now - historySeconds * SECOND))
    },
  },
  {
    subject: 'frames',
    unit: 'frames',
    remove: (deps, now, historySeconds) => retireFrames(deps, frameDatasets, now, historySeconds),
  },
  ...gridsAndPastHours.map(
    (dataset): Retirement => ({
      subject: dataset.id,
      unit: 'runs',
      remove: (deps, now, historySeconds) => retireRuns(deps, dataset, now, historySeconds),
    }),
  ),
  {
    subject: 'orphans',
    unit: 'objects without a row in the database',
    async remove(deps, now, historySeconds) {
      if (!isOrphanTime(now)) return 0
      return removeOrphans(deps, { grids: gridsAndPastHours, frames: frameDatasets }, now, historySeconds)
    },
  },
]

/**
 * Removes data that is no longer needed. A retireActivity that fails is reported and does not stop the others; at the
 * end the activity throws the first error.
 */
export function retireActivity(
  deps: ActivityDeps,
  list: readonly Retirement[] = retirements,
): Pick<Activities, 'retire'> {
  const { historyDays, objects } = deps.config
  const removeAll = async ({ subject, unit, remove }: Retirement, historySeconds: number) => {
    const removed = await remove(deps, deps.clock(), historySeconds)
    for (const [dataset, count] of typeof removed === 'number' ? [[subject, removed] as const] : removed)
      if (count > 0) deps.note({ step: 'retire', dataset, detail: `${count} ${unit}` })
  }
  return {
    async retire() {
      const historySeconds = await historySecondsOf(historyDays, objects.kind === 'folder' ? objects.folder : undefined)
      const errors: unknown[] = []
      for (const item of list) {
        await removeAll(item, historySeconds).catch((error: unknown) => {
          errors.push(error)
          deps.note({ step: 'retire', dataset: item.subject, detail: `failed: ${(error as Error)?.message}` })
        })
      }
      if (errors.length > 0) throw errors[0]
    },
  }
}
