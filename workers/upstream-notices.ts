import { frameDatasets, gridDatasets, sweepNameOf } from '../ingest/catalog.ts'
import type { Instant } from '../ingest/domain/time.ts'
import type { Notice } from '../ingest/ports/notices.ts'
import type { Engine, Schedule } from './engine.ts'
import { schedules } from './schedules.ts'

/** The objects of a run arrive by the hundred, so one tick covers all objects of this interval. */
const MIN_TICK_INTERVAL_MS = 1_000

/** Returns the ids of the schedules that a new upstream object affects. */
export function schedulesFor({ bucket, key }: Notice, now: Instant): string[] {
  const grids = gridDatasets.filter((dataset) => {
    const run = dataset.runs(now)[0]
    return (
      run !== undefined &&
      dataset.domains.some(({ id }) => bucketOf(dataset.file(run, id, dataset.leads(run, id)[0] ?? 0).url) === bucket)
    )
  })
  const frames = frameDatasets.filter((dataset) =>
    dataset.domains.some(({ id }) =>
      dataset
        .listings(now, id)
        .some((listing) => bucketOf(listing.bucket) === bucket && key.startsWith(listing.prefix)),
    ),
  )
  return [
    ...new Set([
      ...grids.map(({ id }) => `watch-runs/${id}`),
      ...frames.map((dataset) => `sweep-frames/${sweepNameOf(dataset)}`),
    ]),
  ]
}

function bucketOf(url: string): string {
  return new URL(url).hostname.replace(/\.s3\..*/, '')
}

/**
 * Returns a function that immediately runs the schedules that new objects affect and wakes the model runs. The regular
 * ticks remain as a fallback. A tick may miss an object that arrives right after it or while it runs, so another tick
 * follows.
 */
export function createNoticeHandler(
  engine: Pick<Engine, 'start' | 'wake'>,
  config: Parameters<typeof schedules>[0],
  clock: () => Instant,
): (notices: readonly Notice[]) => Promise<void> {
  const byId = new Map<string, Schedule>(schedules(config).map((schedule) => [schedule.id, schedule]))
  const tickedAt = new Map<string, number>()
  const postponed = new Set<string>()

  async function tick(schedule: Schedule): Promise<void> {
    const { id, workflow, input } = schedule
    const wait = MIN_TICK_INTERVAL_MS - (clock() - (tickedAt.get(id) ?? 0))
    if (wait > 0) return tickIn(wait, schedule)
    tickedAt.set(id, clock())
    // A run in progress may be waiting for this file.
    if (workflow === 'watchRuns') await engine.wake('modelRun', `grid-run/${(input as { dataset: string }).dataset}/`)
    if (!(await engine.start(workflow, id, input as never))) tickIn(MIN_TICK_INTERVAL_MS, schedule)
  }

  function tickIn(wait: number, schedule: Schedule): void {
    if (postponed.has(schedule.id)) return
    postponed.add(schedule.id)
    const timer = setTimeout(() => {
      postponed.delete(schedule.id)
      // The queue's reader reports an unreachable queue, and the next regular tick follows shortly.
      tick(schedule).catch(() => {})
    }, wait)
    timer.unref()
  }

  return async (notices) => {
    const now = clock()
    for (const id of new Set(notices.flatMap((notice) => schedulesFor(notice, now)))) {
      const schedule = byId.get(id)
      if (schedule) await tick(schedule)
    }
  }
}
