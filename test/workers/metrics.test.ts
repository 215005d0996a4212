import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { countFailure, createWorkerMetrics } from '../../workers/metrics.ts'
import { RunTimedOut } from '../../workers/run-timeout.ts'
import { workflows } from '../../workers/workflows/index.ts'

test('begins the counter of runs that timed out at 0 for every workflow', async () => {
  const registry = new Registry()
  createWorkerMetrics(registry)
  const text = await registry.metrics()
  for (const workflow of Object.keys(workflows))
    expect(text).toContain(`hexcast_runs_timed_out_total{workflow="${workflow}"} 0`)
})

test('counts a full storage that stops a workflow or the queue itself', async () => {
  const registry = new Registry()
  const metrics = createWorkerMetrics(registry)
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  countFailure(metrics, 'queue', full)
  countFailure(metrics, 'watchRuns', new Error('another error'))
  countFailure(metrics, 'retire', new RunTimedOut(60))
  const text = await registry.metrics()
  expect(text).toContain('hexcast_storage_full_total{storage="database"} 1')
  expect(text).toContain('hexcast_workflow_failures_total{workflow="watchRuns"} 1')
  expect(text).toContain('hexcast_workflow_failures_total{workflow="retire"} 0')
})
