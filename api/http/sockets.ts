import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type SocketHandler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Maximum number of concurrent requests of one connection; further pipelined requests are queued, and the socket is
 * paused.
 */
const MAX_CONCURRENT_REQUESTS = 8
/**
 * Maximum number of queued requests of one connection. A segment of 64 KB can contain 2,200 of the shortest requests;
 * ordinary clients pipeline few.
 */
const MAX_QUEUED_REQUESTS = 256

interface Pipeline {
  inWork: number
  readonly waiting: [IncomingMessage, ServerResponse][]
}

/** Limits the concurrent requests of a connection that uses pipelining (RFC 9112, 9.3.2). Responses keep their order. */
export function boundPipelines(handler: SocketHandler): SocketHandler {
  const pipelines = new WeakMap<Socket, Pipeline>()
  const run = (socket: Socket, pipeline: Pipeline, request: IncomingMessage, response: ServerResponse): void => {
    pipeline.inWork++
    response.once('close', () => {
      pipeline.inWork--
      const next = pipeline.waiting.shift()
      if (!next || socket.destroyed) {
        pipeline.waiting.length = 0
        return
      }
      if (pipeline.waiting.length === 0) socket.resume()
      run(socket, pipeline, ...next)
    })
    handler(request, response)
  }
  return (request, response) => {
    const { socket } = request
    let pipeline = pipelines.get(socket)
    if (!pipeline) pipelines.set(socket, (pipeline = { inWork: 0, waiting: [] }))
    if (pipeline.inWork < MAX_CONCURRENT_REQUESTS && pipeline.waiting.length === 0)
      return run(socket, pipeline, request, response)
    if (pipeline.waiting.length >= MAX_QUEUED_REQUESTS) return void socket.destroy()
    pipeline.waiting.push([request, response])
    socket.pause()
  }
}

interface Progress {
  unsent: number
  since: number
}

export interface UnreadLimits {
  /** Milliseconds without progress after which a client is disconnected. */
  readonly idleMs: number
  /**
   * Maximum bytes queued for all clients together. Without a limit, 10,000 slow readers would hold 20 GB of pictures.
   */
  readonly unsentBytes: number
}

/**
 * Disconnects clients that read nothing for `idleMs` while bytes are queued for them, here or in the operating system. If more than
 * `unsentBytes` are queued for all clients together, it disconnects the clients with the most. It checks every `idleMs / 6`.
 * @returns a function that stops the checks
 */
export function cutIdleWriters(server: Server, { idleMs, unsentBytes }: UnreadLimits): () => void {
  const sockets = new Map<Socket, Progress>()
  server.on('connection', (socket) => {
    sockets.set(socket, { unsent: 0, since: performance.now() })
    socket.once('close', () => sockets.delete(socket))
  })
  const timer = setInterval(() => {
    const now = performance.now()
    let waiting = 0
    for (const [socket, progress] of sockets) {
      const unsent = unsentOf(socket)
      // Any change of the queue length counts as progress.
      if (unsent === 0 || unsent !== progress.unsent) Object.assign(progress, { unsent, since: now })
      else if (now - progress.since >= idleMs) {
        socket.destroy()
        continue
      }
      waiting += unsent
    }
    if (waiting <= unsentBytes) return
    const largest = [...sockets].filter(([socket]) => !socket.destroyed)
    largest.sort(([, a], [, b]) => b.unsent - a.unsent)
    for (const [socket, { unsent }] of largest) {
      if (waiting <= unsentBytes) return
      socket.destroy()
      waiting -= unsent
    }
  }, idleMs / 6)
  timer.unref()
  return () => clearInterval(timer)
}

/** Returns the bytes in the buffers of the stream and of libuv; Node has no public name for the second. */
function unsentOf(socket: Socket): number {
  const handle = (socket as unknown as { _handle?: { writeQueueSize?: number } | null })._handle
  return socket.writableLength + (handle?.writeQueueSize ?? 0)
}
