import { once } from 'node:events'
import { connect, createSecureServer, createServer, type SecureServerOptions, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'

/** Status of gRPC: the caller has no permission any more. */
const PERMISSION_DENIED = '7'
const UNAUTHENTICATED = '16'

/** TLS of the proxy, and the API key that its callers must have. */
interface ProxySecurity {
  readonly tls: SecureServerOptions
  readonly apiKey: string
}

/**
 * A gRPC proxy whose server can withdraw the permission to poll for work, as after a change of roles. With `security` it
 * requires TLS and an API key before a server that has neither. @param refused methods that are always refused
 */
export async function denyingProxy(
  target: string,
  security?: ProxySecurity,
  refused?: RegExp,
): Promise<{ address: string; deny(): void; close(): void }> {
  const upstream = connect(`http://${target}`)
  const polls = new Set<ServerHttp2Stream>()
  let isDenied = false
  const refuse = (stream: ServerHttp2Stream, status = PERMISSION_DENIED) => {
    if (!stream.headersSent && !stream.destroyed)
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status }, { endStream: true })
  }
  const server = security ? createSecureServer(security.tls) : createServer()
  server.on('sessionError', () => undefined)
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    if (security && headers['authorization'] !== `Bearer ${security.apiKey}`) return refuse(stream, UNAUTHENTICATED)
    if (refused?.test(String(headers[':path']))) return refuse(stream)
    if (String(headers[':path']).includes('/Poll')) {
      if (isDenied) return refuse(stream)
      polls.add(stream)
      stream.once('close', () => polls.delete(stream))
    }
    const forwarded = upstream.request({ ...headers, ':authority': target })
    forwarded.on('error', () => stream.destroy())
    stream.once('close', () => forwarded.close())
    stream.pipe(forwarded)
    let trailers: Record<string, unknown> = {}
    forwarded.on('trailers', (received) => {
      trailers = received
    })
    forwarded.on('response', (received, flags) => {
      if (stream.destroyed || stream.headersSent) return
      const hasEnded = (flags & 1) === 1
      stream.respond(received, { endStream: hasEnded, waitForTrailers: !hasEnded })
      if (!hasEnded) forwarded.pipe(stream)
    })
    stream.on('wantTrailers', () => stream.sendTrailers(trailers as never))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    deny() {
      isDenied = true
      for (const stream of polls) refuse(stream)
    },
    close() {
      upstream.destroy()
      server.close()
    },
  }
}
