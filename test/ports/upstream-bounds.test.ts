import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { openUpstream } from '../../ingest/ports/upstream.ts'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

async function upstreamOf(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, upstream: openUpstream({ sleep: async () => {} }) }
}

test.each(['9007199254740991', '99999999999'])(
  'Content-Length %s is a fault of the request, not the end of the process',
  async (length) => {
    const { origin, upstream } = await upstreamOf((_request, response) => {
      response.writeHead(200, { 'content-length': length })
      response.write('x')
    })
    await expect(upstream.get(`${origin}/products/x`)).rejects.toMatchObject({ name: 'Fault', kind: 'Corrupt' })
  },
)

test('a body without an end is refused at the bound of its kind', async () => {
  let sent = 0
  const { origin, upstream } = await upstreamOf((_request, response) => {
    const part = Buffer.alloc(1 << 20)
    const more = (): void => {
      while (!response.destroyed && response.write(part)) sent += part.length
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  await expect(upstream.list(origin, 'a/')).rejects.toMatchObject({ kind: 'Corrupt' })
  await expect(upstream.get(`${origin}/x`, { maxBytes: 1000 })).rejects.toThrow(/at most 1000 bytes/)
  expect(sent).toBeLessThan(64 << 20)
})

test('a few coded bytes do not become many', async () => {
  const { origin, upstream } = await upstreamOf((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.end(gzipSync(Buffer.alloc(200 << 20)))
  })
  await expect(upstream.get(`${origin}/alerts`)).rejects.toMatchObject({ kind: 'Corrupt' })
})

test('a redirect stays on its host', async () => {
  const { origin, upstream } = await upstreamOf((request, response) => {
    if (request.url === '/there') return response.end('moved')
    const to = request.url === '/elsewhere' ? 'http://169.254.169.254/latest' : '/there'
    response.writeHead(301, { location: to }).end()
  })
  expect(Buffer.from((await upstream.get(`${origin}/here`)).bytes).toString()).toBe('moved')
  await expect(upstream.get(`${origin}/elsewhere`)).rejects.toMatchObject({ kind: 'Refused', details: { status: 301 } })
})
