import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const PROBE_INTERVAL_MS = 100

/** What went wrong between the balancer and its processes. */
export interface Failures {
  readonly refused: string[]
  readonly reset: string[]
  /** Requests for which no process was ready. */
  readonly unplaced: string[]
}

/** A load balancer that sends requests to the processes whose `/readyz` is 200, over connections that it keeps open. */
export class Balancer {
  readonly failures: Failures = { refused: [], reset: [], unplaced: [] }
  readonly base: string
  readonly #server: ReturnType<typeof createServer>
  readonly #agent = new Agent({ keepAlive: true })
  readonly #timer: NodeJS.Timeout
  readonly #ready = new Map<number, boolean>()
  #turn = 0

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server
    this.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (incoming, response) => this.#forward(incoming, response))
    this.#timer = setInterval(() => void this.#probeAll(), PROBE_INTERVAL_MS)
  }

  static async open(): Promise<Balancer> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Balancer(server)
  }

  /** Adds a process. Resolves when it is ready. */
  async add(port: number): Promise<void> {
    this.#ready.set(port, false)
    while (!this.#ready.get(port)) await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL_MS / 2))
  }

  remove(port: number): void {
    this.#ready.delete(port)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#agent.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #probeAll(): Promise<void> {
    for (const port of this.#ready.keys()) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } }).catch(
        () => undefined,
      )
      await answer?.body?.cancel()
      if (this.#ready.has(port)) this.#ready.set(port, answer?.status === 200)
    }
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    const ports = [...this.#ready].filter(([, isReady]) => isReady).map(([port]) => port)
    const port = ports[this.#turn++ % Math.max(1, ports.length)]
    const { url = '', method, headers } = incoming
    if (port === undefined) {
      this.failures.unplaced.push(url)
      response.writeHead(502).end()
      return
    }
    let hasLeft = false
    response.once('close', () => {
      hasLeft = !response.writableEnded
      if (hasLeft) outgoing.destroy()
    })
    const outgoing = request({ port, host: '127.0.0.1', path: url, method, headers, agent: this.#agent })
    const fail = (error: NodeJS.ErrnoException) => {
      if (hasLeft) return
      const list = error.code === 'ECONNREFUSED' ? this.failures.refused : this.failures.reset
      list.push(`${method} ${url}: ${error.code}`)
      response.destroy()
    }
    outgoing.on('error', fail)
    outgoing.on('response', (answer) => {
      answer.on('error', fail)
      const { connection: _, 'keep-alive': __, ...others } = answer.headers
      response.writeHead(answer.statusCode ?? 500, others)
      answer.pipe(response)
    })
    incoming.pipe(outgoing)
  }
}
