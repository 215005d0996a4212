import { expect, test } from 'vitest'
import { frameDatasets } from '../../ingest/catalog.ts'
import { schedules } from '../../workers/schedules.ts'

test('frames of a family are swept together; a dataset with an interval of its own is swept by itself', () => {
  const all = schedules({ datasets: [], runsPollSeconds: 20, feedPollSeconds: {} })
  const frames = new Map(all.filter(({ workflow }) => workflow === 'sweepFrames').map((one) => [one.id, one]))
  expect([...frames.keys()]).toEqual([
    'sweep-frames/mrms',
    'sweep-frames/glm',
    'sweep-frames/storm-tracks',
    'sweep-frames/storm-cells',
    'sweep-frames/nexrad-l3',
  ])
  expect(frames.get('sweep-frames/mrms')!.everySeconds).toBe(15)
  // A sweep of the cells lists 33 prefixes: at most one in two minutes.
  expect(frames.get('sweep-frames/storm-cells')!.everySeconds).toBe(120)
  const only = schedules({ datasets: ['storm-cells'], runsPollSeconds: 20, feedPollSeconds: {} })
  expect(only.filter(({ workflow }) => workflow === 'sweepFrames').map(({ input }) => input)).toEqual([
    { dataset: 'storm-cells' },
  ])
  expect(frameDatasets.filter(({ pollSeconds }) => pollSeconds !== undefined).map(({ id }) => id)).toEqual([
    'storm-cells',
    'nexrad-l3',
  ])
})

test('past runs of an analysis are looked for by a schedule of their own', () => {
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
