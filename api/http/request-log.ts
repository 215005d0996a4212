import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Log } from '../../ingest/ports/log.ts'
import { traceIdIn } from '../../ingest/ports/trace.ts'
import type { Problem } from '../problem.ts'
import type { HttpDeps } from './deps.ts'
import type { Exchange } from './exchange.ts'
import type { Metrics } from './metrics.ts'

/** Counts and logs each request. @param onSuccess called at each successful response */
export function requestLog(
  log: Log,
  metrics: Metrics,
  traceOf: (request: IncomingMessage) => string | undefined,
  onSuccess: () => void,
): HttpDeps['note'] {
  const ownTrace = ownTraces()
  return (exchange, status, request, problem) => {
    const trace = () => traceOf(request) ?? ownTrace(exchange, request)
    if (problem) {
      // A refusal because of overload, an engine that is down, or the end of the process is not a failure of this
      // request.
      const level = problem.slug === 'service-unavailable' ? 'warn' : 'error'
      return log[level](failure(exchange, problem, trace()), 'request failed')
    }
    if (status < 400) onSuccess()
    const seconds = (performance.now() - exchange.startedTicks) / 1000
    const { route = 'none', cached } = exchange
    metrics.count({ route, method: request.method ?? '', status, seconds, cached })
    if (log.isLevelEnabled('info')) log.info(line(exchange, status, request, seconds, trace()), 'request')
  }
}

function line(exchange: Exchange, status: number, request: IncomingMessage, seconds: number, trace: string): object {
  return {
    id: exchange.id,
    method: request.method,
    path: exchange.instance,
    route: exchange.route,
    status,
    ms: Math.round(seconds * 1e5) / 100,
    key: exchange.subject,
    trace,
    ...exchange.log,
  }
}

/**
 * Returns a function that returns the trace of a request while no traces are exported: the caller's trace, or a new
 * trace for this request. The new trace is derived from the counter in the request's id, because a hash would take a
 * tenth of the time of a cached answer.
 */
function ownTraces(): (exchange: Exchange, request: IncomingMessage) => string {
  const prefix = randomBytes(10).toString('hex')
  return ({ id }, { headers }) => {
    const { traceparent } = headers
    const callerTrace = typeof traceparent === 'string' ? traceIdIn(traceparent) : undefined
    if (callerTrace) return callerTrace
    const count = Number.parseInt(id.slice(id.indexOf('-') + 1), 36)
    return prefix + count.toString(16).padStart(12, '0')
  }
}

function failure(exchange: Exchange, problem: Problem, trace: string): object {
  const cause = problem.extra.cause
  return {
    id: exchange.id,
    trace,
    path: exchange.instance,
    type: problem.slug,
    detail: problem.message,
    cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined,
    stack: problem.slug === 'internal' && cause instanceof Error ? cause.stack : undefined,
  }
}
