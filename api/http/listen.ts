import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { cannotListen } from '../../ingest/ports/listening.ts'
import { Problem } from '../problem.ts'
import { shareConnections } from './connections.ts'
import type { HttpDeps } from './deps.ts'
import { UNREAD_BODY_LINGER_MS } from './exchange.ts'
import { rawProblem } from './failure.ts'
import { hasBody } from './request-body.ts'
import { boundPipelines, cutIdleWriters } from './sockets.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A server that disconnects slow clients, answers parser errors, and shuts down without losing requests in work. */
export interface Listening {
  readonly port: number
  readonly server: Server
  close(graceMs?: number): Promise<void>
}

/** Above our own limits, so that a URL or header that is a little too long gets a problem document; beyond this the parser refuses. */
const MAX_HEADER_BYTES = 32_768

/** Times in milliseconds; settable for tests. */
export interface ListenLimits {
  /** For the whole body of a request. */
  readonly bodyMs: number
  /** Without progress of the response. */
  readonly writeIdleMs: number
  readonly connections: number
  /** Bytes that wait for clients to read them, in all. */
  readonly unsentBytes?: number
}
const LIMITS: ListenLimits = { bodyMs: 30_000, writeIdleMs: 30_000, connections: 10_000 }
const MAX_UNSENT_BYTES = 512 << 20

export async function listen(
  http: () => HttpDeps,
  handler: Handler,
  host: string,
  port: number,
  limits: ListenLimits = LIMITS,
): Promise<Listening> {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 15_000,
    requestTimeout: 45_000,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: 1000,
    requireHostHeader: false,
    noDelay: true,
  })
  server.maxHeadersCount = 200
  // The limit for the body starts with the request; idle connections are limited by keepAliveTimeout.
  server.timeout = 0
  shareConnections(server, limits.connections)
  const { writeIdleMs: idleMs, unsentBytes = MAX_UNSENT_BYTES } = limits
  const stopCutting = cutIdleWriters(server, { idleMs, unsentBytes })
  const bounded = boundPipelines(handler)
  const fresh = new Set<Socket>()
  let closing = false

  server.on('request', (request, response) => {
    fresh.delete(request.socket)
    if (closing) response.setHeader('Connection', 'close')
    const expect = request.headers.expect
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') return refuseExpect(http(), response)
    if (hasBody(request)) boundBody(http, request, response, limits.bodyMs)
    bounded(request, response)
  })
  server.on('checkExpectation', (_request, response) => refuseExpect(http(), response))
  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, socket) =>
    refuseUnparsed(http(), error, socket as Socket),
  )
  server.on('connect', (_request, socket) => {
    end(
      socket as Socket,
      rawProblem(
        http(),
        new Problem('bad-request', 'CONNECT: this server is no proxy.', {
          status: 405,
          headers: { Allow: 'GET, HEAD, POST' },
        }),
      ),
    )
  })
  let accepted = 0
  server.on('connection', (socket) => {
    // Node takes its own listener away with the event `connect`: a reset after it would end the process.
    socket.on('error', () => undefined)
    accepted++
    fresh.add(socket)
    socket.once('close', () => fresh.delete(socket))
  })

  await new Promise<void>((resolve, fail) => {
    const reject = (error: Error) => fail(cannotListen(error, 'PORT', host, port))
    server.once('error', reject)
    server.listen({ port, host, backlog: 4096 }, () => {
      server.off('error', reject)
      resolve()
    })
  })

  return {
    server,
    port: (server.address() as AddressInfo).port,
    async close(graceMs = CLOSE_GRACE_MS) {
      closing = true
      // Closing the listening socket resets connections in the accept backlog: accept them first, one each turn of the event loop.
      const until = performance.now() + ACCEPT_MS
      let before = -1
      for (let turns = 0; before !== accepted && turns < ACCEPT_TURNS && performance.now() < until; turns++) {
        before = accepted
        await turn()
      }
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // Reads requests that are already in transit; idle connections do not delay the shutdown.
      void readLast().then(() => {
        server.closeIdleConnections()
        for (const socket of fresh) socket.destroy()
      })
      const late = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(late)
      stopCutting()
    },
  }
}

/** Two turns of the event loop: the first accepts a waiting connection, the second reads its data. */
async function turn(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/** Longer than any request may take. */
const CLOSE_GRACE_MS = 21_000
/** Bounds of accepting the backlog at shutdown, in turns of the event loop and in time. */
const ACCEPT_TURNS = 256
const ACCEPT_MS = 10_000
/** Turns of the event loop at shutdown in which requests in transit on open connections are still read, and the pause between them. */
const LAST_READ_TURNS = 20
const LAST_READ_PAUSE_MS = 10
async function readLast(): Promise<void> {
  for (let i = 0; i < LAST_READ_TURNS; i++) await pause(LAST_READ_PAUSE_MS)
  await turn()
}

/** Bounds the time of a body: any method may have one, and a chunked one may never end. */
function boundBody(http: () => HttpDeps, request: IncomingMessage, response: ServerResponse, bodyMs: number): void {
  const { socket } = request
  const timer = setTimeout(() => {
    // A problem after the beginning of another response would be read as part of that.
    if (response.headersSent) return void socket.destroy()
    end(
      socket,
      rawProblem(http(), new Problem('timeout', `body: wanted whole within ${bodyMs / 1000} s.`, { status: 408 })),
    )
  }, bodyMs)
  timer.unref()
  // Node reads what follows an answer to its end, however long that takes.
  let linger: NodeJS.Timeout | undefined
  response.once('finish', () => {
    if (!request.complete) linger = setTimeout(() => socket.destroy(), UNREAD_BODY_LINGER_MS).unref()
  })
  const done = () => {
    clearTimeout(timer)
    clearTimeout(linger)
  }
  request.once('end', done)
  request.once('close', done)
}

function refuseExpect(http: HttpDeps, response: ServerResponse): void {
  end(response.socket!, rawProblem(http, new Problem('bad-request', 'Expect: wanted 100-continue or nothing.')))
}

function refuseUnparsed(http: HttpDeps, error: Error & { code?: string; rawPacket?: Buffer }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  end(socket, rawProblem(http, unparsed(error)))
}

function unparsed(error: { code?: string; rawPacket?: Buffer }): Problem {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return error.rawPacket?.subarray(0, 8192).includes('\n')
      ? new Problem('bad-request', 'headers: wanted at most 16384 bytes.', { status: 431 })
      : new Problem('bad-request', 'URL: wanted at most 8192 characters. Send points in the body of a POST instead.', {
          status: 414,
        })
  }
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new Problem('payload-too-large', 'body: its chunk extensions are too long.')
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('timeout', 'The request was not whole in time: headers within 15 s, a body within 30 s.', {
      status: 408,
    })
  }
  return new Problem(
    'bad-request',
    'The request is not HTTP/1.1 that can be read: wanted a request line such as GET /v1/weather?zip=80202 HTTP/1.1, then headers.',
  )
}

function end(socket: Socket, bytes: Buffer): void {
  if (!socket.writable) return
  socket.end(bytes)
  // Disconnects a client that goes on sending after the response.
  setTimeout(() => socket.destroy(), UNREAD_BODY_LINGER_MS).unref()
}
