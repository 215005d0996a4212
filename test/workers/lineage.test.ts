import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { loadConfig } from '../../ingest/config.ts'
import { HOUR, MINUTE, runName } from '../../ingest/domain/time.ts'
import { type Lineage, openLineage } from '../../ingest/ports/lineage.ts'
import { type OpenPorts, openPorts } from '../../ingest/ports/open.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { pointerOf } from '../../sql/queries/runs.ts'
import { createActivities } from '../../workers/activities/index.ts'
import type { Activities } from '../../workers/activities.ts'
import { until } from '../drills/process.ts'

interface Event {
  readonly eventType: string
  readonly eventTime: string
  readonly run: { readonly runId: string; readonly facets: Record<string, { message?: string }> }
  readonly job: { readonly namespace: string; readonly name: string }
  readonly inputs: readonly { readonly namespace: string; readonly name: string }[]
  readonly outputs: readonly { readonly namespace: string; readonly name: string }[]
}

// These tests send the lineage of model runs to a catalog that refuses the first request.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-lineage-'))
const run = Date.UTC(2026, 7, 20, 13)
let now = run + 2 * HOUR
const clock = () => now
const received: { event: Event; path: string; key?: string }[] = []
let refusals = 1
const catalog = createServer(async (request, answer) => {
  let body = ''
  for await (const part of request) body += part
  if (refusals-- > 0) return void answer.writeHead(503).end()
  received.push({ event: JSON.parse(body), path: request.url!, key: request.headers.authorization })
  answer.writeHead(201).end()
})
let mirror: Mirror
let upstream: Upstream
let ports: OpenPorts & { close(): Promise<void> }
let pool: Pool
let lineage: Lineage
let activities: Activities
const problems: string[] = []

beforeAll(async () => {
  mirror = await startMirror({
    sources: modelSources(24).filter(({ host }) => host.includes('hrrr')),
    now: clock,
  })
  await new Promise<void>((resolve) => catalog.listen(0, '127.0.0.1', resolve))
  const config = loadConfig({
    DATA_DIR: folder,
    OPENLINEAGE_URL: `http://127.0.0.1:${(catalog.address() as AddressInfo).port}/`,
    OPENLINEAGE_NAMESPACE: 'weather',
    OPENLINEAGE_API_KEY: 'secret',
  })
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  ports = await openPorts(config, 'worker')
  pool = openPool({ threads: 1 })
  lineage = openLineage(config.lineage!, (error) => problems.push(String(error)))
  activities = createActivities({
    ...ports,
    ...{ slabs: ports.objects, upstream, pool, config, clock, lineage },
    ...{ resolution: 4, cacheDir: join(folder, 'cache'), note: () => {} },
  })
}, 60_000)
afterAll(async () => {
  await lineage.close()
  await pool.close()
  await ports.close()
  await upstream.close()
  await mirror.close()
  catalog.close()
  rmSync(folder, { recursive: true, force: true })
})

async function processRun(at: number): Promise<void> {
  const input = { dataset: 'hrrr', domains: ['conus' as const], run: runName(at), stage: 0 }
  const step = await activities.planStage(input)
  if (step.state !== 'ready') throw new Error(step.why)
  for (const file of step.files) await activities.sampleFile({ ...input, file })
  await activities.publishStage(input)
}

test('waits until the deadline for a run whose files are refused, then fails it with the reason', async () => {
  mirror.misbehaviours.push({ path: /t12z.*\.grib2$/, how: '503' })
  await processRun(run - HOUR)
  // The deadline of an HRRR run is three hours after its reference time.
  now += MINUTE
  const input = { dataset: 'hrrr', domains: ['conus' as const], run: runName(run - HOUR), stage: 0 }
  expect(await activities.publishStage(input)).toMatchObject({ last: true })
  mirror.misbehaviours.splice(0)
  await until('two events', 20, () => received.length >= 2)
  const [start, failure] = received.splice(0).map(({ event }) => event)
  expect([start?.eventType, failure?.eventType]).toEqual(['START', 'FAIL'])
  expect(failure?.run.runId).toBe(start?.run.runId)
  expect(failure?.run.facets['errorMessage']?.message).toContain('the files have none of the requested variables')
  // The refusal of the catalog is reported once, and the event is sent again.
  expect(problems).toEqual([expect.stringContaining('but is 503')])
}, 60_000)

test('sends the start and the completion of a run under one id, with its files and the served manifest', async () => {
  await processRun(run)
  await until('two events', 20, () => received.length >= 2)
  const [start, complete] = received.map(({ event }) => event)
  expect([start?.eventType, complete?.eventType]).toEqual(['START', 'COMPLETE'])
  expect(start?.run.runId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(complete?.run.runId).toBe(start?.run.runId)
  expect(complete?.run.facets['nominalTime']).toMatchObject({ nominalStartTime: '2026-08-20T13:00:00Z' })
  expect(complete?.job).toMatchObject({ namespace: 'weather', name: 'hrrr.conus' })
  expect(complete?.inputs).toHaveLength(19)
  expect(complete?.inputs[18]).toEqual({
    namespace: 's3://noaa-hrrr-bdp-pds',
    name: 'hrrr.20260820/conus/hrrr.t13z.wrfsfcf18.grib2',
  })
  const pointer = await pointerOf(ports.database, 'hrrr', 'conus')
  expect(complete?.outputs).toEqual([{ namespace: 'weather', name: pointer?.manifest_key }])
  expect(received.map(({ path, key }) => [path, key])).toEqual([
    ['/api/v1/lineage', 'Bearer secret'],
    ['/api/v1/lineage', 'Bearer secret'],
  ])
}, 60_000)
