import { frameDatasets, gridDatasets, sweepNameOf } from '../ingest/catalog.ts'
import type { Instant } from '../ingest/domain/time.ts'
import type { Notice } from '../ingest/ports/notices.ts'
import type { Engine, Schedule } from './engine.ts'
import { schedules } from './schedules.ts'

/** Objects of one run arrive by hundreds: one tick serves those of so many milliseconds. */
const MIN_TICK_INTERVAL_MS = 1_000

/** The schedules that a new upstream object concerns. */
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
      dataset.listings(now, id).some((place) => bucketOf(place.bucket) === bucket && key.startsWith(place.prefix)),
    ),
  )
  return [
    ...new Set([
      ...grids.map(({ id }) => `watch-runs/${id}`),
      ...frames.map((one) => `sweep-frames/${sweepNameOf(one)}`),
    ]),
  ]
}

function bucketOf(url: string): string {
  return new URL(url).hostname.split('.s3.')[0]!
}

/**
 * Ticks the schedules that new objects concern, and wakes the runs, at once; the regular ticks remain as a fallback. Objects that arrive right after a
 * tick, or while one runs, may be missed by it: one more follows.
 */
export function prompter(
  engine: Pick<Engine, 'start' | 'wake'>,
  config: Parameters<typeof schedules>[0],
  clock: () => Instant,
): (notices: readonly Notice[]) => Promise<void> {
  const known = new Map<string, Schedule>(schedules(config).map((schedule) => [schedule.id, schedule]))
  const looked = new Map<string, number>()
  const later = new Set<string>()

  async function tick(schedule: Schedule): Promise<void> {
    const { id, workflow, input } = schedule
    const wait = MIN_TICK_INTERVAL_MS - (clock() - (looked.get(id) ?? 0))
    if (wait > 0) return lookIn(wait, schedule)
    looked.set(id, clock())
    // A run that is being worked on waits for its next file.
    if (workflow === 'watchRuns') await engine.wake('modelRun', `grid-run/${(input as { dataset: string }).dataset}/`)
    if (!(await engine.start(workflow, id, input as never))) lookIn(MIN_TICK_INTERVAL_MS, schedule)
  }

  function lookIn(wait: number, schedule: Schedule): void {
    if (later.has(schedule.id)) return
    later.add(schedule.id)
    const timer = setTimeout(() => {
      later.delete(schedule.id)
      // An unreachable queue is reported by its reader; the next regular tick follows shortly.
      tick(schedule).catch(() => {})
    }, wait)
    timer.unref()
  }

  return async (notices) => {
    const now = clock()
    for (const id of new Set(notices.flatMap((notice) => schedulesFor(notice, now)))) {
      const schedule = known.get(id)
      if (schedule) await tick(schedule)
    }
  }
}
