import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { Fault } from '../../ingest/domain/fault.ts'
import { fullStorage } from '../../ingest/ports/storage-full.ts'
import type { Activities } from '../../workers/activities.ts'
import { countFailure, createWorkerMetrics } from '../../workers/metrics.ts'
import { observeActivities, silentLog } from '../../workers/observe-activities.ts'
import { RunTimedOut } from '../../workers/run-timeout.ts'

const coded = (code: string) => Object.assign(new Error('no'), { code })

test.each([
  [coded('ENOSPC'), 'disk'],
  [new Fault('Refused', 'put tiles/1: it failed', {}, coded('EDQUOT')), 'disk'],
  [coded('53100'), 'database'],
  [new Fault('Refused', 'PostgreSQL', {}, coded('53100')), 'database'],
  [Object.assign(new Error('x'), { name: 'XMinioStorageFull' }), 'objects'],
  [Object.assign(new Error('x'), { $metadata: { httpStatusCode: 507 } }), 'objects'],
  [new Fault('Refused', 'a write failed: no space left on device'), 'disk'],
  [coded('ENOENT'), undefined],
  [new Fault('Refused', 'status 503'), undefined],
  ['a text', undefined],
  [null, undefined],
])('finds the full storage of %s', (error, storage) => {
  expect(fullStorage(error)).toBe(storage)
})

test('counts the steps that fail because of a full disk', async () => {
  const registry = new Registry()
  const fails = { retire: () => Promise.reject(coded('ENOSPC')) } as Partial<Activities> as Activities
  const steps = observeActivities(fails, createWorkerMetrics(registry), silentLog)
  expect(await registry.metrics()).toContain('hexcast_storage_full_total{storage="disk"} 0')
  await expect(steps.retire()).rejects.toThrow()
  expect(await registry.metrics()).toContain('hexcast_storage_full_total{storage="disk"} 1')
  expect(await registry.metrics()).toContain('hexcast_feed_failures_total{step="retire",fault="bug"} 1')
})

test('counts failures under their workflow, and no run that ended at its timeout', async () => {
  const registry = new Registry()
  const metrics = createWorkerMetrics(registry)
  countFailure(metrics, 'sampleFile', new Error('bytes'))
  countFailure(metrics, 'modelRun', new Error('bytes'))
  countFailure(metrics, 'newRuns', new Error('listing'))
  countFailure(metrics, 'sweepFrames', new RunTimedOut(4))
  countFailure(metrics, 'queue', new Error('pg-boss'))
  const text = await registry.metrics()
  expect(text).toContain('hexcast_workflow_failures_total{workflow="modelRun"} 2')
  expect(text).toContain('hexcast_workflow_failures_total{workflow="watchRuns"} 1')
  expect(text).toContain('hexcast_workflow_failures_total{workflow="sweepFrames"} 0')
})
