import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY, MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { addScores } from '../../sql/queries/nowcast-scores.ts'
import { retirementStates } from '../../sql/queries/retirement.ts'
import { type Retirement, retireActivity } from '../../workers/activities/retire.ts'
import { retirements } from '../../workers/activities/retirements.ts'
import type { ActivityDeps, StepNote } from '../../workers/activities.ts'
import { measureRetirement } from '../../workers/metrics.ts'
import { leadScore } from '../pages/scored-nowcasts.ts'

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

test('leaves a step that hangs, and does not start it again before it has ended', async () => {
  const hanging = Promise.withResolvers<number>()
  const started: string[] = []
  const step = (subject: string, remove: () => Promise<number>): Retirement => ({
    subject,
    unit: 'rows',
    remove() {
      started.push(subject)
      return remove()
    },
  })
  const deps = { config, clock: () => 0, note: () => undefined } as unknown as ActivityDeps
  const list = [step('stuck', () => hanging.promise), step('next', async () => 1)]
  const { retire: run } = retireActivity(deps, list, 50)
  await expect(run()).rejects.toThrow('has not ended within')
  await expect(run()).rejects.toThrow('the previous attempt has not ended yet')
  expect(started).toEqual(['stuck', 'next', 'next'])
  hanging.resolve(1)
  await hanging.promise
  await expect.poll(() => run().then(() => 'ended')).toBe('ended')
  expect(started.filter((subject) => subject === 'stuck')).toHaveLength(2)
})

test('gives all steps the time at which retirement began', async () => {
  let now = 1000
  const times: number[] = []
  const step = (subject: string): Retirement => ({
    subject,
    unit: 'objects',
    removesObjects: true,
    async remove(_, at) {
      times.push(at)
      now += 40 * MINUTE
      return 0
    },
  })
  const deps = { config, clock: () => now, note: () => undefined } as unknown as ActivityDeps
  await retireActivity(deps, [step('grids'), step('orphans')]).retire()
  expect(times).toEqual([1000, 1000])
})

describe('all steps', () => {
  let folder: string
  let database: Database
  let objects: Objects
  const now = Date.parse('2026-08-20T12:01:00Z')
  const depsOver = (store: Objects): ActivityDeps =>
    ({
      config: { historyDays: 0, objects: { kind: 'folder', folder } },
      database,
      objects: store,
      slabs: store,
      clock: () => now,
      note: () => undefined,
    }) as unknown as ActivityDeps

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hexcast-retire-'))
    database = await openDatabase({ dataDir: folder, databasePool: 1 })
    objects = await openFolder(join(folder, 'objects'))
  })
  afterAll(async () => {
    await objects.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('remove the other data and store their success while the first step throws', async () => {
    const [first] = retirements
    await database.query(
      `insert into outbox (topic, key, payload, sent_at) values ('hexcast.runs.v1', 'k', '{}', now() - interval '30 days')`,
    )
    await database.query(
      `insert into nowcast_score (domain, valid, lead, threshold, hits, misses, false_alarms)
       values ('conus', now() - interval '60 days', 5, 1, 1, 1, 1)`,
    )
    for (const daysAgo of [60, 500]) await addScores(database, 'conus', new Date(now - daysAgo * DAY), [leadScore(30)])
    const issued = `verification/v1/${new Date(now - 10 * DAY).toISOString().slice(0, 13)}Z/hour.bin`
    await objects.put(issued, Buffer.from('old'))
    const broken: Objects = {
      ...objects,
      get: (...words) => objects.get(...words),
      remove: (key) => objects.remove(key),
      list(prefix) {
        if (prefix.includes(`/${first!.subject}/`)) throw new Error('AccessDenied')
        return objects.list(prefix)
      },
    } as Objects
    await expect(retireActivity(depsOver(broken)).retire()).rejects.toThrow('AccessDenied')
    expect(await database.query('select 1 from outbox')).toEqual([])
    expect(await database.query('select 1 from nowcast_score')).toEqual([])
    // Sums of days are stored for 400 days.
    const dayOf = { day: new Date(now - 60 * DAY).toISOString().slice(0, 10) }
    expect(await database.query('select distinct day from nowcast_day')).toEqual([dayOf])
    expect(await database.query('select distinct day from nowcast_probability_day')).toEqual([dayOf])
    const states = new Map((await retirementStates(database)).map((state) => [state.step, state]))
    expect(states.get(first!.subject)).toMatchObject({ succeeded_at: null, failure: 'AccessDenied' })
    const failed = [...states.values()].filter(({ succeeded_at }) => succeeded_at === null).map(({ step }) => step)
    expect(failed.sort()).toEqual([first!.subject, 'orphans'].sort())
    expect(states.size).toBe(retirements.length)
  })

  test('show the time of their last success, and of the first attempt of a step without one', async () => {
    const registry = new Registry()
    measureRetirement(registry, database, now)
    const before = Math.floor(Date.now() / 1000)
    const successOf = async (step: string) => {
      const [metric] = await registry.getMetricsAsJSON()
      return metric?.values.find(({ labels }) => labels['step'] === step)?.value ?? Number.NaN
    }
    const [first] = retirements
    const firstAttempt = await successOf(first!.subject)
    expect(firstAttempt).toBeGreaterThan(before - 3600)
    await database.query(
      `update retirement set first_at = first_at - interval '1 day', succeeded_at = succeeded_at - interval '1 day'`,
    )
    expect(await successOf(first!.subject)).toBeCloseTo(firstAttempt - 86_400, 0)
    await retireActivity(depsOver(objects)).retire()
    for (const { subject } of retirements) expect(await successOf(subject), subject).toBeGreaterThanOrEqual(before)
  })
})
