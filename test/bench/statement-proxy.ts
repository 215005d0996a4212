import { connect, createServer, type Socket } from 'node:net'

/** Types of messages of PostgreSQL's protocol that run a statement: Query and Execute. */
const RUNS: ReadonlySet<number> = new Set(['Q', 'E'].map((type) => type.charCodeAt(0)))

/** A proxy before PostgreSQL that counts the statements which pass it. */
export async function statementProxy(port: number) {
  let statements = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket)
          client.destroy()
          target.destroy()
        })
    }
    // The first message has no type.
    let waiting = 0
    let isFirst = true
    let begun = Buffer.alloc(0)
    client.on('data', (bytes: Buffer) => {
      target.write(bytes)
      let rest = begun.length > 0 ? Buffer.concat([begun, bytes]) : bytes
      begun = Buffer.alloc(0)
      while (rest.length > 0) {
        if (waiting > 0) {
          const part = Math.min(waiting, rest.length)
          waiting -= part
          rest = rest.subarray(part)
          continue
        }
        const head = isFirst ? 0 : 1
        if (rest.length < head + 4) {
          begun = Buffer.from(rest)
          return
        }
        if (!isFirst && RUNS.has(rest.readUInt8(0))) statements++
        waiting = rest.readInt32BE(head) - 4
        rest = rest.subarray(head + 4)
        isFirst = false
      }
    })
    target.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    get statements() {
      return statements
    },
    get connections() {
      return sockets.size / 2
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
