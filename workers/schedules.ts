import { frameDatasets, gridDatasets, sweepNameOf } from '../ingest/catalog.ts'
import type { Config } from '../ingest/config.ts'
import { takes } from '../ingest/domain/dataset/takes.ts'
import { feeds } from '../ingest/steps/feeds/index.ts'
import { RETIRE_SECONDS } from '../ingest/steps/orphans.ts'
import type { Schedule } from './engine.ts'
import { runSecondsOf } from './run-timeout.ts'

/** New frames come every two minutes, lightning every 20 seconds. */
const FRAMES_POLL_SECONDS = 15
/** Processing two past runs at a time takes about this long. */
const PAST_RUNS_SECONDS = 20
/** The event of a late run must be stored within a minute. */
const LATENESS_CHECK_SECONDS = 30

/** The check of upstream runs at the first start and then once a day; each tick checks whether it is due. */
const UPSTREAM_CHECK_SECONDS = 3600

/** Forecasts are stored in the first half of each hour. */
const VERIFICATION_SECONDS = 600

/** Returns the periodic workflows. Those of grids and frames follow from the catalog. */
export function schedules(
  config: Pick<Config, 'datasets' | 'runsPollSeconds' | 'feedPollSeconds'>,
): readonly Schedule[] {
  const isEnabled = ({ id }: { id: string }) => takes(config, id)
  const runs = gridDatasets.filter(isEnabled).map(
    ({ id }): Schedule => ({
      id: `watch-runs/${id}`,
      workflow: 'watchRuns',
      input: { dataset: id },
      everySeconds: config.runsPollSeconds,
    }),
  )
  const past = gridDatasets
    .filter((dataset) => isEnabled(dataset) && dataset.pastHours !== undefined)
    .map(
      ({ id }): Schedule => ({
        id: `past-runs/${id}`,
        workflow: 'watchRuns',
        input: { dataset: id, past: true },
        everySeconds: PAST_RUNS_SECONDS,
      }),
    )
  const intervals = new Map(
    frameDatasets
      .filter(isEnabled)
      .map((dataset) => [sweepNameOf(dataset), dataset.pollSeconds ?? FRAMES_POLL_SECONDS]),
  )
  const frames = [...intervals].map(
    ([dataset, everySeconds]): Schedule => ({
      id: `sweep-frames/${dataset}`,
      workflow: 'sweepFrames',
      input: { dataset },
      everySeconds,
    }),
  )
  const sweeps = feeds
    .filter((feed) => feed.required || isEnabled(feed))
    .map(
      ({ id, pollSeconds }, order): Schedule => ({
        id: `sweep-feed/${id}`,
        workflow: 'sweepFeed',
        input: { dataset: id, urgency: feeds.length - order },
        everySeconds: config.feedPollSeconds[id] ?? pollSeconds,
      }),
    )
  const all: readonly Schedule[] = [
    ...runs,
    ...past,
    ...frames,
    ...sweeps,
    { id: 'check-lateness', workflow: 'checkLateness', input: {}, everySeconds: LATENESS_CHECK_SECONDS },
    { id: 'check-upstream', workflow: 'checkUpstream', input: {}, everySeconds: UPSTREAM_CHECK_SECONDS },
    { id: 'verify-forecasts', workflow: 'verifyForecasts', input: {}, everySeconds: VERIFICATION_SECONDS },
    { id: 'retire', workflow: 'retire', input: {}, everySeconds: RETIRE_SECONDS },
  ]
  return all.map((schedule) => ({ ...schedule, runSeconds: runSecondsOf(schedule.workflow, schedule.everySeconds) }))
}
