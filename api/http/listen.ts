import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { cannotListen } from '../../ingest/ports/listening.ts'
import { Problem } from '../problem.ts'
import { shareConnections } from './connections.ts'
import type { Edge } from './deps.ts'
import { LINGER_MS } from './exchange.ts'
import { hasBody, rawProblem } from './pipeline.ts'
import { boundPipelines, cutIdleWriters } from './sockets.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A server that cuts slow clients, answers what the parser refuses, and ends without losing a request in work. */
export interface Listening {
  readonly port: number
  readonly server: Server
  close(graceMs?: number): Promise<void>
}

/** Room for the problem of a URL or header that is a little too long; beyond it the parser itself refuses. */
const PARSER_LIMIT = 32_768

/** Times in milliseconds; settable for tests. */
export interface ListenLimits {
  /** For the whole body of a request. */
  readonly bodyMs: number
  /** Without any progress of what is sent. */
  readonly writeIdleMs: number
  readonly connections: number
}
const LIMITS: ListenLimits = { bodyMs: 30_000, writeIdleMs: 30_000, connections: 10_000 }

export async function listen(
  edge: () => Edge,
  handler: Handler,
  host: string,
  port: number,
  limits: ListenLimits = LIMITS,
): Promise<Listening> {
  const server = createServer({
    maxHeaderSize: PARSER_LIMIT,
    headersTimeout: 15_000,
    requestTimeout: 45_000,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: 1000,
    requireHostHeader: false,
    noDelay: true,
  })
  server.maxHeadersCount = 200
  // Time for the body begins with the request; that for a silent connection is keepAliveTimeout.
  server.timeout = 0
  shareConnections(server, limits.connections)
  const stopCutting = cutIdleWriters(server, limits.writeIdleMs)
  const bounded = boundPipelines(handler)
  const fresh = new Set<Socket>()
  let closing = false

  server.on('request', (request, response) => {
    fresh.delete(request.socket)
    if (closing) response.setHeader('Connection', 'close')
    const expect = request.headers.expect
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') return refuseExpect(edge(), response)
    if (hasBody(request)) boundBody(edge, request, response, limits.bodyMs)
    bounded(request, response)
  })
  server.on('checkExpectation', (_request, response) => refuseExpect(edge(), response))
  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, socket) =>
    refuseUnparsed(edge(), error, socket as Socket),
  )
  server.on('connect', (_request, socket) => {
    end(
      socket as Socket,
      rawProblem(
        edge(),
        new Problem('bad-request', 'CONNECT: this server is no proxy.', {
          status: 405,
          headers: { Allow: 'GET, HEAD, POST' },
        }),
      ),
    )
  })
  let accepted = 0
  server.on('connection', (socket) => {
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
    async close(graceMs = GRACE) {
      closing = true
      // Connections that wait while the loop was busy are taken up first, one with each turn of it: a door that closes resets them.
      const until = performance.now() + ACCEPT_MS
      let before = -1
      for (let turns = 0; before !== accepted && turns < ACCEPT_TURNS && performance.now() < until; turns++) {
        before = accepted
        await turn()
      }
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // A request that is on its way already is still read; a connection that was opened and never used does not delay the end.
      void lastCall().then(() => {
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

/** Once round the loop and once more: who waits first at the door is let in, then what was sent is read. */
async function turn(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

/** Longer than any request may take. */
const GRACE = 21_000
/** New connections at the end are let in for so many turns: a moment where they come all the time, longer where a turn is long. */
const ACCEPT_TURNS = 256
const ACCEPT_MS = 10_000
/** Looks for what a client sends on a connection that is open when the end begins, and milliseconds between them: a busy loop looks no less often. */
const LAST_LOOKS = 20
const LOOK_MS = 10
async function lastCall(): Promise<void> {
  for (let look = 0; look < LAST_LOOKS; look++) await pause(LOOK_MS)
  await turn()
}

/** Any method may have a body, and one in chunks may have no end. */
function boundBody(edge: () => Edge, request: IncomingMessage, response: ServerResponse, bodyMs: number): void {
  const { socket } = request
  const timer = setTimeout(() => {
    // A problem behind an answer that has begun would be read as a part of it.
    if (response.headersSent) return void socket.destroy()
    end(
      socket,
      rawProblem(edge(), new Problem('timeout', `body: wanted whole within ${bodyMs / 1000} s.`, { status: 408 })),
    )
  }, bodyMs)
  timer.unref()
  // Node reads what follows an answer to its end, however long that takes.
  let linger: NodeJS.Timeout | undefined
  response.once('finish', () => {
    if (!request.complete) linger = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
  const done = () => {
    clearTimeout(timer)
    clearTimeout(linger)
  }
  request.once('end', done)
  request.once('close', done)
}

function refuseExpect(edge: Edge, response: ServerResponse): void {
  end(response.socket!, rawProblem(edge, new Problem('bad-request', 'Expect: wanted 100-continue or nothing.')))
}

function refuseUnparsed(edge: Edge, error: Error & { code?: string; rawPacket?: Buffer }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  end(socket, rawProblem(edge, unparsed(error)))
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
  // A client that goes on sending after the answer is cut.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
