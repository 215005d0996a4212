import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { HttpDeps } from '../../../api/http/deps.ts'
import { RequestIds } from '../../../api/http/exchange.ts'
import { type Listening, listen } from '../../../api/http/listen.ts'

const deps = {
  publicUrl: undefined,
  ownUrl: () => 'http://localhost',
  clock: Date.now,
  ids: new RequestIds(),
  problemPage: () => ({}),
  authEndpoints: () => ({ clientId: '', deviceEndpoint: '', tokenEndpoint: '' }),
} as unknown as HttpDeps

let server: Listening
let socket: Socket
afterEach(async () => {
  socket?.destroy()
  await server.close(100)
})

async function start(handler: (request: IncomingMessage, response: ServerResponse) => void, limits = {}) {
  server = await listen(() => deps, handler, '127.0.0.1', 0, {
    bodyMs: 300,
    writeIdleMs: 600,
    connections: 1000,
    ...limits,
  })
  socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', (part: Buffer) => {
    text += part.toString('latin1')
  })
  const closed = new Promise<number>((resolve) => {
    const begun = performance.now()
    socket.once('close', () => resolve(performance.now() - begun))
  })
  return { closed, text: () => text }
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

test('serves eight pipelined requests at a time and answers all in order', async () => {
  let inWork = 0
  let most = 0
  const { text } = await start(async (incoming, response) => {
    most = Math.max(most, ++inWork)
    await wait(1)
    inWork--
    response.end(incoming.url)
  })
  socket.write(Array.from({ length: 100 }, (_, i) => request(`/n${i}`)).join(''))
  await expect.poll(() => text().match(/\/n\d+/g)?.length, { timeout: 5000 }).toBe(100)
  expect(text().match(/\/n\d+/g)).toEqual(Array.from({ length: 100 }, (_, i) => `/n${i}`))
  expect(most).toBe(8)
  // The connection stays open.
  socket.write(request('/again'))
  await expect.poll(() => text()).toContain('/again')
})

test('disconnects a client that pipelines thousands of requests and never reads, after eight', async () => {
  let handled = 0
  const { closed } = await start((_incoming, response) => {
    handled++
    response.end(Buffer.alloc(4_000_000))
  })
  socket.pause()
  socket.write(request('/').repeat(2200))
  await wait(300)
  socket.resume()
  await closed
  expect(handled).toBeLessThanOrEqual(8)
})

test('ends only the connection of a client that resets it after CONNECT', async () => {
  await start((_incoming, response) => response.end('answered'))
  for (let i = 0; i < 50; i++) {
    const client = connect(server.port, '127.0.0.1')
    client.on('error', () => undefined)
    await once(client, 'connect')
    client.write('CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    if (i % 2) await wait(2)
    client.resetAndDestroy()
  }
  await expect.poll(connections).toBe(1)
  expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe('answered')
})

test('disconnects a client that reads nothing for the time limit', async () => {
  const body = Buffer.alloc(20_000_000)
  await start((_incoming, response) => response.end(body))
  socket.pause()
  socket.write(request('/'))
  await expect.poll(connections, { timeout: 3000 }).toBe(1)
  await expect.poll(connections, { timeout: 3000 }).toBe(0)
})

test('disconnects the slow clients with the most waiting bytes if all together have too many', async () => {
  const body = Buffer.alloc(30_000_000)
  await start((incoming, response) => response.end(incoming.url === '/big' ? body : body.subarray(0, 8_000_000)), {
    writeIdleMs: 30_000,
    unsentBytes: 60_000_000,
  })
  // A byte now and then counts as progress.
  const slow = (path: string) => {
    const client = connect(server.port, '127.0.0.1')
    client.on('error', () => undefined)
    client.pause()
    client.write(request(path))
    client.once('close', () => cut.push(path))
    return client
  }
  const cut: string[] = []
  const others = [slow('/small'), ...Array.from({ length: 5 }, () => slow('/big'))]
  await expect.poll(connections, { timeout: 3000 }).toBe(7)
  await expect.poll(connections, { timeout: 12_000 }).toBeLessThanOrEqual(4)
  // The server has ended these connections; a paused socket notices the end when it reads.
  for (const other of others) other.resume()
  await expect.poll(() => cut.length, { timeout: 5000 }).toBeGreaterThan(0)
  expect(new Set(cut)).toEqual(new Set(['/big']))
  expect(await (await fetch(`http://127.0.0.1:${server.port}/small`)).arrayBuffer()).toHaveProperty(
    'byteLength',
    8_000_000,
  )
  for (const other of others) other.destroy()
}, 20_000)

const connections = () => new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)))

test.each(['POST', 'GET'])('closes the connection of a chunked body that never ends: %s', async (method) => {
  const { closed, text } = await start((incoming, response) => {
    if (method === 'GET') response.end('answered')
    else incoming.resume()
  })
  socket.write(`${method} / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`)
  const drip = setInterval(() => socket.writable && socket.write('1\r\nx\r\n'), 50)
  const ms = await closed
  clearInterval(drip)
  expect(ms).toBeLessThan(3000)
  expect(text()).toContain(method === 'GET' ? 'answered' : 'HTTP/1.1 408')
})

test('replaces an idle connection by a new one at the limit of connections', async () => {
  const { text } = await start(
    async (incoming, response) => {
      if (incoming.url === '/slow') await wait(500)
      response.end(`done ${incoming.url}`)
    },
    { connections: 20 },
  )
  // One connection has an active request; more connections than allowed only begin a request.
  socket.write(request('/slow'))
  await expect.poll(connections).toBe(1)
  const halves = Array.from({ length: 60 }, () => {
    const half = connect(server.port, '127.0.0.1')
    half.on('error', () => undefined)
    half.write('GET / HTTP/1.1\r\nHost: localhost\r\nX: ')
    return half
  })
  await expect.poll(connections).toBe(20)
  for (let i = 0; i < 30; i++) {
    const response = await fetch(`http://127.0.0.1:${server.port}/n${i}`, { headers: { connection: 'close' } })
    expect(await response.text()).toBe(`done /n${i}`)
  }
  expect(await connections()).toBeLessThanOrEqual(20)
  await expect.poll(text).toContain('done /slow')
  for (const half of halves) half.destroy()
})
