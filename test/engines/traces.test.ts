import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entryOf } from '../../ingest/domain/nth.ts'
import { traceIdOf } from '../../ingest/ports/trace.ts'
import { Process, until } from '../drills/process.ts'
import { openCollector, type Span } from './collector.ts'
import { freshPlace, takeQueue } from './place.ts'

let collector: Awaited<ReturnType<typeof openCollector>>
let place: Awaited<ReturnType<typeof freshPlace>>
let releaseQueue: () => Promise<void>
let folder: string
let env: Record<string, string>
const processes: Process[] = []

const start = (verb: string, over: Record<string, string> = {}) => {
  const process = Process.hexcast(verb, {
    ...env,
    DATA_DIR: join(folder, `${verb.split(' ')[0]}-${processes.length}`),
    ...over,
  })
  processes.push(process)
  return process
}

beforeAll(async () => {
  releaseQueue = await takeQueue()
  collector = await openCollector()
  place = await freshPlace()
  folder = await mkdtemp(join(tmpdir(), 'hexcast-traces-'))
  const simulator = new Process(['infra/simulator/main.ts', '--port=0', '--coarse=32'], process.env)
  processes.push(simulator)
  env = {
    ...place.env,
    ...collector.env,
    DATASETS: 'rtma',
    UPSTREAM: (await simulator.line('http://')).trim(),
    OBJECTS_URL: `s3://hexcast/traces-${process.pid}`,
    H3_RESOLUTION: '4',
    RUNS_POLL_SECONDS: '2',
  }
}, 600_000)

afterAll(async () => {
  await Promise.all(processes.map((process) => process.end('SIGKILL')))
  collector?.close()
  await place?.drop()
  await releaseQueue?.()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the names from a span up to the first exported span of its trace. */
function stairs(span: Span): string[] {
  const above = collector.spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(above ? stairs(above) : []), span.name]
}

describe.each([
  ['Temporal', {}],
  ['the queue in the database', { TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' }],
])('a run on %s', (queue, over) => {
  test('has one trace from its plan to every subscriber, across processes and brokers', async () => {
    const api = start('api', { PORT: '0' })
    await api.line(/http:\/\/localhost:\d+/)
    const worker = start('worker', over)
    const expectedNames = ['planStage', 'fetch', 'sample', 'weave', 'publish', 'publishStage', 'announce', 'hear']
    const trace = await until(`a trace with ${expectedNames.join(', ')}`, 90, () => {
      const published = collector.spans.filter(({ name }) => name === 'hear').map(({ traceId }) => traceId)
      return published.find((id) => {
        const names = new Set(collector.spans.filter(({ traceId }) => traceId === id).map(({ name }) => name))
        return expectedNames.every((name) => names.has(name))
      })
    })
    const spans = collector.spans.filter(({ traceId }) => traceId === trace)
    const spanOf = (name: string) => spans.find((span) => span.name === name)!
    // The trace id is derived from the run's name, and the log contains it too.
    expect(trace).toBe(traceIdOf(String(spanOf('planStage').attributes['hexcast.walk'])))
    expect(worker.lines.some((line) => line.includes(`"trace":"${trace}"`))).toBe(true)
    expect(stairs(spanOf('fetch'))).toEqual(['sampleFile', 'fetch'])
    expect(stairs(spanOf('sample'))).toEqual(['sampleFile', 'sample'])
    expect(stairs(spanOf('weave'))).toEqual(['publishStage', 'weave'])
    const received = spans.filter(({ name, service }) => name === 'hear' && service === 'hexcast-api')
    expect(received.map(stairs)).toContainEqual(['publishStage', 'publish', 'announce', 'hear'])
    // Statements and object reads are in it, without their parameters.
    expect(stairs(spans.find(({ name }) => name === 'object put')!).length).toBeGreaterThan(1)
    expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['hexcast-worker', 'hexcast-api']))
    await Promise.all([worker.end(), api.end()])
    collector.spans.length = 0
    // The other queue starts with an empty state.
    if (queue === 'Temporal') {
      await place.drop()
      place = await freshPlace()
      env = { ...env, DATABASE_URL: entryOf(place.env, 'DATABASE_URL') }
    }
  })
})

test('continues the caller’s trace in a request, with its reads as child spans', async () => {
  const key = await start('keys create --name traces --plan professional').line(/^hx_live_/)
  const api = start('api', { PORT: '0' })
  const address = (await api.line(/http:\/\/localhost:\d+/)).match(/http:\/\/localhost:\d+/)![0]
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const ask = (traceparent: string, path = '/v1/weather?lat=39.74&lon=-104.99&include=current') =>
    fetch(address + path, { headers: { authorization: `Bearer ${key}`, traceparent } })
  const spanOf = (id: string | null) =>
    until(`the span of ${id}`, 20, () => collector.spans.find((span) => span.attributes['hexcast.request_id'] === id))

  const reply = await ask(`00-${traceId}-${spanId}-01`)
  expect(reply.status).toBe(200)
  const span = await spanOf(reply.headers.get('x-request-id'))
  expect(span).toMatchObject({ name: 'GET /v1/weather', traceId, parentSpanId: spanId, service: 'hexcast-api' })
  expect(span.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/v1/weather',
    'http.response.status_code': 200,
    'hexcast.cached': false,
  })
  const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId === span.spanId)
  // Limits and keys need no statement; a list that all answers share may be read by this one.
  const names = new Set(parts.map(({ name }) => name).filter((name) => name !== 'database'))
  expect(names).toEqual(new Set(['object get', 'object range']))
  expect(JSON.stringify(collector.spans)).not.toContain(key)
  await until('its log line', 10, () =>
    api.lines.some((line) => line.includes(`"trace":"${traceId}"`) && line.includes('"msg":"request"')),
  )

  // An invalid traceparent, or one that is not sampled, is ignored.
  const odd = await ask('00-00000000000000000000000000000000-b7ad6b7169203331-01', '/v1/weather?lat=95&lon=0')
  expect(odd.status).toBe(400)
  const alone = await spanOf(odd.headers.get('x-request-id'))
  expect(alone.parentSpanId ?? '').toBe('')
  expect(alone.attributes['http.response.status_code']).toBe(400)
  const unsampled = await ask(`00-${traceId}-${spanId}-00`, '/v1/weather?lat=40&lon=-100')
  await unsampled.text()
  await (await ask('', '/healthz')).text()
  const many = collector.spans.length
  await until(
    'later spans',
    10,
    () => collector.spans.length > many || collector.spans.at(-1)?.name.includes('healthz'),
  )
  const id = unsampled.headers.get('x-request-id')
  expect(collector.spans.some(({ attributes }) => attributes['hexcast.request_id'] === id)).toBe(false)
})
