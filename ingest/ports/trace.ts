import { createHash } from 'node:crypto'
import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'

export interface Traces {
  close(): Promise<void>
}

let provider: { shutdown(): Promise<void>; users: number } | undefined

/**
 * Sends spans to `endpoint` (OTEL_EXPORTER_OTLP_ENDPOINT) if it is set. Otherwise nothing is loaded, and each function here costs one
 * comparison. A process has one exporter; the first caller names the service. Call this function before opening the ports that are traced.
 * @param service hexcast-api, hexcast-worker, …
 */
export async function openTraces(endpoint: string | undefined, service: string): Promise<Traces> {
  if (!endpoint) return { close: async () => {} }
  if (!provider) {
    const { NodeSDK } = await import('@opentelemetry/sdk-node')
    const sdk = new NodeSDK({ serviceName: service, instrumentations: [], metricReaders: [], logRecordProcessors: [] })
    sdk.start()
    provider = { shutdown: () => sdk.shutdown().catch(() => {}), users: 0 }
  }
  const mine = provider
  mine.users++
  return {
    async close() {
      if (--mine.users > 0) return
      if (provider === mine) provider = undefined
      await mine.shutdown()
    },
  }
}

/** Whether spans are exported. */
export const tracing = (): boolean => provider !== undefined

/**
 * Runs work as a span of the trace with the name `walk`, such as a grid run (`grid-run/hrrr/conus/2026-08-20T12Z`) or a sweep. The trace id
 * is a hash of that name, so the work of all workers for one run forms one trace, across queues and without propagated context.
 */
export function inSpan<T>(walk: string, name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (!provider) return work()
  return run(walkContext(walk), name, { ...attributes, 'hexcast.walk': walk }, work)
}

/** Runs work as a child of the active span. Without an active span, it only runs the work. */
export function inPart<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (!provider || !trace.getSpan(context.active())) return work()
  return run(context.active(), name, attributes, work)
}

/** Runs work as a child of a span of another process, which its `traceparent` names. Without a `traceparent`, it only runs the work. */
export function inSpanAfter<T>(
  parent: string | undefined | null,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const after = provider && parent ? contextAfter(parent) : undefined
  return after ? run(after, name, attributes, work, SpanKind.CONSUMER) : work()
}

/** Returns the `traceparent` of the active span, to be sent with a message; undefined without an active span. */
export function traceparent(): string | undefined {
  if (!provider) return undefined
  const span = trace.getSpan(context.active())?.spanContext()
  if (!span || !isSpanContextValid(span)) return undefined
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`
}

/** Starts the span of a request, in the caller's trace if the caller sent one. Child spans must be created inside `within`. */
export function beginRequest(parent: string | undefined, name: string): { span: Span; within: Context } {
  const outer = (parent && contextAfter(parent)) || ROOT_CONTEXT
  const span = trace.getTracer('hexcast').startSpan(name, { kind: SpanKind.SERVER }, outer)
  return { span, within: trace.setSpan(outer, span) }
}

/** Returns the trace id of the active span; undefined if there is none. */
export function activeTraceId(): string | undefined {
  if (!provider) return undefined
  const span = trace.getSpan(context.active())?.spanContext()
  return span && isSpanContextValid(span) ? span.traceId : undefined
}

/** Returns the trace id in a `traceparent` header; undefined if the header is absent or invalid. */
export function traceIdIn(parent: string | undefined): string | undefined {
  const span = parent === undefined ? undefined : contextAfter(parent)
  return span && trace.getSpanContext(span)?.traceId
}

/** Returns the trace id of a trace name as 32 hex digits, for log lines that refer to the trace. */
export function traceIdOf(walk: string): string {
  return createHash('sha256').update(walk).digest('hex').slice(0, 32)
}

async function run<T>(
  parent: Context,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  kind = SpanKind.INTERNAL,
): Promise<T> {
  const span = trace.getTracer('hexcast').startSpan(name, { attributes, kind }, parent)
  try {
    return await context.with(trace.setSpan(parent, span), work)
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) })
    throw error
  } finally {
    span.end()
  }
}

function walkContext(walk: string): Context {
  const digest = createHash('sha256').update(walk).digest('hex')
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: digest.slice(0, 32),
    spanId: digest.slice(32, 48),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  })
}

/** Reads a `traceparent`. Later versions of the standard may append parts. An invalid value returns undefined, which begins a new trace. */
function contextAfter(parent: string): Context | undefined {
  const parts = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(parent)
  if (!parts) return undefined
  const [, traceId, spanId, flags] = parts as unknown as [string, string, string, string]
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return isSpanContextValid(span) ? trace.setSpanContext(ROOT_CONTEXT, span) : undefined
}
