import { expect, test } from 'vitest'
import { type Retirement, retireActivity } from '../../workers/activities/retire.ts'
import type { ActivityDeps, StepNote } from '../../workers/activities.ts'

const config = { historyDays: 0, objects: { kind: 's3' } }

/** Runs the retirements and returns the notes and the error of the activity. */
async function retire(list: readonly Retirement[]) {
  const notes: StepNote[] = []
  const deps = { config, clock: () => 0, note: (step: StepNote) => notes.push(step) } as unknown as ActivityDeps
  const error = await retireActivity(deps, list)
    .retire()
    .catch((reason: unknown) => reason)
  return { notes: notes.map(({ dataset, detail }) => `${dataset}: ${detail}`), error }
}

test('retires the other subjects if one fails, and then fails the activity', async () => {
  const { notes, error } = await retire([
    { subject: 'timings', unit: 'rows', remove: () => Promise.reject(new Error('canceling statement')) },
    { subject: 'outbox', unit: 'rows', remove: async () => 3 },
    { subject: 'feeds', unit: 'rows', remove: async () => new Map([['metar', 2]]) },
    { subject: 'usage', unit: 'rows', remove: async () => 0 },
  ])
  expect(notes).toEqual(['timings: failed: canceling statement', 'outbox: 3 rows', 'metar: 2 rows'])
  expect(error).toEqual(new Error('canceling statement'))
})
