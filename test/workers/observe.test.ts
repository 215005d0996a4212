import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { Fault } from '../../ingest/domain/fault.ts'
import { openTraces, traceIdOf } from '../../ingest/ports/trace.ts'
import type { Activities } from '../../workers/activities.ts'
import { createWorkerMetrics } from '../../workers/metrics.ts'
import { openMetricsServer } from '../../workers/metrics-server.ts'
import { observeActivities } from '../../workers/observe-activities.ts'

const run = { dataset: 'hrrr', domains: ['conus'], run: '2026-08-20T12Z', stage: 0 } as const
const traceName = 'grid-run/hrrr/conus/2026-08-20T12Z'
const activities = {
  planStage: async () => ({ state: 'waiting', waitSeconds: 1, why: 'not there yet' }),
  sampleFile: async ({ file }: { file: { leadHours: number } }) => {
    if (file.leadHours === 2) throw new Fault('Corrupt', 'the end must be 7777, but is 0000')
  },
  retire: async () => {},
} as unknown as Activities

test('writes one log line and one observation with its outcome for each step, and rethrows its error', async () => {
  const lines: Record<string, unknown>[] = []
  const registry = new Registry()
  const metrics = createWorkerMetrics(registry)
  const log = {
    info: (fields: object) => void lines.push({ ...fields }),
    warn: (fields: object) => void lines.push({ ...fields }),
  }
  const steps = observeActivities(activities, metrics, log)
  await steps.planStage(run)
  await steps.sampleFile({ ...run, file: { url: 'u', leadHours: 1 } } as never)
  await expect(steps.sampleFile({ ...run, file: { url: 'u', leadHours: 2 } } as never)).rejects.toMatchObject({
    kind: 'Corrupt',
  })
  expect(lines).toMatchObject([
    {
      step: 'planStage',
      outcome: 'waiting',
      dataset: 'hrrr',
      domains: 'conus',
      run: run.run,
      stage: 0,
      trace: traceIdOf(traceName),
    },
    { step: 'sampleFile', outcome: 'ok', lead: 1, trace: traceIdOf(traceName) },
    { step: 'sampleFile', outcome: 'Corrupt', lead: 2, error: 'the end must be 7777, but is 0000' },
  ])
  const server = await openMetricsServer('127.0.0.1', 0, () => registry.metrics())
  const page = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
  expect(page).toContain('hexcast_step_seconds_count{step="sampleFile",outcome="ok"} 1')
  expect(page).toContain('hexcast_feed_failures_total{step="sampleFile",fault="Corrupt"} 1')
  expect((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status).toBe(200)
  await server.close()
})

test('puts the spans of all steps of a run into one trace, whichever process they run in', async () => {
  const bodies: Buffer[] = []
  const collector = createServer(async (request, answer) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    if (request.url === '/v1/traces') bodies.push(Buffer.concat(parts))
    answer.writeHead(200).end()
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = endpoint
  const traces = await openTraces(endpoint, 'hexcast-test')
  const steps = observeActivities(activities, createWorkerMetrics(new Registry()), { info() {}, warn() {} })
  await steps.planStage(run)
  await steps.sampleFile({ ...run, file: { url: 'u', leadHours: 1 } } as never)
  await steps.retire()
  await traces.close()
  collector.close()
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT']
  const exported = Buffer.concat(bodies)
  for (const name of ['planStage', 'sampleFile', 'retire', 'hexcast-test', traceName])
    expect(exported.includes(name), name).toBe(true)
  // In protobuf a trace id is 16 bytes. Two spans have the trace id of the run.
  const id = Buffer.from(traceIdOf(traceName), 'hex')
  let spans = 0
  for (let at = exported.indexOf(id); at >= 0; at = exported.indexOf(id, at + 1)) spans++
  expect(spans).toBe(2)
})
