import { expect, test } from 'vitest'
import { createMetrics } from '../../../api/http/metrics.ts'

test('counts every request in a scrape, including those of an incomplete batch', async () => {
  const metrics = createMetrics()
  const request = { route: '/v1/weather', method: 'GET', status: 200, seconds: 0.002, cached: false }
  for (let i = 0; i < 70; i++) metrics.count(i % 7 === 0 ? { ...request, status: 404 } : request)
  const text = await metrics.registry.metrics()
  expect(text).toContain('hexcast_http_requests_total{route="/v1/weather",method="GET",status="200"} 60\n')
  expect(text).toContain('hexcast_http_requests_total{route="/v1/weather",method="GET",status="404"} 10\n')
  expect(text).toContain('hexcast_http_request_seconds_bucket{le="0.001",route="/v1/weather"} 0\n')
  expect(text).toContain('hexcast_http_request_seconds_bucket{le="0.0025",route="/v1/weather"} 70\n')
  expect(text).toContain('hexcast_http_request_seconds_count{route="/v1/weather"} 70\n')
  metrics.count({ ...request, cached: true })
  expect(await metrics.registry.getSingleMetricAsString('hexcast_http_cached_total')).toContain(
    'hexcast_http_cached_total 1',
  )
  metrics.count(request)
  const seconds = await metrics.registry.getSingleMetricAsString('hexcast_http_request_seconds')
  expect(seconds).toContain('hexcast_http_request_seconds_count{route="/v1/weather"} 71')
})
