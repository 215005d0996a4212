import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { cannotListen } from '../../ingest/ports/listening.ts'
import { Problem } from '../problem.ts'
import { shareConnections } from './connections.ts'
import type { HttpDeps } from './deps.ts'
import { headersTooLarge, UNREAD_BODY_LINGER_MS, urlTooLong } from './exchange.ts'
import { rawProblem } from './failure.ts'
import { hasBody } from './request-body.ts'
import { boundPipelines, cutIdleWriters } from './sockets.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A server that disconnects slow clients, answers parser errors, and shuts down without losing active requests. */
export interface Listening {
  readonly port: number
  readonly server: Server
  /** From now on, each response asks its client to close the connection. Requests are still answered. */
  drain(): void
  close(graceMs?: number): Promise<void>
}

/**
 * Size limit of the HTTP parser. It is above our own limits, so that slightly too long URLs and headers are answered
 * with a problem document.
 */
const MAX_HEADER_BYTES = 32_768

/** Limits of connections; tests set other values. */
export interface ListenLimits {
  /** Milliseconds for the whole body of a request. */
  readonly bodyMs: number
  /** Milliseconds without progress of the response. */
  readonly writeIdleMs: number
  readonly connections: number
  /** Maximum bytes that may be queued for all clients together. */
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
  // This limit starts with the request; keepAliveTimeout limits idle connections.
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
        new Problem(
          'bad-request',
          '`CONNECT` is not supported: this server is not a proxy. Request the API directly.',
          {
            status: 405,
            headers: { Allow: 'GET, HEAD, POST' },
          },
        ),
      ),
    )
  })
  let accepted = 0
  server.on('connection', (socket) => {
    // Node removes its own listener at the event `connect`; without this listener a later reset would end the process.
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
    drain() {
      closing = true
    },
    async close(graceMs = CLOSE_GRACE_MS) {
      closing = true
      // Closing the listening socket would reset connections in the accept backlog. They are accepted first, one per
      // turn of the event loop.
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

/** A duration that is longer than any request may take. */
const CLOSE_GRACE_MS = 21_000
/** Bounds of accepting the backlog at shutdown, in turns of the event loop and in time. */
const ACCEPT_TURNS = 256
const ACCEPT_MS = 10_000
/**
 * At shutdown, requests in transit on open connections are still read for this many turns of the event loop, with a
 * pause after each.
 */
const LAST_READ_TURNS = 20
const LAST_READ_PAUSE_MS = 10
async function readLast(): Promise<void> {
  for (let i = 0; i < LAST_READ_TURNS; i++) await pause(LAST_READ_PAUSE_MS)
  await turn()
}

/** Limits the time of a request body: any method may have a body, and a chunked body may never end. */
function boundBody(http: () => HttpDeps, request: IncomingMessage, response: ServerResponse, bodyMs: number): void {
  const { socket } = request
  const timer = setTimeout(() => {
    // No problem is sent, because the client would read it as part of the response that has already begun.
    if (response.headersSent) return void socket.destroy()
    end(
      socket,
      rawProblem(
        http(),
        new Problem('timeout', `The body was not complete within ${bodyMs / 1000} s. Send it faster, or send less.`, {
          status: 408,
        }),
      ),
    )
  }, bodyMs)
  timer.unref()
  // Without this limit Node would read an unread body to its end after the answer, however long that takes.
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
  const detail = '`Expect` must be `100-continue` or absent. Remove the header and try again.'
  if (response.socket) end(response.socket, rawProblem(http, new Problem('bad-request', detail)))
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
    return error.rawPacket?.subarray(0, 8192).includes('\n') ? headersTooLarge() : urlTooLong()
  }
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new Problem(
      'payload-too-large',
      'The chunk extensions of the body are too long. Send the body without them.',
    )
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem(
      'timeout',
      'The request was not complete in time: headers within 15 s, a body within 30 s. Send it faster, or send less.',
      { status: 408 },
    )
  }
  return new Problem(
    'bad-request',
    'The request is not valid HTTP/1.1. Send a request line such as `GET /v1/weather?zip=80202 HTTP/1.1`, then headers.',
  )
}

function end(socket: Socket, bytes: Buffer): void {
  if (!socket.writable) return
  socket.end(bytes)
  // Disconnects a client that continues sending after the response.
  setTimeout(() => socket.destroy(), UNREAD_BODY_LINGER_MS).unref()
}
