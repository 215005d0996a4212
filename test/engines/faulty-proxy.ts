import { createServer, request } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'

/** A status to answer with, 'hang up', 'silence', or undefined to pass the request through. */
export type ProxyFault = number | 'hang up' | 'silence' | undefined

/** A proxy for an S3 server that replaces answers by faults. */
export async function startFaultyProxy(endpoint: string, spoil: (count: number) => ProxyFault) {
  const target = new URL(endpoint)
  let count = 0
  const server = createServer((incoming, answer) => {
    const verdict = spoil(count++)
    if (verdict === 'silence') return void incoming.resume()
    if (verdict === 'hang up') return void incoming.socket.destroy()
    if (verdict !== undefined) {
      incoming.resume()
      incoming.on('end', () => {
        answer.writeHead(verdict, { 'content-type': 'application/xml' })
        answer.end('<Error><Code>SlowDown</Code><Message>slow down</Message></Error>')
      })
      return
    }
    // The signature includes the host of the client's request: headers are passed through unchanged.
    const { method, url: path, headers } = incoming
    const through = request({ host: target.hostname, port: target.port, method, path, headers }, (back) => {
      answer.writeHead(back.statusCode!, back.headers)
      back.pipe(answer)
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

/** A TCP proxy that can be cut: connections to `address` go to the target, until `cut`. */
export async function cable(target: string) {
  const { hostname, port } = new URL(target.includes('://') ? target : `tcp://${target}`)
  const sockets = new Set<Socket>()
  let whole = true
  const server = createTcpServer((near) => {
    if (!whole) return void near.destroy()
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
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      whole = false
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      whole = true
    },
    close() {
      this.cut()
      server.close()
    },
  }
}
