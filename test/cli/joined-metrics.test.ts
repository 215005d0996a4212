import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { joinedMetrics } from '../../bin/joined-metrics.ts'
import { measureProcess } from '../../ingest/ports/measure-disks.ts'
import { createWorkerMetrics } from '../../workers/metrics.ts'

test('gives a metric of both processes one description and one group', async () => {
  const [api, worker] = [new Registry(), new Registry()]
  measureProcess(api, 'api')
  measureProcess(worker, 'worker')
  createWorkerMetrics(worker)
  const lines = joinedMetrics(await api.metrics(), await worker.metrics()).split('\n')
  expect(lines.filter((line) => line.includes('hexcast_process'))).toEqual([
    expect.stringContaining('# HELP hexcast_process '),
    '# TYPE hexcast_process gauge',
    'hexcast_process{process="api"} 1',
    'hexcast_process{process="worker"} 1',
  ])
  const described = lines.filter((line) => line.startsWith('# HELP ')).map((line) => line.split(' ')[2])
  expect(described).toHaveLength(new Set(described).size)
  expect(lines).toContain('hexcast_storage_full_total{storage="disk"} 0')
})

test('keeps the metrics of one process if the other does not answer', async () => {
  const api = new Registry()
  measureProcess(api, 'api')
  expect(joinedMetrics(await api.metrics(), '')).toContain('hexcast_process{process="api"} 1\n')
})
