import { frameDatasets, gridDatasets } from '../ingest/catalog.ts'
import type { Config } from '../ingest/config.ts'
import type { Schedule } from './engine.ts'

/** New frames come every two minutes, lightning every 20 seconds. */
const FRAMES_POLL_SECONDS = 15

/** What is started again and again. Everything about grids follows from the catalog. */
export function schedules(
  config: Pick<Config, 'datasets' | 'runsPollSeconds' | 'alertsPollSeconds'>,
): readonly Schedule[] {
  const taken = ({ id }: { id: string }) => config.datasets.length === 0 || config.datasets.includes(id)
  const runs = gridDatasets.filter(taken).map(
    ({ id }): Schedule => ({
      id: `watch-runs/${id}`,
      workflow: 'watchRuns',
      input: { dataset: id },
      everySeconds: config.runsPollSeconds,
    }),
  )
  const families = new Set(frameDatasets.filter(taken).map(({ id, family }) => family ?? id))
  const frames = [...families].map(
    (dataset): Schedule => ({
      id: `sweep-frames/${dataset}`,
      workflow: 'sweepFrames',
      input: { dataset },
      everySeconds: FRAMES_POLL_SECONDS,
    }),
  )
  return [
    ...runs,
    ...frames,
    { id: 'sweep-alerts', workflow: 'sweepAlerts', input: {}, everySeconds: config.alertsPollSeconds },
    { id: 'sweep-outlooks', workflow: 'sweepOutlooks', input: {}, everySeconds: 120 },
    { id: 'load-zones', workflow: 'loadZones', input: {}, everySeconds: 86_400 },
    { id: 'retire', workflow: 'retire', input: {}, everySeconds: 600 },
  ]
}
