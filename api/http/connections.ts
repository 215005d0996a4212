import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkSubject } from '../keys/network.ts'

/**
 * Limits the open connections of a server. At the limit, a new connection replaces the oldest idle connection of the
 * network with the most connections, so that a client that opens thousands of connections closes its own. If that
 * network has no idle connection, the new connection is closed.
 */
export function shareConnections(server: Server, maxConnections: number): void {
  const networks = new Map<string, Set<Socket>>()
  const inWork = new WeakMap<Socket, number>()
  let count = 0

  server.on('request', ({ socket }, response) => {
    inWork.set(socket, (inWork.get(socket) ?? 0) + 1)
    response.once('close', () => inWork.set(socket, (inWork.get(socket) ?? 1) - 1))
  })
  server.on('connection', (socket) => {
    const network = networkSubject(socket.remoteAddress ?? '')
    let sockets = networks.get(network)
    if (!sockets) networks.set(network, (sockets = new Set()))
    sockets.add(socket)
    count++
    const remove = () => {
      if (!sockets.delete(socket)) return
      count--
      if (sockets.size === 0 && networks.get(network) === sockets) networks.delete(network)
    }
    socket.once('close', remove)
    if (count <= maxConnections) return
    const replaced = longestIdle(networks.values(), (idle) => idle !== socket && !inWork.get(idle)) ?? socket
    replaced.destroy()
  })
}

function longestIdle(networks: Iterable<Set<Socket>>, isIdle: (socket: Socket) => boolean): Socket | undefined {
  let largest: Set<Socket> | undefined
  for (const sockets of networks) if (!largest || sockets.size > largest.size) largest = sockets
  for (const socket of largest ?? []) if (isIdle(socket) && !socket.destroyed) return socket
  return undefined
}
