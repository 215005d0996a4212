import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import type { Problem } from '../problem.ts'
import type { HttpDeps } from './deps.ts'
import type { Exchange } from './exchange.ts'
import type { Metrics } from './metrics.ts'

/** Counts and logs each request. @param onSuccess called at each successful response */
export function requestLog(
  log: Logger,
  metrics: Metrics,
  traceOf: (request: IncomingMessage) => string | undefined,
  onSuccess: () => void,
): HttpDeps['note'] {
  return (exchange, status, request, problem) => {
    if (problem) return log.error(failure(exchange, problem), 'request failed')
    if (status < 400) onSuccess()
    const seconds = (performance.now() - exchange.startedTicks) / 1000
    const { route = 'none', cached } = exchange
    metrics.count({ route, method: request.method ?? '', status, seconds, cached })
    if (log.isLevelEnabled('info')) log.info(line(exchange, status, request, seconds, traceOf(request)), 'request')
  }
}

function line(exchange: Exchange, status: number, request: IncomingMessage, seconds: number, trace?: string): object {
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

function failure(exchange: Exchange, problem: Problem): object {
  const cause = problem.extra.cause
  return {
    id: exchange.id,
    path: exchange.instance,
    type: problem.slug,
    detail: problem.message,
    cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined,
    stack: problem.slug === 'internal' && cause instanceof Error ? cause.stack : undefined,
  }
}
