import { Client, Connection } from '@temporalio/client'
import { expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import { nwsAlerts } from '../../ingest/datasets/alerts.ts'
import type { Activities } from '../../workers/activities.ts'
import { openTemporalEngine } from '../../workers/temporal/engine.ts'
import { alertLaneSuite } from '../contracts/alert-lane-suite.ts'

const queue = `test-${Math.random().toString(36).slice(2)}`

alertLaneSuite({
  name: 'Temporal',
  open: (activities) =>
    openTemporalEngine({
      ...loadConfig().temporal!,
      queue,
      activities,
      clock: Date.now,
      report: (workflow, id, error) => console.error(`${workflow} ${id}: ${error}`),
    }),
  close: async () => {},
})

test('starts alerts and their timers in the queue of their lane, and the feeds that follow in the common queue', async () => {
  const { address, namespace } = loadConfig().temporal!
  const own = `${queue}-queues`
  const next = `zones-${queue}`
  const swept: string[] = []
  const activities = {
    async sweepFeed({ dataset }: { dataset: string }) {
      swept.push(dataset)
      const isAlerts = dataset === nwsAlerts.id
      return { expiresAt: isAlerts ? Date.now() + 60_000 : null, sweepNext: isAlerts ? [next] : [] }
    },
    async retire() {},
  } as unknown as Activities
  const engine = await openTemporalEngine({
    address,
    namespace,
    queue: own,
    activities,
    clock: Date.now,
    report: console.error,
  })
  const connection = await Connection.connect({ address })
  const client = new Client({ connection, namespace })
  try {
    await engine.work()
    const id = `sweep-feed/${own}`
    await engine.start('sweepFeed', id, { dataset: nwsAlerts.id })
    await expect.poll(() => swept, { timeout: 30_000 }).toEqual([nwsAlerts.id, next])
    const queues = new Map<string, string>()
    const query = `TaskQueue in ('${own}', '${own}-alerts')`
    const list = async () => {
      for await (const { type, workflowId, taskQueue } of client.workflow.list({ query }))
        queues.set(workflowId === id ? 'alerts' : type, taskQueue)
      return queues.size
    }
    await expect.poll(list, { timeout: 30_000 }).toBe(3)
    expect(Object.fromEntries(queues)).toEqual({
      alerts: `${own}-alerts`,
      expireFeed: `${own}-alerts`,
      sweepFeed: own,
    })
    await expect.poll(() => engine.counts(), { timeout: 30_000 }).toMatchObject({ waiting: 1, running: 0 })
  } finally {
    for await (const { workflowId } of client.workflow.list({ query: `TaskQueue = '${own}-alerts'` }))
      await client.workflow
        .getHandle(workflowId)
        .terminate('end of the test')
        .catch(() => undefined)
    await engine.stop()
    await connection.close()
  }
})
