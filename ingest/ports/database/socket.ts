import { createHash } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Parameter, Result, Session, SessionSource } from '../../../sql/session.ts'
import { Fault } from '../../domain/fault.ts'
import { ArrivalQueue } from '../arrival.ts'
import { onMessages, sendMessage } from './wire.ts'

/**
 * A request to the owner. `alone` runs a statement in a session of its own; `finish` runs the last statement of a session and releases it.
 */
type SocketAsk =
  | { do: 'acquire' | 'release' | 'break' }
  | { do: 'run' | 'alone'; text: string; parameters?: readonly Parameter[] }
  | { do: 'finish'; text: string }
type SocketRequest = SocketAsk & { id: number }
type SocketReply = { id: number; result?: Result; error?: { message: string } & Record<string, unknown> }

/**
 * Returns the path of the socket. The system limits paths of Unix sockets to 107 bytes, so a deep DATA_DIR has its socket in the folder for
 * temporary files.
 */
export function socketPath(dataDir: string): string {
  const path = join(dataDir, 'database.sock')
  if (Buffer.byteLength(path) < 100) return path
  return join(
    tmpdir(),
    `hexcast-${userInfo().uid}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.sock`,
  )
}

/** Serves the owner's sessions to other processes of the same user. The transaction of a client that disconnects is rolled back. */
export async function serveSocket(path: string, source: SessionSource): Promise<{ close(): void }> {
  rmSync(path, { force: true })
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    clients.add(client)
    serveClient(client, source)
    client.on('close', () => clients.delete(client))
  })
  const mask = process.umask(0o177)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  }).finally(() => process.umask(mask))
  chmodSync(path, 0o600)
  server.unref()
  return {
    close() {
      server.close()
      for (const client of clients) client.destroy()
      rmSync(path, { force: true })
    },
  }
}

function serveClient(client: Socket, source: SessionSource): void {
  let session: Session | undefined
  let lost = false
  const answer = (message: SocketReply) => client.writable && sendMessage(client, message)
  const releaseSession = () => {
    const released = session
    session = undefined
    // Outside a transaction, this rollback only causes a warning.
    released
      ?.run('rollback')
      .finally(() => released.release())
      .catch(() => {})
  }
  const act = async (ask: SocketRequest): Promise<Result | undefined> => {
    if (ask.do === 'alone') return source.run(ask.text, ask.parameters)
    if (ask.do === 'acquire') {
      if (session) throw new Error('database socket: the client must release its session before it acquires another')
      const newSession = await source.acquire()
      if (lost) newSession.release()
      else session = newSession
      return undefined
    }
    if (!session) throw new Error('database socket: the client must acquire a session first')
    if (ask.do === 'run') return session.run(ask.text, ask.parameters)
    if (ask.do === 'break') {
      releaseSession()
      return undefined
    }
    const released = session
    session = undefined
    if (ask.do === 'finish') return released.finish(ask.text)
    released.release()
    return undefined
  }
  let before: Promise<unknown> = Promise.resolve()
  onMessages(client, (ask: SocketRequest) => {
    before = before.then(() =>
      act(ask).then(
        (result) => answer({ id: ask.id, result }),
        (error) => answer({ id: ask.id, error: { ...error, message: String(error?.message ?? error) } }),
      ),
    )
  })
  client.on('error', () => {})
  client.on('close', () => {
    lost = true
    before.then(releaseSession)
  })
}

/**
 * Maximum number of sessions of a client. They queue at the owner together with those of other clients. Further requests wait in the
 * client.
 */
const MAX_CONNECTIONS = 4

/** Connects to the owner's database from another process. Retries for `waitMs`, because the owner may still be opening it. */
export async function openSocket(path: string, waitMs = 60_000): Promise<SessionSource> {
  const idle: Connection[] = []
  const waiting = new ArrivalQueue<(connection: Connection) => void>()
  let open = 0
  let closed = false

  const put = (connection: Connection) => {
    if (connection.lost || closed) {
      open--
      connection.end()
      const next = waiting.next()
      if (next && !closed) take().then(next)
      return
    }
    const next = waiting.next()
    if (next) next(connection)
    else idle.push(connection)
  }
  const take = async (): Promise<Connection> => {
    const ready = idle.pop()
    if (ready && !ready.lost) return ready
    if (ready) open--
    if (open >= MAX_CONNECTIONS) return new Promise((resolve) => waiting.add(resolve))
    open++
    try {
      return await Connection.to(path, waitMs)
    } catch (error) {
      open--
      throw error
    }
  }
  put(await take())

  const takeOpen = () => {
    if (closed) throw new Fault('Refused', 'database socket: this process has closed it. Open the database again.')
    return take()
  }
  return {
    async run(text, parameters) {
      const connection = await takeOpen()
      return connection.ask({ do: 'alone', text, parameters }).finally(() => put(connection))
    },
    /** The first statement travels with the request for the session. The owner's only session therefore never waits for a busy client. */
    async acquire(): Promise<Session> {
      const connection = await takeOpen()
      const acquired = connection.ask({ do: 'acquire' })
      acquired.catch(() => {})
      let active = true
      const last = (ask: SocketAsk) => {
        active = false
        return connection.ask(ask).finally(() => put(connection))
      }
      const end = (how: 'release' | 'break') => {
        if (active) last({ do: how }).catch(() => {})
      }
      const send = async (work: () => Promise<Result>) => {
        if (!active) throw new Error('database: this transaction has ended. Start another.')
        return (await Promise.all([acquired, work()]))[1]
      }
      return {
        run: (text, parameters) => send(() => connection.ask({ do: 'run', text, parameters })),
        finish: (text) => send(() => last({ do: 'finish', text })),
        release: () => end('release'),
        breakOff: () => end('break'),
      }
    },
    async close() {
      closed = true
      for (const connection of idle) connection.end()
    },
  }
}

const NOTHING: Result = { rows: [], affected: 0 }

class Connection {
  readonly #socket: Socket
  readonly #pending = new Map<number, { resolve(result: Result): void; reject(error: unknown): void }>()
  #last = 0
  lost = false

  static async to(path: string, waitMs: number): Promise<Connection> {
    const pauseMs = 100
    for (let remainingMs = waitMs; ; remainingMs -= pauseMs) {
      try {
        return new Connection(
          await new Promise<Socket>((resolve, reject) => {
            const socket = connect(path, () => resolve(socket))
            socket.once('error', reject)
          }),
        )
      } catch (error) {
        if (remainingMs <= 0)
          throw new Fault(
            'Refused',
            `database: its owner does not answer at ${path}. Check that the owner is running, or wait until it has started.`,
            {},
            error,
          )
        await pause(pauseMs)
      }
    }
  }

  constructor(socket: Socket) {
    this.#socket = socket
    socket.unref()
    socket.on('error', () => {})
    socket.on('close', () => {
      this.lost = true
      for (const request of this.#pending.values()) {
        request.reject(new Fault('Refused', 'database: the process that owns it ended during a statement. Try again.'))
      }
      this.#pending.clear()
    })
    onMessages(socket, (answer: SocketReply) => {
      const request = this.#pending.get(answer.id)
      this.#pending.delete(answer.id)
      if (this.#pending.size === 0) socket.unref()
      if (answer.error) request?.reject(Object.assign(new Error(answer.error.message), answer.error))
      else request?.resolve(answer.result ?? NOTHING)
    })
  }

  ask(message: SocketAsk): Promise<Result> {
    if (this.lost)
      return Promise.reject(new Fault('Refused', 'database: the process that owns it has ended. Try again.'))
    return new Promise((resolve, reject) => {
      const id = ++this.#last
      this.#pending.set(id, { resolve, reject })
      this.#socket.ref()
      sendMessage(this.#socket, { ...message, id })
    })
  }

  end(): void {
    this.#socket.end()
  }
}
