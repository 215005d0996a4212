import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Metrics of an API process. */
export function createMetrics(registry = new Registry()) {
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requests: new Counter({
      name: 'hexcast_http_requests_total',
      help: 'Requests by route, method and status',
      labelNames: ['route', 'method', 'status'],
      registers: [registry],
    }),
    seconds: new Histogram({
      name: 'hexcast_http_request_seconds',
      help: 'Time from the first byte of the request to the last of the answer, without answers from the cache',
      labelNames: ['route'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    }),
    cached: new Counter({
      name: 'hexcast_http_cached_total',
      help: 'Answers of /v1/weather sent from the cache before any routing',
      registers: [registry],
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
