import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cannotListen } from '../ingest/ports/listening.ts'

export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

/**
 * Opens a worker's HTTP server, which serves `/healthz` and `/metrics`.
 * @throws Fault if the server cannot listen on `host` and `port`
 */
export async function openMetricsServer(
  host: string,
  port: number,
  metrics: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer(async (request, answer) => {
    const path = request.url?.split('?')[0]
    try {
      if (path === '/metrics')
        answer.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(await metrics())
      else if (path === '/healthz')
        answer.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"alive"}')
      else answer.writeHead(404).end()
    } catch (error) {
      answer.writeHead(500).end(error instanceof Error ? error.message : '')
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, 'WORKER_METRICS_PORT', host, port)))
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
