import type { IncomingMessage, ServerResponse } from 'node:http'
import { context, type Span, SpanStatusCode } from '@opentelemetry/api'
import { beginRequest } from '../../ingest/ports/trace.ts'
import type { Exchange } from './exchange.ts'

type TracedHandler = (request: IncomingMessage, response: ServerResponse) => unknown

/** One span for each request, the parent of the spans of its reads. It exists only if traces are exported. */
export interface TracedRequests {
  around(handler: TracedHandler): TracedHandler
  /** Returns the trace id for the log line. */
  idOf(request: IncomingMessage): string | undefined
}

export function traceRequests(): TracedRequests {
  const spans = new WeakMap<IncomingMessage, Span>()
  return {
    around: (handler) => (request, response) => {
      const parent = request.headers['traceparent']
      const { span, within } = beginRequest(
        typeof parent === 'string' ? parent : undefined,
        request.method ?? 'request',
      )
      spans.set(request, span)
      response.once('close', () => {
        const { exchange } = request as IncomingMessage & { exchange?: Exchange }
        const route = exchange?.route
        const status = response.writableFinished ? response.statusCode : 499
        span.updateName(route ? `${request.method} ${route}` : `${request.method}`)
        span.setAttributes({
          'http.request.method': request.method ?? '',
          'http.response.status_code': status,
          'hexcast.request_id': exchange?.id ?? '',
          'hexcast.cached': exchange?.cached ?? false,
          ...(route && { 'http.route': route }),
          ...(exchange && { 'url.path': exchange.instance }),
        })
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      })
      return context.with(within, () => handler(request, response))
    },
    idOf: (request) => spans.get(request)?.spanContext().traceId,
  }
}
