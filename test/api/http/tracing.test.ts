import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../drills/process.ts'
import { openCollector } from '../../engines/collector.ts'
import { type EdgeServer, edgeServer } from './test-server.ts'

let collector: Awaited<ReturnType<typeof openCollector>>
let server: EdgeServer
let key: string

beforeAll(async () => {
  collector = await openCollector()
  // The exporter reads its own settings.
  Object.assign(process.env, collector.env)
  server = await edgeServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.env.OTEL_EXPORTER_OTLP_ENDPOINT })
  key = await server.key()
})
afterAll(async () => {
  await server.close()
  collector.close()
  for (const name of Object.keys(collector.env)) delete process.env[name]
})

const spanOf = (reply: Response) => {
  const id = reply.headers.get('x-request-id')
  return until(`the span of ${id}`, 20, () =>
    collector.spans.find((span) => span.attributes['hexcast.request_id'] === id),
  )
}

test('writes a span for a cached answer, and one without a route for an unknown address', async () => {
  const path = '/v1/weather?lat=39.74&lon=-104.99&include=hourly'
  const span = await spanOf(await server.get(path, key))
  expect(span).toMatchObject({ name: 'GET /v1/weather', service: 'hexcast-api' })
  expect(span.attributes).toMatchObject({ 'hexcast.cached': false, 'http.response.status_code': 200 })
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const ready = await spanOf(await server.get(path, key, { traceparent: `00-${trace}-b7ad6b7169203331-01` }))
  expect(ready).toMatchObject({ name: 'GET /v1/weather', traceId: trace, parentSpanId: 'b7ad6b7169203331' })
  expect(ready.attributes).toMatchObject({ 'hexcast.cached': true, 'http.response.status_code': 200 })
  const nowhere = await spanOf(await server.get('/nowhere', key))
  expect(nowhere.name).toBe('GET')
  expect(nowhere.attributes).toMatchObject({ 'url.path': '/nowhere', 'http.response.status_code': 404 })
})

test.each([
  'nonsense',
  '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
  'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
])('begins a new trace for an invalid traceparent (%s)', async (traceparent) => {
  const span = await spanOf(await server.get('/healthz', undefined, { traceparent }))
  expect(span.parentSpanId ?? '').toBe('')
  expect(span.traceId).not.toBe('0af7651916cd43dd8448eb211c80319c')
})

test('sends no span that the caller does not sample', async () => {
  const unseen = await server.get('/healthz', undefined, {
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
  })
  await spanOf(await server.get('/healthz'))
  const id = unseen.headers.get('x-request-id')
  expect(collector.spans.some(({ attributes }) => attributes['hexcast.request_id'] === id)).toBe(false)
})
