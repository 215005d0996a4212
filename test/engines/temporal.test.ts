import { setTimeout as pause } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { expect, test } from 'vitest'
import { expressions } from '../../infra/monitoring/dashboard.ts'
import { loadConfig } from '../../ingest/config.ts'
import { nth } from '../../ingest/domain/nth.ts'
import type { Activities } from '../../workers/activities.ts'
import { WorkerRegistry } from '../../workers/metrics.ts'
import { openTemporalEngine } from '../../workers/temporal/engine.ts'
import { engineSuite } from '../contracts/engine-suite.ts'

const temporal = loadConfig().temporal!
const queue = `test-${Math.random().toString(36).slice(2)}`

engineSuite({
  name: 'Temporal',
  open: (activities) =>
    openTemporalEngine({
      ...temporal,
      queue,
      activities,
      clock: Date.now,
      report: (workflow, id, error) => console.error(`${workflow} ${id}: ${error}`),
    }),
  close: async () => {},
})

test('exposes the client’s metrics with the names of the dashboard, in seconds', async () => {
  const activities = {
    planStage: async () => ({ state: 'done', why: 'already' }),
    sampleFile: async () => {},
  } as unknown as Activities
  const report = console.error
  const engine = await openTemporalEngine({
    ...temporal,
    queue: `${queue}-metrics`,
    activities,
    clock: Date.now,
    report,
  })
  await engine.work()
  await engine.start('modelRun', `grid-run/metrics/${queue}`, { dataset: 'metrics', domains: ['conus'], run: '1' })
  const registry = new WorkerRegistry()
  registry.engine = engine
  const used = expressions.flatMap((expr) => expr.match(/\btemporal_\w+/g) ?? [])
  // Failed requests are counted from the first on.
  const names = used.map((name) => name.replace(/_bucket$/, '')).filter((name) => !name.includes('failure'))
  expect(names.length).toBeGreaterThan(2)
  for (const name of names)
    await expect.poll(() => registry.metrics(), { timeout: 20_000 }).toMatch(new RegExp(`^# TYPE ${name} `, 'm'))
  await engine.stop()
})

test('begins a new history for a run that waits very long, and completes the run', async () => {
  let polls = 0
  const activities = {
    planStage: async () =>
      ++polls < 420
        ? { state: 'waiting', waitSeconds: 0, why: 'not there yet' }
        : { state: 'done', why: 'published by another process' },
    sampleFile: async () => {},
  } as unknown as Activities
  const engine = await openTemporalEngine({
    ...temporal,
    queue: `${queue}-long`,
    activities,
    clock: Date.now,
    report: console.error,
  })
  await engine.work()
  const id = `grid-run/late/${queue}`
  await engine.start('modelRun', id, { dataset: 'late', domains: ['conus'], run: '2026-08-20T12Z' })
  const connection = await Connection.connect({ address: temporal.address })
  const handle = new Client({ connection, namespace: temporal.namespace }).workflow.getHandle(id)
  await handle.result()
  const { historyLength, raw } = await handle.describe()
  expect(polls).toBe(420)
  expect(historyLength).toBeLessThan(2_200)
  expect(raw.workflowExecutionInfo?.firstRunId).not.toBe(raw.workflowExecutionInfo?.execution?.runId)
  await connection.close()
  await engine.stop()
})

test('stops a worker within 5 s of SIGTERM, and restarts its unfinished step elsewhere at once', async () => {
  const begun: string[] = []
  const activities = (name: string, step: () => Promise<void>) =>
    ({
      planStage: async () => (begun.includes('published') ? { state: 'done', why: 'already' } : oneFile),
      async sampleFile() {
        begun.push(name)
        await step()
      },
      async publishStage() {
        begun.push('published')
        return { last: true }
      },
    }) as unknown as Activities
  const oneFile = { state: 'ready', stage: 0, files: [{ url: 'f1', leadHours: 1 }] }
  const open = (implementation: Activities) =>
    openTemporalEngine({
      ...temporal,
      queue: `${queue}-end`,
      activities: implementation,
      clock: Date.now,
      report: console.error,
    })
  const first = await open(activities('first', () => new Promise(() => {})))
  await first.work()
  await first.start('modelRun', `grid-run/ends/${queue}`, { dataset: 'ends', domains: ['conus'], run: '1' })
  while (!begun.includes('first')) await pause(50)
  const stoppedAt = performance.now()
  await first.stop()
  expect(performance.now() - stoppedAt, 'ms to the end').toBeLessThan(5_000)

  const second = await open(activities('second', async () => {}))
  await second.work()
  const worked = performance.now()
  while (!begun.includes('published') && performance.now() - worked < 60_000) await pause(50)
  // This is well before the 20 s after which a worker without a heartbeat is considered dead.
  expect(performance.now() - worked, 'ms until another has done it').toBeLessThan(15_000)
  expect(begun).toEqual(['first', 'second', 'published'])
  await second.stop()
})

test('has the schedules of the list, however often and by however many workers they are synchronized', async () => {
  const mine = `${queue}-plan`
  const list = [
    { id: 'sweep-alerts', workflow: 'sweepFeed', input: { dataset: 'nws-alerts' }, everySeconds: 3600 },
    { id: 'retire', workflow: 'retire', input: {}, everySeconds: 7200 },
  ] as const
  const engines = await Promise.all(
    [1, 2, 3].map(() =>
      openTemporalEngine({
        ...temporal,
        queue: mine,
        activities: {} as Activities,
        clock: Date.now,
        report: console.error,
      }),
    ),
  )
  const connection = await Connection.connect({ address: temporal.address })
  const { schedule } = new Client({ connection, namespace: temporal.namespace })
  const stored = async () => {
    const schedules = new Map<string, number>()
    for await (const { scheduleId, memo } of schedule.list())
      if (memo?.['hexcast'] === mine) schedules.set(scheduleId, 0)
    for (const id of schedules.keys())
      schedules.set(id, (await schedule.getHandle(id).describe()).info.createdAt.getTime())
    return schedules
  }
  await Promise.all(engines.map((engine) => engine.schedule(list)))
  await expect
    .poll(async () => [...(await stored()).keys()].sort(), { timeout: 20_000 })
    .toEqual([`${mine}/retire`, `${mine}/sweep-alerts`])
  const before = await stored()
  for (const engine of engines) await engine.schedule(list)
  expect(await stored()).toEqual(before)
  await nth(engines, 0).schedule([{ ...list[0], everySeconds: 1800 }])
  await expect.poll(async () => [...(await stored()).keys()], { timeout: 20_000 }).toEqual([`${mine}/sweep-alerts`])
  expect((await schedule.getHandle(`${mine}/sweep-alerts`).describe()).spec.intervals?.[0]?.every).toBe(1_800_000)
  await nth(engines, 0).schedule([])
  await expect.poll(async () => (await stored()).size, { timeout: 20_000 }).toBe(0)
  await Promise.all(engines.map((engine) => engine.stop()))
  await connection.close()
})
