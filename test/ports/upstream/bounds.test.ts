import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { nth } from '../../../ingest/domain/nth.ts'
import { openUpstream, type UpstreamSettings } from '../../../ingest/ports/upstream.ts'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
})

async function upstreamOf(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  settings: UpstreamSettings = {},
) {
  server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const limits = { [new URL(origin).host]: { atOnce: 4 } }
  return { origin, upstream: openUpstream({ sleep: async () => {}, limits, ...settings }) }
}

test.each(['9007199254740991', '99999999999'])(
  'fails the request and not the process for Content-Length %s',
  async (length) => {
    const { origin, upstream } = await upstreamOf((_request, response) => {
      response.writeHead(200, { 'content-length': length })
      response.write('x')
    })
    await expect(upstream.get(`${origin}/products/x`)).rejects.toMatchObject({ name: 'Fault', kind: 'Corrupt' })
  },
)

test('rejects an endless body at the limit of its kind', async () => {
  let sent = 0
  let closed = 0
  const { origin, upstream } = await upstreamOf((_request, response) => {
    const poured = pour(response)
    response.once('close', () => {
      sent += poured()
      closed++
    })
  })
  await expect(upstream.list(origin, 'a/')).rejects.toMatchObject({ kind: 'Corrupt' })
  await expect(upstream.get(`${origin}/x`, { maxBytes: 1000 })).rejects.toThrow(/at most 1000 bytes/)
  // The server sees the end of each connection, and has sent little more than was read.
  await expect.poll(() => closed, { timeout: 5000 }).toBeGreaterThanOrEqual(2)
  expect(sent).toBeGreaterThan(1000)
  expect(sent).toBeLessThan(64 << 20)
})

test('rejects coded bytes that expand too far', async () => {
  const { origin, upstream } = await upstreamOf((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.end(gzipSync(Buffer.alloc(200 << 20)))
  })
  await expect(upstream.get(`${origin}/alerts`)).rejects.toMatchObject({ kind: 'Corrupt' })
})

test('follows a redirect only on its host', async () => {
  const { origin, upstream } = await upstreamOf((request, response) => {
    if (request.url === '/there') return response.end('moved')
    const to = request.url === '/elsewhere' ? 'http://169.254.169.254/latest' : '/there'
    response.writeHead(301, { location: to }).end()
  })
  expect(Buffer.from((await upstream.get(`${origin}/here`)).bytes).toString()).toBe('moved')
  await expect(upstream.get(`${origin}/elsewhere`)).rejects.toMatchObject({ kind: 'Refused', details: { status: 301 } })
})

/** Writes without an end. @returns bytes so far */
function pour(response: ServerResponse): () => number {
  const part = Buffer.alloc(1 << 20)
  let sent = 0
  const more = (): void => {
    // A full buffer still accepts the chunk.
    for (let room = true; room && !response.destroyed; sent += part.length) room = response.write(part)
    if (!response.destroyed) response.once('drain', more)
  }
  more()
  return () => sent
}

test('keeps only the range from a server that ignores ranges, and closes the connection', async () => {
  let sent = () => 0
  const { origin, upstream } = await upstreamOf((_request, response) => {
    response.writeHead(200, { etag: '"a"' })
    response.write(Buffer.from('0123456789'))
    sent = pour(response)
  })
  const reply = await upstream.get(`${origin}/big`, { range: [3, 6] })
  expect([reply.status, Buffer.from(reply.bytes).toString(), reply.size, reply.etag]).toEqual([
    206,
    '3456',
    undefined,
    '"a"',
  ])
  expect(sent()).toBeGreaterThan(0)
  expect(sent()).toBeLessThan(64 << 20)
})

test('reports the length of the whole body for a range, which may end beyond it', async () => {
  const { origin, upstream } = await upstreamOf((_request, response) => response.end('0123456789'))
  for (const [range, text] of [
    [[2, 4], '234'],
    [[8, 20], '89'],
    [[7, undefined], '789'],
    [[20, 30], ''],
  ] as const) {
    const { bytes, size, status } = await upstream.get(`${origin}/x`, { range })
    expect([range, status, Buffer.from(bytes).toString(), size]).toEqual([range, 206, text, 10])
  }
})

test('rejects a part at the first byte beyond the range', async () => {
  const { origin, upstream } = await upstreamOf((_request, response) => {
    response.writeHead(206, { 'content-range': 'bytes 0-9/100000000000' })
    pour(response)
  })
  await expect(upstream.get(`${origin}/x`, { range: [0, 9] })).rejects.toMatchObject({ kind: 'Corrupt' })
})

const page = (keys: number, next?: string) =>
  `<ListBucketResult>${next ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${next}</NextContinuationToken>` : ''}${'<Contents><Key>a</Key></Contents>'.repeat(keys)}</ListBucketResult>`

test.each([
  ['one page', () => page(400_000)],
  ['many', (count: number) => page(1000, `to ${count}`)],
])('rejects a listing with more objects than a prefix may have, on %s', async (_, answer) => {
  let count = 0
  const { origin, upstream } = await upstreamOf((_request, response) => response.end(answer(count++)))
  await expect(upstream.list(origin, 'a/')).rejects.toThrow(/at most 50000 objects/)
})

test('ends a circular listing', async () => {
  let count = 0
  const { origin, upstream } = await upstreamOf((_request, response) => response.end(page(1, count++ % 2 ? 'A' : 'B')))
  await expect(upstream.list(origin, 'a/')).rejects.toMatchObject({ kind: 'Corrupt' })
  expect(count).toBeLessThan(200)
})

test('treats endless 1xx replies as silence', async () => {
  const { origin, upstream } = await upstreamOf((_request, response) => {
    const timer = setInterval(() => response.destroyed || response.writeProcessing(), 20)
    response.once('close', () => clearInterval(timer))
  })
  const read = upstream.get(`${origin}/x`, { attempts: 1, idleMs: 500 })
  // On a busy machine the server may be late with its replies, and then the socket is silent first.
  const message = expect.stringMatching(/no response header|got silence/)
  await expect(read).rejects.toMatchObject({ kind: 'Refused', message })
})

test('bounds all bodies together and delays those without room', async () => {
  const begun: ServerResponse[] = []
  const { origin, upstream } = await upstreamOf(
    (request, response) => {
      response.write(Buffer.alloc(600_000))
      if (request.url === '/begun') begun.push(response)
      else response.end()
    },
    { maxInTransit: 1_000_000 },
  )
  const first = upstream.get(`${origin}/begun`)
  await expect.poll(() => upstream.get(`${origin}/x`, { attempts: 1 }).catch(({ kind }) => kind)).toBe('Refused')
  nth(begun, 0).end()
  expect((await first).bytes.length).toBe(600_000)
  expect((await upstream.get(`${origin}/x`)).bytes.length).toBe(600_000)
})
