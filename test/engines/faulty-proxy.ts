import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'

/** A status to answer with, 'hang up', 'silence', or undefined to pass the request through. */
export type ProxyFault = number | 'hang up' | 'silence' | undefined

/** Starts a proxy for an S3 server that replaces answers with faults. */
export async function startFaultyProxy(
  endpoint: string,
  faultAt: (count: number, incoming: IncomingMessage) => ProxyFault,
) {
  const target = new URL(endpoint)
  let count = 0
  const server = createServer((incoming, answer) => {
    const fault = faultAt(count++, incoming)
    if (fault === 'silence') return void incoming.resume()
    if (fault === 'hang up') return void incoming.socket.destroy()
    if (fault !== undefined) {
      incoming.resume()
      incoming.on('end', () => {
        answer.writeHead(fault, { 'content-type': 'application/xml' })
        answer.end('<Error><Code>SlowDown</Code><Message>slow down</Message></Error>')
      })
      return
    }
    // The signature includes the host of the client's request, so headers are passed through unchanged.
    const { method, url: path, headers } = incoming
    const through = request({ host: target.hostname, port: target.port, method, path, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    through.on('error', () => answer.destroy())
    incoming.pipe(through)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => count,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * Starts a TCP proxy: connections to `address` reach the target, except between `cut` and `restore`.
 * @param losesReply called for each reply of the target: true breaks the connection after the target has done its work
 */
export async function startTcpProxy(target: string, losesReply: () => boolean = () => false) {
  const { hostname, port } = new URL(target.includes('://') ? target : `tcp://${target}`)
  const sockets = new Set<Socket>()
  let isConnected = true
  const server = createTcpServer((near) => {
    if (!isConnected) return void near.destroy()
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.on('data', (reply) => (losesReply() ? near.destroy() : near.write(reply)))
    far.on('end', () => near.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isConnected = false
      for (const socket of sockets) socket.destroy()
    },
    restore() {
      isConnected = true
    },
    close() {
      this.cut()
      server.close()
    },
  }
}
