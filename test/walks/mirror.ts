import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nth } from '../../ingest/domain/nth.ts'

/** The response at an address: a body or a fault. */
export type Stand =
  | string
  | { readonly body: string; readonly etag?: string; readonly ageSeconds?: number }
  | { readonly status: number; readonly body?: string }
  | { readonly truncated: string }
  | 'hang'

/** A mirror of the upstream hosts on loopback: `set('api.weather.gov/alerts/active', body)`. */
export async function startMirror() {
  const stands = new Map<string, Stand>()
  const requests: string[] = []
  const open = new Set<ServerResponse>()
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = decodeURIComponent(nth((request.url ?? '/').slice(1).split('?'), 0))
    requests.push(path)
    const stand = stands.get(path)
    open.add(response)
    response.on('close', () => open.delete(response))
    if (stand === 'hang') return
    if (stand === undefined)
      return void response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{}')
    if (typeof stand === 'object' && 'status' in stand)
      return void response.writeHead(stand.status).end(stand.body ?? '')
    if (typeof stand === 'object' && 'truncated' in stand) {
      response.writeHead(200, { 'content-length': stand.truncated.length + 1000 })
      response.write(stand.truncated)
      return void setTimeout(() => response.destroy(), 20)
    }
    const { body, etag, ageSeconds }: Exclude<Stand, string | { status: number } | { truncated: string }> =
      typeof stand === 'string' ? { body: stand } : stand
    const about = { ...(etag && { etag }), ...(ageSeconds !== undefined && { age: String(ageSeconds) }) }
    if (etag && request.headers['if-none-match'] === etag) return void response.writeHead(304, about).end()
    response.writeHead(200, { 'content-type': 'application/geo+json', ...about }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested: requests,
    set: (path: string, stand: Stand) => stands.set(path, stand),
    remove: (path: string) => stands.delete(path),
    async close() {
      for (const response of open) response.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
