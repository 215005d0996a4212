import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Requests of one connection in work at once; further ones that were pipelined wait, unread bytes stay with the sender. */
const MAX_CONCURRENT_REQUESTS = 8
/** Pipelined requests: a segment of 64 KB can contain 2,200 of the shortest; ordinary clients pipeline few. */
const MAX_QUEUED_REQUESTS = 256

interface Pipeline {
  inWork: number
  readonly waiting: [IncomingMessage, ServerResponse][]
}

/** Bounds what one connection can put to work by pipelining (RFC 9112, 9.3.2). Answers keep their order. */
export function boundPipelines(handler: Handler): Handler {
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

/**
 * Cuts connections whose reader takes nothing for `idleMs` while bytes wait for it, here or in the queue of the system. It is
 * looked at every `idleMs / 6`.
 */
export function cutIdleWriters(server: Server, idleMs: number): () => void {
  const sockets = new Map<Socket, Progress>()
  server.on('connection', (socket) => {
    sockets.set(socket, { unsent: 0, since: performance.now() })
    socket.once('close', () => sockets.delete(socket))
  })
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [socket, progress] of sockets) {
      const unsent = unsentBytes(socket)
      // Less, or more: it moves. What waits at exactly the same length does not.
      if (unsent === 0 || unsent !== progress.unsent) Object.assign(progress, { unsent, since: now })
      else if (now - progress.since >= idleMs) socket.destroy()
    }
  }, idleMs / 6)
  timer.unref()
  return () => clearInterval(timer)
}

/** Bytes in the buffer of the stream and in that of libuv; Node has no public name for the second. */
function unsentBytes(socket: Socket): number {
  const handle = (socket as unknown as { _handle?: { writeQueueSize?: number } | null })._handle
  return socket.writableLength + (handle?.writeQueueSize ?? 0)
}
