import { setTimeout as pause } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import type { Activities } from '../../workers/activities.ts'
import type { Engine } from '../../workers/engine.ts'
import { openTemporalEngine } from '../../workers/temporal/engine.ts'
import { progressOf } from '../../workers/temporal/progress.ts'
import { denyingProxy } from './denying-proxy.ts'

const temporal = loadConfig().temporal!
const queue = `search-${Math.random().toString(36).slice(2)}`
const open = (activities: object, over: object = {}): Promise<Engine> =>
  openTemporalEngine({
    ...temporal,
    queue,
    activities: activities as Activities,
    clock: Date.now,
    report: console.error,
    ...over,
  })
let connection: Connection
let client: Client

beforeAll(async () => {
  connection = await Connection.connect({ address: temporal.address })
  client = new Client({ connection, namespace: temporal.namespace })
})
afterAll(() => connection.close())

test('finds workflows by dataset, domain and run, also those that a workflow or a schedule started', async () => {
  let isWaiting = true
  const engine = await open({
    newRuns: async () => [{ domains: ['conus', 'alaska'], run: '2026-08-20T12Z' }],
    planStage: async () =>
      isWaiting ? { state: 'waiting', waitSeconds: 1, why: 'not yet' } : { state: 'done', why: 'published' },
    sampleFile: async () => {},
  })
  await engine.work()
  const watch = { id: `watch/${queue}`, workflow: 'watchRuns', input: { dataset: queue }, everySeconds: 3600 } as const
  await engine.schedule([watch])
  const typesOf = async (query: string) => {
    const types: string[] = []
    for await (const { type } of client.workflow.list({ query })) types.push(type)
    return types.sort()
  }
  const dataset = `HexcastDataset = '${queue}'`
  await expect
    .poll(() => typesOf(dataset), { timeout: 60_000 })
    .toEqual(expect.arrayContaining(['modelRun', 'watchRuns']))
  isWaiting = false
  const run = `${dataset} and HexcastDomain = 'conus+alaska' and HexcastRun = '2026-08-20T12Z'`
  await expect
    .poll(() => typesOf(`${run} and ExecutionStatus = 'Completed'`), { timeout: 60_000 })
    .toEqual(['modelRun'])
  expect(new Set(await typesOf(run))).toEqual(new Set(['modelRun']))
  await engine.schedule([])
  await engine.stop()
})

test('shows the files that are done, of those that are planned, in the heartbeats of a run', async () => {
  const mine = `${queue}-progress`
  let isHeld = true
  const files = [1, 2, 3, 4, 5].map((leadHours) => ({ url: `f${leadHours}`, leadHours }))
  const engine = await open(
    {
      planStage: async () => (isHeld ? { state: 'ready', stage: 0, files } : { state: 'done', why: 'published' }),
      sampleFile: async ({ file }: { file: { leadHours: number } }) => {
        while (isHeld && file.leadHours > 2) await pause(50)
      },
      publishStage: async () => ({ last: true }),
    },
    { queue: mine },
  )
  await engine.work()
  const id = `grid-run/nbm/conus/${mine}`
  await engine.start('modelRun', id, { dataset: 'nbm', domains: ['conus'], run: '2026-08-20T12Z' })
  await expect
    .poll(() => progressOf(client, mine, 8), { timeout: 30_000 })
    .toEqual([{ name: 'nbm conus 2026-08-20T12Z', text: 'stage 0', done: 2, total: 5 }])
  const { raw } = await client.workflow.getHandle(id).describe()
  const details = (raw.pendingActivities ?? []).map(({ heartbeatDetails }) =>
    defaultPayloadConverter.fromPayload(heartbeatDetails?.payloads?.[0] ?? {}),
  )
  expect(details).toContainEqual({
    ...{ dataset: 'nbm', domains: 'conus', run: '2026-08-20T12Z', stage: 0 },
    ...{ lead: 5, files_done: 2, files_planned: 5 },
  })
  isHeld = false
  await client.workflow.getHandle(id).result()
  expect(await progressOf(client, mine, 8)).toEqual([])
  await engine.stop()
})

test('works without search attributes where the server does not let them be used', async () => {
  const mine = `${queue}-without`
  const proxy = await denyingProxy(temporal.address, undefined, /operatorservice|CountWorkflowExecutions/)
  const done: string[] = []
  const engine = await open(
    {
      planStage: async ({ dataset }: { dataset: string }) => {
        done.push(dataset)
        return { state: 'done', why: 'published' }
      },
      sampleFile: async () => {},
    },
    { queue: mine, address: proxy.address },
  )
  await engine.work()
  const id = `grid-run/none/${mine}`
  await engine.start('modelRun', id, { dataset: 'none', domains: ['conus'], run: '1' })
  await client.workflow.getHandle(id).result()
  expect(done).toEqual(['none'])
  const { typedSearchAttributes } = await client.workflow.getHandle(id).describe()
  expect(typedSearchAttributes.getAll().map(({ key }) => key.name)).not.toContain('HexcastDataset')
  await engine.stop()
  proxy.close()
})
