import { connect, createServer, type Socket } from 'node:net'

/** What a proxy before the database does: passes bytes on, refuses connections, or accepts them and never answers. */
export type ProxyManner = 'passing' | 'refusing' | 'silent'

/** Starts a proxy before a database on this machine. A change of its manner breaks the connections, except to 'silent'. */
export async function databaseProxy(target: number) {
  const sockets = new Set<Socket>()
  let manner: ProxyManner = 'passing'
  const remember = (socket: Socket, onClose: () => void) => {
    sockets.add(socket)
    socket
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(socket)
        onClose()
      })
  }
  const server = createServer((client) => {
    if (manner === 'refusing') return client.destroy()
    if (manner === 'silent') return remember(client.resume(), () => {})
    const upstream = connect(target, '127.0.0.1')
    remember(client, () => upstream.destroy())
    remember(upstream, () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as { port: number }).port,
    set manner(value: ProxyManner) {
      manner = value
      if (value !== 'silent') breakAll()
      else for (const socket of sockets) socket.unpipe().resume()
    },
    close() {
      breakAll()
      server.close()
    },
  }
}
