import { expect, test } from 'vitest'
import { gridDatasets } from '../../ingest/catalog.ts'
import { nth } from '../../ingest/domain/nth.ts'
import type { StepNote } from '../../workers/activities.ts'
import type { Engine, Schedule } from '../../workers/engine.ts'
import { FirstAnswers, workInOrder } from '../../workers/first-answers.ts'
import { schedules } from '../../workers/schedules.ts'

const config = { datasets: [], runsPollSeconds: 20, feedPollSeconds: {} }
const all = schedules(config)

const needed = ['rtma-ru', 'rtma', 'nbm', 'hrrr']
const served = gridDatasets
  .filter(({ id }) => needed.includes(id))
  .flatMap(({ id, domains }) => domains.map((domain) => ({ dataset: id, domain: domain.id })))

/** An engine that only remembers what was scheduled. */
function engineOf(kind: Engine['kind']) {
  const scheduled: string[][] = []
  const engine = {
    kind,
    schedule: async (list: readonly Schedule[]) => void scheduled.push(list.map(({ id }) => id)),
    work: async () => undefined,
  } as unknown as Engine
  return { engine, scheduled }
}

const start = async (kind: Engine['kind'], first: FirstAnswers, datasets: readonly Schedule[] = all) => {
  const { engine, scheduled } = engineOf(kind)
  const notes: StepNote[] = []
  const end = await workInOrder(engine, datasets, first, (step) => notes.push(step), expect.unreachable)
  return { scheduled, notes, end }
}
const ids = all.map(({ id }) => id)

test('reads analyses, forecasts and alerts first at a first start, and the rest once they are published', async () => {
  const first = new FirstAnswers(config, [])
  const { scheduled, notes } = await start('embedded', first)
  expect(scheduled).toEqual([[...needed.map((id) => `watch-runs/${id}`), 'sweep-feed/nws-alerts']])
  for (const { dataset, domain } of served.slice(1)) first.note({ step: 'publish', dataset, domain })
  first.note({ step: 'sample', ...served[0] })
  expect(first.isAwaited).toBe(true)
  first.note({ step: 'publish', dataset: nth(served, 0).dataset, domain: `${nth(served, 0).domain}+elsewhere` })
  expect(await first.settled).toBe(true)
  const isLater = (id: string) => /^(watch|past)-runs/.test(id) && !needed.includes(nth(id.split('/'), 1))
  expect(scheduled[1]).toEqual(ids.filter((id) => !isLater(id) && !id.startsWith('past-runs')))
  expect(scheduled[1]).not.toContain('watch-runs/gfs')
  expect(scheduled[1]).toContain('sweep-frames/mrms')
  const days = served.filter(({ dataset }) => dataset === 'nbm')
  for (const part of days) first.note({ step: 'publish', ...part })
  expect(scheduled).toHaveLength(2)
  for (const part of days) first.note({ step: 'publish', ...part, stage: 1 })
  expect(await first.daysSettled).toBe(true)
  expect(scheduled[2]).toEqual(ids)
  expect(notes.map(({ step }) => step)).toEqual(['first', 'first'])
})

test('schedules everything at once if the datasets of an answer are served, or are not read here', async () => {
  for (const first of [new FirstAnswers(config, served), new FirstAnswers({ datasets: ['mrms-precip-rate'] }, [])])
    expect((await start('embedded', first)).scheduled).toEqual([ids])
})

test('schedules everything at once on Temporal, whose schedules belong to all workers', async () => {
  expect((await start('temporal', new FirstAnswers(config, []))).scheduled).toEqual([ids])
})

test('schedules nothing more after the worker was told to stop', async () => {
  const first = new FirstAnswers(config, [])
  const { scheduled, end } = await start('embedded', first)
  end()
  expect(await first.settled).toBe(false)
  expect(scheduled).toHaveLength(1)
})
