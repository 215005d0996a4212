import { expect, test } from 'vitest'
import { frameDatasets } from '../../ingest/catalog.ts'
import { schedules } from '../../workers/schedules.ts'

test('reads the frames of a family together, and a dataset with an interval of its own by itself', () => {
  const all = schedules({ datasets: [], runsPollSeconds: 20, feedPollSeconds: {} })
  const frames = new Map(
    all.filter(({ workflow }) => workflow === 'sweepFrames').map((schedule) => [schedule.id, schedule]),
  )
  expect([...frames.keys()]).toEqual([
    'sweep-frames/mrms',
    'sweep-frames/glm',
    'sweep-frames/storm-tracks',
    'sweep-frames/storm-cells',
    'sweep-frames/nexrad-l3',
  ])
  expect(frames.get('sweep-frames/mrms')?.everySeconds).toBe(15)
  // Reading the storm cells lists 33 prefixes, so it is done at most every two minutes.
  expect(frames.get('sweep-frames/storm-cells')?.everySeconds).toBe(120)
  const only = schedules({ datasets: ['storm-cells'], runsPollSeconds: 20, feedPollSeconds: {} })
  expect(only.filter(({ workflow }) => workflow === 'sweepFrames').map(({ input }) => input)).toEqual([
    { dataset: 'storm-cells' },
  ])
  expect(frameDatasets.filter(({ pollSeconds }) => pollSeconds !== undefined).map(({ id }) => id)).toEqual([
    'storm-cells',
    'nexrad-l3',
  ])
})

test('reads past runs of an analysis with a separate schedule', () => {
  const past = (datasets: string[]) =>
    schedules({ datasets, runsPollSeconds: 60, feedPollSeconds: {} }).filter(({ id }) => id.startsWith('past-runs/'))
  expect(past([])).toEqual([
    {
      id: 'past-runs/rtma',
      workflow: 'watchRuns',
      input: { dataset: 'rtma', past: true },
      everySeconds: 20,
      runSeconds: 345,
    },
  ])
  expect(past(['nbm'])).toEqual([])
})
