import { Client, Connection } from '@temporalio/client'
import { expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import type { Activities } from '../../workers/activities.ts'
import { openTemporalEngine } from '../../workers/temporal/engine.ts'

const { address } = loadConfig().temporal!

test('resolves the failure of an engine whose workers can no longer poll', async () => {
  const connection = await Connection.connect({ address })
  const namespace = `fatal-${Math.random().toString(36).slice(2)}`
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  })
  const { workflowService } = connection
  await expect
    .poll(() => workflowService.describeNamespace({ namespace }).then(() => true, () => false), { timeout: 30_000 })
    .toBe(true)
  const activities = { sweepFrames: async () => undefined, retire: async () => undefined } as unknown as Activities
  const engine = await openTemporalEngine({ address, namespace, activities, clock: Date.now, report: console.error })
  await engine.work()
  await connection.operatorService.deleteNamespace({ namespace })
  const failure = await engine.failure
  expect(String(failure)).toMatch(/\S/)
  await engine.stop()
  await connection.close()
  expect(new Client({ connection })).toBeDefined()
})
