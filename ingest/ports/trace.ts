import { createHash } from 'node:crypto'
import { type Attributes, context, ROOT_CONTEXT, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'

export interface Traces {
  close(): Promise<void>
}

/**
 * Sends spans to OTEL_EXPORTER_OTLP_ENDPOINT, where that is set; else nothing is loaded and `inSpan` costs a function call.
 * @param service hexcast-api, hexcast-worker, …
 */
export async function openTraces(endpoint: string | undefined, service: string): Promise<Traces> {
  if (!endpoint) return { close: async () => {} }
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  const sdk = new NodeSDK({ serviceName: service, instrumentations: [], metricReaders: [], logRecordProcessors: [] })
  sdk.start()
  return { close: () => sdk.shutdown().catch(() => {}) }
}

/**
 * Runs work as a span of the walk that has this name: `grid-run/hrrr/conus/2026-08-20T12Z`, an alert's id, a request's id. The
 * trace's id is a function of the name, so what workers, relay and API processes do for one run is one trace, and nothing needs
 * to be carried between them.
 */
export async function inSpan<T>(
  walk: string,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const tracer = trace.getTracer('hexcast')
  const span = tracer.startSpan(name, { attributes: { ...attributes, 'hexcast.walk': walk } }, contextOf(walk))
  try {
    return await context.with(trace.setSpan(ROOT_CONTEXT, span), work)
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) })
    throw error
  } finally {
    span.end()
  }
}

/** 32 hex digits, for log lines that stand beside a trace. */
export function traceIdOf(walk: string): string {
  return createHash('sha256').update(walk).digest('hex').slice(0, 32)
}

function contextOf(walk: string) {
  const digest = createHash('sha256').update(walk).digest('hex')
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: digest.slice(0, 32),
    spanId: digest.slice(32, 48),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  })
}
