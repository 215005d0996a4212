import { Client, Connection } from '@temporalio/client'
import { expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import type { Activities } from '../../workers/activities.ts'
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

test('a run that waits for very long begins a new history, and comes to its end', async () => {
  let polls = 0
  const activities = {
    planStage: async () =>
      ++polls < 420
        ? { state: 'waiting', waitSeconds: 0, why: 'not there yet' }
        : { state: 'done', why: 'published by somebody else' },
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
