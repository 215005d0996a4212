import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nth } from '../../ingest/domain/nth.ts'

/** A span as OTLP's JSON has it, with its attributes as an object. */
export interface Span {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly status: { readonly code?: number }
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, string | number | boolean>>
}

/** A receiver of traces that replaces a collector: OTLP over HTTP in JSON. */
export async function openCollector() {
  const spans: Span[] = []
  const plain = (list: readonly Attribute[] = []) =>
    Object.fromEntries(
      list.map(({ key, value }) => [
        key,
        'intValue' in value ? Number(value['intValue']) : nth(Object.values(value), 0),
      ]),
    )
  const server = createServer(async (request, answer) => {
    let body = ''
    for await (const part of request) body += part
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    if (request.url !== '/v1/traces') return
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      const service = String(plain(resource.attributes)['service.name'])
      for (const scope of scopeSpans)
        for (const span of scope.spans) spans.push({ ...span, service, attributes: plain(span.attributes) })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    spans,
    /** Settings of a process that sends traces to this receiver. */
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
